internal import DynamicInvocation
import Synchronization

/// Watches every send of the process, in whatever tree and on whatever thread.
///
/// It watches from when it is made until it dies or ``cancel()`` is called.
///
/// - Complexity: While anybody watches, every send makes a report. When nobody does, a send only loads a number.
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
      state.observers.append((state.lastID, before, after))
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

  private struct State: Sendable {
    var lastID: Int = 0
    var observers: [(id: Int, before: Before?, after: After?)] = []
  }

  private static let count: Atomic<Int> = Atomic(0)
  private static let watching: Guarded<State> = Guarded(State(), atFork: .eventObservers)

  static var isAnyWatching: Bool { count.load(ordering: .relaxed) > 0 }

  static func tellBefore(_ key: EventKey, from sender: ResponderIdentity, _ rules: RoutingRules) {
    guard isAnyWatching else { return }
    for observer in watching.withLock({ $0.observers }) { observer.before?(key, sender, rules) }
  }

  static func tellAfter(_ report: DispatchReport) {
    guard isAnyWatching else { return }
    for observer in watching.withLock({ $0.observers }) { observer.after?(report) }
  }
}
