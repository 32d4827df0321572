import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Events sent on changed.
@Suite(.measured) struct ResendTests {
  private let journal = Journal()

  @Test("An event that comes back to a key that it left is an error with keys and nodes (E6.5)")
  func aLoopOfKeysIsFoundAndReportedWithItsTrail() throws {
    let root = ResponderNode("root")
    let b = root.child("b")
    let a = b.child("a")
    try a.proxy.intercept("B") { _, _, arguments in .resend("C", arguments) }
    try b.proxy.intercept("C") { _, _, arguments in .resend("B", arguments) }
    try root.on("B", journal)
    let report = a.report("B")
    let steps: [SendOutcome.RoutingError.Step] = [.init(key: "B", node: "a"), .init(key: "C", node: "b"), .init(key: "B", node: nil)]
    #expect(report.routingError == .resendLoop(steps))
    #expect(report.isUnhandled)
    #expect(journal.entries.isEmpty)
    #expect(report.routingError?.description == "the event was sent on in a loop: B at a → C at b → B")
  }

  @Test func aKeyMayChangeAtEveryNodeOfADeepPath() throws {
    let root = ResponderNode("root")
    var node = root
    var keys: [EventKey] = ["k0"]
    for index in 1...200 {
      node = node.child("n\(index)")
      keys.append(EventKey("k\(index)"))
    }
    let leaf = node
    var index = 200
    while let parent = node.parent {
      let next = keys[index - 1]
      try node.proxy.intercept(keys[index]) { _, _, arguments in .resend(next, arguments + [.int(1)]) }
      index -= 1
      node = parent
    }
    var count = 0
    try root.proxy.intercept("k0") { _, _, arguments in
      count = arguments.count
      return .handled
    }
    let outcome = leaf.send(keys[200])
    #expect(outcome.handledCount == 1)
    #expect(outcome.finalKey == "k0")
    #expect(count == 200)
  }

  @Test("What is sent on beyond the last node is unhandled (E6.6)")
  func whatIsSentOnBeyondTheLastNodeIsUnhandled() throws {
    let root = ResponderNode("root")
    try root.proxy.intercept("B") { _, _, arguments in .resend("C", arguments) }
    let report = root.report("B")
    #expect(report.isUnhandled)
    #expect(report.diagnosis?.key == "C")
    #expect(report.rewrites.count == 1)
  }

  @Test("Downward, a new key holds below the node only (E6.3)") func downwardANewKeyHoldsBelowTheNodeOnly() throws {
    let a = ResponderNode("a")
    let b = a.child("b")
    let c = a.child("c")
    let d = b.child("d")
    let e = d.child("e")
    try b.proxy.intercept("old") { _, _, arguments in .resend("new", arguments) }
    for node in [a, c, d, e] {
      try node.on("old", journal)
      try node.on("new", journal)
    }
    let report = a.report("old", rules: .busDown)
    #expect(journal.entries == ["a.old", "d.new", "e.new", "c.old"])
    #expect(report.handledBy.map(\.name) == ["a", "d", "e", "c"])
  }

  @Test func downwardAStopOfThePassBelowEndsItAll() throws {
    let a = ResponderNode("a")
    let b = a.child("b")
    let c = a.child("c")
    let d = b.child("d")
    try b.proxy.intercept("old") { _, _, arguments in .resend("new", arguments) }
    try d.on("new", journal, reply: .handledAndStop(.pass))
    try c.on("old", journal)
    a.send("old", rules: .busDown)
    #expect(journal.entries == ["d.new"])
  }

  @Test("Downward, a loop of keys ends its branch only (E6.5)") func downwardALoopEndsItsBranch() throws {
    let a = ResponderNode("a")
    let b = a.child("b")
    let c = a.child("c")
    let d = b.child("d")
    let e = b.child("e")
    try b.proxy.intercept("B") { _, _, arguments in .resend("C", arguments) }
    try d.proxy.intercept("C") { _, _, arguments in .resend("B", arguments) }
    try d.child("below").on("C", journal)
    try e.on("C", journal)
    try c.on("B", journal)
    let outcome = a.send("B", rules: .busDown)
    let steps: [SendOutcome.RoutingError.Step] = [.init(key: "B", node: "b"), .init(key: "C", node: "d"), .init(key: "B", node: nil)]
    #expect(outcome.routingError == .resendLoop(steps))
    #expect(journal.entries == ["e.C", "c.B"])
  }

  @Test("Downward, a node that its handler deallocates leaves no step of a later loop (E6.5, E7.6)") func aDeadNodeLeavesNoStep() throws {
    let a = ResponderNode("a")
    var dying: ResponderNode? = a.child("dying")
    weak let isAlive = dying
    let b = a.child("b")
    let d = b.child("d")
    try dying?.proxy.intercept("B") { _, _, arguments in
      dying?.removeFromParent()
      dying = nil
      return .resend("C", arguments)
    }
    try b.proxy.intercept("B") { _, _, arguments in .resend("C", arguments) }
    try d.proxy.intercept("C") { _, _, arguments in .resend("B", arguments) }
    let outcome = a.send("B", rules: .busDown)
    let steps: [SendOutcome.RoutingError.Step] = [.init(key: "B", node: "b"), .init(key: "C", node: "d"), .init(key: "B", node: nil)]
    #expect(outcome.routingError == .resendLoop(steps))
    #expect(isAlive == nil)
  }

  @Test func downwardANodeThatMovesBelowOneThatSendsOnIsAskedOnce() throws {
    let a = ResponderNode("a")
    let before = a.child("before")
    let b = a.child("b")
    let after = a.child("after")
    defer { b.proxy.removeAllHandlers() }  // they keep it
    try b.proxy.intercept("old") { _, _, arguments in
      b.addChild(before)
      b.addChild(after)
      return .resend("new", arguments)
    }
    for node in [before, after] {
      try node.on("old", journal, reply: .handledAndContinue)
      try node.on("new", journal, reply: .handledAndContinue)
    }
    a.send("old", rules: .busDown)
    #expect(journal.entries == ["before.old", "after.new"])
  }

  @Test("Arguments may change under the same key (E6.4)") func argumentsMayChangeUnderTheSameKey() throws {
    let root = ResponderNode("root")
    let middle = root.child("middle")
    let leaf = middle.child("leaf")
    for node in [leaf, middle] { try node.proxy.intercept("k") { _, key, arguments in .resend(key, arguments + [.int(1)]) } }
    var count = 0
    try root.proxy.intercept("k") { _, _, arguments in
      count = arguments.count
      return .handled
    }
    let outcome = leaf.send("k")
    #expect(count == 2)
    #expect(outcome.routingError == nil)
  }

  @Test(
    "A resend looks for nodes again below the node of a pass down, and for handlers along the same path of a pass up (E7.1)",
    arguments: [true, false])
  func nodesAfterAResend(isAwaited: Bool) async throws {
    let journal = Journal()
    let (root, page, row) = (ResponderNode("root"), ResponderNode("page"), ResponderNode("row"))
    defer { for node in [root, page, row] { node.proxy.removeAllHandlers() } }
    page.addChild(row)
    try root.on("B", journal)
    try row.proxy.intercept("A") { _, _, _ in
      // The page gets a parent, and a handler.
      root.addChild(page)
      try page.on("B", journal, reply: .handledAndContinue)
      return .resend("B", [])
    }
    let up = isAwaited ? await row.sendAwaiting("A", rules: .strategy) : row.send("A", rules: .strategy)
    #expect(up.handledCount == 1 && journal.entries == ["page.B"])
    row.send("B", rules: .strategy)
    #expect(journal.entries == ["page.B", "page.B", "root.B"])

    journal.entries = []
    let (top, middle, beside, low) = (ResponderNode("top"), ResponderNode("middle"), ResponderNode("beside"), ResponderNode("low"))
    defer { for node in [top, middle] { node.proxy.removeAllHandlers() } }
    top.addChild(middle)
    for node in [beside, low] { for key in ["A", "B"] as [EventKey] { try node.on(key, journal) } }
    try middle.proxy.intercept("A") { _, _, _ in
      middle.addChild(low)
      top.addChild(beside)
      return .resend("B", [])
    }
    let down = isAwaited ? await top.sendAwaiting("A", rules: .busDown) : top.send("A", rules: .busDown)
    #expect(down.handledCount == 1 && journal.entries == ["low.B"])
  }
}
