public import DynamicInvocation

/// The events that reach a proxy under one key, for a loop that waits for them.
///
/// An event is answered when it is sent, with the reply that the sequence was made with; a loop sees it later and cannot stop it. The sequence belongs to
/// the isolation domain of its proxy, and so does the loop.
///
/// It listens from when it is made until it is dropped, with all its iterators. Several loops share the events: each event goes to one of them.
public struct EventSequence: AsyncSequence {
  private let channel: EventChannel

  init(_ channel: EventChannel) { self.channel = channel }

  /// How many events were dropped, the oldest first, because nobody took them.
  public var droppedCount: Int { channel.droppedCount }

  /// How many events wait to be taken.
  var waitingCount: Int { channel.waitingCount }

  /// Ends the sequence: loops take what there is and end.
  public func finish() { channel.finish() }

  /// Returns a place to take events from.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// Takes the events of a sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let channel: EventChannel

    /// How many events wait to be taken.
    var waitingCount: Int { channel.waitingCount }

    /// Returns the next event, nil when the sequence has ended, its proxy has died, or the task is cancelled.
    public mutating func next() async -> RoutedEvent? { await next(isolation: #isolation) }

    /// Returns the next event, nil when the sequence has ended, its proxy has died, or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> RoutedEvent? {
      while true {
        if let event = channel.take() { return event }
        if channel.isFinished || Task.isCancelled { return nil }
        let signal = Signal()
        channel.wait(with: signal)
        await signal.wait(isolation: actor)
      }
    }
  }
}

extension EventProxy {
  /// Returns the events of a key as a sequence.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - reply: What is answered to each event; by default it goes on as if it had not been seen.
  ///   - limit: How many events wait at most; then the oldest are dropped.
  /// - Throws: `InvocationError` as ``intercept(_:options:_:)`` does; a key's other handlers are no hindrance.
  public func events(
    for key: EventKey, reply: EventReply = .handledAndContinue, limit: Int = 1_024
  ) throws(InvocationError) -> EventSequence {
    let channel = EventChannel(limit: limit)
    let end = EndNotice { [weak channel] in channel?.finish() }
    channel.registration = try intercept(key) { [weak channel] source, key, arguments in
      withExtendedLifetime(end) {}
      channel?.put(RoutedEvent(key: key, source: source, arguments: arguments))
      return reply
    }
    return EventSequence(channel)
  }
}

/// Tells when a handler is gone, with its proxy or before.
private final class EndNotice {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  deinit { action() }
}

/// An event as a sequence gives it.
public struct RoutedEvent {
  /// The key with which it reached the node.
  public let key: EventKey
  /// Who sent it; it is kept alive until the event is dropped.
  public let source: AnyObject?
  /// The other arguments.
  public let arguments: [BoxedValue]
}

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
