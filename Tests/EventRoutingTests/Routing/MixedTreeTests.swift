import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Trees of several kinds of responders.
@Suite(.measured) struct MixedTreeTests {
  private let journal = Journal()

  @Test func aClassTakesPartWithTwoLines() throws {
    let root = Cell()
    let leaf = Cell()
    leaf.above = root
    root.below = [leaf]
    try root.handlers.on("k", journal, "root", reply: .handledAndContinue)
    try leaf.handlers.on("k", journal, "leaf", reply: .handledAndContinue)
    leaf.send("k")
    root.send("k", rules: .busDown)
    #expect(journal.entries == ["leaf", "root", "root", "leaf"])
    root.below = []
  }

  @Test func aPassGoesFromNodesToOthersAndBack() throws {
    let top = ResponderNode("top")
    let view = View("view")
    let node = ResponderNode("node")
    let leaf = node.child("leaf")
    node.nextOverride = view
    view.state.nextOverride = top
    try top.on("k", journal)
    try view.state.proxy.on("k", journal, "view", reply: .handledAndContinue)
    try leaf.on("k", journal, reply: .handledAndContinue)
    #expect(leaf.send("k").handledCount == 3)
    #expect(journal.entries == ["leaf.k", "view", "top.k"])
    #expect(leaf.report("k").names == ["leaf", "node", "view", "top"])
    #expect(node.send("k", rules: .componentEmit).handledCount == 2)
    top.nextOverride = view
    #expect(leaf.report("nobody", rules: .componentEmit).routingError == .cyclicPath("view"))
  }

  @Test func aForeignParentMayHaveNodesAsChildren() throws {
    final class Scene: Responder {
      let node = ResponderNode("node")
      var nextResponder: (any Responder)? { nil }
      var childResponders: [any Responder] { [node] }
    }
    let scene = Scene()
    let leaf = scene.node.child("leaf")
    try leaf.on("k", journal)
    #expect(scene.send("k", rules: .componentBroadcast).handledCount == 1)
    #expect(scene.report("k", rules: .busDown).names == ["Scene", "node", "leaf"])
  }

  @Test("A node of another class that is removed on the way is skipped with all below it (E7.3)")
  func aNodeRemovedOnTheWayIsSkippedInForeignTreesToo() throws {
    let root = View("root")
    let middle = View("middle")
    let leaf = View("leaf")
    root.addSubview(middle)
    middle.addSubview(leaf)
    try root.state.proxy.intercept("k") { [journal] _, _, _ in
      journal.note("root")
      middle.removeFromSuperview()
      return .handledAndContinue
    }
    for view in [middle, leaf] { try view.state.proxy.on("k", journal, view.name) }
    let report = root.report("k", rules: .busDown)
    #expect(journal.entries == ["root"])
    #expect(report.visits.map(\.answer) == [.handled, .removed, .removed])
  }
}
