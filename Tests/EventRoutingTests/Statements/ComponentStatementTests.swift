import DynamicInvocation
import EventRouting
import Testing

/// Component messages, statement by statement.
@Suite struct ComponentStatementTests {
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

  @Test("F1: an emit starts at the parent; the sender's own subscription does not see it") func emitStart() throws {
    try inner.on("k", journal)
    try first.on("k", journal)
    inner.send("k", rules: .componentEmit)
    #expect(journal.entries == ["first.k"])
  }

  @Test("F2: an emit goes on until somebody intercepts; a root's emit does nothing") func emitEnd() throws {
    try first.on("k", journal, reply: .handledAndContinue)
    try list.on("k", journal)
    try page.on("k", journal)
    #expect(inner.send("k", rules: .componentEmit).handledCount == 2)
    #expect(page.send("k", rules: .componentEmit).isUnhandled)
    #expect(journal.entries == ["first.k", "list.k"])
  }

  @Test("F3: a broadcast starts at the children") func broadcastStart() throws {
    try list.on("k", journal)
    try second.on("k", journal)
    list.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["second.k"])
  }

  @Test("F4: a broadcast asks a node before its children, and those in order") func order() throws {
    for node in all { try node.on("k", journal, reply: .handledAndContinue) }
    page.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["list.k", "first.k", "inner.k", "second.k"])
  }

  @Test("F5: a broadcast does not go below a child that intercepts; its siblings receive") func interception() throws {
    for node in all { try node.on("k", journal) }
    list.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["first.k", "second.k"])
  }

  @Test("F6: without a subscription an event passes both ways; one that does not intercept runs and lets it pass") func passing() throws {
    try first.on("k", journal, reply: .handledAndContinue)
    try page.on("k", journal)
    try inner.on("k", journal)
    inner.send("k", rules: .componentEmit)
    #expect(journal.entries == ["first.k", "page.k"])
    journal.entries = []
    page.send("k", rules: .componentBroadcast)
    #expect(journal.entries == ["first.k", "inner.k"])
  }

  @Test("F7: a subscription intercepts unless it says otherwise") func interceptsByDefault() throws {
    try list.on("k", journal)
    try page.on("k", journal)
    #expect(inner.send("k", rules: .componentEmit).stopped == .pass)
    #expect(journal.entries == ["list.k"])
  }

  @Test("F8: names are compared as strings, and the empty one is a name") func names() throws {
    try list.on("", journal)
    #expect(inner.send("", rules: .componentEmit).handledCount == 1)
    #expect(page.send("", rules: .componentBroadcast).handledCount == 1)
    #expect(inner.send(" ", rules: .componentEmit).isUnhandled)
    #expect(journal.entries == ["list.", "list."])
  }

  @Test("F9: data may be missing; there is one at most") func data() throws {
    var received: [[String]] = []
    try list.proxy.intercept("k") { _, _, arguments in
      received.append(arguments.map { "\($0)" })
      return .handled
    }
    inner.send("k", rules: .componentEmit)
    inner.send("k", argument: nil, rules: .componentEmit)
    inner.send("k", argument: .null, rules: .componentEmit)
    #expect(received == [[], ["null"], ["null"]])
  }

  @Test("F14, repaired: a subscription made inside an action is safe, and waits for the next event") func subscribingInside() throws {
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

  @Test("F15, repaired: passes are synchronous, and neither depth nor circles harm them") func synchronous() throws {
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

  @Test("F16: an event stays in its tree") func otherTrees() throws {
    let other = ResponderNode("other")
    try other.on("k", journal)
    try other.child("below").on("k", journal)
    #expect(page.send("k", rules: .componentBroadcast).isUnhandled)
    #expect(inner.send("k", rules: .componentEmit).isUnhandled)
    #expect(journal.entries.isEmpty)
  }

  @Test("F17, repaired: whom a broadcast asks is fixed at the start, and nodes removed on the way are skipped") func removedNodes() throws {
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

  @Test("F17, repaired: nodes removed from the way of an emit are skipped, those beyond them are asked") func removedAbove() throws {
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
