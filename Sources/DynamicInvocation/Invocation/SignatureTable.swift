import Synchronization

/// Interns signatures: finds the shared object of each signature in use.
///
/// A text is looked up in ``recent`` first: 256 places, indexed by a hash of the two words of a `String`. Each place is
/// the text with that hash that was looked up last. A string of at most 15 bytes of UTF-8 is stored in its two words, so
/// comparing the words compares the texts. The words of a longer string are its length and address; for these the bytes
/// are compared. This takes no lock and does no reference counting. Only the first texts of the process have a place;
/// their signatures live as long as the process.
///
/// Other texts are looked up in ``state``, under a lock: it has each signature under all its spellings, and under a
/// canonical text that they share. Whenever the number or the total length of the texts has doubled, signatures without
/// other references are removed, so that a stream of random signatures does not accumulate. Signatures of long texts,
/// which take megabytes, are not retained at all.
@safe
final class SignatureTable: @unchecked Sendable {
  // Unchecked: the places of `recent` are atomic, and the memory at their addresses is never changed or freed.

  static let shared = SignatureTable()

  private struct Key: Hashable {
    var text: String
    /// The dialect; nil for a canonical text, which the table wrote itself, so that no malformed text of a caller can
    /// match it.
    var dialect: TypeEncoding.Dialect?
    var fixedCount: Int?
    var backend: CallBackend
  }

  /// The two words of a string.
  ///
  /// While a string is alive, any string with the same two words is equal to it: either its text is stored in the
  /// words, or both refer to the same memory, which Swift does not change while it is shared.
  private typealias Words = (UInt64, UInt64)

  /// A text that may have a place in ``recent`` and its signature, both alive for the life of the process.
  @safe
  private struct RecentText {
    /// A copy that no caller refers to.
    private let text: String
    let words: Words
    private let bytes: UnsafeRawBufferPointer
    let storage: Unmanaged<PlannedSignature>

    init(_ text: String, _ storage: PlannedSignature) {
      self.text = String(decoding: text.utf8, as: UTF8.self)
      words = SignatureTable.words(of: self.text)
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 8)
      unsafe copy.copyBytes(from: text.utf8)
      unsafe bytes = UnsafeRawBufferPointer(copy)
      unsafe self.storage = .passRetained(storage)
    }

    /// Returns whether the text has the bytes of another of at least eight bytes.
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

  /// The signature of a text.
  private struct Known {
    /// The signature; nil for a long text.
    var strong: PlannedSignature?
    /// The signature of a long text, which the table does not retain.
    var weak: WeakReference?
    /// The address of the text's ``RecentText``, or 0.
    var recent: UInt = 0

    /// The signature, or nil if it was deallocated.
    var storage: PlannedSignature? { strong ?? weak?.storage }
  }

  /// A class, since a ``WeakObject`` cannot be copied.
  private final class WeakReference {
    private let reference: WeakObject

    init(_ storage: PlannedSignature) { reference = WeakObject(storage) }

    var storage: PlannedSignature? {
      unsafe reference.retain().map { unsafe unsafeDowncast($0.takeRetainedValue(), to: PlannedSignature.self) }
    }
  }

  private struct State {
    var known: [Key: Known] = [:]
    /// The total length in bytes of all texts.
    var textLength = 0
    var nextSweep = (count: leastSweep, textLength: leastTextLength)
    /// The number of bytes that may still be taken by texts that have a place in ``recent``.
    var recentLeft = mostRecentBytes
  }

  /// The most bytes of all texts with a place in ``recent``, with ``recentOverhead`` for each text, and of one such text.
  ///
  /// A signature takes about a hundred times the memory of its text.
  private static let mostRecentBytes = 1 << 15
  private static let recentOverhead = 32
  private static let longestRecent = 1 << 9

  /// The texts are not swept before they are this many, or this many bytes.
  private static let leastSweep = 1_024
  private static let leastTextLength = 1 << 16

  /// The length in bytes of the longest text whose signature the table retains.
  private static let longestKept = 1 << 12

  /// The addresses of 256 texts, or 0.
  private let recent: UnsafeMutablePointer<Atomic<UInt>>
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
    return try signature(Key(text: text, dialect: dialect, fixedCount: fixedCount, backend: backend))
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
    // The places contain only addresses of texts.
    guard let found = unsafe UnsafePointer<RecentText>(bitPattern: address) else { return nil }
    guard unsafe found.pointee.words == words || Self.isText(text, of: found) else { return nil }
    return unsafe found.pointee.storage.takeUnretainedValue()
  }

  private static func isText(_ text: String, of found: UnsafePointer<RecentText>) -> Bool {
    let isSame = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe found.pointee.hasBytes(UnsafeRawBufferPointer($0)) }
    return isSame == true
  }

  @inline(__always)
  private static func words(of text: String) -> Words { unsafe unsafeBitCast(text, to: Words.self) }

  /// The index of a string in ``recent``.
  @inline(__always)
  private static func place(of words: Words) -> Int { Int(PointerHash.hash(UInt(words.0 ^ words.1)) &>> 56) }
}

/// Lookup under the lock.
extension SignatureTable {
  func signature(_ types: MethodTypes, fixedCount: Int?, backend: CallBackend) throws(InvocationError) -> PlannedSignature {
    try interned(types, fixedCount: fixedCount, backend: backend).storage
  }

  /// Returns the signature of a text that has no place in ``recent``.
  private func signature(_ key: Key) throws(InvocationError) -> PlannedSignature {
    if let found = state.withLock({ $0.known[key] }), let storage = found.storage {
      if found.recent != 0 { unsafe recent[Self.place(of: Self.words(of: key.text))].store(found.recent, ordering: .releasing) }
      return storage
    }
    let types = try MethodTypes(key.text, dialect: key.dialect ?? .next)
    let (storage, isKept) = try interned(types, fixedCount: key.fixedCount, backend: key.backend)
    guard isKept, key.text.utf8.count <= Self.longestKept else { return storage }
    state.withLock { state in
      // Another thread may have added the text first.
      guard state.known[key] == nil else { return }
      state.known[key] = Known(strong: storage, recent: Self.makeRecentText(key, storage, &state))
      Self.added(key.text, to: &state)
    }
    return storage
  }

  /// Returns the signature, and whether the table retains it.
  private func interned(
    _ types: MethodTypes, fixedCount: Int?, backend: CallBackend
  ) throws(InvocationError) -> (storage: PlannedSignature, isKept: Bool) {
    // Spellings that differ only in frame offsets share one object: the canonical text without them is its key.
    let text = types.text(dialect: .gnu, options: TypeEncoding.TextOptions.all.union([.layoutOverrides, .bitFieldDeclarations]))
    let key = Key(text: text, dialect: nil, fixedCount: fixedCount, backend: backend)
    let isKept = text.utf8.count <= Self.longestKept
    if let found = state.withLock({ $0.known[key]?.storage }) { return (found, isKept) }
    // Planned outside the lock. If two threads plan the same signature, the first to return is used.
    let planned = try PlannedSignature(types: types, fixedCount: fixedCount, backend: backend)
    let storage = state.withLock { state in
      if let found = state.known[key]?.storage { return found }
      state.known[key] = isKept ? Known(strong: planned) : Known(weak: WeakReference(planned))
      Self.added(text, to: &state)
      return planned
    }
    return (storage, isKept)
  }

  /// Returns the address of a new ``RecentText``, or 0 if the text may have no place in ``recent``.
  private static func makeRecentText(_ key: Key, _ storage: PlannedSignature, _ state: inout State) -> UInt {
    let length = key.text.utf8.count
    guard isPlain(key.dialect, key.fixedCount, key.backend), length <= longestRecent, length + recentOverhead <= state.recentLeft else {
      return 0
    }
    state.recentLeft -= length + recentOverhead
    let text = UnsafeMutablePointer<RecentText>.allocate(capacity: 1)
    unsafe text.initialize(to: RecentText(key.text, storage))
    return UInt(bitPattern: text)
  }

  /// Counts a new text, and sweeps when the table has doubled.
  ///
  /// The caller retains the text's signature.
  private static func added(_ text: String, to state: inout State) {
    state.textLength += text.utf8.count
    guard state.known.count >= state.nextSweep.count || state.textLength >= state.nextSweep.textLength else { return }
    // The spellings first: then the canonical text has the only reference of the table to a signature.
    state.known = state.known.filter { $0.key.dialect == nil || $0.value.recent != 0 }
    var dead: [Key] = []
    // By index: a loop over the values would retain the dictionary, and with it every signature, a second time.
    var index = state.known.startIndex
    while index != state.known.endIndex {
      // A signature may be deallocated here, after a temporary reference; its deinitializer runs only code of the engine.
      let isDead =
        state.known.values[index].strong == nil
        ? state.known.values[index].storage == nil : isKnownUniquelyReferenced(&state.known.values[index].strong)
      if isDead { dead.append(state.known.keys[index]) }
      state.known.formIndex(after: &index)
    }
    for key in dead { state.known[key] = nil }
    state.textLength = state.known.keys.reduce(0) { $0 + $1.text.utf8.count }
    state.nextSweep = (max(leastSweep, 2 * state.known.count), max(leastTextLength, 2 * state.textLength))
  }
}
