import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// The depth limit of sends that asynchronous handlers make, awaited and started in turn.
@MainActor
@Suite(.measured) struct StartedDepthTests {
  private final class Seen {
    var calls = 0
    var refusals = 0
  }

  private let seen = Seen()
  private let root = ResponderNode("root")

  private func rules(_ limit: Int) -> RoutingRules { RoutingRules(unknownKey: .isSilent, depthLimit: limit) }

  private func note(_ outcome: SendOutcome) {
    if case .depthExceeded? = outcome.routingError { seen.refusals += 1 }
  }

  @Test("A handler that awaits its own key and sends it does not multiply (E12.8, E18.3)", arguments: [4, 8, 16, 64])
  func awaitsAndSends(limit: Int) throws {
    defer { root.removeHandlers() }
    let rules = rules(limit)
    try root.proxy.register("k") { [seen, root] (_: AnyObject?) async in
      seen.calls += 1
      note(await root.sendAwaiting("k", rules: rules))
      note(root.send("k", rules: rules))
    }
    EventLog.withLogger(nil) { _ = root.send("k", rules: rules) }
    // Each call sends twice. All sends but as many as are refused are calls.
    expect(seen.calls >= limit && seen.calls <= 4 * limit)
    expectEqual(seen.refusals, seen.calls + 1)
    // It has ended: the next event begins at 0.
    let calls = seen.calls
    EventLog.withLogger(nil) { _ = root.send("k", rules: rules) }
    expectEqual(seen.calls, 2 * calls)
  }

  @Test("Two keys in turn, one awaited and one sent, do not multiply either (E12.8, E18.3)", arguments: [8, 16, 32])
  func inTurn(limit: Int) throws {
    defer { root.removeHandlers() }
    let rules = rules(limit)
    try root.proxy.register("a") { [seen, root] (_: AnyObject?) async in
      seen.calls += 1
      for _ in 0..<2 { note(await root.sendAwaiting("b", rules: rules)) }
    }
    try root.proxy.register("b") { [seen, root] (_: AnyObject?) in
      seen.calls += 1
      note(root.send("a", rules: rules))
    }
    EventLog.withLogger(nil) { _ = root.send("a", rules: rules) }
    expect(seen.calls >= limit && seen.calls <= 4 * limit)
  }

  @Test("What a started handler sends after a suspension is an event of its own, with refusals of its own (E18.3)")
  func afterSuspension() async throws {
    defer { root.removeHandlers() }
    let rules = rules(4)
    try root.proxy.register("deep") { [seen, root] (_: AnyObject?) in
      seen.calls += 1
      note(root.send("deep", rules: rules))
    }
    var calls: [Int] = []
    var isDone = false
    func count() {
      seen.calls = 0
      root.send("deep", rules: rules)
      calls.append(seen.calls)
    }
    try root.proxy.register("k") { (_: AnyObject?) async in
      for _ in 0..<6 { count() }
      await Task.yield()
      for _ in 0..<2 { count() }
      isDone = true
    }
    EventLog.withLogger(nil) { _ = root.send("k", rules: rules) }
    while !isDone { await pause() }
    // At first within the event: after as many refusals as the limit, it refuses all.
    expectEqual(calls, [3, 3, 3, 3, 0, 0, 4, 4])
  }
}
