import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Trees of several kinds of responders.
@Suite(.measured) struct MixedTreeTests {
  private let journal = Journal()

  @Test func aClassTakesPartWithTwoLines() throws {
    let (root, leaf) = (Cell(), Cell())
    leaf.above = root
    root.below = [leaf]
    try root.handlers.on("k", journal, "root", reply: .handledAndContinue)
    try leaf.handlers.on("k", journal, "leaf", reply: .handledAndContinue)
    leaf.send("k")
    root.send("k", rules: .busDown)
    expectEqual(journal.entries, ["leaf", "root", "root", "leaf"])
    root.below = []
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
    expectEqual(scene.send("k", rules: .componentBroadcast).handledCount, 1)
    expectEqual(scene.report("k", rules: .busDown).names, ["Scene", "node", "leaf"])
  }

  @Test("The error of a circle names the node that has died since (E3.9)") func deadNodesOfCircles() throws {
    let (root, middle) = (ResponderNode("root"), ResponderNode("middle"))
    root.addChild(middle)
    var node: ResponderNode? = ResponderNode("dies")
    node?.nextOverride = middle
    middle.nextOverride = node
    try middle.proxy.intercept("k") { _, _, _ in
      node = nil
      return .handledAndContinue
    }
    expectEqual(node?.send("k").routingError, .cyclicPath("dies"))
  }
}
