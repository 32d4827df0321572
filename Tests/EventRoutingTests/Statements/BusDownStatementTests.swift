import DynamicInvocation
import EventRouting
import Testing

/// The event bus downward, statement by statement.
@Suite struct BusDownStatementTests {
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

  @Test("T13: a pass starts at the sender itself") func startsAtSender() throws {
    let nodes = Nodes()
    try nodes.a.on("k", journal)
    try nodes.d.on("k", journal)
    nodes.a.send("k", rules: .busDown)
    #expect(journal.entries == ["a.k", "d.k"])
  }

  @Test("T14: an empty name asks nobody") func emptyName() throws {
    let nodes = Nodes()
    for node in nodes.all { try node.on("", journal) }
    #expect(nodes.a.send("", rules: .busDown).wasIgnored)
    #expect(journal.entries.isEmpty)
  }

  @Test("T15: a controller is asked first, then its child controllers, then its view") func controllers() throws {
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

  @Test("T16: a view is asked before its subviews, those in order and depth first; a window is a view here") func views() throws {
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

  @Test("T17, repaired: a stop may end the node's subtree, as it did, or the whole pass") func stops() throws {
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

  @Test("T18, repaired: a child controller's view inside the parent's view is asked once") func once() throws {
    let controllers = try Controllers(journal)
    controllers.p.send("k", rules: .busDown)
    #expect(journal.entries == ["p", "c", "cv", "cs", "pv", "s"])
  }

  @Test("T19, repaired: a stop by a child controller holds for its view too, and a view that stops is asked once") func stopHolds() throws {
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

  @Test("T20, repaired: a pass down makes no nodes") func loadsNothing() throws {
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
