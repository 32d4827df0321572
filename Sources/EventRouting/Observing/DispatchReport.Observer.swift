internal import DynamicInvocation
import Synchronization

extension DispatchReport {
  /// Observes every send of the process, in any tree and on any thread.
  ///
  /// It observes from its creation until it is deallocated or ``cancel()`` is called. ``watching(before:after:_:)``
  /// observes only the sends of a task.
  ///
  /// - Complexity: An observed send creates a report. When there is no observer, a send only loads a counter.
  public final class Observer: Sendable, CustomStringConvertible {
    /// Called before a send, with the key, the sender and the rules.
    public typealias Before = @Sendable (EventKey, NodeIdentity, RoutingRules) -> Void
    /// Called after a send, handled or not.
    public typealias After = @Sendable (DispatchReport) -> Void

    private let id: Int

    /// Starts to observe.
    ///
    /// Observers are called in the order of their creation, on the thread of the send, without a lock: they may send
    /// events, which are observed too.
    public convenience init(before: Before? = nil, after: After? = nil) { self.init(Callbacks(before: before, after: after)) }

    /// Starts to run a watcher around the sends: see ``SendWatcher``.
    ///
    /// Watchers are nested: one that was created earlier runs around the later ones.
    public convenience init(watcher: some SendWatcher) { self.init(Callbacks(watcher: watcher)) }

    private init(_ callbacks: Callbacks) {
      let id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
      self.id = id
      Self.list.change { (List($0.observers + [(id, callbacks)]), ()) }
      Self.count.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { cancel() }

    /// Whether it was not cancelled.
    var isWatching: Bool { Self.list.current.observers.contains { $0.id == id } }

    /// Stops observing; a second call does nothing.
    public func cancel() {
      let id = id
      let isRemoved = Self.list.change { old in
        let others = old.observers.filter { $0.id != id }
        return others.count == old.observers.count ? (nil, false) : (List(others), true)
      }
      if isRemoved { Self.count.wrappingSubtract(1, ordering: .relaxed) }
    }

    /// Runs a closure and observes its sends, and the sends of tasks that it creates, but no others.
    ///
    /// Tests that run in parallel can use it to observe only their own sends. Observers of the process are called first,
    /// then the observers of an outer call of this method.
    ///
    /// - Parameters:
    ///   - before: Called before a send.
    ///   - after: Called after a send.
    ///   - body: The closure to run.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public static func watching<Result>(
      before: Before? = nil, after: After? = nil, _ body: () throws -> Result
    ) rethrows -> Result {
      scopesChanged(by: 1)
      defer { scopesChanged(by: -1) }
      return try $scope.withValue(scope + [Callbacks(before: before, after: after)], operation: body)
    }

    /// Runs an asynchronous closure and observes its sends, and the sends of tasks that it creates meanwhile, but no
    /// others.
    ///
    /// - Throws: The error of the closure.
    public static func watching<Result>(
      before: Before? = nil, after: After? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
      scopesChanged(by: 1)
      defer { scopesChanged(by: -1) }
      return try await $scope.withValue(scope + [Callbacks(before: before, after: after)], operation: body, isolation: isolation)
    }

    private struct Callbacks: Sendable {
      var before: Before?
      var after: After?
      /// Runs around the sends.
      var watcher: (any SendWatcher)?
    }

    /// The callbacks that observe only the sends of this task.
    @TaskLocal private static var scope: [Callbacks] = []

    /// The observers of the process.
    private final class List: Sendable {
      let observers: [(id: Int, callbacks: Callbacks)]

      init(_ observers: [(id: Int, callbacks: Callbacks)]) { self.observers = observers }
    }

    /// The number of observers in the lower half, and of passes that await their handlers in the upper half.
    ///
    /// If both are zero, a send loads only this word.
    private static let count: Atomic<Int> = Atomic(0)
    private static let awaitingPass: Int = 1 << 32
    /// The number of closures that ``watching(before:after:_:)`` runs.
    private static let scopes: Atomic<Int> = Atomic(0)
    private static let lastID: Atomic<Int> = Atomic(0)
    private static let list: SharedSnapshot<List> = SharedSnapshot(List([]), lock: Lock(LockToken(), atFork: .eventObservers))

    private static func scopesChanged(by change: Int) {
      count.wrappingAdd(change, ordering: .relaxed)
      scopes.wrappingAdd(change, ordering: .relaxed)
    }

    /// Whether any observer observes the sends of this task.
    @inline(__always)
    static var isAnyWatching: Bool { hasObservers && observesTask }

    @inline(never)
    private static var observesTask: Bool {
      !list.current.observers.isEmpty || scopes.load(ordering: .relaxed) > 0 && !scope.isEmpty
    }

    private static var hasObservers: Bool { count.load(ordering: .relaxed) & (awaitingPass - 1) > 0 }

    /// Whether a send has to look for observers, or for the pass within which it is sent.
    @inline(__always)
    static var isCareNeeded: Bool { count.load(ordering: .relaxed) > 0 }

    /// Whether a pass of the process awaits its handlers.
    static var isAnyAwaiting: Bool { count.load(ordering: .relaxed) >= awaitingPass }

    /// Counts the passes that await their handlers.
    static func awaitingPassesChanged(by change: Int) { count.wrappingAdd(change &* awaitingPass, ordering: .relaxed) }

    /// The callbacks that observe the sends of this task.
    @inline(never)
    private static var current: [Callbacks] { list.current.observers.map(\.callbacks) + scope }

    static func notifyBefore(_ key: EventKey, from sender: NodeIdentity, _ rules: RoutingRules) {
      guard hasObservers else { return }
      for callbacks in current { callbacks.before?(key, sender, rules) }
    }

    /// The watches of a send that is about to start.
    static func watches(of key: EventKey, from sender: NodeIdentity, _ rules: RoutingRules, isAwaited: Bool) -> SendWatches {
      guard hasObservers else { return SendWatches([]) }
      return SendWatches(current.compactMap { $0.watcher?.watch(key, from: sender, rules, isAwaited: isAwaited) })
    }

    static func notifyAfter(_ report: DispatchReport) {
      guard hasObservers else { return }
      for callbacks in current { callbacks.after?(report) }
    }

    /// Whether it observes sends.
    public var description: String { "DispatchReport.Observer(\(isWatching ? "watching" : "cancelled"))" }
  }
}

/// Runs around the sends of the process, to bind task-local values while handlers run, such as the context of a tracing span.
///
///     let observer = DispatchReport.Observer(watcher: Tracing())
///
/// The closures of an ``DispatchReport/Observer`` are called before and after a send; a watcher also runs around the pass.
public protocol SendWatcher: Sendable {
  /// Returns the watch of a send, or nil for a send that is not watched.
  ///
  /// It is called on the thread of the send, before the first handler. A dry run is no send.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - sender: The node that the event is sent from.
  ///   - rules: The rules of the send.
  ///   - isAwaited: Whether the send waits for asynchronous handlers.
  func watch(_ key: EventKey, from sender: DispatchReport.NodeIdentity, _ rules: RoutingRules, isAwaited: Bool) -> (any SendWatch)?
}

/// The watch of one send, which runs its pass.
public protocol SendWatch {
  /// Runs a pass, once, and returns its outcome; the default only runs it.
  func run(_ pass: () -> SendOutcome) -> SendOutcome

  /// Runs a pass that waits for its handlers, once, and returns its outcome; the default only runs it.
  ///
  /// - Parameters:
  ///   - pass: The pass, which runs in the isolation of the send.
  ///   - actor: That isolation, for `TaskLocal.withValue(_:operation:isolation:)`.
  func run(awaiting pass: () async -> SendOutcome, isolation actor: isolated (any Actor)?) async -> SendOutcome

  /// Takes the report of the send, after the pass.
  func end(_ report: DispatchReport)
}

extension SendWatch {
  /// Runs a pass.
  public func run(_ pass: () -> SendOutcome) -> SendOutcome { pass() }

  /// Runs a pass that waits for its handlers.
  public func run(awaiting pass: () async -> SendOutcome, isolation actor: isolated (any Actor)?) async -> SendOutcome { await pass() }
}

/// The watches of one send, nested in order.
struct SendWatches {
  private let watches: [any SendWatch]

  init(_ watches: [any SendWatch]) { self.watches = watches }

  /// Runs a pass within the watches from an index on.
  func run(from index: Int = 0, _ pass: () -> SendOutcome) -> SendOutcome {
    guard index < watches.count else { return pass() }
    return watches[index].run { run(from: index + 1, pass) }
  }

  /// Runs a pass that awaits its handlers within the watches from an index on.
  func run(
    from index: Int = 0, awaiting pass: nonisolated(nonsending) () async -> SendOutcome, isolation actor: isolated (any Actor)? = #isolation
  ) async -> SendOutcome {
    guard index < watches.count else { return await pass() }
    return await watches[index].run(
      awaiting: {
        // The closure refers to the actor, and so runs on it.
        _ = actor
        return await run(from: index + 1, awaiting: pass, isolation: actor)
      }, isolation: actor)
  }

  /// Ends the watches, the innermost first.
  func end(_ report: DispatchReport) {
    for watch in watches.reversed() { watch.end(report) }
  }
}
