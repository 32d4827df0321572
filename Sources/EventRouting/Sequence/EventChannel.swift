internal import DynamicInvocation

/// The events of a sequence, with a cursor for each loop.
///
/// An event is stored once. It is released when every loop has taken it or lost it.
final class EventChannel {
  let buffering: EventSequence.Buffering
  /// The events from `base` on; those before `first` are released.
  private var events: [EventSequence.Event?] = []
  private var first: Int = 0
  /// The number of the event at `first`, counted from the first one of the sequence.
  private var base: Int = 0
  private var cursors: [EventCursor] = []
  /// The cursor of the first loop, from the creation of the sequence until the loop starts.
  private var initial: EventCursor?
  private var waiting: WaitingSignals = WaitingSignals()
  private(set) var droppedCount: Int = 0
  private(set) var isFinished: Bool = false
  /// Weak: the proxy retains it, and it retains the notice that finishes the channel when the proxy is deallocated.
  weak var registration: EventRegistration? {
    didSet { if let registration { ending = RegistrationEnd(registration) } }
  }
  private var ending: RegistrationEnd?

  init(_ buffering: EventSequence.Buffering) {
    self.buffering = buffering
    let cursor = EventCursor(next: 0)
    initial = cursor
    cursors.append(cursor)
  }

  deinit { ending?.end(registration) }

  /// The number of the next event.
  private var end: Int { base + events.count - first }

  /// Adds an event for all loops, and wakes them.
  ///
  /// What is released may send others, so that is done after the event was added: they come after it.
  func put(_ event: EventSequence.Event) {
    let ended = removeEndedLoops()
    defer { withExtendedLifetime(ended) {} }
    if !isFinished, !cursors.isEmpty { append(event) }
    // An ended loop takes nothing any more.
    if !ended.isEmpty { trim() }
  }

  private func append(_ event: EventSequence.Event) {
    if case .oldest(let limit) = buffering {
      for cursor in cursors { close(cursor, beyond: max(1, limit)) }
    }
    if cursors.contains(where: { !$0.isClosed }) { events.append(event) }
    while let signal = waiting.takeFirst() { _ = signal.send() }
    switch buffering {
    case .unbounded: break
    case .newest(let limit): while end - base > max(1, limit) { dropFirst() }
    case .oldest: trim()
    }
  }

  /// Returns the next event of a loop.
  func take(_ cursor: EventCursor) -> EventSequence.Event? {
    cursor.flag.enter()
    if cursor.isClosed {
      let event = cursor.takeKept()
      if cursor.keptCount == 0 {
        cursor.isClosed = false
        cursor.next = end
      }
      return event
    }
    cursor.next = max(cursor.next, base)
    guard cursor.next < end else { return nil }
    let event = events[first + cursor.next - base]
    cursor.next += 1
    // A source is not kept alive longer than the last loop holds the event.
    if cursor.next == base + 1 { trim() }
    return event
  }

  /// How many events wait for a loop.
  func waitingCount(_ cursor: EventCursor) -> Int { cursor.isClosed ? cursor.keptCount : end - max(cursor.next, base) }

  /// How many events wait for the loop that has the most.
  var waitingCount: Int { cursors.map { waitingCount($0) }.max() ?? 0 }

  /// Waits for the next event, or until the task is cancelled.
  func wait(isolation actor: isolated (any Actor)?) async {
    let signal = Signal()
    let place = waiting.add(signal)
    await signal.wait(isolation: actor)
    // Still there if the task was cancelled.
    waiting.remove(place)
  }

  /// How many loops wait for an event.
  var loopsWaiting: Int { waiting.count }

  /// Returns the cursor of a new loop: for the first loop that of the sequence, for others one that starts now.
  func startLoop() -> EventCursor {
    let cursor = initial ?? EventCursor(next: end)
    if initial == nil { cursors.append(cursor) }
    initial = nil
    cursor.flag.enter()
    return cursor
  }

  /// Removes the cursor of a loop that has ended; in another isolation domain, makes the next event remove it.
  func endLoop(_ cursor: EventCursor) {
    guard cursor.flag.isHere else { return cursor.flag.set() }
    cursors.removeAll { $0 === cursor }
    trim()
  }

  /// Removes the cursors of loops that have ended in another isolation domain, and returns them: they may keep events.
  private func removeEndedLoops() -> [EventCursor] {
    guard cursors.contains(where: \.hasEnded) else { return [] }
    let ended = cursors.filter(\.hasEnded)
    cursors.removeAll(where: \.hasEnded)
    return ended
  }

  func finish() {
    guard !isFinished else { return }
    isFinished = true
    registration?.cancel()
    registration = nil
    while let signal = waiting.takeFirst() { _ = signal.send() }
  }
}

// MARK: Limits

extension EventChannel {
  /// Drops the oldest event, and counts the loops that lose it.
  private func dropFirst() {
    for cursor in cursors where cursor.next <= base { droppedCount += 1 }
    release(upTo: base + 1)
  }

  /// Counts a dropped event.
  private func close(_ cursor: EventCursor, beyond limit: Int) {
    if !cursor.isClosed {
      guard end - cursor.next >= limit else { return }
      cursor.keep(events[(first + cursor.next - base)...])
    }
    droppedCount += 1
  }

  /// Releases the events that no loop will take.
  private func trim() {
    var least = end
    for cursor in cursors where !cursor.isClosed { least = min(least, cursor.next) }
    release(upTo: least)
  }

  /// Releases the events before a number, one after the other: each of them may send others.
  private func release(upTo number: Int) {
    while base < number {
      let event = exchange(&events[first], with: nil)
      first += 1
      base += 1
      withExtendedLifetime(event) {}
    }
    // The unused front is freed once it is most of the array.
    guard first == events.count || first > 64 && first * 2 > events.count else { return }
    events.removeFirst(first)
    first = 0
  }
}

/// The position of a loop in the events of a sequence.
final class EventCursor {
  /// The number of the next event of the loop.
  var next: Int
  /// Whether the loop receives no new events until it has taken those that it keeps.
  var isClosed: Bool = false
  private var kept: ArraySlice<EventSequence.Event?> = []
  /// Whether the loop was deallocated in another isolation domain.
  var hasEnded: Bool { flag.isSet }
  fileprivate let flag: CancellationFlag = CancellationFlag()

  init(next: Int) { self.next = next }

  var keptCount: Int { kept.count }

  func keep(_ events: ArraySlice<EventSequence.Event?>) {
    kept = ArraySlice(Array(events))
    isClosed = true
  }

  func takeKept() -> EventSequence.Event? {
    let event = kept.popFirst() ?? nil
    // The elements stay in memory until the whole slice is released.
    if kept.isEmpty { withExtendedLifetime(exchange(&kept, with: [])) {} }
    return event
  }
}

/// Wakes one task, once.
final class Signal: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case sent
  }

  private let state: Locked<State> = Locked(.idle)

  /// Wakes the task, or makes its next wait return at once.
  ///
  /// - Returns: Whether this was the first call.
  func send() -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      defer { state = .sent }
      switch state {
      case .idle: return (true, nil)
      case .waiting(let continuation): return (true, continuation)
      case .sent: return (false, nil)
      }
    }
    continuation?.resume()
    return isFirst
  }

  /// Waits until `send` is called or the task is cancelled.
  func wait(isolation actor: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { continuation in
        let wasSent = state.withLock { state in
          if case .sent = state { return true }
          state = .waiting(continuation)
          return false
        }
        if wasSent { continuation.resume() }
      }
    } onCancel: {
      _ = send()
    }
  }
}

/// Signals of tasks that wait, first come first.
struct WaitingSignals {
  /// Where a signal waits.
  struct Place {
    fileprivate let number: UInt
  }

  private var signals: [UInt: Signal] = [:]
  /// The number of the first signal, or of one before it that was removed.
  private var first: UInt = 0
  /// The number of the next signal to be added.
  private var end: UInt = 0

  var isEmpty: Bool { signals.isEmpty }

  var count: Int { signals.count }

  mutating func add(_ signal: Signal) -> Place {
    defer { end += 1 }
    signals[end] = signal
    return Place(number: end)
  }

  /// Takes the signal that has waited longest.
  ///
  /// - Complexity: Constant for each signal that was added.
  mutating func takeFirst() -> Signal? {
    guard !isEmpty else {
      first = end
      return nil
    }
    while true {
      defer { first += 1 }
      if let signal = signals.removeValue(forKey: first) { return signal }
    }
  }

  /// Removes a signal; returns whether it was waiting.
  @discardableResult
  mutating func remove(_ place: Place) -> Bool { signals.removeValue(forKey: place.number) != nil }
}
