internal import CallFrames

extension EventPort {
  /// What a port does with an event of a key while an earlier event of the key waits.
  ///
  ///     let port = root.port(coalescing: ["progress": .newest, "scrolled": .newest(every: .milliseconds(16))])
  ///
  /// Only the newest event of the key is delivered: it replaces the waiting event, and has arguments and rules of its own.
  public struct Coalescing: Sendable, CustomStringConvertible {
    let pace: Pace?

    /// One event of the key waits.
    public static var newest: Coalescing { Coalescing(pace: nil) }

    /// One event of the key waits, and the next one is delivered no sooner than an interval after the one before.
    ///
    /// The first event is delivered at once. The last one of a series is delivered, too, when the interval has passed.
    ///
    /// - Parameters:
    ///   - interval: The least time between two deliveries. An interval that is not positive is the same as ``newest``.
    ///   - clock: The clock that measures the interval and times the wait; tests pass a clock that they advance.
    public static func newest<C: Clock<Duration>>(every interval: Duration, clock: C = ContinuousClock()) -> Coalescing {
      guard interval > .zero else { return newest }
      let start = clock.now
      return Coalescing(
        pace: Pace(
          interval: interval.clamped, now: { start.duration(to: clock.now) },
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
    /// A task waits to put the event into the queue.
    case delayed(Event)
  }

  private let pace: EventPort.Pace?
  private let lock: Lock = Lock(LockToken())
  private var state: State = .idle
  /// Whether another event has replaced the event whose post is asking the clock.
  private var isReplaced: Bool = false
  /// When the next event may be delivered, in the time of the pace's clock.
  private var earliest: Duration = .zero

  init(_ coalescing: EventPort.Coalescing) { pace = coalescing.pace }

  /// Puts an event in the place of the one that waits, or into the queue, now or later.
  func post(_ event: @escaping Event, to core: PortCore) -> PortCore.Admission {
    // Released without the lock: the deinitializer of an argument may post.
    var replaced: Event?
    defer { withExtendedLifetime(replaced) {} }
    let admission = lock.withLock { _ -> PortCore.Admission? in
      switch state {
      case .queued(let former):
        (replaced, state) = (former, .queued(event))
        return .queued
      case .delayed(let former):
        (replaced, state, isReplaced) = (former, .delayed(event), true)
        return .queued
      case .idle: break
      }
      guard pace != nil else { return queue(event, to: core) }
      (state, isReplaced) = (.delayed(event), false)
      return nil
    }
    guard let pace, admission == nil else { return admission ?? .queued }
    // Without the lock: the clock may post.
    let now = pace.now()
    let (admissionNow, time) = lock.withLock { _ -> (PortCore.Admission?, Duration) in
      guard case .delayed(let newest) = state, now >= earliest else { return (nil, earliest) }
      replaced = newest
      let admission = queue(newest, to: core)
      guard admission == .full, isReplaced else { return (admission, earliest) }
      // The sender of the newest event was told that the event waits.
      state = .delayed(newest)
      return (nil, earliest)
    }
    if let admissionNow { return admissionNow }
    // Detached: the task also delivers events of other tasks, and must not have the task-local values of this one.
    Task.detached { [self] in
      try? await pace.wait(time)
      while queueDelayed(to: core) == .full { _ = await core.waitForRoom() }
    }
    return .queued
  }

  /// Puts the event whose time has come into the queue.
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

  /// Puts an event into the queue; if there is no room, no event waits.
  private func queue(_ event: @escaping Event, to core: PortCore) -> PortCore.Admission {
    let answer = append(to: core)
    state = answer == .queued ? .queued(event) : .idle
    return answer
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
    let earliestNext = pace.map { $0.now() + $0.interval }
    let event = lock.withLock { _ -> Event? in
      guard case .queued(let event) = state else { return nil }
      state = .idle
      if let earliestNext { earliest = earliestNext }
      return event
    }
    if let node { event?(node) }
  }
}
