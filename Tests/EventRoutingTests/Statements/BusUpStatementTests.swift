import DynamicInvocation
import EventRouting
import Testing

/// The event bus upward, statement by statement.
@Suite struct BusUpStatementTests {
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

  @Test("T1: an empty name asks nobody, and there is no pass without a sender") func guards() throws {
    for node in [a, b, c] { try node.on("", journal) }
    let outcome = c.send("", rules: .busUp)
    #expect(outcome.isUnhandled)
    #expect(outcome.wasIgnored)
    let nobody: ResponderNode? = nil
    #expect(nobody?.send("k", rules: .busUp) == nil)
    #expect(journal.entries.isEmpty)
  }

  @Test("T2: a pass starts at the sender's next and never asks the sender") func startsAtNext() throws {
    try c.on("k", journal)
    try b.on("k", journal)
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["b.k"])
    #expect(c.report("k", rules: .busUp).names == ["b", "a"])
  }

  @Test("T3: it ends before the first window or application, even if they have handlers") func boundaries() throws {
    for node in [application, window, a] { try node.on("k", journal) }
    #expect(c.send("k", rules: .busUp).handledCount == 1)
    #expect(journal.entries == ["a.k"])
    #expect(a.send("k", rules: .busUp).isUnhandled)
    #expect(journal.entries == ["a.k"])
    let root = ResponderNode("root")
    #expect(root.send("k", rules: .busUp).isUnhandled)
  }

  @Test("T4: only a node with a handler for the key receives; others are passed through") func receivers() throws {
    try b.on("other", journal)
    _ = a.proxy
    try a.on("k", journal)
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["a.k"])
  }

  @Test("T5, repaired: ignored and handled go on alike, and are told apart; only stop ends the pass") func answers() throws {
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
    #expect(c.send("nobody", rules: .busUp).isUnhandled)
  }

  @Test("T6: every receiver gets the same data and callback; the bus calls it never, a receiver as often as it likes")
  func callback() throws {
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

  @Test("T7: the next is the override if there is one, else the parent") func override() throws {
    let other = ResponderNode("other")
    try a.on("k", journal)
    try other.on("k", journal)
    b.nextOverride = other
    c.send("k", rules: .busUp)
    b.nextOverride = nil
    c.send("k", rules: .busUp)
    #expect(journal.entries == ["other.k", "a.k"])
  }

  @Test("T8, repaired: an override is weak, nil resets it, and a dead one falls back to the parent") func weakOverride() throws {
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

  @Test("T8, repaired: the same for an override of a class hierarchy") func weakOverrideOfViews() throws {
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

  @Test("T9: an override counts upward only") func overrideUpOnly() throws {
    let other = ResponderNode("other")
    try other.on("k", journal)
    try c.on("k", journal)
    b.nextOverride = other
    a.send("k", rules: .busDown)
    #expect(journal.entries == ["c.k"])
    other.send("k", rules: .busDown)
    #expect(journal.entries == ["c.k", "other.k"])
  }

  @Test("T10, repaired: a cyclic override asks each node at most once and is reported") func cycle() throws {
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

  @Test("T11, repaired: the path is fixed at the start; nodes that move do not change it") func movedNodes() throws {
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

  @Test("T12: a pass is synchronous") func synchronous() throws {
    try a.on("k", journal)
    journal.note("before")
    c.send("k", rules: .busUp) { outcome in journal.note("completed \(outcome.handledCount)") }
    journal.note("after")
    #expect(journal.entries == ["before", "a.k", "completed 1", "after"])
  }

  @Test("T21, T22: the demo sends downward from inside a handler, with other data and the same callback") func demo() throws {
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

  @Test("T23, repaired: a table of handlers decides continue or stop per entry; an unknown name is ignored and goes on") func table() throws
  {
    let replies: [(EventKey, EventReply)] = [("one", .handledAndContinue), ("two", .handledAndStop(.pass))]
    for (key, reply) in replies { try b.proxy.on(key, journal, "b.\(key)", reply: reply) }
    for key: EventKey in ["one", "two", "three"] { try a.on(key, journal) }
    for key: EventKey in ["one", "two", "three"] { c.send(key, rules: .busUp) }
    #expect(journal.entries == ["b.one", "a.one", "b.two", "a.three"])
  }
}
