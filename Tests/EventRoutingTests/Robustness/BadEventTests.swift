import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What could harm a pass has an outcome.
@Suite(.measured) struct BadEventTests {
  private let journal = Journal()

  @Test func aTreeOf100000LevelsIsWalkedAndFreed() throws {
    var dead = 0
    final class Counted: ResponderNode {
      var onDeath: () -> Void = {}
      deinit { onDeath() }
    }
    do {
      let root = ResponderNode("root")
      var leaf = root
      for _ in 0..<100_000 {
        let node = Counted()
        node.onDeath = { dead += 1 }
        leaf.addChild(node)
        leaf = node
      }
      try root.on("up", journal)
      try leaf.on("down", journal)
      expectEqual(leaf.send("up").handledCount, 1)
      expectEqual(root.send("down", rules: .componentBroadcast).handledCount, 1)
      expect(leaf.send("nobody", rules: .componentEmit).isUnhandled)
      expectEqual(leaf.dryRun("up").visits.count, 100_001)
      try leaf.proxy.intercept("both") { _, _, _ in .handledAndContinue }
      try root.on("both", journal)
      expectEqual(leaf.send("both").handledCount, 2)
      expect(root.canAdopt(leaf))
      expect(!leaf.canAdopt(root))
    }
    expectEqual(dead, 100_000)
  }

  @Test func aTreeOf100000LevelsIsWalkedByRequirements() throws {
    var cells: [Cell] = [Cell()]
    for index in 0..<100_000 {
      let cell = Cell()
      cell.above = cells[index]
      cells[index].below = [cell]
      cells.append(cell)
    }
    try cells[0].handlers.on("up", journal, "root")
    try cells[100_000].handlers.on("down", journal, "leaf")
    expectEqual(cells[100_000].send("up").handledCount, 1)
    expectEqual(cells[0].send("down", rules: .busDown).handledCount, 1)
    for cell in cells {
      cell.above = nil
      cell.below = []
    }
  }

  @Test("100,000 children of one node are all asked, in order, and freed") func children() throws {
    try LifetimeTracker.check { tracker in
      var order: [Int] = []
      let root = ResponderNode("root")
      for number in 0..<100_000 {
        let object = tracker.object(number)
        try root.child("").proxy.intercept("k") { _, _, _ in
          order.append(object.payload)
          return .handledAndContinue
        }
      }
      expectEqual(root.send("k", rules: .busDown).handledCount, 100_000)
      expectEqual(order, Array(0..<100_000))
      expectEqual(tracker.liveCount, 100_000)
    }
  }

  @Test("Options have no reply with arguments") func optionsDoNotResend() async {
    await #expect(processExitsWith: .failure) { _ = HandlerOptions(reply: .resend("other", [])) }
    await #expect(processExitsWith: .failure) {
      var options = HandlerOptions()
      options.reply = .resend("other", [])
    }
  }

  @Test func aNodeCannotBecomeItsOwnAncestor() async {
    await #expect(processExitsWith: .failure) {
      let a = ResponderNode("a")
      let b = ResponderNode("b")
      a.addChild(b)
      b.addChild(a)
    }
    await #expect(processExitsWith: .failure) {
      let a = ResponderNode("a")
      a.addChild(a)
    }
    await #expect(processExitsWith: .failure) {
      let a = ResponderNode("a")
      a.insertChild(ResponderNode("b"), at: 1)
    }
  }

  @Test("A routing error that a handler throws is an error of the handler, not of the route (E10.5)")
  func aRoutingErrorThatIsThrown() throws {
    let root = ResponderNode("root")
    try root.proxy.intercept("k") { _, _, _ in throw SendOutcome.RoutingError.depthExceeded(limit: 1, []) }
    let outcome = root.send("k")
    expect(outcome.routingError == nil && outcome.firstError is SendOutcome.RoutingError && outcome.errorCount == 1)
    expect(root.report("k").outcome.routingError == nil)
  }

  @Test("A source that nobody else keeps lives until the pass ends (E2.8)")
  func aSourceThatDiesInsideItsSendIsKeptAndADeadOneIsNil() throws {
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    var holder: Journal? = Journal()
    weak let source = holder
    var arrivals: [Bool] = []
    try leaf.proxy.intercept("k") { _, _, _ in
      holder = nil
      return .handledAndContinue
    }
    try root.proxy.intercept("k") { source, _, _ in
      arrivals.append(source != nil)
      return .handled
    }
    leaf.send("k", source: holder)
    expect(source == nil)
    leaf.send("k", source: source)
    expectEqual(arrivals, [true, false])
  }

  @Test("A path of more nodes than fit on the stack lets all of them go", arguments: [10, 200, 5_000])
  func longPathsAreReleased(depth: Int) throws {
    weak var root: ResponderNode?
    weak var middle: ResponderNode?
    for rules in [RoutingRules.router, .busDown] {
      var nodes = [ResponderNode("root")]
      for _ in 0..<depth {
        let node = ResponderNode()
        nodes[nodes.count - 1].addChild(node)
        nodes.append(node)
        try node.proxy.intercept("k") { _, _, _ in .handledAndContinue }
      }
      root = nodes[0]
      middle = nodes[depth / 2]
      let sender = rules.direction == .up ? nodes[depth] : nodes[0]
      expectEqual(sender.send("k", rules: rules).handledCount, depth)
      nodes = []
    }
    expect(root == nil && middle == nil)
  }
}
