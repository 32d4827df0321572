extension EventContext {
  /// A part of the route of an event.
  public enum Phase: Sendable, Hashable {
    /// The capture phase of a pass up, from the root down to the sender.
    case capture
    /// A pass up, from the sender to the root.
    case up
    /// A pass down, from the sender to the nodes below.
    case down
  }
}

/// What a handler can query about the event it handles, besides its source and its arguments.
///
/// ```swift
/// try proxy.register("ev") { (source: Node?, value: Int) in
///   if EventContext.current?.direction == .up { node.send("ev", arguments: [.int(value)], rules: .busDown) }
/// }
/// ```
///
/// To receive events of one direction only, register the handler with ``HandlerOptions/direction``.
/// ``EventContext/route(through:)`` has the nodes that the event comes from and goes to.
public struct EventContext: Sendable, Hashable, CustomStringConvertible {
  /// The key under which the event reached the node.
  public let key: EventKey
  /// The direction of the pass.
  public let direction: RoutingRules.Direction
  /// The part of the route that is running.
  public let phase: Phase
  /// The number of nested sends, including this one: 1 for an event that was not sent by a handler.
  public let nesting: Int
  /// Whether another handler has stopped the event, so that the reply has no effect.
  ///
  /// Only handlers with ``HandlerOptions/seesStopped`` are called then.
  public let isStopped: Bool

  /// The innermost event that is being handled on this thread; nil outside of handlers.
  ///
  /// A send to an ``EventProxy`` alone has no direction and is not counted: its handlers see the event within which it
  /// was sent, if there is one.
  ///
  /// - Complexity: A few loads; allocates nothing.
  public static var current: EventContext? {
    guard let pass = unsafe ActivePass.innermost, unsafe pass.pointee.isVisiting else { return nil }
    return unsafe EventContext(pass.pointee)
  }

  private init(_ pass: ActivePass) {
    key = pass.key
    direction = pass.direction
    phase = pass.phase
    nesting = pass.nesting
    isStopped = pass.isStopped
  }

  /// The key, the phase, and the nesting depth of the event, and whether it was stopped.
  public var description: String { "EventContext(\(key), \(phase), nesting \(nesting)\(isStopped ? ", stopped" : ""))".asLine }
}

extension EventContext {
  /// The nodes on the route of the innermost event that is being handled on this thread, if it leads through a node.
  ///
  /// They are the nodes as they are linked now, starting at the sender. For a pass up, they lead to the root, and include nodes
  /// that the rules do not visit. For a pass down, they lead to the node whose handler is running.
  ///
  /// ```swift
  /// try page.proxy.intercept("row.tapped") { [unowned page] source, key, arguments in
  ///   print(EventContext.route(through: page)?.first?.responderName ?? "-")
  ///   return .handled
  /// }
  /// ```
  ///
  /// - Parameter node: A node in the isolation domain of the code that is running, usually the node of the handler.
  /// - Returns: Nil outside of handlers, if the node is not on the route, and in another isolation domain that an
  ///   asynchronous handler awaits.
  /// - Complexity: O(length of the route); allocates.
  public static func route(through node: some Responder) -> [any Responder]? {
    guard let pass = unsafe ActivePass.innermost, unsafe pass.pointee.isVisiting else { return nil }
    return unsafe pass.pointee.route(containing: node)
  }
}
