/// The interned name of a message.
///
/// Two selectors of the same name are the same pointer, so comparing and hashing them cost the same as an integer. Any text is a name; Swift's full
/// method names, `area(_:in:)`, are the custom.
///
/// - Complexity: Making one from a name looks it up in a table of the process, without a lock once the name is there. The table keeps each name for ever.
@safe
public struct Selector: @unchecked Sendable {
  // Sendable by hand: an interned name is never written or freed.

  /// The address of the interned name, which ends in a zero.
  ///
  /// This is what an argument of type `:` holds.
  public let pointer: UnsafePointer<CChar>

  /// Creates the selector of a name.
  public init(_ name: String) {
    unsafe pointer = SelectorTable.shared.intern(name)
  }

  /// Creates a selector from the address of an interned name.
  ///
  /// - Parameter pointer: What ``pointer`` gave; any other address makes a selector that equals none, and that is never followed.
  public init(interned pointer: UnsafePointer<CChar>) {
    unsafe self.pointer = pointer
  }

  /// The name; of an address that is no interned name, as a foreign caller may pass one, the address.
  ///
  /// - Complexity: O(characters), without a lock.
  public var name: String {
    let address = unsafe UInt(bitPattern: pointer)
    guard SelectorTable.shared.isInterned(address) else { return "unknown selector 0x" + String(address, radix: 16) }
    return unsafe String(cString: pointer)
  }

  /// Returns the selector at an address, or nil when no name was interned there; the address is not followed.
  static func known(at address: UInt) -> Selector? {
    guard SelectorTable.shared.isInterned(address) else { return nil }
    return unsafe UnsafePointer<CChar>(bitPattern: address).map { unsafe Selector(interned: $0) }
  }
}

extension Selector: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// Returns whether two selectors are the same interned name.
  public static func == (left: Selector, right: Selector) -> Bool { unsafe left.pointer == right.pointer }

  /// Feeds the address into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(unsafe UInt(bitPattern: pointer)) }

  /// Creates the selector of a literal name.
  public init(stringLiteral name: String) { self.init(name) }

  /// The name.
  public var description: String { name }
}

extension Selector: NullableValue {
  /// `:`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.selector)
  /// The kind of a selector.
  @inlinable public static var valueKind: ValueKind { .selector }

  /// Writes the address of the interned name.
  @inlinable
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(UInt(bitPattern: pointer)), to: frame)
    return false
  }

  /// Reads the address of an interned name; nil for null.
  @inlinable
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Selector? {
    unsafe UnsafePointer<CChar>(bitPattern: UInt(slot.word(of: frame))).map { unsafe Selector(interned: $0) }
  }
}
