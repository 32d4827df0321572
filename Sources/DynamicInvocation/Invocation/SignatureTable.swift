import Synchronization

/// Interns signatures: finds the shared object of each signature in use.
///
/// A text is looked up in three tables, the fastest first.
///
/// 1. ``recent``: 256 entries, indexed by a hash of the two words of a `String`. Each entry is the text with that hash
///    that was looked up last. A string of at most 15 bytes of UTF-8 is stored in its two words, so comparing the words
///    compares the texts. The words of a longer string are its length and address; for these the bytes are compared.
///    This takes no lock and does no reference counting.
/// 2. ``texts``: the first texts of the process, with all parameters of their lookup, in a hash table that is read
///    without a lock. Their signatures live as long as the process.
/// 3. ``state``: under a lock, the texts for which ``texts`` has no room, and each signature under a canonical text
///    that all its spellings share. Whenever the number or the total length of the texts has doubled, signatures
///    without other references are removed, so that a stream of random signatures does not accumulate. Signatures of
///    long texts, which take megabytes, are not retained at all.
@safe
final class SignatureTable: @unchecked Sendable {
  // Unchecked: the entries of `recent` are atomic, and the memory at their addresses is never changed or freed.

  static let shared = SignatureTable()

  private struct Key: Hashable {
    var text: String
    /// The dialect; nil for a text that the table wrote itself, so that no malformed text of a caller can match it.
    var dialect: TypeEncoding.Dialect?
    var fixedCount: Int?
    var backend: CallBackend
  }

  /// The two words of a string.
  ///
  /// While a string is alive, any string with the same two words is equal to it: either its text is stored in the
  /// words, or both refer to the same memory, which Swift does not change while it is shared.
  private typealias Words = (UInt64, UInt64)

  /// A text of ``texts`` and its signature, both alive for the life of the process.
  @safe
  private struct Entry {
    let key: Key
    /// The words of the key's text, a copy that no caller refers to.
    let words: Words
    let bytes: UnsafeRawBufferPointer
    let storage: Unmanaged<PlannedSignature>

    init(_ key: Key, _ storage: PlannedSignature) {
      let text = String(decoding: key.text.utf8, as: UTF8.self)
      self.key = Key(text: text, dialect: key.dialect, fixedCount: key.fixedCount, backend: key.backend)
      words = SignatureTable.words(of: text)
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 8)
      unsafe copy.copyBytes(from: text.utf8)
      unsafe bytes = UnsafeRawBufferPointer(copy)
      unsafe self.storage = .passRetained(storage)
    }

    /// Returns whether a text of at least eight bytes is the key's.
    ///
    /// Compares eight bytes at a time, from the end.
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

  /// The signature of a text; ``State/storages`` keeps it alive.
  private struct Spelling {
    unowned(unsafe) let storage: PlannedSignature
  }

  /// A weak reference to the signature of a long text.
  ///
  /// A class, since a ``WeakObject`` cannot be copied.
  private final class LongStorage {
    private let reference: WeakObject

    init(_ storage: PlannedSignature) { reference = WeakObject(storage) }

    /// The signature, or nil if it was deallocated.
    var storage: PlannedSignature? {
      unsafe reference.retain().map { unsafe unsafeDowncast($0.takeRetainedValue(), to: PlannedSignature.self) }
    }
  }

  private struct State {
    /// The total length in bytes of the texts that are read without a lock.
    var entriesLength = 0
    /// Each signature, under the canonical text of all its spellings.
    var storages: [Key: PlannedSignature] = [:]
    /// The signatures of long texts, which the table does not retain.
    var longStorages: [Key: LongStorage] = [:]
    var spellings: [Key: Spelling] = [:]
    /// The total length in bytes of all texts in the three dictionaries.
    var textLength = 0
    var nextSweep = (count: leastSweep, textLength: leastTextLength)

    var count: Int { storages.count + longStorages.count + spellings.count }
  }

  /// The limits of ``texts``: the number of texts, the bytes of one text, and the bytes of all.
  ///
  /// A signature takes about a hundred times the memory of its text.
  private static let mostEntries = 1_024
  private static let longestEntry = 1 << 9
  private static let mostEntriesLength = 1 << 15

  /// The dictionaries are not swept before they contain this many texts, or this many bytes of text.
  private static let leastSweep = 1_024
  private static let leastTextLength = 1 << 16

  /// The length in bytes of the longest text whose signature the table retains.
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
  ) throws(InvocationError) -> PlannedSignature {
    if Self.isPlain(dialect, fixedCount, backend), let storage = recentSignature(text) { return storage }
    return try keyedSignature(text, dialect: dialect, fixedCount: fixedCount, backend: backend)
  }

  func signature(_ types: MethodTypes, fixedCount: Int?, backend: CallBackend) throws(InvocationError) -> PlannedSignature {
    try keptSignature(types, fixedCount: fixedCount, backend: backend).storage
  }
}

/// Lookup without a lock.
extension SignatureTable {
  /// Returns whether a text is looked up with default parameters.
  @inline(__always)
  private static func isPlain(_ dialect: TypeEncoding.Dialect?, _ fixedCount: Int?, _ backend: CallBackend) -> Bool {
    dialect == .next && fixedCount == nil && backend == .automatic
  }

  @inline(__always)
  private func recentSignature(_ text: String) -> PlannedSignature? {
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

  /// The index of a string in ``recent``.
  @inline(__always)
  private static func place(of words: Words) -> Int { Int(PointerHash.hash(UInt(words.0 ^ words.1)) &>> 56) }

  private static func entry(at address: UInt) -> UnsafePointer<Entry> {
    // The tables contain only addresses of entries.
    unsafe UnsafePointer(bitPattern: address).unsafelyUnwrapped
  }

  private static func hash(of key: Key) -> UInt { UInt(bitPattern: key.hashValue) }

  /// Returns the address of the entry of a key.
  private func entry(of key: Key) -> UInt? { texts.find(Self.hash(of: key)) { unsafe Self.entry(at: $0).pointee.key == key } }
}

/// Lookup of texts that are not in the table of recent ones.
extension SignatureTable {
  private func keyedSignature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> PlannedSignature {
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
      // Another thread may have added the text first.
      guard entry(of: key) == nil else { return }
      state.entriesLength = lengthOfAll
      let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
      unsafe entry.initialize(to: Entry(key, storage))
      texts.insert(UInt(bitPattern: entry)) { unsafe Self.hash(of: Self.entry(at: $0).pointee.key) }
    }
    return storage
  }

  /// Returns the signature, and whether the table retains it.
  private func keptSignature(
    _ types: MethodTypes, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> (storage: PlannedSignature, isKept: Bool) {
    // Spellings that differ only in frame offsets share one object: the canonical text without them is its key.
    let text = types.text(dialect: .gnu, options: TypeEncoding.TextOptions.all.union([.layoutOverrides, .bitFieldDeclarations]))
    let key = Key(text: text, dialect: nil, fixedCount: fixedCount, backend: backend)
    let isKept = text.utf8.count <= Self.longestKept
    if let found = state.withLock({ $0.storages[key] ?? $0.longStorages[key]?.storage }) { return (found, isKept) }
    // Planned outside the lock. If two threads plan the same signature, the first to return is used.
    let planned = try PlannedSignature(types: types, fixedCount: fixedCount, backend: backend)
    let storage = state.withLock { state in
      if let found = state.storages[key] ?? state.longStorages[key]?.storage { return found }
      if isKept { state.storages[key] = planned } else { state.longStorages[key] = LongStorage(planned) }
      Self.added(text, to: &state)
      return planned
    }
    return (storage, isKept)
  }

  /// Counts a new text, and sweeps when the table has doubled.
  ///
  /// The caller retains the text's signature.
  private static func added(_ text: String, to state: inout State) {
    state.textLength += text.utf8.count
    guard state.count >= state.nextSweep.count || state.textLength >= state.nextSweep.textLength else { return }
    var live: Set<ObjectIdentifier> = []
    // By index: a loop over the indices would retain the dictionary, and with it every signature, a second time.
    var index = state.storages.startIndex
    while index != state.storages.endIndex {
      if !isKnownUniquelyReferenced(&state.storages.values[index]) { live.insert(ObjectIdentifier(state.storages.values[index])) }
      state.storages.formIndex(after: &index)
    }
    // The spellings first, while the signatures they refer to are still alive.
    state.spellings = state.spellings.filter { live.contains(ObjectIdentifier(unsafe $0.value.storage)) }
    state.storages = state.storages.filter { live.contains(ObjectIdentifier($0.value)) }
    // A signature may be deallocated here, after the temporary reference; its deinitializer runs only code of the
    // engine.
    state.longStorages = state.longStorages.filter { $0.value.storage != nil }
    func textLength(_ keys: some Sequence<Key>) -> Int { keys.reduce(0) { $0 + $1.text.utf8.count } }
    state.textLength = textLength(state.storages.keys) + textLength(state.longStorages.keys) + textLength(state.spellings.keys)
    state.nextSweep = (max(leastSweep, 2 * state.count), max(leastTextLength, 2 * state.textLength))
  }
}
