import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What `RoutingRules.componentEmit` and `componentBroadcast` do, by the statements of the page Behavior.
@Suite(.measured) struct ComponentStatementTests {
  private let journal = Journal()
  private let page = ResponderNode("page")
  private let list: ResponderNode
  private let first: ResponderNode
  private let second: ResponderNode
  private let inner: ResponderNode

  init() {
    list = page.child("list")
    first = list.child("first")
    second = list.child("second")
    inner = first.child("inner")
  }

  private var all: [ResponderNode] { [page, list, first, second, inner] }

  @Test("An emit starts at the parent and never asks the sender (E3.3)") func emitStart() throws {
    try inner.on("k", journal)
    try first.on("k", journal)
    inner.send("k", rules: .componentEmit)
    #expect(journal.entries == ["first.k"])
  }

  @Test("An emit ends at the first node that intercepts, and from a root asks nobody (E3.3, E5.3)")
  func emitEnd() throws {
    try first.on("k", journal, reply: .handledAndContinue)
    try list.on("k", journal)
    try page.on("k", journal)
    #expect(inner.send("k", rules: .componentEmit).handledCount == 2)
    #expect(page.send("k", rules: .componentEmit).isUnhandled)
    #expect(journal.entries == ["first.k", "list.k"])
  }

  @Test("A broadcast starts at the children (E4.2)") func broadcastStart() throws {
    try list.on("k", journal)
    try second.on("k", journal)
    list.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["second.k"])
  }

  @Test("A broadcast asks a node before its children, and those in order (E4.3)") func order() throws {
    for node in all { try node.on("k", journal, reply: .handledAndContinue) }
    page.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["list.k", "first.k", "inner.k", "second.k"])
  }

  @Test("A broadcast does not go below a child that intercepts, and its siblings are asked (E5.3, E5.7)")
  func interception() throws {
    for node in all { try node.on("k", journal) }
    list.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["first.k", "second.k"])
  }

  @Test("A subscription that does not intercept lets an event pass, up and down (E5.1, E5.4)") func passing() throws {
    try first.on("k", journal, reply: .handledAndContinue)
    try page.on("k", journal)
    try inner.on("k", journal)
    inner.send("k", rules: .componentEmit)
    #expect(journal.entries == ["first.k", "page.k"])
    journal.entries = []
    page.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["first.k", "inner.k"])
  }

  @Test("A subscription intercepts unless it says otherwise (E5.3)") func interceptsByDefault() throws {
    try list.on("k", journal)
    try page.on("k", journal)
    #expect(inner.send("k", rules: .componentEmit).stopped == .pass)
    #expect(journal.entries == ["list.k"])
  }

  @Test("An empty name is a name for components (E1.1, E1.3)") func names() throws {
    try list.on("", journal)
    #expect(inner.send("", rules: .componentEmit).handledCount == 1)
    #expect(page.send("", rules: .componentBroadcast).handledCount == 1)
    #expect(inner.send(" ", rules: .componentEmit).isUnhandled)
    #expect(journal.entries == ["list.", "list."])
  }

  @Test("An event has no data, null, or one value (E2.4)") func data() throws {
    var received: [[String]] = []
    try list.proxy.intercept("k") { _, _, arguments in
      received.append(arguments.map { "\($0)" })
      return .handled
    }
    inner.send("k", rules: .componentEmit)
    inner.send("k", arguments: [nil], rules: .componentEmit)
    inner.send("k", arguments: [.null], rules: .componentEmit)
    #expect(received == [[], ["null"], ["null"]])
  }

  @Test("A subscription made inside an action waits for the next event (E7.4)") func subscribingInside() throws {
    defer { for node in [page, list, first, second, inner] { node.proxy.removeAllHandlers() } }  // they keep their nodes
    var isSubscribed = false
    try first.proxy.intercept("k") { [journal, inner, second, first] _, _, _ in
      journal.note("first")
      if !isSubscribed {
        isSubscribed = true
        try inner.proxy.on("k", journal, "inner")
        try second.proxy.on("k", journal, "second")
        try first.proxy.on("later", journal, "later")
      }
      return .handledAndContinue
    }
    page.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["first"])
    page.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["first", "first", "inner", "second"])
    journal.entries = []
    try inner.proxy.intercept("up") { [journal, list] _, _, _ in
      journal.note("inner")
      try list.proxy.on("up", journal, "list")
      return .handledAndContinue
    }
    inner.send("up")
    #expect(journal.entries == ["inner"])
  }

  @Test("Emits and broadcasts are synchronous, and end in circles too (E2.6, E3.9, E4.4)") func synchronous() throws {
    try list.on("k", journal)
    journal.note("before")
    inner.send("k", rules: .componentEmit)
    journal.note("after")
    #expect(journal.entries == ["before", "list.k", "after"])
    let left = Cell()
    let right = Cell()
    left.below = [right]
    right.below = [left]
    for cell in [left, right] { try cell.handlers.on("k", journal, "cell", reply: .handledAndContinue) }
    #expect(left.send("k", rules: .componentBroadcast).handledCount == 1)
    left.above = right
    right.above = left
    #expect(left.send("k", rules: .componentEmit).handledCount == 2)
    left.above = nil
    left.below = []
  }

  @Test("An event stays in its tree (E2.9)") func otherTrees() throws {
    let other = ResponderNode("other")
    try other.on("k", journal)
    try other.child("below").on("k", journal)
    #expect(page.send("k", rules: .componentBroadcast).isUnhandled)
    #expect(inner.send("k", rules: .componentEmit).isUnhandled)
    #expect(journal.entries.isEmpty)
  }

  @Test("Nodes removed from the way of a broadcast are skipped with all below them (E7.1, E7.3)")
  func removedNodes() throws {
    defer { first.proxy.removeAllHandlers() }  // they keep it
    try first.proxy.intercept("k") { [journal, list, first, second] _, _, _ in
      journal.note("first")
      second.removeFromParent()
      first.child("new").eventProxy = second.eventProxy
      _ = list.child("newer")
      return .handledAndContinue
    }
    for node in [second, inner] { try node.on("k", journal) }
    try second.child("below").on("k", journal)
    let report = page.report("k", rules: .componentBroadcast)
    #expect(journal.entries == ["first", "inner.k"])
    #expect(report.visits.filter { $0.answer == .removed }.map { $0.responder?.name } == ["second", "below"])
  }

  @Test("Nodes removed from the way of an emit are skipped, and those beyond them are asked (E7.2)")
  func removedAbove() throws {
    defer { first.proxy.removeAllHandlers() }  // they keep its parent
    try first.proxy.intercept("k") { [journal, list] _, _, _ in
      journal.note("first")
      list.removeFromParent()
      return .handledAndContinue
    }
    try list.on("k", journal)
    try page.on("k", journal)
    #expect(inner.send("k", rules: .componentEmit).handledCount == 2)
    #expect(journal.entries == ["first", "page.k"])
  }
}
