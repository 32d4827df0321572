/// Finds the one object of each signature in use.
///
/// Two caches in front of it serve the first texts without a lock. The table keeps the signatures it made. Once their number or the length of their texts
/// has doubled, it drops those that nobody else holds, so that a stream of random ones leaves little behind. Signatures of long texts, which take
/// megabytes, end with the last who holds them.
final class SignatureTable: Sendable {
  static let shared = SignatureTable()

  private struct Key: Hashable {
    var text: String
    /// nil for a text that the table wrote itself, so that no malformed text of a caller can be taken for one.
    var dialect: TypeEncoding.Dialect?
    var fixedCount: Int?
    var backend: CallBackend
  }

  /// A caller's text and its signature, which ``State/storages`` keeps alive.
  private struct Spelling {
    unowned(unsafe) let storage: MethodSignature.Storage
  }

  /// A signature of a long text, in a class since the reference cannot be copied.
  private final class LongStorage {
    private let reference: WeakObject

    init(_ storage: MethodSignature.Storage) { reference = WeakObject(storage) }

    /// The signature, unless it has ended.
    var storage: MethodSignature.Storage? {
      unsafe reference.retain().map { unsafe unsafeDowncast($0.takeRetainedValue(), to: MethodSignature.Storage.self) }
    }
  }

  private struct State {
    /// Each signature under the text that all its spellings share.
    var storages: [Key: MethodSignature.Storage] = [:]
    /// The same of long texts; the table does not keep these alive.
    var longStorages: [Key: LongStorage] = [:]
    var spellings: [Key: Spelling] = [:]
    /// The bytes of all texts in the table.
    var textLength = 0
    var nextSweep = (count: leastSweep, textLength: leastTextLength)

    var count: Int { storages.count + longStorages.count + spellings.count }
  }

  /// The table is not swept before it has this many texts, or so many bytes of text: a signature takes some hundred times the bytes of its text.
  private static let leastSweep = 1024
  private static let leastTextLength = 1 << 16

  /// The bytes of the longest text whose signature the table keeps.
  private static let longestKept = 1 << 12

  private let state: Guarded<State> = Guarded(State(), atFork: .signatures)
  private let cache = SignatureCache()
  private let recent = RecentSignatures()

  @inline(__always)
  func signature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> MethodSignature.Storage {
    if Self.isPlain(dialect, fixedCount, backend), let storage = recent.storage(of: text) { return storage }
    return try cachedSignature(text, dialect: dialect, fixedCount: fixedCount, backend: backend)
  }

  /// Whether a text is looked up with nothing but itself.
  @inline(__always)
  private static func isPlain(_ dialect: TypeEncoding.Dialect, _ fixedCount: Int?, _ backend: CallBackend) -> Bool {
    dialect == .next && fixedCount == nil && backend == .automatic
  }

  /// Looks behind the recent ones.
  private func cachedSignature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> MethodSignature.Storage {
    let cached = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe cache.entry(of: .init(UnsafeRawBufferPointer(bytes), dialect: dialect, fixedCount: fixedCount, backend: backend))
    }
    if let cached = unsafe cached, let entry = unsafe cached {
      if Self.isPlain(dialect, fixedCount, backend) { unsafe recent.note(text, entry) }
      return unsafe entry.pointee.storage.takeUnretainedValue()
    }
    return try uncachedSignature(text, dialect: dialect, fixedCount: fixedCount, backend: backend)
  }

  /// Looks behind the cache.
  private func uncachedSignature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> MethodSignature.Storage {
    let key = Key(text: text, dialect: dialect, fixedCount: fixedCount, backend: backend)
    if let found = state.withLock({ unsafe $0.spellings[key]?.storage }) { return found }
    let (storage, isKept) = try keptSignature(MethodTypes(text, dialect: dialect), fixedCount: fixedCount, backend: backend)
    guard isKept, text.utf8.count <= Self.longestKept else { return storage }
    state.withLock { state in
      state.spellings[key] = Spelling(storage: storage)
      Self.added(text, to: &state)
    }
    unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe cache.add(.init(UnsafeRawBufferPointer(bytes), dialect: dialect, fixedCount: fixedCount, backend: backend), storage)
    }
    return storage
  }

  func signature(_ types: MethodTypes, fixedCount: Int?, backend: CallBackend) throws(InvocationError) -> MethodSignature.Storage {
    try keptSignature(types, fixedCount: fixedCount, backend: backend).storage
  }

  /// The signature, and whether the table keeps it.
  private func keptSignature(
    _ types: MethodTypes, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> (storage: MethodSignature.Storage, isKept: Bool) {
    // Spellings that differ only in frame offsets share one object: the text of everything else is its key.
    let text = types.text(dialect: .gnu, options: TypeEncoding.TextOptions.all.union(.layoutOverrides))
    let key = Key(text: text, dialect: nil, fixedCount: fixedCount, backend: backend)
    let isKept = text.utf8.count <= Self.longestKept
    if let found = state.withLock({ $0.storages[key] ?? $0.longStorages[key]?.storage }) { return (found, isKept) }
    // Planned outside the lock; when two threads plan the same, the first to come back wins.
    let planned = try MethodSignature.Storage(types: types, fixedCount: fixedCount, backend: backend)
    let storage = state.withLock { state in
      if let found = state.storages[key] ?? state.longStorages[key]?.storage { return found }
      if isKept { state.storages[key] = planned } else { state.longStorages[key] = LongStorage(planned) }
      Self.added(text, to: &state)
      return planned
    }
    return (storage, isKept)
  }

  /// Counts a new text, and sweeps when the table has doubled; the caller holds the text's signature.
  private static func added(_ text: String, to state: inout State) {
    state.textLength += text.utf8.count
    guard state.count >= state.nextSweep.count || state.textLength >= state.nextSweep.textLength else { return }
    var live: Set<ObjectIdentifier> = []
    // By index: a loop over the indices would hold the dictionary, and with it every signature, a second time.
    var index = state.storages.startIndex
    while index != state.storages.endIndex {
      if !isKnownUniquelyReferenced(&state.storages.values[index]) { live.insert(ObjectIdentifier(state.storages.values[index])) }
      state.storages.formIndex(after: &index)
    }
    // The spellings first, while what they refer to is still there.
    state.spellings = state.spellings.filter { live.contains(ObjectIdentifier(unsafe $0.value.storage)) }
    state.storages = state.storages.filter { live.contains(ObjectIdentifier($0.value)) }
    // One that has just been asked may end here; its end runs no code but the engine's.
    state.longStorages = state.longStorages.filter { $0.value.storage != nil }
    func textLength(_ keys: some Sequence<Key>) -> Int { keys.reduce(0) { $0 + $1.text.utf8.count } }
    state.textLength = textLength(state.storages.keys) + textLength(state.longStorages.keys) + textLength(state.spellings.keys)
    state.nextSweep = (max(leastSweep, 2 * state.count), max(leastTextLength, 2 * state.textLength))
  }
}
