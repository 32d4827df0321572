/// Holds the name of each selector once, for the life of the process.
///
/// A text that was looked up before is found without a lock, so that threads that write selectors and keys as literals do not wait for each other. Names
/// are compared as strings are, by canonical equivalence; that takes the lock, once for each spelling.
@safe
final class SelectorTable: Sendable {
  static let shared: SelectorTable = SelectorTable()

  /// A text that was looked up, in bytes.
  ///
  /// It is never changed or freed.
  @safe
  private struct Spelling {
    let hash: Int
    let bytes: UnsafeRawBufferPointer
    let name: UnsafePointer<CChar>
  }

  /// What changes under the lock.
  private struct State {
    /// The names' addresses, as integers: a pointer is not Sendable, an interned name is immutable and may be read from any thread.
    var names: [String: UInt] = [:]
    var spellings: Int = 0
  }

  private let state: Guarded<State> = Guarded(State(), atFork: .selectors)
  /// The addresses of the spellings.
  private let spellings: WriteOnceTable = WriteOnceTable()
  /// The addresses of the names.
  private let known: WriteOnceTable = WriteOnceTable()

  /// How many texts had to be looked up under the lock.
  var lockedCount: Int { state.withLock { $0.spellings } }

  /// Whether an address is that of a name.
  func isInterned(_ address: UInt) -> Bool { known.find(Self.hash(ofAddress: address)) { $0 == address } != nil }

  /// Returns the address of a name, which ends in a zero.
  func intern(_ name: String) -> UnsafePointer<CChar> {
    var text = name
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var hasher = Hasher()
      unsafe hasher.combine(bytes: bytes)
      let hash = hasher.finalize()
      let address = unsafe find(bytes, hash) ?? add(name, bytes, hash)
      // The tables hold only addresses of allocations that are never freed.
      return unsafe UnsafePointer<CChar>(bitPattern: address).unsafelyUnwrapped
    }
  }

  private func find(_ bytes: UnsafeRawBufferPointer, _ hash: Int) -> UInt? {
    let found = spellings.find(hash) { address in
      let spelling = unsafe Self.spelling(at: address)
      return unsafe spelling.pointee.hash == hash && spelling.pointee.bytes.elementsEqual(bytes)
    }
    return found.map { UInt(bitPattern: unsafe Self.spelling(at: $0).pointee.name) }
  }

  private func add(_ name: String, _ bytes: UnsafeRawBufferPointer, _ hash: Int) -> UInt {
    state.withLock { state in
      // Another thread may have been here.
      if let found = unsafe find(bytes, hash) { return found }
      let address: UInt
      if let former = state.names[name] {
        address = former
      } else {
        address = UInt(bitPattern: unsafe name.copiedAsCString())
        state.names[name] = address
        known.insert(address, count: state.names.count) { Self.hash(ofAddress: $0) }
      }
      state.spellings += 1
      let interned = unsafe UnsafePointer<CChar>(bitPattern: address).unsafelyUnwrapped
      let spelling = UnsafeMutablePointer<Spelling>.allocate(capacity: 1)
      unsafe spelling.initialize(to: Spelling(hash: hash, bytes: keep(bytes, interned), name: interned))
      spellings.insert(UInt(bitPattern: spelling), count: state.spellings) { unsafe Self.spelling(at: $0).pointee.hash }
      return address
    }
  }

  private static func spelling(at address: UInt) -> UnsafePointer<Spelling> {
    unsafe UnsafePointer<Spelling>(bitPattern: address).unsafelyUnwrapped
  }

  /// The hash of an address: those of allocations differ in their middle bits.
  private static func hash(ofAddress address: UInt) -> Int { Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 32) }

  /// The bytes of a text where they stay: mostly those of the name itself.
  private func keep(_ bytes: UnsafeRawBufferPointer, _ name: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    // The name of an equal text may be shorter, and ends at a zero within the text: never past the name's own zero.
    if bytes.indices.allSatisfy({ unsafe bytes[$0] != 0 && bytes[$0] == UInt8(bitPattern: name[$0]) }) {
      return unsafe UnsafeRawBufferPointer(start: name, count: bytes.count)
    }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe copy.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }
}
