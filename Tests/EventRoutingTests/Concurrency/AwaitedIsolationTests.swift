import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// What code on one actor learns of the tree of another one, whose handler awaits it: nothing that must be read there.
@MainActor
@Suite(.measured) struct AwaitedIsolationTests {
  /// An actor with a tree of its own.
  private actor Other {
    let node = ResponderNode("other")
    private var peer: EventPort?

    func port() -> EventPort { node.port() }

    /// Whether a node of this actor is on the route of the event that is being handled, and whether there is an event.
    func look() -> (hasRoute: Bool, key: String?) { (EventContext.route(through: node) != nil, EventContext.current?.key.name) }

    func ownRoute() async throws -> [String]? {
      let route = Locked<[String]?>(nil)
      try node.proxy.register("own") { (_: AnyObject?) async in
        await Task.yield()
        let names = EventContext.route(through: self.node)?.map(\.responderName)
        route.withLock { $0 = names }
      }
      await node.sendAwaiting("own")
      // The handler refers to the actor, which keeps the node.
      node.proxy.removeAllHandlers()
      return route.withLock { $0 }
    }

    /// Makes the handler of "ping" ask another port.
    func answer(with peer: EventPort) throws {
      try node.proxy.register("ping") { (_: AnyObject?, count: Int) async in
        _ = await peer.sendAwaiting("ping", count + 1, rules: RoutingRules(unknownKey: .isSilent, depthLimit: 6))
      }
    }

    /// Sends so deep that the send is refused.
    func refusedSend() -> SendOutcome.RoutingError? {
      node.send("k", rules: RoutingRules(unknownKey: .isSilent, depthLimit: 1)).routingError
    }
  }

  private let root = ResponderNode("root")
  private let leaf: ResponderNode

  init() { leaf = root.child("leaf") }

  @Test("The route is read on the actor of its tree only (E15.6, E18.9)") func route() async throws {
    defer { root.removeHandlers() }
    let other = Other()
    var here: [String]?
    var there: (hasRoute: Bool, key: String?) = (true, nil)
    try leaf.proxy.register("k") { (_: AnyObject?) async in
      there = await other.look()
      here = EventContext.route(through: leaf)?.map(\.responderName)
    }
    await leaf.sendAwaiting("k")
    expect(!there.hasRoute && there.key == "k")
    expectEqual(here, ["leaf", "root"])
    try await expectEqual(other.ownRoute(), ["other"])
  }

  /// A node of another class, which counts how often it is asked for its next.
  private final class Counting: Responder {
    let state = ResponderState()
    var responderState: ResponderState? { state }
    var queries = 0
    var next: (any Responder)?
    var nextResponder: (any Responder)? {
      queries += 1
      return next
    }
  }

  @Test("The route that another actor asks for reads no node (E18.9)") func nothingIsRead() async throws {
    defer { root.removeHandlers() }
    let node = Counting()
    node.next = root
    let other = Other()
    var queries: [Int] = []
    try node.proxy.register("k") { (_: AnyObject?) async in
      queries.append(node.queries)
      _ = await other.look()
      queries.append(node.queries)
      expectEqual(EventContext.route(through: node)?.count, 2)
      queries.append(node.queries)
    }
    await node.sendAwaiting("k")
    expect(queries.count == 3 && queries[0] == queries[1] && queries[1] < queries[2])
    node.proxy.removeAllHandlers()
  }

  @Test("A send that is refused names the nodes of its own domain only (E18.9)") func refusedElsewhere() async throws {
    defer { root.removeHandlers() }
    let other = Other()
    var error: SendOutcome.RoutingError?
    try leaf.proxy.register("k") { (_: AnyObject?) async in error = await other.refusedSend() }
    await EventLog.withLogger(nil) { _ = await leaf.sendAwaiting("k") }
    expectEqual(error, .depthExceeded(limit: 1, [.init(key: "k", node: nil), .init(key: "k", node: "other")]))
  }

  @Test("Handlers of two actors that ask each other end at the limit; each names its own nodes (E12.8, E18.9)")
  func inTurn() async throws {
    defer { root.removeHandlers() }
    let other = Other()
    let rules = RoutingRules(unknownKey: .isSilent, depthLimit: 6)
    var errors: [SendOutcome.RoutingError] = []
    let peer = await other.port()
    try leaf.proxy.register("ping") { (_: AnyObject?, count: Int) async in
      guard count < 5 else {
        // The send itself is refused here.
        await leaf.sendAwaiting("more", rules: rules)
        return
      }
      _ = await peer.sendAwaiting("ping", count + 1, rules: rules)
    }
    try await other.answer(with: leaf.port())
    try leaf.proxy.register("more") { (_: AnyObject?) async in
      if let error = await leaf.sendAwaiting("ping", 9, rules: rules).routingError { errors.append(error) }
    }
    await EventLog.withLogger(nil) { _ = await leaf.sendAwaiting("ping", 1, rules: rules) }
    let names: [String?] =
      if case .depthExceeded(_, let steps)? = errors.first { steps.map(\.node) } else { [] }
    expectEqual(names, ["leaf", nil, "leaf", nil, "leaf", "leaf", "leaf"])
  }

  @Test("Without an actor nothing is left out (E12.8)") nonisolated func noActor() async throws {
    let node = ResponderNode("node")
    let rules = RoutingRules(unknownKey: .isSilent, depthLimit: 2)
    let names = try await EventLog.withLogger(nil) {
      nonisolated(unsafe) var names: [String?] = []
      try node.proxy.register("k") { [unowned node] (_: AnyObject?) async in
        await Task.yield()
        if case .depthExceeded(_, let steps)? = await node.sendAwaiting("k", rules: rules).routingError { unsafe names = steps.map(\.node) }
      }
      await node.sendAwaiting("k", rules: rules)
      return unsafe names
    }
    expectEqual(names, ["node", "node", "node"])
  }
}
