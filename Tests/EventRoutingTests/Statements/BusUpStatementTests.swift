import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What `RoutingRules.busUp` does, by the statements of the page Behavior.
@Suite(.measured) struct BusUpStatementTests {
  private let journal = Journal()
  private let application = ResponderNode("application")
  private let window = ResponderNode("window")
  private let a = ResponderNode("a")
  private let b = ResponderNode("b")
  private let c = ResponderNode("c")

  init() {
    window.isBoundary = true
    application.isBoundary = true
    application.addChild(window)
    window.addChild(a)
    a.addChild(b)
    b.addChild(c)
  }

  @Test("The bus sends an event with an empty name to nobody (E1.4)") func guards() throws {
    for node in [a, b, c] { try node.on("", journal) }
    let outcome = c.send("", rules: .busUp)
    #expect(outcome.isUnhandled)
    #expect(outcome.wasIgnored)
    let nobody: ResponderNode? = nil
    #expect(nobody?.send("k", rules: .busUp) == nil)
    #expect(journal.entries.isEmpty)
  }

  @Test("The bus upward starts at the sender's next and never asks the sender (E3.3)") func startsAtNext() throws {
    try c.on("k", journal)
    try b.on("k", journal)
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["b.k"])
    #expect(c.report("k", rules: .busUp).names == ["b", "a"])
  }

  @Test("The bus upward ends before the first boundary, even if that has handlers (E3.8)") func boundaries() throws {
    for node in [application, window, a] { try node.on("k", journal) }
    #expect(c.send("k", rules: .busUp).handledCount == 1)
    #expect(journal.entries == ["a.k"])
    #expect(a.send("k", rules: .busUp).isUnhandled)
    #expect(journal.entries == ["a.k"])
    let root = ResponderNode("root")
    #expect(root.send("k", rules: .busUp).isUnhandled)
  }

  @Test("A node without a handler for the key is passed, whatever other handlers it has (E5.1)")
  func receivers() throws {
    try b.on("other", journal)
    _ = a.proxy
    try a.on("k", journal)
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["a.k"])
  }

  @Test("The bus goes past nodes that ignore or handle an event, and ends at a stop (E5.3, E5.5, E5.6, E12.4)")
  func answers() throws {
    try b.on("k", journal, reply: .ignored)
    try a.on("k", journal, reply: .handled)
    let report = c.report("k", rules: .busUp)
    #expect(journal.entries == ["b.k", "a.k"])
    #expect(report.visits.map(\.answer) == [.ignored, .handled])
    #expect(report.handledBy.map(\.name) == ["a"])
    try b.proxy.on("stop", journal, "b.stop", reply: .handledAndStop(.pass))
    try a.on("stop", journal)
    let stopped = c.send("stop", rules: .busUp)
    #expect(stopped.handledCount == 1)
    #expect(stopped.stopped == .pass)
    #expect(journal.entries.suffix(1) == ["b.stop"])
    try b.proxy.on("subtree", journal, "b.subtree", reply: .handledAndStop(.subtree))
    try a.on("subtree", journal)
    #expect(c.send("subtree", rules: .busUp).stopped == .subtree)
    #expect(journal.entries.suffix(1) == ["b.subtree"])
    #expect(c.send("nobody", rules: .busUp).isUnhandled)
  }

  @Test("All receivers get the same data and callback, which nobody else calls (E2.5)") func callback() throws {
    final class Callback {
      var calls = 0
    }
    let callback = Callback()
    var data: [String] = []
    defer { for node in [a, b] { node.proxy.removeAllHandlers() } }  // they keep them
    for node in [a, b] {
      try node.proxy.intercept("k") { _, _, arguments in
        data.append("\(arguments[0])")
        guard case .object(let object) = arguments[1], let callback = object as? Callback else { return .ignored }
        if node === self.a { callback.calls += 2 }
        return .handled
      }
    }
    c.send("k", arguments: [.null, .object(callback)], rules: .busUp)
    #expect(data == ["\(BoxedValue.null)", "\(BoxedValue.null)"])
    #expect(callback.calls == 2)
    #expect(c.send("nobody", arguments: [.null, .object(callback)], rules: .busUp).isUnhandled)
    #expect(callback.calls == 2)
  }

  @Test("The next is the override if there is one, else the parent (E3.5, E3.6)") func override() throws {
    let other = ResponderNode("other")
    try a.on("k", journal)
    try other.on("k", journal)
    b.nextOverride = other
    c.send("k", rules: .busUp)
    b.nextOverride = nil
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["other.k", "a.k"])
  }

  @Test("When an override has ended, the parent is the next again (E3.6)") func weakOverride() throws {
    try a.on("k", journal)
    do {
      let other = ResponderNode("other")
      try other.on("k", journal)
      b.nextOverride = other
      #expect(b.nextOverride === other)
    }
    #expect(b.nextOverride == nil)
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["a.k"])
    do {
      let foreign = View("foreign")
      try foreign.state.proxy.on("k", journal, "foreign.k")
      b.nextOverride = foreign
      c.send("k", rules: .busUp)
    }
    #expect(b.nextOverride == nil)
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["a.k", "foreign.k", "a.k"])
  }

  @Test("When an override in a class hierarchy has ended, the superview is the next again (E3.6)")
  func weakOverrideOfViews() throws {
    let root = View("root")
    let leaf = View("leaf")
    root.addSubview(leaf)
    try root.state.proxy.on("k", journal, "root.k")
    do {
      let other = View("other")
      try other.state.proxy.on("k", journal, "other.k")
      leaf.state.nextOverride = other
      leaf.send("k", rules: .busUp)
    }
    leaf.send("k", rules: .busUp)
    #expect(journal.entries == ["other.k", "root.k"])
  }

  @Test("A pass down does not look at overrides (E3.7)") func overrideUpOnly() throws {
    let other = ResponderNode("other")
    try other.on("k", journal)
    try c.on("k", journal)
    b.nextOverride = other
    a.send("k", rules: .busDown)
    #expect(journal.entries == ["c.k"])
    other.send("k", rules: .busDown)
    #expect(journal.entries == ["c.k", "other.k"])
  }

  @Test("A circle of overrides asks each node at most once and is an error (E3.9)") func cycle() throws {
    a.nextOverride = c
    for node in [a, b, c] { try node.on("k", journal) }
    let outcome = c.send("k", rules: .busUp)
    #expect(journal.entries == ["b.k", "a.k", "c.k"])
    #expect(outcome.routingError == .cyclicPath("b"))
    #expect(outcome.handledCount == 3)
    let nobody = c.report("nobody", rules: .busUp)
    #expect(nobody.names == ["b", "a", "c"])
    #expect(nobody.routingError != nil)
    b.nextOverride = b
    #expect(c.report("k", rules: .busUp).names == ["b"])
  }

  @Test("Nodes that move do not change a pass that is on its way (E7.1)") func movedNodes() throws {
    defer { for node in [a, b, c] { node.proxy.removeAllHandlers() } }  // they keep their nodes
    let elsewhere = ResponderNode("elsewhere")
    try elsewhere.on("k", journal)
    try b.proxy.intercept("k") { [a, b] _, _, _ in
      self.journal.note("b.k")
      elsewhere.addChild(b)
      _ = a
      return .handled
    }
    try a.on("k", journal)
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["b.k", "a.k"])
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["b.k", "a.k", "b.k", "elsewhere.k"])
  }

  @Test("A send calls the handlers, then the completion, before it returns (E2.6)") func synchronous() throws {
    try a.on("k", journal)
    journal.note("before")
    c.send("k", rules: .busUp) { outcome in journal.note("completed \(outcome.handledCount)") }
    journal.note("after")
    #expect(journal.entries == ["before", "a.k", "completed 1", "after"])
  }

  @Test("A handler may send downward what it got from below, with other data (E2.7)") func demo() throws {
    let window = ResponderNode("window")
    window.isBoundary = true
    let controller = window.child("vc")
    let view1 = controller.child("v1")
    let view2 = view1.child("v2")
    defer { for node in [controller, view1, view2] { node.proxy.removeAllHandlers() } }  // they keep them
    try window.on("up", journal)
    let callback = Journal()
    func entry(_ name: String, _ arguments: [BoxedValue]) -> String {
      guard case .string(let text)? = arguments.first else { return name }
      return "\(name)(\(text))"
    }
    try view1.proxy.intercept("up") { _, _, arguments in
      self.journal.note(entry("v1.up", arguments))
      return .ignored
    }
    try controller.proxy.intercept("up") { _, _, arguments in
      self.journal.note(entry("vc.up", arguments))
      controller.send("down", arguments: [.string("new"), arguments[1]], rules: .busDown)
      return .handledAndStop(.pass)
    }
    try controller.on("down", journal, reply: .handledAndContinue)
    for node in [view1, view2] {
      try node.proxy.intercept("down") { _, _, arguments in
        self.journal.note(entry("\(node.responderName).down", arguments))
        if node === view2, case .object(let object) = arguments[1] { (object as? Journal)?.note("called") }
        return .handledAndContinue
      }
    }
    view2.send("up", arguments: [.string("123"), .object(callback)], rules: .busUp)
    #expect(journal.entries == ["v1.up(123)", "vc.up(123)", "vc.down", "v1.down(new)", "v2.down(new)"])
    #expect(callback.entries == ["called"])
  }

  @Test("Each handler of a table says for itself whether the event goes on (E5.6, E10.1)") func table() throws {
    let replies: [(EventKey, EventReply)] = [("one", .handledAndContinue), ("two", .handledAndStop(.pass))]
    for (key, reply) in replies { try b.proxy.on(key, journal, "b.\(key)", reply: reply) }
    for key: EventKey in ["one", "two", "three"] { try a.on(key, journal) }
    for key: EventKey in ["one", "two", "three"] { c.send(key, rules: .busUp) }
    #expect(journal.entries == ["b.one", "a.one", "b.two", "a.three"])
  }
}
