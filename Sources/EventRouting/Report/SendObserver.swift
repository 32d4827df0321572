internal import DynamicInvocation
import Synchronization

/// Watches every send of the process, in whatever tree and on whatever thread.
///
/// It watches from when it is made until it dies or ``cancel()`` is called. ``watching(before:after:_:)`` watches the sends of a task only.
///
/// - Complexity: A send that somebody watches makes a report. When nobody watches any, a send only loads a number.
public final class SendObserver: Sendable {
  /// Is called before a send: the key, the sender, the rules.
  public typealias Before = @Sendable (EventKey, ResponderIdentity, RoutingRules) -> Void
  /// Is called after a send, handled or not.
  public typealias After = @Sendable (DispatchReport) -> Void

  private let id: Int

  /// Begins to watch.
  ///
  /// Observers are called in the order they were made, on the thread of the send, outside of any lock: they may send events, and watch those too.
  public init(before: Before? = nil, after: After? = nil) {
    id = Self.watching.withLock { state in
      state.lastID += 1
      state.observers.append((state.lastID, Callbacks(before: before, after: after)))
      return state.lastID
    }
    Self.count.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { cancel() }

  /// Whether it was not cancelled.
  var isWatching: Bool { Self.watching.withLock { state in state.observers.contains { $0.id == id } } }

  /// Stops watching; a second time does nothing.
  public func cancel() {
    let wasWatching = Self.watching.withLock { state in
      let before = state.observers.count
      state.observers.removeAll { $0.id == id }
      return state.observers.count < before
    }
    if wasWatching { Self.count.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Runs a closure and watches its sends, and those of the tasks that it makes, but no others.
  ///
  /// Tests that run side by side keep apart that way. Observers of the process are called first, then those of an outer call of this.
  ///
  /// - Parameters:
  ///   - before: Is called before a send.
  ///   - after: Is called after a send.
  ///   - body: What to run.
  /// - Returns: What the closure returns.
  public static func watching<Result>(
    before: Before? = nil, after: After? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    count.wrappingAdd(1, ordering: .relaxed)
    defer { count.wrappingSubtract(1, ordering: .relaxed) }
    return try $scope.withValue(scope + [Callbacks(before: before, after: after)], operation: body)
  }

  /// Runs a closure that may wait and watches its sends, and those of the tasks that it makes while it runs, but no others.
  public static func watching<Result>(
    before: Before? = nil, after: After? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    count.wrappingAdd(1, ordering: .relaxed)
    defer { count.wrappingSubtract(1, ordering: .relaxed) }
    return try await $scope.withValue(scope + [Callbacks(before: before, after: after)], operation: body, isolation: isolation)
  }

  private struct Callbacks: Sendable {
    let before: Before?
    let after: After?
  }

  /// Those that watch the sends of this task only.
  @TaskLocal private static var scope: [Callbacks] = []

  private struct State: Sendable {
    var lastID: Int = 0
    var observers: [(id: Int, callbacks: Callbacks)] = []
  }

  private static let count: Atomic<Int> = Atomic(0)
  private static let watching: Locked<State> = Locked(State(), atFork: .eventObservers)

  /// Whether anybody watches the sends of this task.
  @inline(__always)
  static var isAnyWatching: Bool { count.load(ordering: .relaxed) > 0 && !current.isEmpty }

  /// Those that watch the sends of this task.
  @inline(never)
  private static var current: [Callbacks] { watching.withLock { $0.observers.map(\.callbacks) } + scope }

  static func tellBefore(_ key: EventKey, from sender: ResponderIdentity, _ rules: RoutingRules) {
    guard count.load(ordering: .relaxed) > 0 else { return }
    for callbacks in current { callbacks.before?(key, sender, rules) }
  }

  static func tellAfter(_ report: DispatchReport) {
    guard count.load(ordering: .relaxed) > 0 else { return }
    for callbacks in current { callbacks.after?(report) }
  }
}
