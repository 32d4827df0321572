import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// Sends within handlers within sends, without end.
@Suite(.measured) struct DepthLimitTests {
  /// Counts calls, and keeps the error of the send that was refused.
  private final class Seen {
    var calls = 0
    var others = 0
    var refused: [SendOutcome] = []

    func note(_ outcome: SendOutcome) {
      if case .depthExceeded? = outcome.routingError { refused.append(outcome) }
    }

    var steps: [SendOutcome.RoutingError.Step] {
      if case .depthExceeded(_, let steps)? = refused.first?.routingError { steps } else { [] }
    }
  }

  private let seen = Seen()
  private let root = ResponderNode("root")
  private let leaf: ResponderNode
  private var limit: Int { RoutingRules.defaultDepthLimit }

  init() { leaf = root.child("leaf") }

  @Test("A handler that sends its own key from below ends at the limit, with an error; the rest goes on (E12.8)")
  func ownKeyFromTheLeaf() throws {
    try root.proxy.intercept("ev") { [seen, unowned leaf] _, _, _ in
      seen.calls += 1
      seen.note(leaf.send("ev"))
      return .handledAndContinue
    }
    try root.proxy.intercept("ev") { [seen] _, _, _ in
      seen.others += 1
      return .handled
    }
    let outcome = EventLog.withLogger(nil) { leaf.send("ev") }
    expectEqual(outcome.handledCount, 1)
    expectEqual(outcome.errorCount, 0)
    expectEqual(seen.calls, limit)
    expectEqual(seen.others, limit)
    expectEqual(seen.refused.count, 1)
    expectEqual(seen.refused.first?.isUnhandled, true)
    expect(seen.refused.first?.firstError is SendOutcome.RoutingError)
    expectEqual(seen.steps, Array(repeating: .init(key: "ev", node: "root"), count: 7) + [.init(key: "ev", node: "leaf")])
    let text = try #require(seen.refused.first?.routingError?.description)
    expect(text.hasPrefix("handlers sent events within handlers' events, more than \(limit) deep: … → ev at root → "))
    expect(text.hasSuffix("ev at root → ev at leaf"))
    // It has ended: what follows is at the start again.
    _ = EventLog.withLogger(nil) { leaf.send("ev") }
    expectEqual(seen.calls, 2 * limit)
  }

  @Test("Broadcasts within broadcasts: nodes that all broadcast again do not multiply") func broadcasts() throws {
    let nodes = (0..<12).map { root.child("\($0)") }
    for node in nodes {
      try node.proxy.register("ev") { [seen, unowned root] (_: AnyObject?) in
        seen.calls += 1
        seen.note(root.send("ev", rules: .busDown))
      }
    }
    let outcome = root.send("ev", rules: .busDown)
    expectEqual(outcome.handledCount, 12)
    expect(seen.refused.count >= limit)
    // Each of the twelve that the outermost pass asks ends after as many refusals as the limit; each level then asks the rest of its twelve.
    expect(seen.calls <= 12 * 13 * limit)
  }

  @Test("With a limit of 1 a proxy alone is no pass") func limit1() throws {
    let rules = RoutingRules(unknownKey: .isSilent, depthLimit: 1)
    let other = EventProxy()
    try other.register("other") { [seen] (_: AnyObject?) in seen.others += 1 }
    try root.proxy.register("ev") { (_: AnyObject?) -> Void in other.send("other", source: nil, arguments: []) }
    expectEqual(leaf.send("ev", rules: rules).handledCount, 1)
    expectEqual(seen.others, 1)
  }

  @Test("Limits beyond the ends are taken to the ends; they are part of the rules") func ends() {
    var rules = RoutingRules.router
    expect(rules.depthLimit == nil)
    expectEqual(RoutingRules.defaultDepthLimit, 64)
    for (limit, expected) in [(Int.min, 1), (0, 1), (1, 1), (500, 500), (Int.max, 1 << 30 - 1)] {
      rules.depthLimit = limit
      expectEqual(rules.depthLimit, expected)
    }
    expect(rules != .router)
    rules.depthLimit = nil
    expectEqual(rules, .router)
    expectEqual(RoutingRules(depthLimit: 7).depthLimit, 7)
  }

  @Test("A huge limit is no limit: a handler's event, and its handler's, and so on, 500 deep") func hugeLimit() throws {
    let rules = RoutingRules(depthLimit: .max)
    try root.proxy.register("ev") { [seen, unowned leaf] (_: AnyObject?) in
      seen.calls += 1
      if seen.calls < 500 { seen.note(leaf.send("ev", rules: rules)) }
    }
    expectEqual(onLargeStack { leaf.send("ev", rules: rules).handledCount }, 1)
    expectEqual(seen.calls, 500)
    expect(seen.refused.isEmpty)
  }

  @Test("The report of a refused send has its error, and says no more than that") func reports() throws {
    var reports: [DispatchReport] = []
    let rules = RoutingRules(depthLimit: 2)
    try root.proxy.register("ev") { [unowned leaf] (_: AnyObject?) in reports.append(leaf.report("ev", rules: rules)) }
    let outer = EventLog.withLogger(nil) { leaf.report("ev", rules: rules) }
    expect(outer.outcome.routingError == nil)
    expectEqual(outer.handledBy.map(\.name), ["root"])
    let refused = try #require(reports.first)
    expectEqual(reports.count, 2)
    expect(refused.visits.isEmpty)
    expect(refused.outcome.isUnhandled)
    expect(
      refused.outcome.routingError
        == .depthExceeded(
          limit: 2, [.init(key: "ev", node: "root"), .init(key: "ev", node: "root"), .init(key: "ev", node: "leaf")]))
    // Dry runs call no handlers, and may be asked for at any depth.
    expect(leaf.dryRun("ev", rules: rules).outcome.routingError == nil)
  }

  @Test("A refused send is logged under all rules, in one line") func logged() throws {
    let rules = RoutingRules(unknownKey: .isSilent, depthLimit: 1)
    try root.proxy.register("ev") { [unowned leaf] (_: AnyObject?) -> Void in leaf.send("ev", rules: rules) }
    let collected = LogLines()
    EventLog.withLogger(collected.logger()) { _ = leaf.send("ev", rules: rules) }
    expect(
      collected.all
        == [
          "warning the event \"ev\" was not sent: handlers sent events within handlers' events, more than 1 deep: ev at root → ev at leaf"
        ])
  }

  @Test(
    "A stack of 1 megabyte holds as many nested sends as the default allows, without optimization too",
    .enabled(if: Sanitizer.current == nil, "the frames of sanitizer builds are several times as large"))
  func smallStacks() {
    // Each level of the tree costs a send its path; more nodes than the stack keeps go to the heap.
    let calls = onStack(of: 1 << 20) {
      let root = ResponderNode("root")
      var leaf = root
      for _ in 0..<70 { leaf = leaf.child("node") }
      let sender = leaf
      var calls = 0
      _ = try? root.proxy.register("ev") { [unowned sender] (_: AnyObject?, value: Int) in
        calls += 1
        sender.send("ev", arguments: [.int(value)], rules: .busUp)
        _ = root.report("ev", arguments: [.int(value)], rules: .busDown)
      }
      EventLog.withLogger(nil) { _ = sender.send("ev", arguments: [.int(1)], rules: .busUp) }
      root.eventProxy = nil
      return calls
    }
    expect(calls >= RoutingRules.defaultDepthLimit)
  }
}
