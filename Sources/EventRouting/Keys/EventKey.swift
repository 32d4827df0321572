public import DynamicInvocation

/// The interned name of an event.
///
/// Two keys of the same name are the same pointer, so comparing and hashing them cost the same as for an integer. Any
/// text is a valid name, including the empty one; ``RoutingRules`` specify how a pass treats the empty name.
///
/// - Complexity: Creating a key looks the name up in a table of the process, without a lock once the name is in the
///   table: threads do not wait for each other. The table keeps each name forever. Store keys that are sent often in a
///   constant anyway: a lookup takes longer than a send.
public struct EventKey: Hashable, Sendable {
  /// The interned name of the key, stored as a selector.
  @usableFromInline let selector: MethodSelector

  /// Creates the key of a name.
  public init(_ name: String) { selector = MethodSelector(name) }

  /// Creates a key from the value of ``bits``.
  init(bits: UInt) {
    // A key's address is never null.
    selector = unsafe MethodSelector(interned: UnsafePointer<CChar>(bitPattern: bits).unsafelyUnwrapped)
  }

  /// The name.
  public var name: String { selector.name }

  /// A hash of the name's text, the same in each run of a program; computed when the key was created.
  var textHash: UInt {
    // The selector of a key is interned.
    unsafe selector.textHash
  }

  /// The address of the interned name as an integer, to hash.
  @inlinable
  var bits: UInt { unsafe UInt(bitPattern: selector.pointer) }
}

extension EventKey: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates the key of a literal name.
  public init(stringLiteral name: String) { self.init(name) }

  /// The name; if it has more than 256 bytes, its beginning and its end.
  public var description: String { name.asName }
}

/// A key together with the types of the event's arguments, so that the compiler checks both senders and handlers.
///
///     let rowTapped: TypedEventKey<(Int, Geometry.Rect)> = "row.tapped"
///     try proxy.register(rowTapped) { (source: Row?, index: Int, frame: Geometry.Rect) in ... }
///     proxy.send(rowTapped, source: row, 3, frame)
///
/// `Arguments` is a tuple of types, `Void` for no arguments and the type itself for one. A literal can be
/// used as a typed key: a name written instead of a constant gets its types from the call. A typed key equals the
/// ``EventKey`` of its name. So a boxed send to a handler that was registered with a typed key is checked at run time, as is a
/// typed send to a handler of other types.
public struct TypedEventKey<Arguments>: Hashable, Sendable {
  /// The key without the types.
  public let key: EventKey

  /// Creates a typed key from a key.
  public init(_ key: EventKey) { self.key = key }
}

extension TypedEventKey: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates the key of a literal name; the name is looked up each time.
  public init(stringLiteral name: String) { key = EventKey(name) }

  /// The name; if it has more than 256 bytes, its beginning and its end.
  public var description: String { key.description }
}
