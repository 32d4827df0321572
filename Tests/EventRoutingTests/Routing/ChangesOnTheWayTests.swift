import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What handlers do to the tree while an event is on its way; each case was found by random scripts.
@Suite(.measured) final class ChangesOnTheWayTests {
  private let journal = Journal()
  private let root = ResponderNode("root")
  private let middle: ResponderNode
  private let leaf: ResponderNode

  init() {
    middle = root.child("middle")
    leaf = middle.child("leaf")
  }

  deinit {
    // Handlers keep the nodes that they change.
    for node in [root, middle, leaf] { node.eventProxy?.removeAllHandlers() }
  }

  @Test("A handler added on the way waits for the next event, at a node that has one already too (E7.4)", arguments: [true, false])
  func addedHandlers(isUp: Bool) throws {
    let (first, last) = isUp ? (leaf, root) : (root, leaf)
    let rules: RoutingRules = isUp ? .busUp : .busDown
    let sender = isUp ? leaf.child("below") : root
    var isFirst = true
    try first.proxy.intercept("k") { [journal] _, _, _ in
      journal.note("first")
      guard isFirst else { return .handled }
      isFirst = false
      try last.proxy.on("k", journal, "added")
      return .handled
    }
    try last.proxy.on("k", journal, "there")
    sender.send("k", rules: rules)
    #expect(journal.entries == ["first", "there"])
    journal.entries = []
    sender.send("k", rules: rules)
    #expect(journal.entries == ["first", "there", "added"])
  }

  @Test("A node that leaves the tree and then resends reaches none below it, in own classes too (E7.3)", arguments: [true, false])
  func resendsFromOutside(isAwaited: Bool) async throws {
    let (top, middle, low) = (View("top"), View("middle"), View("low"))
    top.addSubview(middle)
    middle.addSubview(low)
    try middle.proxy.intercept("k") { [unowned middle] _, _, arguments in
      middle.removeFromSuperview()
      return .resend("next", arguments)
    }
    try low.proxy.on("next", journal, "low")
    let outcome = isAwaited ? await top.sendAwaiting("k", rules: .busDown) : top.send("k", rules: .busDown)
    #expect(outcome.handledCount == 0 && journal.entries.isEmpty)
  }

  @Test("A node to which no way up leads, and that resends the event, reaches those below it (E7.3)", arguments: [true, false])
  func resendsWithoutWayUp(isAwaited: Bool) async throws {
    let (top, middle, low) = (View("top"), View("middle"), View("low"))
    top.subviews = [middle]
    middle.subviews = [low]
    try middle.proxy.on("k", journal, "middle", reply: .resend("next", []))
    try low.proxy.on("next", journal, "low")
    let outcome = isAwaited ? await top.sendAwaiting("k", rules: .busDown) : top.send("k", rules: .busDown)
    #expect(outcome.handledCount > 0 && journal.entries == ["middle", "low"])
  }

  @Test("A handler that is added before a resend is called below it, and not by the rest of the event (E7.4)", arguments: [true, false])
  func addedBeforeAResend(isAwaited: Bool) async throws {
    let last = root.child("last")
    defer { last.proxy.removeAllHandlers() }
    try middle.proxy.intercept("k") { [journal, leaf, last] _, _, _ in
      try leaf.proxy.on("next", journal, "below")
      try last.proxy.on("k", journal, "added")
      return .resend("next", [])
    }
    try leaf.proxy.on("next", journal, "leaf", reply: .handledAndContinue)
    try last.proxy.on("k", journal, "last")
    if isAwaited { await root.sendAwaiting("k", rules: .busDown) } else { root.send("k", rules: .busDown) }
    #expect(journal.entries == ["leaf", "below", "last"])
  }

  @Test("A handler that replaces another on the way waits for the next event, or for a resend (E7.4)", arguments: [true, false])
  func replacedHandlers(isSentOn: Bool) throws {
    try root.proxy.on("k", journal, "former")
    try leaf.proxy.intercept("k") { [root, journal] _, _, _ in
      root.proxy.removeHandlers(for: "k")
      try root.proxy.register("k") { (_: AnyObject?) in journal.note("new") }
      return isSentOn ? .resend("k", []) : .handledAndContinue
    }
    let report = leaf.report("k", arguments: [])
    #expect(journal.entries == (isSentOn ? ["new"] : []))
    #expect(report.visits.last?.answer == (isSentOn ? .stopped(.pass) : .passed))
  }

  @Test("A node taken out on the way is skipped, the last before a boundary and a terminal one too (E7.2)", arguments: [true, false])
  func removedLastNodes(isTerminal: Bool) throws {
    if isTerminal { middle.terminality = .always } else { root.isBoundary = true }
    try leaf.proxy.intercept("k") { [middle] _, _, _ in
      middle.removeFromParent()
      return .handledAndContinue
    }
    try middle.on("k", journal)
    var rules = RoutingRules.strategy
    rules.endsBeforeBoundary = true
    #expect(leaf.report("k", rules: rules).visits.map(\.answer) == [.handled, .removed])
    #expect(journal.entries.isEmpty)
  }

  @Test("With endsAtTerminal, a terminal node ends below it what it does not handle (E5.10)")
  func ignoredAtTerminalNodes() throws {
    var rules = RoutingRules.busDown
    rules.unknownKey = .endsAtTerminal
    middle.terminality = .forOwnKeys
    try leaf.on("k", journal)
    root.send("k", rules: rules)
    try middle.on("k", journal, reply: .ignored)
    let beside = root.child("beside")
    try beside.on("k", journal)
    root.send("k", rules: rules)
    #expect(journal.entries == ["middle.k", "beside.k"])
  }

  @Test("The error of a circle names the node to which the last one leads back (E3.9)") func circleNames() throws {
    // The walk notices the circle at another node.
    let nodes = (0..<5).map { ResponderNode("\($0)") }
    // A child does not keep its parent.
    defer { withExtendedLifetime(nodes) {} }
    for index in 1..<5 { nodes[index].addChild(nodes[index - 1]) }
    nodes[4].nextOverride = nodes[2]
    #expect(nodes[0].send("k").routingError == .cyclicPath("2"))
    #expect(nodes[0].report("k").names == ["0", "1", "2", "3", "4"])
    try nodes[3].on("k", journal, reply: .handledAndContinue)
    #expect(nodes[0].send("k").routingError == .cyclicPath("2"))
  }

  @Test("A node passed before the first handler is not passed again in a circle (E3.9)")
  func passedNodesOfCircles() throws {
    root.nextOverride = leaf
    try middle.on("k", journal, reply: .handledAndContinue)
    let report = leaf.report("k")
    #expect(report.names == ["leaf", "middle", "root"])
    #expect(report.visits.map(\.depth) == [0, 1, 2])
    #expect(report.routingError == .cyclicPath("leaf"))
    try leaf.on("other", journal)
    try root.proxy.intercept("k") { _, _, _ in .resend("other", []) }
    leaf.send("k")
    #expect(journal.entries == ["middle.k", "middle.k"])
  }

  @Test("The error of a circle names the node that has died since (E3.9)") func deadNodesOfCircles() throws {
    var node: ResponderNode? = ResponderNode("dies")
    node?.nextOverride = middle
    middle.nextOverride = node
    try root.proxy.intercept("k") { _, _, _ in .handled }
    try middle.proxy.intercept("k") { _, _, _ in
      node = nil
      return .handledAndContinue
    }
    #expect(node?.send("k").routingError == .cyclicPath("dies"))
  }

  @Test("A node that another lists as its child is asked below one that sends the event on") func guestsOfForeignNodes() throws {
    let cell = Cell()
    let guest = Cell()
    let low = Cell()
    cell.below = [guest]
    guest.below = [low]
    defer { guest.below = [] }
    low.above = guest
    try guest.handlers.intercept("k") { _, _, _ in .resend("l", []) }
    try low.handlers.on("l", journal, "low")
    #expect(cell.report("k", rules: .busDown).visits.map(\.answer) == [.passed, .resent, .handled])
    #expect(journal.entries == ["low"])
  }
}
