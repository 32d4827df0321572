import Synchronization

/// The signatures of the first texts that a process looked up, found without a lock and without counting references.
///
/// A place is filled once and never emptied, so what a thread reads there is valid for ever. Texts that find no place, and long ones, are left to
/// ``SignatureTable``.
@safe
final class SignatureCache: @unchecked Sendable {
  // Sendable by hand: the places are atomic, the entries immutable.

  /// A caller's text and what it was looked up with.
  @safe
  struct Query {
    let bytes: UnsafeRawBufferPointer
    /// The number of fixed arguments, or 0.
    let fixedCount: Int
    /// Dialect, backend and whether there is a number of fixed arguments, in one number.
    let tag: UInt64
    let hash: UInt64

    init(_ bytes: UnsafeRawBufferPointer, dialect: TypeEncoding.Dialect, fixedCount: Int?, backend: CallBackend) {
      unsafe self.bytes = bytes
      let dialectNumber: UInt64 = dialect == .next ? 0 : 1
      self.fixedCount = fixedCount ?? 0
      tag = (fixedCount == nil ? 0 : 16) | backend.number << 1 | dialectNumber
      unsafe hash = Self.hash(of: bytes) ^ tag ^ UInt64(truncatingIfNeeded: self.fixedCount)
    }

    /// A hash of length, beginning, middle and end: texts that clash take longer, nothing else.
    private static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
      let count = bytes.count
      guard count >= 8 else { return mixed(unsafe shortWord(of: bytes), UInt64(count)) }
      let first = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      let middle = unsafe bytes.loadUnaligned(fromByteOffset: (count - 8) / 2, as: UInt64.self)
      let last = unsafe bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      return mixed(mixed(UInt64(count) ^ first, middle), last)
    }

    /// The bytes of a text of less than eight as one number.
    fileprivate static func shortWord(of bytes: UnsafeRawBufferPointer) -> UInt64 {
      let count = bytes.count
      guard count >= 4 else {
        guard count > 0 else { return 0 }
        return unsafe UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]) << 16
      }
      // The two halves may overlap.
      return unsafe UInt64(bytes.loadUnaligned(as: UInt32.self))
        | UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
    }

    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
      let (high, low) = (hash ^ word).multipliedFullWidth(by: PointerHash.factor)
      return high ^ low
    }
  }

  /// A text of the cache's own and its signature, which lives for ever.
  @unsafe
  struct Entry {
    let tag: UInt64
    let fixedCount: Int
    let bytes: UnsafeRawBufferPointer
    /// The words of any string that holds the text itself; of a long text, those of no string.
    let words: StringWords
    let storage: Unmanaged<MethodSignature.Storage>

    func matches(_ query: Query) -> Bool {
      unsafe tag == query.tag && fixedCount == query.fixedCount && hasText(query.bytes)
    }

    @inline(__always)
    func hasText(_ text: UnsafeRawBufferPointer) -> Bool {
      guard unsafe bytes.count == text.count else { return false }
      let count = unsafe bytes.count
      guard count >= 8 else { return unsafe Query.shortWord(of: bytes) == Query.shortWord(of: text) }
      // The last word, which may overlap the one before it, and then the others.
      let last = count &- 8
      var offset = last
      var next = 0
      repeat {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        guard unsafe word == text.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
        offset = next
        next &+= 8
      } while offset < last
      return true
    }
  }

  /// The number of places, a power of two, and how many a text is looked for in.
  private static let capacity = 1024
  private static let probes = 4

  /// The longest text that has a place, and the bytes of all of them: a signature takes some hundred times the bytes of its text.
  private static let longestText = 512
  private static let mostBytes = 1 << 15

  /// The bytes that texts may still take.
  private let bytesLeft: Atomic<Int> = Atomic(mostBytes)

  /// The address of the entry at each place, or 0.
  private let places: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    unsafe places = UnsafeMutablePointer.allocate(capacity: Self.capacity)
    for place in 0..<Self.capacity { unsafe (places + place).initialize(to: Atomic(0)) }
  }

  deinit { preconditionFailure("a cache is for ever") }

  /// The entry of a text, if it has a place; it lives for ever.
  @inline(__always)
  func entry(of query: Query) -> UnsafePointer<Entry>? {
    for probe in 0..<Self.probes {
      guard let entry = unsafe self.entry(at: place(of: query, probe)) else { return nil }
      if unsafe entry.pointee.matches(query) { return unsafe entry }
    }
    return nil
  }

  /// Gives a text a place, if one is free and the text is not too long.
  func add(_ query: Query, _ storage: MethodSignature.Storage) {
    let count = unsafe query.bytes.count
    guard count <= Self.longestText, bytesLeft.load(ordering: .relaxed) >= count else { return }
    guard
      let free = (0..<Self.probes).map({ place(of: query, $0) })
        .first(where: { unsafe self.entry(at: $0) == nil })
    else { return }
    let bytes = unsafe UnsafeMutableRawBufferPointer.allocate(byteCount: query.bytes.count, alignment: 8)
    unsafe bytes.copyMemory(from: query.bytes)
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    unsafe entry.initialize(
      to: Entry(
        tag: query.tag, fixedCount: query.fixedCount, bytes: UnsafeRawBufferPointer(bytes), words: StringWords(holding: query.bytes),
        storage: .passRetained(storage)))
    let address = UInt(bitPattern: entry)
    guard unsafe !places[free].compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing).exchanged else {
      bytesLeft.subtract(count, ordering: .relaxed)
      return
    }
    // Another thread was quicker.
    unsafe entry.pointee.storage.release()
    unsafe entry.deallocate()
    unsafe bytes.deallocate()
  }

  private func place(of query: Query, _ probe: Int) -> Int {
    (Int(truncatingIfNeeded: query.hash) &+ probe) & (Self.capacity - 1)
  }

  private func entry(at place: Int) -> UnsafePointer<Entry>? {
    unsafe UnsafePointer(bitPattern: places[place].load(ordering: .acquiring))
  }
}

extension CallBackend {
  /// A number for each backend.
  fileprivate var number: UInt64 {
    switch self {
    case .automatic: 0
    case .native: 1
    case .libffi: 2
    case .shadow: 3
    }
  }
}
