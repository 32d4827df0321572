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
  /// If the address is not that of an interned name, as when a foreign caller passes it, the address as text.
  ///
  /// - Complexity: O(characters), without a lock.
  public var name: String {
    let address = unsafe UInt(bitPattern: pointer)
    guard SelectorTable.shared.isInterned(address) else { return "unknown selector 0x" + String(address, radix: 16) }
    return unsafe String(cString: pointer)
  }

  /// A hash of the text of an interned name, the same in each run of a program.
  ///
  /// It was computed when the name was interned. The address must be that of an interned name.
  @unsafe
  package var textHash: UInt { unsafe UnsafeRawPointer(pointer).load(fromByteOffset: -MemoryLayout<UInt>.size, as: UInt.self) }

  /// Returns the selector at an address, or nil if no name is interned there.
  ///
  /// The address is not dereferenced.
  static func known(at address: UInt) -> MethodSelector? {
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
