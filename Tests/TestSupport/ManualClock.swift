import Synchronization

/// A clock that a test advances.
public final class ManualClock: Clock {
  /// A time since the clock was made.
  public struct Instant: InstantProtocol {
    fileprivate var offset: Duration

    /// The time after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The time that passes until another one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether a time is before another one.
    public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct State {
    var now: Instant = Instant(offset: .zero)
    var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var count = 0
  }

  private let state: Mutex<State> = Mutex(State())

  /// Creates a clock at zero.
  public init() {}

  /// The time that it was advanced to.
  public var now: Instant { state.withLock { $0.now } }
  /// The least time that it can be advanced by.
  public var minimumResolution: Duration { .nanoseconds(1) }
  /// How many times a task has begun to sleep.
  public var sleepCount: Int { state.withLock { $0.count } }
  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Suspends the task until the clock is advanced to a time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if deadline <= state.now { return true }
          state.sleepers[number] = (deadline, continuation)
          return false
        }
        if isOver { continuation.resume() }
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
  }

  /// Moves the time on, and wakes those whose time has come.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now.offset += duration
      let now = state.now
      let woken = state.sleepers.filter { $0.value.until <= now }
      for number in woken.keys { state.sleepers[number] = nil }
      return woken.values.sorted { $0.until < $1.until }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
