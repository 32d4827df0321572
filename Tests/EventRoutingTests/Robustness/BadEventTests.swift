import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What could harm a pass has an outcome.
@Suite(.measured) struct BadEventTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  private let journal = Journal()

  /// A chain of so many nodes below a root.
  private func chain(_ depth: Int) -> (root: ResponderNode, leaf: ResponderNode) {
    let root = ResponderNode("root")
    var leaf = root
    for _ in 0..<depth { leaf = leaf.child("node") }
    return (root, leaf)
  }

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
      #expect(leaf.send("up").handledCount == 1)
      #expect(root.send("down", rules: .componentBroadcast).handledCount == 1)
      #expect(leaf.send("nobody", rules: .componentEmit).isUnhandled)
      #expect(leaf.dryRun("up").visits.count == 100_001)
      try leaf.proxy.intercept("both") { _, _, _ in .handledAndContinue }
      try root.on("both", journal)
      #expect(leaf.send("both").handledCount == 2)
      #expect(root.canAdopt(leaf))
      #expect(!leaf.canAdopt(root))
    }
    #expect(dead == 100_000)
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
    #expect(cells[100_000].send("up").handledCount == 1)
    #expect(cells[0].send("down", rules: .busDown).handledCount == 1)
    for cell in cells {
      cell.above = nil
      cell.below = []
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

  @Test("A handler that throws ends nothing, and its error is in the outcome (E10.5)")
  func oneHandlersErrorIsIsolatedAndReported() throws {
    let root = ResponderNode("root")
    let middle = root.child("middle")
    let leaf = middle.child("leaf")
    try leaf.proxy.intercept("k") { _, _, _ in throw Failure(number: 1) }
    try middle.proxy.intercept("k") { _, _, _ in throw Failure(number: 2) }
    try root.on("k", journal)
    let outcome = leaf.send("k")
    #expect(outcome.handledCount == 1)
    #expect(outcome.errorCount == 2)
    #expect(outcome.firstError as? Failure == Failure(number: 1))
    let report = leaf.report("k")
    #expect(report.errors.map { $0 as? Failure } == [Failure(number: 1), Failure(number: 2)])
    #expect(report.visits.map(\.answer) == [.failed, .failed, .stopped(.pass)])
    root.proxy.removeHandlers(for: "k")
    #expect(leaf.send("k").isUnhandled)
  }

  @Test("A routing error that a handler throws is an error of the handler, not of the route (E10.5)")
  func aRoutingErrorThatIsThrown() throws {
    let root = ResponderNode("root")
    try root.proxy.intercept("k") { _, _, _ in throw SendOutcome.RoutingError.depthExceeded(limit: 1, []) }
    let outcome = root.send("k")
    #expect(outcome.routingError == nil && outcome.firstError is SendOutcome.RoutingError && outcome.errorCount == 1)
    #expect(root.report("k").routingError == nil)
  }

  @Test func aHandlerMayRemoveItself() throws {
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    var registration: EventRegistration?
    defer { registration = nil }  // the handler keeps it
    registration = try leaf.proxy.intercept("k") { [journal] _, _, _ in
      journal.note("leaf")
      registration?.cancel()
      return .handledAndContinue
    }
    try root.on("k", journal)
    leaf.send("k")
    leaf.send("k")
    #expect(journal.entries == ["leaf", "root.k", "root.k"])
  }

  @Test("A handler may remove that of its parent, which is not called then (E7.5)")
  func aHandlerMayRemoveThatOfItsParent() throws {
    let root = ResponderNode("root")
    let middle = root.child("middle")
    let leaf = middle.child("leaf")
    defer { leaf.proxy.removeAllHandlers() }  // they keep its parent
    try leaf.proxy.intercept("k") { [middle] _, _, _ in
      middle.proxy.removeHandlers(for: "k")
      return .handledAndContinue
    }
    try middle.on("k", journal)
    try root.on("k", journal)
    #expect(leaf.report("k").visits.map(\.answer) == [.handled, .passed, .stopped(.pass)])
    #expect(journal.entries == ["root.k"])
  }

  @Test func aHandlerMayDropItsProxyAndItsNode() throws {
    let root = ResponderNode("root")
    try root.on("k", journal)
    weak var weakLeaf: ResponderNode?
    var outcome: SendOutcome?
    do {
      let middle = root.child("middle")
      weakLeaf = middle
      try middle.proxy.intercept("k") { _, _, _ in
        weakLeaf?.eventProxy = nil
        weakLeaf?.removeFromParent()
        return .handledAndContinue
      }
    }
    let leaf = ResponderNode("leaf")
    leaf.nextOverride = weakLeaf
    outcome = leaf.send("k")
    #expect(outcome?.handledCount == 2)
    #expect(weakLeaf == nil)
    #expect(journal.entries == ["root.k"])
  }

  @Test("A node that dies on the way is skipped (E7.6)") func aNodeThatDiesOnTheWayIsSkipped() throws {
    let root = ResponderNode("root")
    try root.on("k", journal)
    weak var dying: ResponderNode?
    func grow() -> ResponderNode {
      let middle = root.child("middle")
      dying = middle
      return middle.child("leaf")
    }
    let leaf = grow()
    try dying?.proxy.on("k", journal, "dying")
    try leaf.proxy.intercept("k") { _, _, _ in
      dying?.removeFromParent()
      return .handledAndContinue
    }
    let report = leaf.report("k")
    #expect(dying == nil)
    #expect(report.names == ["leaf", "dead", "root"])
    #expect(report.visits.map(\.answer) == [.handled, .removed, .stopped(.pass)])
    #expect(leaf.parent == nil)
  }

  @Test func broadcastsSurviveTheDeathOfEverythingBelow() throws {
    let root = ResponderNode("root")
    for index in 0..<100 {
      let node = root.child("n\(index)")
      try node.child("below").on("k", journal, reply: .handledAndContinue)
      try node.on("k", journal, reply: .handledAndContinue)
    }
    try root.children[0].proxy.intercept("k") { _, _, _ in
      for child in root.children { child.removeFromParent() }
      return .handledAndContinue
    }
    #expect(root.send("k", rules: .componentBroadcast).handledCount == 1)
    #expect(root.children.isEmpty)
    #expect(root.send("k", rules: .componentBroadcast).isUnhandled)
  }

  @Test("A handler may send its own key, and that event is delivered first (E2.7)")
  func aHandlerMaySendFromInsideASend() throws {
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    var depth = 0
    defer { leaf.proxy.removeAllHandlers() }  // they keep it
    try leaf.proxy.intercept("k") { [journal, leaf] _, _, _ in
      depth += 1
      journal.note("in \(depth)")
      if depth < 3 { leaf.send("k") }
      journal.note("out")
      return .handledAndContinue
    }
    try root.on("k", journal, reply: .handledAndContinue)
    #expect(leaf.send("k").handledCount == 2)
    #expect(journal.entries == ["in 1", "in 2", "in 3", "out", "root.k", "out", "root.k", "out", "root.k"])
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
    #expect(source == nil)
    leaf.send("k", source: source)
    #expect(arrivals == [true, false])
  }

  @Test func aSenderMayDieOfItsOwnEvent() throws {
    let root = ResponderNode("root")
    try root.on("k", journal)
    weak let weakLeaf: ResponderNode? = root.child("leaf")
    try weakLeaf?.proxy.intercept("k") { _, _, _ in
      root.children[0].removeFromParent()
      return .handledAndContinue
    }
    #expect(weakLeaf?.send("k").handledCount == 2)
    #expect(weakLeaf == nil)
  }

  @Test("A child does not keep its parent, and outlives it as a root (E11.7)")
  func childrenOutliveTheirParentAsRoots() {
    let child = ResponderNode("child")
    do {
      let parent = ResponderNode("parent")
      parent.addChild(child)
      #expect(child.parent === parent)
    }
    #expect(child.parent == nil)
    #expect(child.report("k").names == ["child"])
  }

  @Test func overriddenCirclesOfEveryShapeEnd() throws {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<300 {
      let count = Int.random(in: 1...12, using: &generator)
      let nodes = (0..<count).map { ResponderNode("n\($0)") }
      var next: [Int?] = []
      for index in 0..<count {
        let target = generator.oneIn(5) ? nil : Int.random(in: 0..<count, using: &generator)
        next.append(target)
        nodes[index].nextOverride = target.map { nodes[$0] }
        if generator.oneIn(2) { try nodes[index].on("k", journal, reply: .handledAndContinue) }
      }
      var path: [Int] = []
      var here: Int? = 0
      while let index = here, !path.contains(index) {
        path.append(index)
        here = next[index]
      }
      // An override keeps nobody alive.
      let report = withExtendedLifetime(nodes) { nodes[0].report("k") }
      #expect(report.names == path.map { "n\($0)" })
      #expect((report.routingError != nil) == (here != nil))
    }
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
      #expect(sender.send("k", rules: rules).handledCount == depth)
      nodes = []
    }
    #expect(root == nil && middle == nil)
  }
}
