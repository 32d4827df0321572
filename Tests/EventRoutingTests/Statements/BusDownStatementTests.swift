import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What `RoutingRules.busDown` does, by the statements of the page Behavior.
@Suite(.measured) struct BusDownStatementTests {
  private let journal = Journal()

  /// A controller p with a child controller c, whose view lies in that of p.
  private struct Controllers {
    let p = ViewController("p")
    let c = ViewController("c")
    let cs = View("cs")
    let s = View("s")

    init(_ journal: Journal) throws {
      p.addChild(c)
      p.view.addSubview(c.view)
      p.view.addSubview(s)
      c.view.addSubview(cs)
      for (state, name) in [(p.state, "p"), (c.state, "c"), (p.view.state, "pv"), (c.view.state, "cv"), (cs.state, "cs"), (s.state, "s")] {
        try state.proxy.on("k", journal, name)
      }
    }
  }

  /// A root a, with b and c below, and d and e below b.
  private struct Nodes {
    let a = ResponderNode("a")
    let b: ResponderNode
    let c: ResponderNode
    let d: ResponderNode
    let e: ResponderNode

    init() {
      b = a.child("b")
      c = a.child("c")
      d = b.child("d")
      e = b.child("e")
    }

    var all: [ResponderNode] { [a, b, c, d, e] }
  }

  @Test("The bus downward asks the sender first (E4.1)") func startsAtSender() throws {
    let nodes = Nodes()
    try nodes.a.on("k", journal)
    try nodes.d.on("k", journal)
    nodes.a.send("k", rules: .busDown)
    #expect(journal.entries == ["a.k", "d.k"])
  }

  @Test("The bus downward sends an event with an empty name to nobody (E1.4)") func emptyName() throws {
    let nodes = Nodes()
    for node in nodes.all { try node.on("", journal) }
    #expect(nodes.a.send("", rules: .busDown).wasIgnored)
    #expect(journal.entries.isEmpty)
  }

  @Test("A controller is asked before its child controllers, and those before its view (E4.3)")
  func controllers() throws {
    let p = ViewController("p")
    let first = ViewController("c1")
    let second = ViewController("c2")
    p.addChild(first)
    p.addChild(second)
    for controller in [p, first, second] {
      try controller.state.proxy.on("k", journal, controller.name)
      try controller.view.state.proxy.on("k", journal, controller.view.name)
    }
    p.send("k", rules: .busDown)
    #expect(journal.entries == ["p", "c1", "c1v", "c2", "c2v", "pv"])
    journal.entries = []
    p.state.proxy.removeHandlers(for: "k")
    try p.state.proxy.on("k", journal, "p", reply: .handledAndStop(.subtree))
    p.send("k", rules: .busDown)
    #expect(journal.entries == ["p"])
  }

  @Test("A view is asked before its subviews, depth first, and a window is as any view (E4.3, E4.6)")
  func views() throws {
    let window = Window("w")
    let a = View("a")
    let b = View("b")
    let c = View("c")
    window.addSubview(a)
    a.addSubview(b)
    window.addSubview(c)
    for view in [window, a, b, c] { try view.state.proxy.on("k", journal, view.name) }
    window.send("k", rules: .busDown)
    #expect(journal.entries == ["w", "a", "b", "c"])
    let nodes = Nodes()
    nodes.a.isBoundary = true
    journal.entries = []
    for node in nodes.all { try node.on("k", journal) }
    nodes.a.send("k", rules: .busDown)
    #expect(journal.entries == ["a.k", "b.k", "d.k", "e.k", "c.k"])
  }

  @Test("A stop ends the event for the node's handlers, its subtree, or all nodes (E5.6, E5.7)") func stops() throws {
    let nodes = Nodes()
    for node in [nodes.a, nodes.c, nodes.d, nodes.e] { try node.on("k", journal) }
    try nodes.b.on("k", journal, reply: .handledAndStop(.subtree))
    #expect(nodes.a.send("k", rules: .busDown).stopped == .subtree)
    #expect(journal.entries == ["a.k", "b.k", "c.k"])
    journal.entries = []
    nodes.b.proxy.removeHandlers(for: "k")
    try nodes.b.on("k", journal, reply: .handledAndStop(.pass))
    #expect(nodes.a.send("k", rules: .busDown).stopped == .pass)
    #expect(journal.entries == ["a.k", "b.k"])
    journal.entries = []
    nodes.b.proxy.removeHandlers(for: "k")
    try nodes.b.on("k", journal, reply: .handledAndStop(.node))
    #expect(nodes.a.send("k", rules: .busDown).handledCount == 5)
    #expect(journal.entries == ["a.k", "b.k", "d.k", "e.k", "c.k"])
  }

  @Test("A view that is the child of a controller and of a view is asked once (E4.4)") func once() throws {
    let controllers = try Controllers(journal)
    controllers.p.send("k", rules: .busDown)
    #expect(journal.entries == ["p", "c", "cv", "cs", "pv", "s"])
  }

  @Test("A stop holds for a view that is also the child of another one (E4.4, E5.7)") func stopHolds() throws {
    let controllers = try Controllers(journal)
    controllers.c.state.proxy.removeHandlers(for: "k")
    try controllers.c.state.proxy.on("k", journal, "c", reply: .handledAndStop(.subtree))
    controllers.p.send("k", rules: .busDown)
    #expect(journal.entries == ["p", "c", "pv", "s"])
    let others = Journal()
    let again = try Controllers(others)
    again.c.view.state.proxy.removeHandlers(for: "k")
    try again.c.view.state.proxy.on("k", others, "cv", reply: .handledAndStop(.subtree))
    again.p.send("k", rules: .busDown)
    #expect(others.entries == ["p", "c", "cv", "pv", "s"])
  }

  @Test("A pass down loads no view (E4.5)") func loadsNothing() throws {
    let p = ViewController("p")
    let hidden = ViewController("hidden")
    p.addChild(hidden)
    try hidden.state.proxy.on("k", journal, "hidden")
    p.send("k", rules: .busDown)
    _ = p.report("k", rules: .busDown)
    #expect(journal.entries == ["hidden", "hidden"])
    #expect(p.loadedView == nil)
    #expect(hidden.loadedView == nil)
  }
}
