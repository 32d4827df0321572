/// Finds the one object of each signature in use.
///
/// Two caches in front of it serve the first texts without a lock. The table keeps the signatures it made. Once their number or the length of their texts
/// has doubled, it drops those that nobody else holds, so that a stream of random ones leaves little behind. It holds no weak references: an object with
/// one is counted through a second object, which would slow down every call that holds its signature.
final class SignatureTable: Sendable {
  static let shared = SignatureTable()

  private struct Key: Hashable {
    var text: String
    /// nil for a text that the table wrote itself, so that no malformed text of a caller can be taken for one.
    var dialect: TypeEncoding.Dialect?
    var fixedCount: Int?
    var lane: CallLane
  }

  /// A caller's text and its signature, which ``State/storages`` keeps alive.
  private struct Spelling {
    unowned(unsafe) let storage: MethodSignature.Storage
  }

  private struct State {
    /// Each signature under the text that all its spellings share.
    var storages: [Key: MethodSignature.Storage] = [:]
    var spellings: [Key: Spelling] = [:]
    /// The bytes of all texts in the table.
    var textLength = 0
    var nextSweep = (count: leastSweep, textLength: leastTextLength)
  }

  /// The table is not swept before it has this many texts, or so many bytes of text: a signature takes a hundred times the bytes of its text.
  private static let leastSweep = 1024
  private static let leastTextLength = 1 << 18

  private let state: Guarded<State> = Guarded(State())
  private let cache = SignatureCache()
  private let recent = RecentSignatures()

  @inline(__always)
  func signature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, lane: CallLane
  ) throws(InvocationError) -> MethodSignature.Storage {
    if Self.isPlain(dialect, fixedCount, lane), let storage = recent.storage(of: text) { return storage }
    return try cachedSignature(text, dialect: dialect, fixedCount: fixedCount, lane: lane)
  }

  /// Whether a text is looked up with nothing but itself.
  @inline(__always)
  private static func isPlain(_ dialect: TypeEncoding.Dialect, _ fixedCount: Int?, _ lane: CallLane) -> Bool {
    dialect == .next && fixedCount == nil && lane == .automatic
  }

  /// Looks behind the recent ones.
  private func cachedSignature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, lane: CallLane
  ) throws(InvocationError) -> MethodSignature.Storage {
    let cached = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe cache.entry(of: .init(UnsafeRawBufferPointer(bytes), dialect: dialect, fixedCount: fixedCount, lane: lane))
    }
    if let cached = unsafe cached, let entry = unsafe cached {
      if Self.isPlain(dialect, fixedCount, lane) { unsafe recent.note(text, entry) }
      return unsafe entry.pointee.storage.takeUnretainedValue()
    }
    return try uncachedSignature(text, dialect: dialect, fixedCount: fixedCount, lane: lane)
  }

  /// Looks behind the cache.
  private func uncachedSignature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, lane: CallLane
  ) throws(InvocationError) -> MethodSignature.Storage {
    let key = Key(text: text, dialect: dialect, fixedCount: fixedCount, lane: lane)
    if let found = state.withLock({ unsafe $0.spellings[key]?.storage }) { return found }
    let storage = try signature(MethodTypes(text, dialect: dialect), fixedCount: fixedCount, lane: lane)
    state.withLock { state in
      state.spellings[key] = Spelling(storage: storage)
      Self.added(text, to: &state)
    }
    unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe cache.add(.init(UnsafeRawBufferPointer(bytes), dialect: dialect, fixedCount: fixedCount, lane: lane), storage)
    }
    return storage
  }

  func signature(_ types: MethodTypes, fixedCount: Int?, lane: CallLane) throws(InvocationError) -> MethodSignature.Storage {
    // Spellings that differ only in frame offsets share one object: the text of everything else is its key.
    let text = types.text(dialect: .gnu, options: TypeEncoding.TextOptions.all.union(.layoutOverrides))
    let key = Key(text: text, dialect: nil, fixedCount: fixedCount, lane: lane)
    if let found = state.withLock({ $0.storages[key] }) { return found }
    // Planned outside the lock; when two threads plan the same, the first to come back wins.
    let planned = try MethodSignature.Storage(types: types, fixedCount: fixedCount, lane: lane)
    return state.withLock { state in
      if let found = state.storages[key] { return found }
      state.storages[key] = planned
      Self.added(text, to: &state)
      return planned
    }
  }

  /// Counts a new text, and sweeps when the table has doubled; the caller holds the text's signature.
  private static func added(_ text: String, to state: inout State) {
    state.textLength += text.utf8.count
    guard state.storages.count + state.spellings.count >= state.nextSweep.count || state.textLength >= state.nextSweep.textLength
    else { return }
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
    state.textLength =
      state.storages.keys.reduce(0) { $0 + $1.text.utf8.count } + state.spellings.keys.reduce(0) { $0 + $1.text.utf8.count }
    state.nextSweep = (
      max(leastSweep, 2 * (state.storages.count + state.spellings.count)), max(leastTextLength, 2 * state.textLength)
    )
  }
}
