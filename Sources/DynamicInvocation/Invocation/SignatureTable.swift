import Synchronization

/// Finds the one object of each signature in use.
///
/// A text is looked for in three places, the fastest first.
///
/// 1. ``recent``: 256 places, chosen by a hash of the two words that a `String` consists of. Each has the text that was
///    looked up last of those with this hash. A string of at most 15 bytes of UTF-8 is stored in its two words, so
///    comparing the words compares the texts. The words of a longer string are its length and address; there the bytes
///    are compared. This takes no lock and counts no references.
/// 2. ``texts``: the first texts of the process, with all that they were looked up with, in a hash table that is read
///    without a lock. Their signatures live as long as the process.
/// 3. ``state``: under a lock, the texts that found no room in ``texts``, and each signature under a text that all its
///    spellings share. Whenever their number or the length of their texts has doubled, signatures that nobody else
///    holds are dropped, so a stream of random ones leaves little behind. Signatures of long texts, which take
///    megabytes, are not kept at all.
@safe
final class SignatureTable: @unchecked Sendable {
  // Sendable by hand: the places of `recent` are atomic, and what their addresses lead to is never changed or freed.

  static let shared = SignatureTable()

  private struct Key: Hashable {
    var text: String
    /// nil for a text that the table wrote itself, so that no malformed text of a caller can be taken for one.
    var dialect: TypeEncoding.Dialect?
    var fixedCount: Int?
    var backend: CallBackend
  }

  /// The two words of a string.
  ///
  /// While a string lives, any string of the same two words is equal to it: its text is in the words, or both refer to
  /// the same memory, which Swift does not change while two strings share it.
  private typealias Words = (UInt64, UInt64)

  /// A text of ``texts`` and its signature, both retained for the life of the process.
  @safe
  private struct Entry {
    let key: Key
    /// The words of the key's text, a copy that no caller refers to.
    let words: Words
    let bytes: UnsafeRawBufferPointer
    let storage: Unmanaged<MethodSignature.Storage>

    init(_ key: Key, _ storage: MethodSignature.Storage) {
      let text = String(decoding: key.text.utf8, as: UTF8.self)
      self.key = Key(text: text, dialect: key.dialect, fixedCount: key.fixedCount, backend: key.backend)
      words = SignatureTable.words(of: text)
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 8)
      unsafe copy.copyBytes(from: text.utf8)
      unsafe bytes = UnsafeRawBufferPointer(copy)
      unsafe self.storage = .passRetained(storage)
    }

    /// Whether a text of at least eight bytes is the key's; compares eight at a time, from the end.
    @inline(__always)
    func hasBytes(_ other: UnsafeRawBufferPointer) -> Bool {
      let count = unsafe bytes.count
      guard other.count == count, count >= 8 else { return false }
      var offset = count &- 8
      while unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        if offset == 0 { return true }
        offset = max(0, offset &- 8)
      }
      return false
    }
  }

  /// A text and its signature, which ``State/storages`` keeps alive.
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
    /// The bytes of the texts that are read without a lock.
    var entriesLength = 0
    /// Each signature under the text that all its spellings share.
    var storages: [Key: MethodSignature.Storage] = [:]
    /// The same of long texts; the table does not keep these alive.
    var longStorages: [Key: LongStorage] = [:]
    var spellings: [Key: Spelling] = [:]
    /// The bytes of all texts in the three dictionaries.
    var textLength = 0
    var nextSweep = (count: leastSweep, textLength: leastTextLength)

    var count: Int { storages.count + longStorages.count + spellings.count }
  }

  /// The limits of ``texts``: their number, the bytes of one, and the bytes of all.
  ///
  /// A signature takes some hundred times the bytes of its text.
  private static let mostEntries = 1_024
  private static let longestEntry = 1 << 9
  private static let mostEntriesLength = 1 << 15

  /// The dictionaries are not swept before they have this many texts, or so many bytes of text.
  private static let leastSweep = 1_024
  private static let leastTextLength = 1 << 16

  /// The bytes of the longest text whose signature the table keeps.
  private static let longestKept = 1 << 12

  /// The addresses of 256 entries, or 0.
  private let recent: UnsafeMutablePointer<Atomic<UInt>>
  /// The addresses of the entries.
  private let texts = WriteOnceTable(capacity: 512)
  private let state: Locked<State> = Locked(State(), atFork: .signatures)

  init() {
    unsafe recent = .allocate(capacity: 256)
    for place in 0..<256 { unsafe (recent + place).initialize(to: Atomic(0)) }
  }

  deinit { preconditionFailure("the signatures live as long as the process") }

  @inline(__always)
  func signature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> MethodSignature.Storage {
    if Self.isPlain(dialect, fixedCount, backend), let storage = recentSignature(text) { return storage }
    return try keyedSignature(text, dialect: dialect, fixedCount: fixedCount, backend: backend)
  }

  func signature(_ types: MethodTypes, fixedCount: Int?, backend: CallBackend) throws(InvocationError) -> MethodSignature.Storage {
    try keptSignature(types, fixedCount: fixedCount, backend: backend).storage
  }
}

/// Reading without a lock.
extension SignatureTable {
  /// Whether a text is looked up with nothing but itself.
  @inline(__always)
  private static func isPlain(_ dialect: TypeEncoding.Dialect?, _ fixedCount: Int?, _ backend: CallBackend) -> Bool {
    dialect == .next && fixedCount == nil && backend == .automatic
  }

  @inline(__always)
  private func recentSignature(_ text: String) -> MethodSignature.Storage? {
    let words = Self.words(of: text)
    let address = unsafe recent[Self.place(of: words)].load(ordering: .acquiring)
    guard let entry = unsafe UnsafePointer<Entry>(bitPattern: address) else { return nil }
    guard unsafe entry.pointee.words == words || Self.isText(text, of: entry) else { return nil }
    return unsafe entry.pointee.storage.takeUnretainedValue()
  }

  private static func isText(_ text: String, of entry: UnsafePointer<Entry>) -> Bool {
    let isSame = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe entry.pointee.hasBytes(UnsafeRawBufferPointer($0)) }
    return isSame == true
  }

  @inline(__always)
  private static func words(of text: String) -> Words { unsafe unsafeBitCast(text, to: Words.self) }

  /// The place of a string among the recent ones.
  @inline(__always)
  private static func place(of words: Words) -> Int { Int(PointerHash.hash(UInt(words.0 ^ words.1)) &>> 56) }

  private static func entry(at address: UInt) -> UnsafePointer<Entry> {
    // Only addresses of entries are in the tables.
    unsafe UnsafePointer(bitPattern: address).unsafelyUnwrapped
  }

  private static func hash(of key: Key) -> UInt { UInt(bitPattern: key.hashValue) }

  /// The address of the entry of a key.
  private func entry(of key: Key) -> UInt? { texts.find(Self.hash(of: key)) { unsafe Self.entry(at: $0).pointee.key == key } }
}

/// Behind the recent signatures.
extension SignatureTable {
  private func keyedSignature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> MethodSignature.Storage {
    let key = Key(text: text, dialect: dialect, fixedCount: fixedCount, backend: backend)
    if let address = entry(of: key) {
      if Self.isPlain(dialect, fixedCount, backend) {
        unsafe recent[Self.place(of: Self.words(of: text))].store(address, ordering: .releasing)
      }
      return unsafe Self.entry(at: address).pointee.storage.takeUnretainedValue()
    }
    if let found = state.withLock({ unsafe $0.spellings[key]?.storage }) { return found }
    let types = try MethodTypes(text, dialect: dialect)
    let (storage, isKept) = try keptSignature(types, fixedCount: fixedCount, backend: backend)
    let length = text.utf8.count
    guard isKept, length <= Self.longestKept else { return storage }
    state.withLock { state in
      let lengthOfAll = state.entriesLength + length
      guard length <= Self.longestEntry, lengthOfAll <= Self.mostEntriesLength, texts.count < Self.mostEntries else {
        state.spellings[key] = Spelling(storage: storage)
        return Self.added(text, to: &state)
      }
      // Another thread may have been quicker.
      guard entry(of: key) == nil else { return }
      state.entriesLength = lengthOfAll
      let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
      unsafe entry.initialize(to: Entry(key, storage))
      texts.insert(UInt(bitPattern: entry)) { unsafe Self.hash(of: Self.entry(at: $0).pointee.key) }
    }
    return storage
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
