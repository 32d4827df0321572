import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What `RoutingRules.router` does, by the statements of the page Behavior.
@Suite(.measured) struct RouterStatementTests {
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

  @Test("A node without a handler passes key, source and arguments on unchanged (E2.1)") func passing() throws {
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

  @Test("The router asks the sender first (E3.2)") func startsAtSender() throws {
    let screen = Screen()
    try screen.tableCell.on("B", journal)
    try screen.controller.on("B", journal)
    screen.tableCell.send("B")
    #expect(journal.entries == ["tableCell.B"])
  }

  @Test("An argument is one argument, whatever it holds (E2.4)") func oneObject() throws {
    let screen = Screen()
    var counts: [Int] = []
    try screen.controller.proxy.intercept("k") { _, _, arguments in
      counts.append(arguments.count)
      return .handled
    }
    screen.table.send("k")
    screen.table.send("k", arguments: [nil])
    screen.table.send("k", arguments: [.int(1)])
    screen.table.send("k", arguments: [.object(Journal())])
    final class List { let items = [1, 2, 3] }
    screen.table.send("k", arguments: [.object(List())])
    #expect(counts == [0, 1, 1, 1, 1])
  }

  @Test("A list of arguments that is nil is the same as an empty one (E2.3)") func noList() throws {
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

  @Test("A controller ends the events that it handles, and passes others to the outer controller (E5.8)")
  func controllers() throws {
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

  @Test("A controller hides the outer one's keys when the rules or its terminality say so (E5.9, E5.10)")
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

  @Test("A node intercepts exactly the keys that it has handlers for (E5.1)") func interception() throws {
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

  @Test("A middle node may handle an event and pass it on (E5.4)") func handleAndPass() throws {
    let screen = Screen()
    try screen.tableCell.on("A", journal, reply: .handledAndContinue)
    try screen.controller.on("A", journal)
    #expect(screen.collectionCell.send("A").handledCount == 2)
    #expect(journal.entries == ["tableCell.A", "controller.A"])
  }

  @Test("With the router, a middle node that handles an event ends it (E5.3)") func handleAndKeep() throws {
    let screen = Screen()
    try screen.tableCell.on("A", journal)
    try screen.controller.on("A", journal)
    #expect(screen.collectionCell.send("A").handledCount == 1)
    #expect(journal.entries == ["tableCell.A"])
  }

  @Test("A middle node may send an event on under another key with other arguments (E6.1, E6.2)")
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

  @Test("The controller gets the key that the row sends on, not the former one (E6.1)") func layers() throws {
    let screen = Screen()
    try screen.tableCell.proxy.intercept("B") { _, _, arguments in .resend("C", arguments) }
    try screen.controller.on("A", journal)
    try screen.controller.on("B", journal)
    try screen.controller.on("C", journal)
    screen.collectionCell.send("A")
    screen.collectionCell.send("B")
    #expect(journal.entries == ["controller.A", "controller.C"])
  }

  @Test("An event that nobody handles is no error, and the nearest key is told (E12.1, E12.3)")
  func unhandled() throws {
    let screen = Screen()
    try screen.controller.on("save", journal)
    let outcome = screen.collectionCell.send("Save")
    #expect(outcome.isUnhandled)
    #expect(outcome.firstError == nil)
    #expect(screen.collectionCell.report("Save").diagnosis?.nearestKeys.map(\.key) == ["save"])
  }

  @Test("The source is the sender, unless the send names another object or nil (E2.2)") func sources() throws {
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
