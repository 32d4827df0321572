public import DynamicInvocation

/// The events that a proxy receives under one key, as an asynchronous sequence.
///
/// An event gets its reply when it is sent, from the reply that the sequence was created with. A loop receives it later
/// and cannot stop it. The sequence belongs to the isolation domain of its proxy, and so does the loop.
///
/// It receives events from its creation until it and all its iterators are released. Several loops share the events:
/// each event goes to one of them.
public struct EventSequence: AsyncSequence {
  private let channel: EventChannel

  init(_ channel: EventChannel) { self.channel = channel }

  /// The number of events that were dropped, oldest first, because no loop took them.
  public var droppedCount: Int { channel.droppedCount }

  /// How many events wait to be taken.
  var waitingCount: Int { channel.waitingCount }

  /// Ends the sequence: loops receive the remaining events, then end.
  public func finish() { channel.finish() }

  /// Returns an iterator over the events.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// An iterator over the events of a sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let channel: EventChannel

    /// How many events wait to be taken.
    var waitingCount: Int { channel.waitingCount }

    /// Returns the next event, nil when the sequence has ended, its proxy was deallocated, or the task is cancelled.
    public mutating func next() async -> RoutedEvent? { await next(isolation: #isolation) }

    /// Returns the next event, nil when the sequence has ended, its proxy was deallocated, or the task is cancelled.
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
  ///   - reply: The reply to each event; by default the event continues as if there were no handler.
  ///   - limit: The maximum number of waiting events; beyond it the oldest are dropped.
  /// - Throws: `InvocationError` as ``intercept(_:options:_:)`` does; other handlers of the key are not an error.
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

/// Runs an action when a handler is deallocated, with its proxy or before.
private final class EndNotice {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  deinit { action() }
}

/// An event of a sequence.
public struct RoutedEvent {
  /// The key with which the event reached the node.
  public let key: EventKey
  /// The source of the event; it is kept alive until the event is released.
  public let source: AnyObject?
  /// The other arguments.
  public let arguments: [BoxedValue]
}

/// The events that wait for a loop, and the loops that wait for events.
final class EventChannel {
  private let limit: Int
  private var events: [RoutedEvent?] = []
  /// The index of the first event in the array.
  private var first: Int = 0
  private var waiting: [Signal] = []
  private(set) var droppedCount: Int = 0
  private(set) var isFinished: Bool = false
  /// Weak: the proxy retains it, and it retains the notice that finishes the channel when the proxy is deallocated.
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
    // The unused front is freed once it is most of the array.
    if first > 64, first * 2 > events.count { compact() }
    // The signal of a cancelled loop returns false; then the next loop is woken.
    while !waiting.isEmpty, !waiting.removeFirst().send() {}
  }

  func take() -> RoutedEvent? {
    guard first < events.count else { return nil }
    let event = events[first]
    // The source is not kept alive longer than the loop holds the event.
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
