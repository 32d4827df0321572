/// The events that wait for a loop, and the loops that wait for events.
final class EventChannel {
  private let limit: Int
  private var events: [RoutedEvent?] = []
  /// Where the events begin in the array.
  private var first: Int = 0
  private var waiting: [Signal] = []
  private(set) var droppedCount: Int = 0
  private(set) var isFinished: Bool = false
  /// Weak: the proxy keeps it, and with it what tells the channel that the proxy has died.
  weak var registration: EventRegistration?

  var waitingCount: Int { events.count - first }

  init(limit: Int) { self.limit = max(1, limit) }

  deinit { registration?.cancel() }

  func put(_ event: RoutedEvent) {
    guard !isFinished else { return }
    if events.count - first == limit {
      events[first] = nil
      first += 1
      droppedCount += 1
    }
    events.append(event)
    // The front is given back when it is most of the array.
    if first > 64, first * 2 > events.count { compact() }
    // A loop that was cancelled no longer waits; the next one does.
    while !waiting.isEmpty, !waiting.removeFirst().send() {}
  }

  func take() -> RoutedEvent? {
    guard first < events.count else { return nil }
    let event = events[first]
    // Its source lives no longer than the loop wants it.
    events[first] = nil
    first += 1
    if first == events.count { compact() }
    return event
  }

  func wait(with signal: Signal) { waiting.append(signal) }

  func finish() {
    guard !isFinished else { return }
    isFinished = true
    registration?.cancel()
    registration = nil
    for signal in waiting { _ = signal.send() }
    waiting = []
  }

  private func compact() {
    events.removeFirst(first)
    first = 0
  }
}
