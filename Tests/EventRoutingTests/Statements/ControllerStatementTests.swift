import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What passes do with controllers and their views, and with trees of several kinds of responders, by the statements of the page Behavior.
@Suite(.measured) struct ControllerStatementTests {
  /// A controller p with a child controller c, whose view with cs lies in the view of p, beside s.
  private struct Controllers {
    let p = ViewController("p")
    let c = ViewController("c")
    let cs = View("cs")
    let s = View("s")
    let journal = Journal()

    /// Registers a handler at each; one of them replies otherwise.
    init(stopping: String = "", _ reply: EventReply = .handled) throws {
      p.addChild(c)
      p.view.addSubview(c.view)
      p.view.addSubview(s)
      c.view.addSubview(cs)
      for (state, name) in [(p.state, "p"), (c.state, "c"), (p.view.state, "pv"), (c.view.state, "cv"), (cs.state, "cs"), (s.state, "s")] {
        try state.proxy.on("k", journal, name, reply: name == stopping ? reply : .handled)
      }
    }

    func sendDown() -> [String] {
      p.send("k", rules: .busDown)
      return journal.entries
    }
  }

  @Test("A controller is asked before its child controllers, and those before its view (E4.3)")
  func controllers() throws {
    for (reply, expected) in [(EventReply.handled, ["p", "c1", "c1v", "c2", "c2v", "pv"]), (.handledAndStop(.subtree), ["p"])] {
      let journal = Journal()
      let (p, first, second) = (ViewController("p"), ViewController("c1"), ViewController("c2"))
      for child in [first, second] { p.addChild(child) }
      for controller in [p, first, second] {
        try controller.state.proxy.on("k", journal, controller.name, reply: controller === p ? reply : .handled)
        try controller.view.state.proxy.on("k", journal, controller.view.name)
      }
      p.send("k", rules: .busDown)
      expectEqual(journal.entries, expected)
    }
  }

  @Test("A view that is the child of a controller and of a view is asked once, and a stop holds for it (E4.4, E5.7)")
  func once() throws {
    expectEqual(try Controllers().sendDown(), ["p", "c", "cv", "cs", "pv", "s"])
    expectEqual(try Controllers(stopping: "c", .handledAndStop(.subtree)).sendDown(), ["p", "c", "pv", "s"])
    expectEqual(try Controllers(stopping: "cv", .handledAndStop(.subtree)).sendDown(), ["p", "c", "cv", "pv", "s"])
  }

  @Test("A pass down loads no view (E4.5)") func loadsNothing() throws {
    let (p, hidden, journal) = (ViewController("p"), ViewController("hidden"), Journal())
    p.addChild(hidden)
    try hidden.state.proxy.on("k", journal, "hidden")
    p.send("k", rules: .busDown)
    _ = p.report("k", rules: .busDown)
    expectEqual(journal.entries, ["hidden", "hidden"])
    expect(p.loadedView == nil && hidden.loadedView == nil)
  }

  @Test("The way up goes from views to their superviews and controllers, to window and application (E3.1)")
  func chain() throws {
    let (application, window, owner, inner) = (View("application"), Window("window"), ViewController("owner"), View("inner"))
    window.superview = application
    owner.state.terminality = .passing
    window.addSubview(owner.view)
    owner.view.addSubview(inner)
    expectEqual(inner.report("nobody", rules: .strategy).names, ["inner", "ownerv", "owner", "window", "application"])
  }

  @Test("Emits and broadcasts end in circles of nodes of other classes (E3.9, E4.4)")
  func circles() throws {
    let (journal, left, right) = (Journal(), Cell(), Cell())
    left.below = [right]
    right.below = [left]
    for cell in [left, right] { try cell.handlers.on("k", journal, "cell", reply: .handledAndContinue) }
    expectEqual(left.send("k", rules: .componentBroadcast).handledCount, 1)
    left.above = right
    right.above = left
    expectEqual(left.send("k", rules: .componentEmit).handledCount, 2)
    left.above = nil
    left.below = []
  }

  @Test func aClassTakesPartWithTwoLines() throws {
    let (journal, root, leaf) = (Journal(), Cell(), Cell())
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
    let (journal, scene) = (Journal(), Scene())
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
