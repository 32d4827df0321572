import DynamicInvocation
import EventRouting
import Testing

/// The responder router, statement by statement.
@Suite struct RouterStatementTests {
  private let journal = Journal()

  /// The layers of a screen: a controller, a table, its cell, and a cell in that.
  private struct Screen {
    let controller = ResponderNode("controller")
    let table = ResponderNode("table")
    let tableCell = ResponderNode("tableCell")
    let collectionCell = ResponderNode("collectionCell")

    init() {
      controller.terminality = .forOwnKeys
      controller.addChild(table)
      table.addChild(tableCell)
      tableCell.addChild(collectionCell)
    }
  }

  @Test("M1: a node without a handler passes key, source and arguments on unchanged") func passing() throws {
    let screen = Screen()
    var received: [(AnyObject?, EventKey, [String])] = []
    try screen.controller.proxy.intercept("tap") { source, key, arguments in
      received.append((source, key, arguments.map { "\($0)" }))
      return .handled
    }
    let outcome = screen.collectionCell.send("tap", arguments: [.int(7), .string("x")])
    #expect(outcome.handledCount == 1)
    #expect(received.count == 1)
    #expect(received.first?.0 === screen.collectionCell)
    #expect(received.first?.1 == "tap")
    #expect(received.first?.2 == [BoxedValue.int(7), .string("x")].map { "\($0)" })
  }

  @Test("M2: a send starts at the object it is called on") func startsAtSender() throws {
    let screen = Screen()
    try screen.tableCell.on("B", journal)
    try screen.controller.on("B", journal)
    screen.tableCell.send("B")
    #expect(journal.entries == ["tableCell.B"])
  }

  @Test("M3: no object is an empty list, an object a list of one, an array as object is one object") func oneObject() throws {
    let screen = Screen()
    var counts: [Int] = []
    try screen.controller.proxy.intercept("k") { _, _, arguments in
      counts.append(arguments.count)
      return .handled
    }
    screen.table.send("k")
    screen.table.send("k", argument: nil)
    screen.table.send("k", argument: .int(1))
    screen.table.send("k", argument: .object(Journal()))
    final class List { let items = [1, 2, 3] }
    screen.table.send("k", argument: .object(List()))
    #expect(counts == [0, 1, 1, 1, 1])
  }

  @Test("M4: no list of objects is the same as an empty one") func noList() throws {
    let screen = Screen()
    var counts: [Int] = []
    try screen.controller.proxy.intercept("k") { _, _, arguments in
      counts.append(arguments.count)
      return .handled
    }
    screen.table.send("k", arguments: nil)
    screen.table.send("k", arguments: [])
    screen.table.send("k")
    #expect(counts == [0, 0, 0])
  }

  @Test("M5, repaired: a controller is terminal for the keys it has, and passes others to the outer controller") func controllers() throws {
    let outer = ResponderNode("outer")
    outer.terminality = .forOwnKeys
    let inner = outer.child("inner")
    inner.terminality = .forOwnKeys
    let view = inner.child("view")
    try outer.on("D", journal)
    try outer.on("E", journal)
    try inner.on("E", journal, reply: .handledAndContinue)
    #expect(view.send("D").handledCount == 1)
    #expect(view.send("E").handledCount == 1)
    #expect(journal.entries == ["outer.D", "inner.E"])
  }

  @Test("M5, as it was: with endsAtTerminal, or a terminality of always, an inner controller hides the outer one's keys")
  func controllersOfOld() throws {
    let outer = ResponderNode("outer")
    let inner = outer.child("inner")
    inner.terminality = .forOwnKeys
    let view = inner.child("view")
    try outer.on("D", journal)
    var rules = RoutingRules.router
    rules.unknownKey = .endsAtTerminal
    #expect(view.send("D", rules: rules).isUnhandled)
    inner.terminality = .always
    #expect(view.send("D").isUnhandled)
    #expect(view.report("D").names == ["view", "inner"])
    inner.terminality = .passing
    #expect(view.send("D", rules: rules).handledCount == 1)
  }

  @Test("M6, repaired: a node intercepts exactly the keys in its proxy; owning one, lazily made, does not intercept")
  func interception() throws {
    let screen = Screen()
    #expect(screen.tableCell.eventProxy == nil)
    #expect(screen.tableCell.proxy === screen.tableCell.proxy)
    try screen.controller.on("A", journal)
    try screen.controller.on("B", journal)
    screen.collectionCell.send("A")
    try screen.tableCell.on("B", journal)
    screen.collectionCell.send("A")
    screen.collectionCell.send("B")
    #expect(journal.entries == ["controller.A", "controller.A", "tableCell.B"])
  }

  @Test("M7a: a middle node handles an event and passes the same key on") func handleAndPass() throws {
    let screen = Screen()
    try screen.tableCell.on("A", journal, reply: .handledAndContinue)
    try screen.controller.on("A", journal)
    #expect(screen.collectionCell.send("A").handledCount == 2)
    #expect(journal.entries == ["tableCell.A", "controller.A"])
  }

  @Test("M7b: a middle node handles an event and does not pass it") func handleAndKeep() throws {
    let screen = Screen()
    try screen.tableCell.on("A", journal)
    try screen.controller.on("A", journal)
    #expect(screen.collectionCell.send("A").handledCount == 1)
    #expect(journal.entries == ["tableCell.A"])
  }

  @Test("M7c: a middle node sends other arguments on under another key; the old key is not seen above, the new one starts at its next")
  func changeAndSendOn() throws {
    let screen = Screen()
    var received: [String] = []
    defer { screen.controller.proxy.removeAllHandlers() }  // they keep the screen
    try screen.tableCell.proxy.intercept("B") { _, _, arguments in .resend("C", arguments + [.string("more")]) }
    try screen.tableCell.on("C", journal)
    try screen.table.on("B", journal)
    try screen.controller.on("B", journal)
    try screen.controller.proxy.intercept("C") { source, key, arguments in
      #expect(source === screen.collectionCell)
      received = arguments.map { "\($0)" }
      return .handled
    }
    let report = screen.collectionCell.report("B", arguments: [.int(1)])
    #expect(journal.entries.isEmpty)
    #expect(received == [BoxedValue.int(1), .string("more")].map { "\($0)" })
    #expect(report.handledBy.map(\.name) == ["controller"])
    #expect(report.rewrites.map { "\($0.from) \($0.to)" } == ["B C"])
    #expect(
      report.visits.map { "\($0.responder?.name ?? "") \($0.key)" } == [
        "collectionCell B", "tableCell B", "table C", "controller C",
      ])
  }

  @Test("M8: the layers of the example call the controller for A and C only") func layers() throws {
    let screen = Screen()
    try screen.tableCell.proxy.intercept("B") { _, _, arguments in .resend("C", arguments) }
    try screen.controller.on("A", journal)
    try screen.controller.on("B", journal)
    try screen.controller.on("C", journal)
    screen.collectionCell.send("A")
    screen.collectionCell.send("B")
    #expect(journal.entries == ["controller.A", "controller.C"])
  }

  @Test("M9, M10, repaired: an event that nobody handles is not lost silently, in debug or release") func unhandled() throws {
    let screen = Screen()
    try screen.controller.on("save", journal)
    let outcome = screen.collectionCell.send("Save")
    #expect(outcome.isUnhandled)
    #expect(outcome.firstError == nil)
    #expect(screen.collectionCell.report("Save").diagnosis?.nearestKeys.map(\.key) == ["save"])
  }

  @Test("M11: the source is the sender unless said otherwise, and none arrives as nil") func sources() throws {
    let screen = Screen()
    var sources: [AnyObject?] = []
    try screen.controller.proxy.intercept("k") { source, _, _ in
      sources.append(source)
      return .handled
    }
    screen.table.send("k")
    screen.table.send("k", source: journal)
    screen.table.send("k", source: nil)
    #expect(sources.count == 3)
    #expect(sources[0] === screen.table)
    #expect(sources[1] === journal)
    #expect(sources[2] == nil)
  }
}
