/// The interned name of a message.
///
/// Two selectors of the same name have the same pointer, so comparing and hashing them cost as much as for an integer.
/// Any text is a valid name. By convention the name is the full name of the Swift method, such as `area(_:in:)`.
///
/// - Complexity: Creating a selector from a name looks it up in a table of the process, without a lock if the name is
///   there already. The table never frees a name.
@safe
public struct MethodSelector: @unchecked Sendable {
  // Unchecked Sendable: an interned name is never written or freed.

  /// The address of the interned name, a null-terminated string.
  ///
  /// An argument of type `:` holds this address.
  public let pointer: UnsafePointer<CChar>

  /// Creates the selector of a name.
  public init(_ name: String) {
    unsafe pointer = SelectorTable.shared.intern(name)
  }

  /// Creates a selector from the address of an interned name.
  ///
  /// - Parameter pointer: A value of ``pointer``. Any other address makes a selector that equals no other and whose
  ///   address is never dereferenced.
  public init(interned pointer: UnsafePointer<CChar>) {
    unsafe self.pointer = pointer
  }

  /// The name.
  ///
  /// The address as text if no name is interned there, as when a foreign caller passes it.
  ///
  /// - Complexity: O(characters), without a lock.
  public var name: String {
    let address = unsafe UInt(bitPattern: pointer)
    guard SelectorTable.shared.isInterned(address) else { return "unknown selector 0x" + String(address, radix: 16) }
    return unsafe String(cString: pointer)
  }

  /// A hash of the text of an interned name, the same in each run of a program.
  ///
  /// It was computed when the name was interned. A name must be interned at the address.
  @unsafe
  package var textHash: UInt { unsafe UnsafeRawPointer(pointer).load(fromByteOffset: -MemoryLayout<UInt>.size, as: UInt.self) }

  /// Returns the selector at an address, or nil if no name is interned there.
  ///
  /// The address is not dereferenced.
  package static func known(at address: UInt) -> MethodSelector? {
    guard SelectorTable.shared.isInterned(address) else { return nil }
    return unsafe UnsafePointer<CChar>(bitPattern: address).map { unsafe MethodSelector(interned: $0) }
  }
}

extension MethodSelector: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// Returns whether two selectors are the same interned name.
  public static func == (left: MethodSelector, right: MethodSelector) -> Bool { unsafe left.pointer == right.pointer }

  /// Feeds the address into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(unsafe UInt(bitPattern: pointer)) }

  /// Creates the selector of a literal name.
  public init(stringLiteral name: String) { self.init(name) }

  /// The name.
  public var description: String { name }
}

extension MethodSelector: _NullableValue {
  /// The encoding `:`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.selector)
  /// The kind of a selector.
  @inlinable public static var valueKind: ValueKind { .selector }

  /// Writes the address of the interned name.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(UInt(bitPattern: pointer)), to: frame)
    return false
  }

  /// Reads the address of an interned name.
  ///
  /// Returns nil for null.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> MethodSelector? {
    unsafe UnsafePointer<CChar>(bitPattern: UInt(slot.word(of: frame))).map { unsafe MethodSelector(interned: $0) }
  }
}

/// The table of all selector names, each stored once for the life of the process.
///
/// A text that was looked up before is found without a lock, so threads that write selectors and keys as literals do
/// not wait for each other. Names are compared as strings are, by canonical equivalence. That takes the lock, once for
/// each spelling.
@safe
final class SelectorTable: Sendable {
  static let shared: SelectorTable = SelectorTable()

  /// The bytes of a text that was looked up.
  ///
  /// It is never changed or freed.
  @safe
  private struct Spelling {
    let hash: UInt
    let bytes: UnsafeRawBufferPointer
    let name: UnsafePointer<CChar>
  }

  /// The names' addresses as integers, as a pointer is not Sendable.
  ///
  /// An interned name is immutable, and may be read from any thread.
  private let names: Locked<[String: UInt]> = Locked([:], atFork: .selectors)
  /// The addresses of the spellings.
  private let spellings: WriteOnceTable = WriteOnceTable(capacity: 1_024)
  /// The addresses of the names.
  private let known: WriteOnceTable = WriteOnceTable(capacity: 1_024)

  /// The number of texts that were looked up under the lock.
  var lockedCount: Int { spellings.count }

  /// Returns whether a name is interned at an address.
  func isInterned(_ address: UInt) -> Bool { known.find(PointerHash.hash(address)) { $0 == address } != nil }

  /// Returns the address of an interned name, a null-terminated string.
  func intern(_ name: String) -> UnsafePointer<CChar> {
    var text = name
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var hasher = Hasher()
      unsafe hasher.combine(bytes: bytes)
      let hash = UInt(bitPattern: hasher.finalize())
      let address = unsafe find(bytes, hash) ?? add(name, bytes, hash)
      // The tables hold only addresses of allocations that are never freed.
      return unsafe UnsafePointer<CChar>(bitPattern: address).unsafelyUnwrapped
    }
  }

  private func find(_ bytes: UnsafeRawBufferPointer, _ hash: UInt) -> UInt? {
    let found = spellings.find(hash) { address in
      let spelling = unsafe Self.spelling(at: address)
      return unsafe spelling.pointee.hash == hash && spelling.pointee.bytes.elementsEqual(bytes)
    }
    return found.map { UInt(bitPattern: unsafe Self.spelling(at: $0).pointee.name) }
  }

  private func add(_ name: String, _ bytes: UnsafeRawBufferPointer, _ hash: UInt) -> UInt {
    names.withLock { names in
      // Another thread may have added the text meanwhile.
      if let found = unsafe find(bytes, hash) { return found }
      let address: UInt
      if let former = names[name] {
        address = former
      } else {
        address = UInt(bitPattern: unsafe Self.copy(name))
        names[name] = address
        known.insert(address, PointerHash.hash)
      }
      let interned = unsafe UnsafePointer<CChar>(bitPattern: address).unsafelyUnwrapped
      let spelling = UnsafeMutablePointer<Spelling>.allocate(capacity: 1)
      unsafe spelling.initialize(to: Spelling(hash: hash, bytes: keep(bytes, interned), name: interned))
      spellings.insert(UInt(bitPattern: spelling)) { unsafe Self.spelling(at: $0).pointee.hash }
      return address
    }
  }

  /// Copies a text to a C string that is never freed, after a word with the hash of the text.
  private static func copy(_ name: String) -> UnsafePointer<CChar> {
    unsafe name.withCString { text in
      let length = name.utf8.count + 1
      let memory = unsafe CMemory.allocateZeroed(MemoryLayout<UInt>.size + length)
      let copy = unsafe (memory + MemoryLayout<UInt>.size).assumingMemoryBound(to: CChar.self)
      unsafe copy.update(from: text, count: length)
      unsafe memory.storeBytes(of: textHash(copy), as: UInt.self)
      return unsafe UnsafePointer(copy)
    }
  }

  /// The FNV-1a hash of a text; its low bits depend on all bytes.
  private static func textHash(_ text: UnsafePointer<CChar>) -> UInt {
    var hash: UInt = 0xCBF2_9CE4_8422_2325
    var next = unsafe text
    while unsafe next.pointee != 0 {
      hash = unsafe (hash ^ UInt(UInt8(bitPattern: next.pointee))) &* 0x100_0000_01B3
      unsafe next += 1
    }
    return hash ^ hash >> 32
  }

  private static func spelling(at address: UInt) -> UnsafePointer<Spelling> {
    unsafe UnsafePointer<Spelling>(bitPattern: address).unsafelyUnwrapped
  }

  /// Returns the permanent bytes of a text: in most cases the bytes of the name itself.
  private func keep(_ bytes: UnsafeRawBufferPointer, _ name: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    // The name of an equal text may be shorter, and ends at a zero within the text: the loop never reads past the
    // name's own zero.
    if bytes.indices.allSatisfy({ unsafe bytes[$0] != 0 && bytes[$0] == UInt8(bitPattern: name[$0]) }) {
      return unsafe UnsafeRawBufferPointer(start: name, count: bytes.count)
    }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe copy.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }
}
