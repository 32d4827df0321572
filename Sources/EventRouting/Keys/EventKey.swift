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

/// A key together with the types of the event's arguments, so that the compiler checks both who sends and who handles.
///
///     let rowTapped: TypedEventKey<(Int, Rect)> = "row.tapped"
///     try proxy.register(rowTapped) { (source: Row?, index: Int, frame: Rect) in ... }
///     proxy.send(rowTapped, source: row, 3, frame)
///
/// `Arguments` is a tuple of at most eight types, `Void` for none and the type itself for one. A literal is one too, so a name written in place of
/// a constant takes its types from the call. It is the same key as an ``EventKey`` of that name: a boxed send to a handler registered here is
/// checked at run time, and so is a typed one to a handler of other types.
public struct TypedEventKey<Arguments>: Hashable, Sendable {
  /// The key without the types.
  public let key: EventKey

  /// Creates the key of a name.
  public init(_ name: String) { key = EventKey(name) }

  /// Gives a key types.
  public init(_ key: EventKey) { self.key = key }

  /// The name.
  public var name: String { key.name }
}

extension TypedEventKey: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates the key of a literal name, which is looked up each time.
  public init(stringLiteral name: String) { self.init(name) }

  /// The name.
  public var description: String { name }
}
