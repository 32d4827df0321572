import CoreMetrics
import EventObservability
import MetricsTestKit
import Testing

/// Counters and timers of events.
///
/// Each test counts the keys that it sends, as other tests send at the same time.
@Suite struct EventMetricsTests {
  private struct HandlerError: Error {}

  /// The value of a counter, 0 if it was not incremented.
  private static func count(_ metrics: TestMetrics, _ name: String, _ key: String) throws -> Int64 {
    try metrics.expectCounter("events.\(name)", [("key", key)]).totalValue
  }

  @Test("Each key has counters of its sends, and a timer of their durations (E20.4)") func counters() async throws {
    let factory = TestMetrics()
    let keys: Set<EventKey> = ["count.tapped", "count.nobody", "count.fails", "count.saved"]
    let metrics = EventMetrics(factory: factory) { key, _ in keys.contains(key) }
    let (root, row) = (ResponderNode("root"), ResponderNode("row"))
    root.addChild(row)
    try root.proxy.register("count.tapped") { (_: AnyObject?, _: Int) in }
    try root.proxy.register("count.fails") { (_: AnyObject?) throws in throw HandlerError() }
    try root.proxy.register("count.saved", options: HandlerOptions(reply: .handledAndContinue)) { (_: AnyObject?) async in
      await Task.yield()
    }
    for index in 0..<3 { row.send("count.tapped", index) }
    row.send("count.nobody", rules: .strategy)
    row.send("count.fails", rules: .strategy)
    await row.sendAwaiting("count.saved")
    row.send("count.other", rules: .strategy)
    let names = ["sent", "handled", "unhandled", "stopped", "errors"]
    #expect(try names.map { try Self.count(factory, $0, "count.tapped") } == [3, 3, 0, 3, 0])
    #expect(try names.map { try Self.count(factory, $0, "count.nobody") } == [1, 0, 1, 0, 0])
    #expect(try names.map { try Self.count(factory, $0, "count.fails") } == [1, 0, 1, 0, 1])
    #expect(try names.map { try Self.count(factory, $0, "count.saved") } == [1, 1, 0, 0, 0])
    let timer = try factory.expectTimer("events.duration", [("key", "count.tapped")])
    #expect(timer.values.count == 3 && timer.values.allSatisfy { $0 >= 0 })
    #expect(factory.counters.count == keys.count * names.count)
    #expect("\(metrics)" == "EventMetrics(counting)")
    metrics.cancel()
    #expect("\(metrics)" == "EventMetrics(cancelled)")
    row.send("count.tapped", 3)
    #expect(try Self.count(factory, "sent", "count.tapped") == 3)
  }

  @Test("The factory and the prefix of the labels can be chosen (E20.4)") func labels() throws {
    let factory = TestMetrics()
    let metrics = withMetricsFactory(factory) { EventMetrics(prefix: "page") { key, _ in key == "count.label" } }
    let root = ResponderNode("root")
    root.send("count.label", rules: .strategy)
    #expect(factory.counterTotal(label: "page.sent") == 1)
    withExtendedLifetime(metrics) {}
  }

  @Test("Events of several threads are all counted (E20.4)") func threads() async throws {
    let factory = TestMetrics()
    let metrics = EventMetrics(factory: factory) { key, _ in key == "count.threads" }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let root = ResponderNode("root")
          for _ in 0..<250 { root.send("count.threads", rules: .strategy) }
        }
      }
    }
    #expect(try Self.count(factory, "unhandled", "count.threads") == 1_000)
    withExtendedLifetime(metrics) {}
  }
}
