/// The events of a sequence, with a queue for each loop.
final class EventChannel {
  private let buffering: EventSequence.Buffering
  private var loops: [EventQueue] = []
  /// The queue of the first loop, from the creation of the sequence until the loop starts.
  private var initial: EventQueue?
  private var waiting: WaitingSignals = WaitingSignals()
  private(set) var droppedCount: Int = 0
  private(set) var isFinished: Bool = false
  /// Ends the handler that puts the events.
  let token: EventToken = EventToken()

  init(_ buffering: EventSequence.Buffering) {
    self.buffering = buffering
    let queue = EventQueue()
    initial = queue
    loops.append(queue)
  }

  /// Adds an event for all loops, and wakes them.
  ///
  /// Objects that are released may send events. They are released after this event was added, so those events come after it.
  func put(_ event: EventSequence.Event) {
    let ended = removeEndedLoops()
    var dropped: [EventSequence.Event] = []
    defer { withExtendedLifetime((ended, dropped)) {} }
    guard !isFinished else { return }
    for loop in loops {
      guard let lost = loop.put(event, buffering) else { continue }
      dropped.append(lost)
      droppedCount += 1
    }
    while let signal = waiting.takeFirst() { _ = signal.send() }
  }

  /// How many events wait for the loop that has the most.
  var waitingCount: Int { loops.map(\.count).max() ?? 0 }

  /// Waits for the next event, or until the task is cancelled.
  func wait(isolation actor: isolated (any Actor)?) async {
    let signal = Signal()
    let place = waiting.add(signal)
    await signal.wait(isolation: actor)
    // The signal is still there if the task was cancelled.
    waiting.remove(place)
  }

  /// How many loops wait for an event.
  var loopsWaiting: Int { waiting.count }

  /// Returns the queue of a new loop: for the first loop the one of the sequence, for others one that starts now.
  func startLoop() -> EventQueue {
    let queue = initial ?? EventQueue()
    if initial == nil { loops.append(queue) }
    initial = nil
    queue.flag.enter()
    return queue
  }

  /// Removes the queue of a loop that has ended; in another isolation domain, makes the next event remove it.
  func endLoop(_ queue: EventQueue) {
    guard queue.flag.isHere else { return queue.flag.set() }
    loops.removeAll { $0 === queue }
  }

  /// Removes the queues of loops that have ended in another isolation domain, and returns them: they may keep events.
  private func removeEndedLoops() -> [EventQueue] {
    guard loops.contains(where: \.flag.isSet) else { return [] }
    let ended = loops.filter(\.flag.isSet)
    loops.removeAll(where: \.flag.isSet)
    return ended
  }

  func finish() {
    guard !isFinished else { return }
    isFinished = true
    token.cancel()
    while let signal = waiting.takeFirst() { _ = signal.send() }
  }
}

/// The events that wait for one loop.
final class EventQueue {
  /// The events from `first` on; those before are released.
  private var events: [EventSequence.Event?] = []
  private var first: Int = 0
  /// Whether the loop receives no new events until it has taken those that wait.
  private var isClosed: Bool = false
  /// Set when the loop was deallocated in another isolation domain.
  fileprivate let flag: CancellationFlag = CancellationFlag()

  var count: Int { events.count - first }

  /// Adds an event; returns the event that the limit drops, which may be this one.
  fileprivate func put(_ event: EventSequence.Event, _ buffering: EventSequence.Buffering) -> EventSequence.Event? {
    if case .oldest(let limit) = buffering {
      if count >= max(1, limit) { isClosed = true }
      if isClosed { return event }
    }
    events.append(event)
    guard case .newest(let limit) = buffering, count > max(1, limit) else { return nil }
    return takeFirst()
  }

  /// Takes the next event.
  func take() -> EventSequence.Event? {
    flag.enter()
    guard count > 0 else { return nil }
    defer { if count == 0 { isClosed = false } }
    return takeFirst()
  }

  private func takeFirst() -> EventSequence.Event? {
    let event = exchange(&events[first], with: nil)
    first += 1
    // The unused front is freed once it is most of the array.
    if first == events.count || first > 64 && first * 2 > events.count {
      events.removeFirst(first)
      first = 0
    }
    return event
  }
}
