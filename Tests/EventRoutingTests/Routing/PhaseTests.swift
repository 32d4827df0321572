import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Capture phases, handlers that see stopped events, and what a handler is told about its event; the routes are scenarios.
@Suite(.measured) struct PhaseTests {
  private let root, middle, leaf: ResponderNode

  init() { (root, middle, leaf) = chain() }

  @Test("Without a stop handlers that see stopped events are handlers like others, and their errors are errors of the event (E15.5)")
  func likeOthers() throws {
    let options = HandlerOptions(isOnce: true, duplicates: .append, seesStopped: true)
    try root.proxy.intercept("k", options: options) { _, _, _ in throw Failure() }
    try leaf.proxy.intercept("k") { _, _, _ in .handledAndContinue }
    expectEqual(leaf.send("k", rules: .busUp).errorCount, 1)
    try leaf.proxy.intercept("k") { _, _, _ in .handledAndStop(.pass) }
    expectEqual(leaf.send("k", rules: .strategy).errorCount, 0)
    expect(root.proxy.keys.isEmpty)
    try root.proxy.register("k", options: HandlerOptions(seesStopped: true)) { (_: AnyObject?, _: Int) in }
    let outcome = leaf.send("k", rules: .strategy)
    expectEqual([outcome.errorCount, outcome.handledCount], [1, 1])
    expect("\(root.proxy.registrations[0].handler)".hasSuffix("[sees stopped events]"))
  }

  @Test("A handler asks a node of the route for the sender and the path (E15.6)") func route() throws {
    let other = ResponderNode("other")
    var routes: [[any Responder]?] = []
    defer { routes = [] }  // the handler keeps them, and they the nodes
    try middle.proxy.intercept("k") { [unowned middle, unowned root, unowned leaf] _, _, _ in
      routes += [middle, root, leaf, other].map { EventContext.route(through: $0) }
      return .handled
    }
    leaf.send("k", source: nil)
    expect(routes[0]?.first === leaf && routes[1]?.first === leaf)
    expectEqual(routes[0]?.map(\.responderName), ["leaf", "middle", "root"])
    expect(routes[2]?.count == 3 && routes[3] == nil)
    routes = []
    root.send("k", source: nil, rules: .busDown)
    expectEqual(routes.map { $0?.map(\.responderName) }, [["root", "middle"], ["root", "middle"], nil, nil])
    expect(EventContext.route(through: middle) == nil)
  }
}
