import DynamicInvocation
import EventRouting
import TestSupport
import Testing

private class Screen {
  var above: Screen?
  let state = ResponderState()
}

extension Screen: Responder {
  var nextResponder: (any Responder)? { above }
  var responderState: ResponderState? { state }
}

/// The snippets of the articles.
@Suite(.measured) struct PortingTests {
  @Test func yourOwnClassHierarchy() throws {
    let top = Screen()
    let low = Screen()
    low.above = top
    try top.state.proxy.intercept("k") { _, _, _ in .handled }
    expectEqual(low.send("k").handledCount, 1)
  }

  @Test func theFiveWays() throws {
    let page = ResponderNode("page")
    let window = ResponderNode("window")
    window.isBoundary = true
    window.addChild(page)
    let cell = page.child("cell")
    let info = Journal()
    for key: EventKey in ["A", "123", "play", "selected"] { try page.proxy.intercept(key) { _, _, _ in .handled } }
    try cell.proxy.intercept("reload") { _, _, _ in .handled }
    try cell.proxy.intercept("B") { _, _, arguments in .resend("A", arguments) }
    expectEqual(cell.send("A", arguments: [.int(7)]).handledCount, 1)
    expectEqual(cell.send("B", arguments: [.int(7)]).finalKey, "A")
    let callback = { () -> Void in info.note("called") }
    expectEqual(cell.send("123", arguments: [.null, .object(SwiftValue(callback))], rules: .busUp).handledCount, 1)
    expectEqual(page.send("123", rules: .busDown).handledCount, 1)
    expectEqual(cell.send("play", arguments: [.object(info)], rules: .strategy).handledCount, 1)
    expectEqual(cell.send("selected", arguments: [.int(3)], rules: .componentEmit).handledCount, 1)
    expectEqual(page.send("reload", rules: .componentBroadcast).handledCount, 1)
    expectEqual(cell.emit("selected", 3).handledCount, 1)
    expectEqual(page.broadcast("reload").handledCount, 1)
  }

  @Test func rulesAndReports() throws {
    let controller = ResponderNode("controller")
    let table = ResponderNode("table")
    let cell = ResponderNode("cell")
    controller.addChild(table)
    table.addChild(cell)
    try controller.proxy.intercept("row.tapped") { _, _, _ in .handled }
    let outcome = cell.send("row.tapped", arguments: [.int(3)])
    expectEqual(outcome.handledCount, 1)
    let report = cell.report("row.tapped", arguments: [.int(3)])
    expect(
      "\(report)"
        == "row.tapped from cell: handled by controller\n  cell: passed\n   table: passed\n    controller: handled, stopped the pass")
    expectEqual("\(cell.dryRun("row.tapped").handledBy)", "[controller]")
    expect(DispatchReport.TreePicture(of: controller, report: report).mermaid.contains("3. controller"))
    var rules = RoutingRules.componentBroadcast
    rules.stopScope = .pass
    rules.startsAtSender = true
    expectEqual(controller.send("row.tapped", rules: rules).stopped, .pass)
  }
}

extension Responder {
  fileprivate func emit(_ key: EventKey, _ arguments: BoxedValue...) -> SendOutcome {
    send(key, arguments: arguments, rules: .componentEmit)
  }
  fileprivate func broadcast(_ key: EventKey, _ arguments: BoxedValue...) -> SendOutcome {
    send(key, arguments: arguments, rules: .componentBroadcast)
  }
}
