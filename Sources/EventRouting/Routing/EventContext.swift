/// What a handler can know of the event that it handles, beside its source and its arguments.
///
/// ```swift
/// try proxy.register("ev") { (source: Node?, value: Int) in
///   if EventContext.current?.direction == .up { node.send("ev", arguments: [.int(value)], rules: .busDown) }
/// }
/// ```
///
/// ``HandlerOptions/direction`` keeps events of one way from a handler altogether.
public struct EventContext: Sendable, Hashable {
  /// The key under which the event reached the node.
  public let key: EventKey
  /// The way it goes.
  public let direction: RoutingRules.Direction
  /// How many events are being sent within each other, with this one: 1 for an event that no handler sent.
  public let nesting: Int

  /// The event that is handled on this thread just now, the innermost one; nil outside of handlers.
  ///
  /// A send to an ``EventProxy`` alone takes no way and counts for nothing here: its handlers see the event within which it was sent, if there is one.
  ///
  /// - Complexity: A few loads; allocates nothing.
  public static var current: EventContext? {
    guard let pass = unsafe ActivePass.innermost, unsafe pass.pointee.isAsking else { return nil }
    return unsafe EventContext(key: pass.pointee.key, direction: pass.pointee.direction, nesting: pass.pointee.nesting)
  }
}
