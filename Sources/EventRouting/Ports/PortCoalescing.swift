internal import CallFrames

extension EventPort {
  /// What a port does with an event of a key while an earlier one of the key waits.
  ///
  ///     let port = root.port(coalescing: ["progress": .newest, "scrolled": .newest(every: .milliseconds(16))])
  ///
  /// Only the newest event of the key is delivered: it takes the place of the one that waits, with its arguments and rules.
  public struct Coalescing: Sendable, CustomStringConvertible {
    let pace: Pace?

    /// One event of the key waits.
    public static var newest: Coalescing { Coalescing(pace: nil) }

    /// One event of the key waits, and the next one is delivered no sooner than an interval after the one before.
    ///
    /// The first event is delivered at once. The last one of a series is delivered, too, when the interval has passed.
    ///
    /// - Parameters:
    ///   - interval: The least time between two deliveries. One that is not positive is the same as ``newest``.
    ///   - clock: What measures the interval, and what the wait is for; tests pass one that they advance.
    public static func newest<C: Clock<Duration>>(every interval: Duration, clock: C = ContinuousClock()) -> Coalescing {
      guard interval > .zero else { return newest }
      let start = clock.now
      return Coalescing(
        pace: Pace(
          interval: interval, now: { start.duration(to: clock.now) },
          wait: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }))
    }

    /// The value as it is written in code, without the clock.
    public var description: String { pace.map { "newest(every: \($0.interval))" } ?? "newest" }
  }

  /// The interval of deliveries, and the clock that measures it.
  struct Pace: Sendable {
    let interval: Duration
    /// The time since the start.
    let now: @Sendable () -> Duration
    /// Waits until a time since the start.
    let wait: @Sendable (Duration) async throws -> Void
  }
}

/// The events of a coalesced key: only the newest is delivered.
final class CoalescedKey: @unchecked Sendable {
  // Unchecked: the variables are accessed with the lock held.

  typealias Event = (PortNode) -> Void

  private enum State {
    /// No event waits.
    case idle
    /// The queue of the port has a place for the event.
    case queued(Event)
    /// A task waits to put it into the queue.
    case delayed(Event)
  }

  private enum Step {
    case done(PortCore.Admission)
    case wait(until: Duration, EventPort.Pace)
  }

  private let pace: EventPort.Pace?
  private let lock: Lock = Lock(LockToken())
  private var state: State = .idle
  /// When the next event may be delivered, as the clock of the pace has it.
  private var earliest: Duration = .zero

  init(_ coalescing: EventPort.Coalescing) { pace = coalescing.pace }

  /// Puts an event in the place of the one that waits, or into the queue, now or later.
  func post(_ event: @escaping Event, to core: PortCore) -> PortCore.Admission {
    // Released without the lock: the deinitializer of an argument may post.
    var replaced: Event?
    defer { withExtendedLifetime(replaced) {} }
    let step = lock.withLock { _ -> Step in
      switch state {
      case .queued(let former):
        (replaced, state) = (former, .queued(event))
        return .done(.queued)
      case .delayed(let former):
        (replaced, state) = (former, .delayed(event))
        return .done(.queued)
      case .idle: break
      }
      if let pace, pace.now() < earliest {
        state = .delayed(event)
        return .wait(until: earliest, pace)
      }
      let answer = append(to: core)
      if answer == .queued { state = .queued(event) }
      return .done(answer)
    }
    switch step {
    case .done(let answer): return answer
    case .wait(let time, let pace):
      // Detached: it delivers the events of other tasks too, without the task-local values of this one.
      Task.detached { [self] in
        try? await pace.wait(time)
        while queueDelayed(to: core) == .full { _ = await core.waitForRoom() }
      }
      return .queued
    }
  }

  /// Puts the event into the queue whose time has come.
  private func queueDelayed(to core: PortCore) -> PortCore.Admission {
    var ended: Event?
    defer { withExtendedLifetime(ended) {} }
    return lock.withLock { _ -> PortCore.Admission in
      guard case .delayed(let event) = state else { return .dropped }
      let answer = append(to: core)
      switch answer {
      case .queued: state = .queued(event)
      case .dropped: (ended, state) = (event, .idle)
      case .full: break
      }
      return answer
    }
  }

  /// Reserves the place of an event in the queue.
  private func append(to core: PortCore) -> PortCore.Admission {
    typealias Place = Unmanaged<CoalescedKey>
    return unsafe core.append(
      size: MemoryLayout<Place>.size, alignment: MemoryLayout<Place>.alignment,
      { place, node in
        let key = unsafe place.assumingMemoryBound(to: Place.self).pointee.takeRetainedValue()
        key.deliver(to: node)
      },
      { unsafe $0.initializeMemory(as: Place.self, to: Unmanaged.passRetained(self)) })
  }

  /// Delivers the event that waits, in the isolation of the tree.
  private func deliver(to node: PortNode?) {
    let event = lock.withLock { _ -> Event? in
      guard case .queued(let event) = state else { return nil }
      state = .idle
      if let pace { earliest = pace.now() + pace.interval }
      return event
    }
    if let node { event?(node) }
  }
}
