#if Observability
  public import Tracing

  /// Gives a span of distributed tracing for each event that is sent in a tree.
  ///
  ///     let tracing = EventTracing()
  ///     row.send("row.tapped", arguments: [.int(3)])  // a span "row.tapped"
  ///
  /// It traces every send of the process, in any tree and on any thread, from its creation until it is deallocated or
  /// ``cancel()`` is called. The name of a span is the key of the event. While the handlers run, also those that are
  /// awaited, the span's context is the current `ServiceContext`: spans that they start, and the spans of events that
  /// they send, are its children. Events that a port delivers begin a trace of their own.
  ///
  /// A span of the kind `internal` has the attributes
  ///
  /// - `event.sender`, the name of the node that the event was sent from, and `event.direction`, `up` or `down`;
  /// - `event.awaited`, whether the send waits for asynchronous handlers;
  /// - `event.nodes`, the number of nodes in the report, and `event.handlers`, the number of handlers that were called;
  /// - `event.handled`, whether a node handled the event;
  /// - `event.stopped`, the scope that a reply stopped, if one did: `node`, `subtree` or `pass`;
  /// - `event.final_key`, the last key of an event that was resent.
  ///
  /// The errors of handlers and of routing are recorded, and give the span the status `error`. Arguments are not
  /// recorded.
  ///
  /// - Complexity: A traced send creates a report and a span.
  public final class EventTracing: Sendable {
    fileprivate let observer: DispatchReport.Observer

    /// Starts to trace.
    ///
    /// - Parameters:
    ///   - tracer: The tracer; nil means the tracer that the instrumentation system has when an event is sent.
    ///   - isTraced: Whether a send is traced. It is called on the thread of the send.
    public init(
      tracer: (any Tracer)? = nil, where isTraced: @escaping @Sendable (EventKey, RoutingRules) -> Bool = { _, _ in true }
    ) {
      observer = DispatchReport.Observer(watcher: TracingWatcher(tracer: tracer, isTraced: isTraced))
    }

    /// Stops tracing; a second call does nothing.
    ///
    /// The spans of sends that are running end with them.
    public func cancel() { observer.cancel() }
  }

  extension EventTracing: CustomStringConvertible {
    /// Whether it is tracing.
    public var description: String { "EventTracing(\(observer.isWatching ? "tracing" : "cancelled"))" }
  }

  /// Starts a span for each send.
  private struct TracingWatcher: SendWatcher {
    let tracer: (any Tracer)?
    let isTraced: @Sendable (EventKey, RoutingRules) -> Bool

    func watch(_ key: EventKey, from sender: DispatchReport.NodeIdentity, _ rules: RoutingRules, isAwaited: Bool) -> (any SendWatch)? {
      guard isTraced(key, rules) else { return nil }
      let span = (tracer ?? InstrumentationSystem.tracer).startSpan(key.name)
      guard span.isRecording else { return SpanWatch(span) }
      span.updateAttributes { attributes in
        attributes["event.sender"] = sender.name
        attributes["event.direction"] = rules.direction == .up ? "up" : "down"
        attributes["event.awaited"] = isAwaited
      }
      return SpanWatch(span)
    }
  }

  /// The span of one send.
  private final class SpanWatch: SendWatch {
    private let span: any Span
    /// The end of the pass; the report is created after it.
    private var end: DefaultTracerClock.Timestamp?

    init(_ span: any Span) { self.span = span }

    func run(_ pass: () -> SendOutcome) -> SendOutcome {
      defer { end = DefaultTracerClock.now }
      return ServiceContext.$current.withValue(span.context, operation: pass)
    }

    nonisolated(nonsending) func run(awaiting pass: nonisolated(nonsending) () async -> SendOutcome) async -> SendOutcome {
      defer { end = DefaultTracerClock.now }
      return await run(awaiting: pass, isolation: #isolation)
    }

    private func run(
      awaiting pass: nonisolated(nonsending) () async -> SendOutcome, isolation actor: isolated (any Actor)?
    ) async -> SendOutcome {
      // The closure refers to the actor, and so runs on it.
      await ServiceContext.$current.withValue(
        span.context,
        operation: {
          _ = actor
          return await pass()
        }, isolation: actor)
    }

    func end(_ report: DispatchReport) {
      if span.isRecording { describe(report) }
      span.end(at: end ?? DefaultTracerClock.now)
    }

    private func describe(_ report: DispatchReport) {
      span.updateAttributes { attributes in
        attributes["event.nodes"] = report.visits.count
        attributes["event.handlers"] = report.handlerCount
        attributes["event.handled"] = !report.isUnhandled
        if let scope = report.stopped { attributes["event.stopped"] = "\(scope)" }
        if let last = report.rewrites.last { attributes["event.final_key"] = last.to.name }
      }
      for error in report.allErrors { span.recordError(error) }
      if let first = report.allErrors.first { span.setStatus(SpanStatus(code: .error, message: "\(first)")) }
    }
  }
#endif
