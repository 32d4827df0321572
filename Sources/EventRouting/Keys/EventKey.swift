public import DynamicInvocation

/// The interned name of an event.
///
/// Two keys of the same name are the same pointer, so comparing and hashing them cost the same as an integer. Any text is a name, the empty one too;
/// ``RoutingRules`` say what a pass makes of that.
///
/// - Complexity: Making one from a name looks it up in a table of the process, without a lock once the name is there: threads do not wait for each other.
///   The table keeps each name for ever. Keep keys that are sent often in a constant all the same: a look-up takes longer than a send.
public struct EventKey: Hashable, Sendable {
  /// A selector is an interned name; that of a key is one too.
  @usableFromInline let selector: Selector

  /// Creates the key of a name.
  public init(_ name: String) { selector = Selector(name) }

  /// Creates a key from what ``bits`` gave.
  init(bits: UInt) {
    // A key's address is never null.
    selector = unsafe Selector(interned: UnsafePointer<CChar>(bitPattern: bits).unsafelyUnwrapped)
  }

  /// The name.
  public var name: String { selector.name }

  /// The address of the interned name as an integer, to hash.
  @inlinable
  var bits: UInt { unsafe UInt(bitPattern: selector.pointer) }
}

extension EventKey: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates the key of a literal name.
  public init(stringLiteral name: String) { self.init(name) }

  /// The name.
  public var description: String { name }
}
