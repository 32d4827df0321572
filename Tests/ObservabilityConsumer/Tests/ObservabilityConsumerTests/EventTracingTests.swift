import EventObservability
import InMemoryTracing
import Testing
import Tracing

/// Spans of events.
///
/// Each test traces the keys that it sends, as other tests send at the same time.
@Suite struct EventTracingTests {
  private struct HandlerError: Error {}

  /// A root with a child, whose events are traced until the object is deallocated.
  private final class TracedTree {
    let root = ResponderNode("root")
    let row = ResponderNode("row")
    let tracer = InMemoryTracer()
    let tracing: EventTracing

    init(_ keys: EventKey...) {
      root.addChild(row)
      let keys = Set(keys)
      tracing = EventTracing(tracer: tracer) { key, _ in keys.contains(key) }
    }

    /// The spans that have ended, in the order in which they did.
    var spans: [FinishedInMemorySpan] { tracer.finishedSpans }
  }

  @Test("An event has a span with its key as the name, and attributes of its pass (E20.1)") func attributes() throws {
    let tree = TracedTree("span.handled")
    for _ in 0..<2 {
      try tree.root.proxy.register("span.handled", options: HandlerOptions(duplicates: .append)) { (_: AnyObject?, _: Int) in }
    }
    #expect(tree.row.send("span.handled", 3).handledCount == 1)
    let span = try #require(tree.spans.first)
    #expect(tree.spans.count == 1 && tree.tracer.activeSpans.isEmpty)
    #expect(span.operationName == "span.handled" && span.kind == .internal && span.parentSpanID == nil)
    let expected: SpanAttributes = [
      "event.sender": "row", "event.direction": "up", "event.awaited": false, "event.nodes": 2, "event.handlers": 2,
      "event.handled": true, "event.stopped": "pass",
    ]
    #expect(span.attributes == expected)
    #expect(span.errors.isEmpty && span.status == nil)
    #expect(span.startInstant.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
  }

  @Test("An event that nobody handles has a span, and so has a broadcast and a resent event (E20.1)") func outcomes() throws {
    let tree = TracedTree("span.unhandled", "span.down", "span.resent")
    tree.row.send("span.unhandled", rules: .strategy)
    #expect(tree.spans[0].attributes["event.handled"]?.toSpanAttribute() == false)
    #expect(tree.spans[0].attributes["event.handlers"]?.toSpanAttribute() == 0)
    #expect(tree.spans[0].attributes["event.stopped"] == nil)
    try tree.row.proxy.register("span.down") { (_: AnyObject?) in }
    tree.root.send("span.down", rules: .busDown)
    #expect(tree.spans[1].attributes["event.direction"]?.toSpanAttribute() == "down")
    #expect(tree.spans[1].attributes["event.sender"]?.toSpanAttribute() == "root")
    try tree.row.proxy.intercept("span.resent") { _, _, _ in .resend("span.final", []) }
    try tree.root.proxy.register("span.final") { (_: AnyObject?) in }
    tree.row.send("span.resent")
    #expect(tree.spans[2].operationName == "span.resent")
    #expect(tree.spans[2].attributes["event.final_key"]?.toSpanAttribute() == "span.final")
  }

  @Test("Errors of handlers and of routing are recorded, and give the status (E20.1)") func errors() throws {
    let tree = TracedTree("span.fails", "span.loops")
    try tree.row.proxy.register("span.fails") { (_: AnyObject?) throws in throw HandlerError() }
    // It takes an argument, which the event has not.
    try tree.root.proxy.register("span.fails") { (_: AnyObject?, _: Int) in }
    EventLog.withLogger(nil) { _ = tree.row.send("span.fails", rules: .strategy) }
    #expect(tree.spans[0].errors.count == 2)
    #expect(tree.spans[0].errors.first?.error is HandlerError && tree.spans[0].errors.last?.error is EventError)
    #expect(tree.spans[0].status == SpanStatus(code: .error, message: "HandlerError()"))
    #expect(tree.spans[0].attributes["event.handlers"]?.toSpanAttribute() == 1)
    try tree.row.proxy.intercept("span.loops") { _, _, _ in .resend("span.other", []) }
    try tree.root.proxy.intercept("span.other") { _, _, _ in .resend("span.loops", []) }
    tree.row.send("span.loops", rules: .strategy)
    #expect(tree.spans[1].errors.count == 1 && tree.spans[1].errors.first?.error is SendOutcome.RoutingError)
    #expect(tree.spans[1].status?.code == .error)
  }

  @Test("What a handler starts is a child of the event's span, also in an awaited pass after a suspension (E20.2)")
  func children() async throws {
    let tree = TracedTree("span.outer", "span.inner")
    let (tracer, root) = (tree.tracer, tree.root)
    try tree.row.proxy.register("span.outer") { (_: AnyObject?) async in
      await Task.yield()
      tracer.withSpan("work") { _ in }
      root.send("span.inner", rules: .strategy)
      await Task { tracer.withSpan("task") { _ in } }.value
    }
    await tracer.withSpan("request") { _ in
      #expect(await tree.row.sendAwaiting("span.outer").handledCount == 1)
      #expect(tracer.activeSpan(identifiedBy: .current ?? .topLevel)?.operationName == "request")
    }
    let spans = tree.spans
    #expect(spans.map(\.operationName) == ["work", "span.inner", "task", "span.outer", "request"])
    let outer = spans[3]
    #expect(outer.attributes["event.awaited"]?.toSpanAttribute() == true)
    #expect(spans[0...2].allSatisfy { $0.parentSpanID == outer.spanID } && outer.parentSpanID == spans[4].spanID)
    #expect(Set(spans.map(\.traceID)).count == 1)
  }

  @MainActor
  @Test("Handlers of a traced pass run in the isolation of the send (E20.2)") func isolation() async throws {
    let tree = TracedTree("span.main")
    var count = 0
    try tree.row.proxy.register("span.main") { (_: AnyObject?) async in
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      count += 1
    }
    await tree.row.sendAwaiting("span.main")
    MainActor.assertIsolated()
    tree.row.send("span.main")
    #expect(count >= 1 && tree.spans.count == 2)
  }

  @Test("Without a tracer of its own it uses the one of the send; it ends when it is cancelled (E20.3)") func life() throws {
    let (root, tracer) = (ResponderNode("root"), InMemoryTracer())
    try root.proxy.register("span.life") { (_: AnyObject?) in }
    var tracing: EventTracing? = EventTracing { key, _ in key == "span.life" }
    withTracer(tracer) { _ = root.send("span.life") }
    #expect(tracer.finishedSpans.count == 1)
    #expect(tracing.map { "\($0)" } == "EventTracing(tracing)")
    tracing?.cancel()
    tracing?.cancel()
    #expect(tracing.map { "\($0)" } == "EventTracing(cancelled)")
    withTracer(tracer) { _ = root.send("span.life") }
    #expect(tracer.finishedSpans.count == 1)
    tracing = EventTracing(tracer: tracer) { key, _ in key == "span.life" }
    _ = root.dryRun("span.life")
    root.send("span.life")
    tracing = nil
    root.send("span.life")
    #expect(tracer.finishedSpans.count == 2)
  }
}
