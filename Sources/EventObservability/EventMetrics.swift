#if Observability
  public import CoreMetrics
  import DynamicInvocation

  /// Counts the events that are sent in a tree, and measures their durations.
  ///
  ///     let metrics = EventMetrics()
  ///     row.send("row.tapped", arguments: [.int(3)])  // events.sent and events.handled of "row.tapped" are 1
  ///
  /// It counts every send of the process, in any tree and on any thread, from its creation until it is deallocated or
  /// ``cancel()`` is called. Each metric has the dimension `key`, the key with which the event was sent:
  ///
  /// - the counters `events.sent`, and of these `events.handled` and `events.unhandled`;
  /// - the counter `events.stopped`, of events that a reply stopped in any scope;
  /// - the counter `events.errors`, of the errors of handlers and of routing;
  /// - the timer `events.duration`, the duration of the pass.
  ///
  /// A handler that a synchronous send has started, and that is still running, is not part of the duration.
  ///
  /// - Complexity: A counted send creates a report and takes a lock. The metrics of a key are made with its first event.
  public final class EventMetrics: Sendable {
    fileprivate let observer: DispatchReport.Observer

    /// Starts to count.
    ///
    /// - Parameters:
    ///   - factory: Makes the counters and timers; the default is the factory that the metrics system has now.
    ///   - prefix: The first part of the labels.
    ///   - isCounted: Whether a send is counted. It is called on the thread of the send. Programs that make keys at run
    ///     time limit the number of metrics with it.
    public init(
      factory: any MetricsFactory = MetricsSystem.factory, prefix: String = "events",
      where isCounted: @escaping @Sendable (EventKey, RoutingRules) -> Bool = { _, _ in true }
    ) {
      let metrics = MetricsByKey(factory: factory, prefix: prefix)
      observer = DispatchReport.Observer(after: { report in
        if isCounted(report.key, report.rules) { metrics[report.key].add(report) }
      })
    }

    /// Stops counting; a second call does nothing.
    public func cancel() { observer.cancel() }
  }

  extension EventMetrics: CustomStringConvertible {
    /// Whether it is counting.
    public var description: String { "EventMetrics(\(observer.isWatching ? "counting" : "cancelled"))" }
  }

  /// The metrics of all keys.
  private final class MetricsByKey: Sendable {
    private let factory: any MetricsFactory
    private let prefix: String
    private let metrics: Locked<[EventKey: KeyMetrics]> = Locked([:])

    init(factory: any MetricsFactory, prefix: String) {
      self.factory = factory
      self.prefix = prefix
    }

    /// The metrics of a key, which are made when it is first asked for.
    subscript(key: EventKey) -> KeyMetrics {
      if let known = metrics.withLock({ $0[key] }) { return known }
      // Without the lock: a factory may send events. Another thread may make the same ones.
      let new = KeyMetrics(key, factory: factory, prefix: prefix)
      return metrics.withLock { metrics in
        if let known = metrics[key] { return known }
        metrics[key] = new
        return new
      }
    }
  }

  /// The metrics of one key.
  private struct KeyMetrics: Sendable {
    private let sent: Counter
    private let handled: Counter
    private let unhandled: Counter
    private let stopped: Counter
    private let errors: Counter
    private let duration: CoreMetrics.Timer

    init(_ key: EventKey, factory: any MetricsFactory, prefix: String) {
      let dimensions = [("key", key.name)]
      func counter(_ name: String) -> Counter { Counter(label: "\(prefix).\(name)", dimensions: dimensions, factory: factory) }
      sent = counter("sent")
      handled = counter("handled")
      unhandled = counter("unhandled")
      stopped = counter("stopped")
      errors = counter("errors")
      duration = Timer(label: "\(prefix).duration", dimensions: dimensions, factory: factory)
    }

    func add(_ report: DispatchReport) {
      sent.increment()
      (report.isUnhandled ? unhandled : handled).increment()
      if report.stopped != nil { stopped.increment() }
      let count = report.allErrors.count
      if count > 0 { errors.increment(by: count) }
      let (seconds, attoseconds) = report.duration.components
      duration.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
  }

  extension DispatchReport {
    /// The errors of handlers and of routing.
    var allErrors: [any Error] { errors + (routingError.map { [$0] } ?? []) }
  }
#endif
