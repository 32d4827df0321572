internal import DynamicInvocation
import Synchronization

/// Observes every send of the process, in any tree and on any thread.
///
/// It observes from its creation until it is deallocated or ``cancel()`` is called. ``watching(before:after:_:)``
/// observes only the sends of a task.
///
/// - Complexity: An observed send creates a report. When there is no observer, a send only loads a counter.
public final class SendObserver: Sendable {
  /// Called before a send, with the key, the sender and the rules.
  public typealias Before = @Sendable (EventKey, ResponderIdentity, RoutingRules) -> Void
  /// Called after a send, handled or not.
  public typealias After = @Sendable (DispatchReport) -> Void

  private let id: Int

  /// Starts to observe.
  ///
  /// Observers are called in the order of their creation, on the thread of the send, without a lock: they may send
  /// events, which are observed too.
  public convenience init(before: Before? = nil, after: After? = nil) { self.init(Callbacks(before: before, after: after)) }

  /// Starts to record the sends of a tree.
  ///
  /// - Parameters:
  ///   - root: The identifier of the root.
  ///   - record: Takes the event and its serial number.
  convenience init(recording root: ObjectIdentifier, _ record: @escaping @Sendable (EventRecord, Int) -> Void) {
    self.init(Callbacks(record: record, root: root))
  }

  /// Starts to run a watcher around the sends.
  package convenience init(watcher: some SendWatcher) { self.init(Callbacks(watcher: watcher)) }

  private init(_ callbacks: Callbacks) {
    id = Self.watching.withLock { state in
      state.lastID += 1
      state.observers.append((state.lastID, callbacks))
      return state.lastID
    }
    Self.count.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { cancel() }

  /// Whether it was not cancelled.
  package var isWatching: Bool { Self.watching.withLock { state in state.observers.contains { $0.id == id } } }

  /// Stops observing; a second call does nothing.
  public func cancel() {
    // Released without the lock: what the closures keep may send events.
    let removed = Self.watching.withLock { state in
      state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
    }
    if removed != nil { Self.count.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Runs a closure and observes its sends, and those of the tasks that it creates, but no others.
  ///
  /// Tests that run in parallel can use it to observe only their own sends. Observers of the process are called first,
  /// then those of an outer call of this method.
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
    count.wrappingAdd(1, ordering: .relaxed)
    defer { count.wrappingSubtract(1, ordering: .relaxed) }
    return try $scope.withValue(scope + [Callbacks(before: before, after: after)], operation: body)
  }

  /// Runs an asynchronous closure and observes its sends, and those of the tasks that it creates while it runs, but no
  /// others.
  ///
  /// - Throws: The error of the closure.
  public static func watching<Result>(
    before: Before? = nil, after: After? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    count.wrappingAdd(1, ordering: .relaxed)
    defer { count.wrappingSubtract(1, ordering: .relaxed) }
    return try await $scope.withValue(scope + [Callbacks(before: before, after: after)], operation: body, isolation: isolation)
  }

  private struct Callbacks: Sendable {
    var before: Before?
    var after: After?
    /// Records the sends of the tree with this root.
    var record: (@Sendable (EventRecord, Int) -> Void)?
    var root: ObjectIdentifier?
    /// Runs around the sends.
    var watcher: (any SendWatcher)?
  }

  /// The callbacks that observe only the sends of this task.
  @TaskLocal private static var scope: [Callbacks] = []

  private struct State: Sendable {
    var lastID: Int = 0
    var observers: [(id: Int, callbacks: Callbacks)] = []
  }

  /// The number of observers in the lower half, and of passes that await their handlers in the upper half.
  ///
  /// A send without any of both loads one word.
  private static let count: Atomic<Int> = Atomic(0)
  private static let awaitingPass: Int = 1 << 32
  private static let watching: Locked<State> = Locked(State(), atFork: .eventObservers)

  /// Whether any observer observes the sends of this task.
  @inline(__always)
  static var isAnyWatching: Bool { hasObservers && !current.isEmpty }

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
  private static var current: [Callbacks] { watching.withLock { $0.observers.map(\.callbacks) } + scope }

  static func tellBefore(_ key: EventKey, from sender: ResponderIdentity, _ rules: RoutingRules) {
    guard hasObservers else { return }
    for callbacks in current { callbacks.before?(key, sender, rules) }
  }

  /// The watches of a send that is about to start.
  static func watches(of key: EventKey, from sender: ResponderIdentity, _ rules: RoutingRules, isAwaited: Bool) -> SendWatches {
    guard hasObservers else { return SendWatches([]) }
    return SendWatches(current.compactMap { $0.watcher?.watch(key, from: sender, rules, isAwaited: isAwaited) })
  }

  /// Whether the sends of any tree are recorded.
  static var isAnyRecording: Bool { hasObservers && current.contains { $0.record != nil } }

  static func tellAfter(_ report: DispatchReport, of send: RecordedSend?) {
    if let send {
      for callbacks in current where callbacks.root == send.root { callbacks.record?(send.event(report), send.serial) }
    }
    tellAfter(report)
  }

  private static func tellAfter(_ report: DispatchReport) {
    guard hasObservers else { return }
    for callbacks in current { callbacks.after?(report) }
  }
}
