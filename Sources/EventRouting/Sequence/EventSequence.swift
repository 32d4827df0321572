public import DynamicInvocation

/// The events that a proxy receives under one key, as an asynchronous sequence.
///
/// An event gets its reply when it is sent, from the reply that the sequence was created with. A loop receives it later
/// and cannot stop it. The sequence belongs to the isolation domain of its proxy, and so does the loop.
///
/// Each loop receives every event, from its start on; the first loop also receives the events since the creation of the
/// sequence. What is kept for a loop that is slower than the events is determined by an ``EventBuffering``.
///
/// The sequence receives events until it and all its iterators are released.
///
/// - Complexity: An event is stored once for all loops.
public struct EventSequence: AsyncSequence {
  private let channel: EventChannel

  init(_ channel: EventChannel) { self.channel = channel }

  /// How many events loops have lost, because more were waiting than the buffering allows; each loop is counted.
  public var droppedCount: Int { channel.droppedCount }

  /// How many events wait for the slowest loop.
  var waitingCount: Int { channel.waitingCount }

  /// How many loops are suspended until the next event.
  var loopsWaiting: Int { channel.loopsWaiting }

  /// Ends the sequence: loops receive the remaining events, then end.
  public func finish() { channel.finish() }

  /// Returns an iterator over the events from now on; the first one begins with the events since the creation of the
  /// sequence.
  public func makeAsyncIterator() -> Iterator { Iterator(loop: EventLoop(channel)) }

  /// An iterator over the events of a sequence; copies of it share its position.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let loop: EventLoop

    /// How many events wait to be taken.
    var waitingCount: Int { loop.channel.waitingCount(loop.cursor) }

    /// Returns the next event, nil when the sequence has ended, its proxy was deallocated, or the task is cancelled.
    public nonisolated(nonsending) mutating func next() async -> RoutedEvent? { await next(isolation: #isolation) }

    /// Returns the next event, nil when the sequence has ended, its proxy was deallocated, or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> RoutedEvent? {
      let channel = loop.channel
      while true {
        // Also while events wait: a producer may never pause.
        if Task.isCancelled { return nil }
        if let event = channel.take(loop.cursor) { return event }
        if channel.isFinished { return nil }
        await channel.wait(isolation: actor)
      }
    }
  }
}

/// A loop over a sequence; its cursor is removed when it is deallocated.
private final class EventLoop {
  let channel: EventChannel
  let cursor: EventCursor

  init(_ channel: EventChannel) {
    self.channel = channel
    cursor = channel.startLoop()
  }

  deinit { channel.endLoop(cursor) }
}

/// What an ``EventSequence`` keeps for a loop that is slower than the events.
///
/// Limits below 1 count as 1.
public enum EventBuffering: Sendable, Hashable {
  /// The newest events: beyond the limit, the oldest event that waits is dropped.
  case newest(Int)
  /// The oldest events: once as many wait as the limit, the loop receives no new ones until it has taken all of them.
  case oldest(Int)
  /// All events.
  case unbounded
}

extension EventProxy {
  /// Returns the events of a key as a sequence.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - reply: The reply to each event; by default the event continues as if there were no handler.
  ///   - buffering: What is kept for a loop that is slower than the events; by default the newest 1,024.
  /// - Throws: `InvocationError` as ``intercept(_:options:_:)`` does; other handlers of the key are not an error.
  public func events(
    for key: EventKey, reply: EventReply = .handledAndContinue, buffering: EventBuffering = .newest(1_024)
  ) throws(InvocationError) -> EventSequence {
    let channel = EventChannel(buffering)
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
final class EndNotice {
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
