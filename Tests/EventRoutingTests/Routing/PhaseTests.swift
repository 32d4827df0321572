import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Capture phases, handlers that see stopped events, and what a handler is told about its event.
@Suite(.measured) struct PhaseTests {
  private let journal = Journal()
  private let root = ResponderNode("root")
  private let middle: ResponderNode
  private let leaf: ResponderNode
  private var nodes: [ResponderNode] { [root, middle, leaf] }

  init() {
    middle = root.child("middle")
    leaf = middle.child("leaf")
  }

  private static let capturing = RoutingRules(unknownKey: .isSilent, hasCapturePhase: true)

  private func listen(
    _ node: ResponderNode, _ direction: HandlerOptions.Direction, key: EventKey = "k", seesStopped: Bool = false,
    reply: EventReply = .handledAndContinue
  ) throws {
    let options = HandlerOptions(duplicates: .append, direction: direction, seesStopped: seesStopped)
    try node.proxy.intercept(key, options: options) { [journal, unowned node] _, key, arguments in
      let context = EventContext.current
      journal.note("\(node.responderName).\(key) \(context.map { "\($0.phase)\($0.isStopped ? " stopped" : "")" } ?? "-")")
      return reply
    }
  }

  @Test("The capture phase goes from the root to the sender, and then the pass goes up (E15.1)") func order() throws {
    for node in nodes {
      try listen(node, .capture)
      try listen(node, .both)
    }
    let outcome = leaf.send("k", rules: Self.capturing)
    #expect(journal.entries == ["root.k capture", "middle.k capture", "leaf.k capture", "leaf.k up", "middle.k up", "root.k up"])
    #expect(outcome.handledCount == 6)
    journal.entries = []
    var rules = Self.capturing
    rules.startsAtSender = false
    leaf.send("k", rules: rules)
    #expect(journal.entries == ["root.k capture", "middle.k capture", "middle.k up", "root.k up"])
  }

  @Test("Handlers of the capture phase are called by no other pass, and other handlers not in that phase (E15.2)")
  func apart() throws {
    for node in nodes { try listen(node, .capture) }
    try listen(middle, .both)
    leaf.send("k", rules: .strategy)
    root.send("k", rules: .busDown)
    #expect(journal.entries == ["middle.k up", "middle.k down"])
    journal.entries = []
    leaf.send("k", rules: Self.capturing)
    #expect(journal.entries == ["root.k capture", "middle.k capture", "leaf.k capture", "middle.k up"])
    var down = RoutingRules.busDown
    down.hasCapturePhase = true
    journal.entries = []
    root.send("k", rules: down)
    #expect(journal.entries == ["middle.k down"])
    #expect(root.proxy.send("k", source: nil, arguments: []).calls == 1)
  }

  @Test("A stop in the capture phase ends the pass, a terminality does not end the phase (E15.3)") func stop() throws {
    middle.terminality = .forOwnKeys
    try listen(root, .capture)
    try listen(middle, .capture)
    try listen(leaf, .up)
    leaf.send("k", rules: Self.capturing)
    #expect(journal.entries == ["root.k capture", "middle.k capture", "leaf.k up"])
    journal.entries = []
    try listen(middle, .capture, reply: .handledAndStop(.pass))
    let outcome = leaf.send("k", rules: Self.capturing)
    #expect(journal.entries == ["root.k capture", "middle.k capture", "middle.k capture"])
    #expect(outcome.stopped == .pass && outcome.handledCount == 2)
    // Beyond a node that no event passes, and a boundary, there is no phase either.
    middle.terminality = .always
    journal.entries = []
    leaf.send("k", rules: Self.capturing)
    #expect(journal.entries.first == "middle.k capture")
  }

  @Test("A resend in the capture phase goes on to the sender, and then up, under the new key (E15.4)") func resend() throws {
    try middle.proxy.intercept("k", options: HandlerOptions(direction: .capture)) { _, _, arguments in .resend("l", arguments + [.int(2)]) }
    for node in nodes {
      try listen(node, .both)
      try listen(node, .capture, key: "l")
      try listen(node, .both, key: "l")
    }
    leaf.send("k", arguments: [.int(1)], rules: Self.capturing)
    #expect(journal.entries == ["leaf.l capture", "leaf.l up", "middle.l up", "root.l up"])
    try listen(leaf, .capture, key: "loop", reply: .resend("k", []))
    try root.proxy.intercept("loop", options: HandlerOptions(direction: .capture)) { _, _, _ in .resend("k", []) }
    try leaf.proxy.intercept("k", options: HandlerOptions(direction: .capture)) { _, _, _ in .resend("loop", []) }
    middle.proxy.removeHandlers(for: "k")
    guard case .resendLoop? = leaf.send("loop", rules: Self.capturing).routingError else {
      Issue.record("a loop across phases has no error")
      return
    }
  }

  @Test("After a resend in the capture phase the pass up visits the nodes that have handlers for the new key (E15.4)")
  func resendToOthers() throws {
    try listen(leaf, .both)
    try root.proxy.intercept("k", options: HandlerOptions(direction: .capture)) { _, _, _ in .resend("l", []) }
    try listen(middle, .both, key: "l")
    #expect(leaf.send("k", rules: Self.capturing).finalKey == "l")
    #expect(journal.entries == ["middle.l up"])
  }

  @Test("A node taken out in the capture phase is skipped in both phases (E7.2)") func takenOut() throws {
    try root.proxy.intercept("k", options: HandlerOptions(direction: .capture)) { [middle] _, _, _ in
      middle.removeFromParent()
      return .handledAndContinue
    }
    for node in nodes {
      try listen(node, .capture)
      try listen(node, .both)
    }
    leaf.send("k", rules: Self.capturing)
    #expect(journal.entries == ["root.k capture", "leaf.k capture", "leaf.k up", "root.k up"])
    root.proxy.removeAllHandlers()
  }

  @Test("Handlers that see stopped events are called after a stop, at the node and beyond, and change nothing (E15.5)")
  func stopped() throws {
    try listen(leaf, .both, reply: .handledAndStop(.pass))
    try listen(leaf, .both)
    try listen(leaf, .both, seesStopped: true, reply: .resend("l", []))
    try listen(middle, .both)
    try listen(root, .both, seesStopped: true)
    let outcome = leaf.send("k", rules: .strategy)
    #expect(journal.entries == ["leaf.k up", "leaf.k up stopped", "root.k up stopped"])
    #expect(outcome.handledCount == 1 && outcome.stopped == .pass && outcome.finalKey == nil)
    let report = leaf.report("k", rules: .strategy)
    #expect(report.visits.map { "\($0)" } == ["leaf: handled, stopped the pass", "root: observed after the stop"])
    #expect(report.handledBy.map(\.name) == ["leaf"])
    // RoutingRules.Terminality ends it, as it ends an event that nobody handles.
    middle.terminality = .always
    journal.entries = []
    leaf.send("k", rules: .strategy)
    #expect(journal.entries == ["leaf.k up", "leaf.k up stopped"])
    try listen(middle, .both, seesStopped: true)
    middle.terminality = .forOwnKeys
    for (unknownKey, rest) in [(RoutingRules.UnknownKey.isSilent, ["root.k up stopped"]), (.endsAtTerminal, [])] {
      journal.entries = []
      leaf.send("k", rules: RoutingRules(unknownKey: unknownKey))
      #expect(journal.entries == ["leaf.k up", "leaf.k up stopped", "middle.k up stopped"] + rest)
    }
  }

  @Test("In a pass down they are called below a node that stopped, or everywhere after the pass was stopped (E15.5)")
  func stoppedDown() throws {
    let sibling = root.child("sibling")
    try listen(middle, .both, reply: .handledAndStop(.subtree))
    try listen(leaf, .down, seesStopped: true)
    try listen(sibling, .both, reply: .handledAndStop(.pass))
    try listen(root.child("last"), .both, seesStopped: true)
    try listen(root.child("other"), .both)
    root.send("k", rules: .busDown)
    #expect(journal.entries == ["middle.k down", "leaf.k down stopped", "sibling.k down", "last.k down stopped"])
    #expect(root.report("k", rules: .busDown).handledBy.map(\.name) == ["middle", "sibling"])
  }

  @Test("Without a stop such handlers are handlers like others, and their errors are errors of the event (E15.5)")
  func likeOthers() throws {
    struct Failure: Error {}
    try root.proxy.intercept("k", options: HandlerOptions(isOnce: true, duplicates: .append, seesStopped: true)) { _, _, _ in
      throw Failure()
    }
    try listen(leaf, .both)
    #expect(leaf.send("k", rules: .busUp).errorCount == 1)
    try listen(leaf, .both, reply: .handledAndStop(.pass))
    #expect(leaf.send("k", rules: .strategy).errorCount == 0)
    #expect(root.proxy.keys.isEmpty)
    try root.proxy.register("k", options: HandlerOptions(seesStopped: true)) { (_: AnyObject?, _: Int) in }
    let outcome = leaf.send("k", rules: .strategy)
    #expect(outcome.errorCount == 1 && outcome.handledCount == 1)
    #expect("\(root.proxy.registrations[0].handler)".hasSuffix("[sees stopped events]"))
  }

  @Test("A dry run follows the capture phase and the handlers of stopped events (E12.5)", arguments: [true, false])
  func dryRun(isForeign: Bool) throws {
    let views = ["root", "middle", "leaf"].map { View($0) }
    // Optimized code ends the life of the views after their last use; a view does not retain its superview.
    defer { withExtendedLifetime(views) {} }
    views[0].addSubview(views[1])
    views[1].addSubview(views[2])
    let proxies = isForeign ? views.map(\.state.proxy) : nodes.map(\.proxy)
    let sender: any Responder = isForeign ? views[2] : leaf
    for direction in [HandlerOptions.Direction.capture, .up] {
      let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append, direction: direction)
      for proxy in proxies { try proxy.register("k", options: options) { (_: AnyObject?) in } }
    }
    try proxies[1].register("k", options: HandlerOptions(duplicates: .append, direction: .up)) { (_: AnyObject?) in }
    try proxies[0].register("k", options: HandlerOptions(duplicates: .append, seesStopped: true)) { (_: AnyObject?) in }
    let report = sender.report("k", rules: Self.capturing)
    #expect(
      report.visits.map { "\($0.responder?.name ?? "-") \($0.phase) \($0.answer)" } == [
        "root capture handled", "middle capture handled", "leaf capture handled", "leaf up handled",
        "middle up handled, stopped the pass", "root up observed after the stop",
      ])
    #expect(sender.dryRun("k", rules: Self.capturing) == report)
  }

  @Test("Handlers of a key that share no direction are not duplicates (E8.16)") func duplicates() throws {
    for direction in [HandlerOptions.Direction.up, .down, .capture] {
      try root.proxy.register("k", options: HandlerOptions(direction: direction)) { (_: AnyObject?) in }
    }
    for direction in [HandlerOptions.Direction.up, .down, .capture, .both] {
      #expect(throws: InvocationError.self) {
        try root.proxy.register("k", options: HandlerOptions(direction: direction)) { (_: AnyObject?) in }
      }
    }
    try root.proxy.register("k", options: HandlerOptions(duplicates: .replace, direction: .down)) { (_: AnyObject?) in }
    #expect(root.proxy.registrations(for: "k").map(\.options.direction) == [.up, .capture, .down])
  }

  @Test("A handler asks a node of the route for the sender and the path (E15.6)") func route() throws {
    let other = ResponderNode("other")
    var routes: [EventContext.Route?] = []
    defer { routes = [] }  // the handler keeps them, and they the nodes
    try middle.proxy.intercept("k") { [unowned middle, unowned root, unowned leaf] _, _, _ in
      routes += [
        EventContext.route(through: middle), EventContext.route(through: root), EventContext.route(through: leaf),
        EventContext.route(through: other),
      ]
      return .handled
    }
    leaf.send("k", source: nil)
    #expect(routes[0]?.sender === leaf && routes[1]?.sender === leaf)
    #expect(routes[0].map { "\($0)" } == "EventContext.Route(leaf, middle, root)")
    #expect(routes[2]?.path.count == 3 && routes[3] == nil)
    routes = []
    root.send("k", source: nil, rules: .busDown)
    #expect(routes.map { $0?.path.map(\.responderName) } == [["root", "middle"], ["root", "middle"], nil, nil])
    #expect(EventContext.route(through: middle) == nil)
  }

  @Test("After a stop at its node a handler is not counted, whether it throws or not; its error is") func stoppedHere() throws {
    struct Failure: Error {}
    let proxy = EventProxy()
    let options = HandlerOptions(duplicates: .append, seesStopped: true)
    try proxy.intercept("k") { _, _, _ in .handledAndStop(.node) }
    try proxy.intercept("k", options: options) { _, _, _ in .handled }
    try proxy.intercept("k", options: options) { _, _, _ in throw Failure() }
    let answer = proxy.send("k", source: nil, arguments: [])
    #expect(answer.calls == 1 && answer.errors.count == 1)
  }
}
