public import DynamicInvocation

/// The events that a proxy receives under one key, as an asynchronous sequence.
///
/// An event gets its reply when it is sent, from the reply that the sequence was created with. A loop receives it later
/// and cannot stop it. The sequence belongs to the isolation domain of its proxy, and so does the loop.
///
/// Each loop receives every event, from its start on; the first loop also receives the events since the creation of the
/// sequence. An ``EventSequence/Buffering`` determines what is kept for a loop that is slower than the events.
///
/// The sequence receives events until it and all its iterators are released.
///
/// - Complexity: An event is stored for each loop that has not taken it.
public struct EventSequence: AsyncSequence, CustomStringConvertible {
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
  public struct Iterator: AsyncIteratorProtocol, CustomStringConvertible {
    fileprivate let loop: EventLoop

    /// How many events wait to be taken.
    var waitingCount: Int { loop.queue.count }

    /// Returns the next event, nil when the sequence has ended, its proxy was deallocated, or the task is cancelled.
    public nonisolated(nonsending) mutating func next() async -> Event? { await next(isolation: #isolation) }

    /// Returns the next event, nil when the sequence has ended, its proxy was deallocated, or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      let channel = loop.channel
      while true {
        // Also while events wait: a producer may never pause.
        if Task.isCancelled { return nil }
        if let event = loop.queue.take() { return event }
        if channel.isFinished { return nil }
        await channel.wait(isolation: actor)
      }
    }

    /// The number of waiting events.
    public var description: String { "EventSequence.Iterator(\(waitingCount) waiting)" }
  }

  /// The number of waiting events and of dropped events.
  public var description: String { "EventSequence(\(waitingCount) waiting, \(droppedCount) dropped)" }
}

/// A loop over a sequence; its queue is removed when it is deallocated.
private final class EventLoop {
  let channel: EventChannel
  let queue: EventQueue

  init(_ channel: EventChannel) {
    self.channel = channel
    queue = channel.startLoop()
  }

  deinit { channel.endLoop(queue) }
}

extension EventSequence {
  /// What an ``EventSequence`` keeps for a loop that is slower than the events.
  ///
  /// Limits below 1 count as 1.
  public enum Buffering: Sendable, Hashable {
    /// The newest events: beyond the limit, the oldest event that waits is dropped.
    case newest(Int)
    /// The oldest events: once as many wait as the limit, the loop receives no new ones until it has taken all of them.
    case oldest(Int)
    /// All events.
    case unbounded
  }
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
    for key: EventKey, reply: EventReply = .handledAndContinue, buffering: EventSequence.Buffering = .newest(1_024)
  ) throws(InvocationError) -> EventSequence {
    let channel = EventChannel(buffering)
    let end = EndNotice { [weak channel] in channel?.finish() }
    let registration = try intercept(key) { [weak channel] source, key, arguments in
      withExtendedLifetime(end) {}
      channel?.put(EventSequence.Event(keeping: key, source, arguments))
      return reply
    }
    registration.end(with: channel.token)
    return EventSequence(channel)
  }
}

/// Runs an action when a handler is deallocated, with its proxy or before.
final class EndNotice {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  deinit { action() }
}

extension EventSequence {
  /// An event of a sequence.
  public struct Event: CustomStringConvertible {
    /// The key with which the event reached the node.
    public let key: EventKey
    /// The source of the event; it is kept alive until the event is released.
    ///
    /// Nil for a source that was being deallocated: it sent the event in its deinitializer.
    public let source: AnyObject?
    /// The other arguments; null for an object that was being deallocated.
    public let arguments: [BoxedValue]

    fileprivate init(keeping key: EventKey, _ source: AnyObject?, _ arguments: [BoxedValue]) {
      self.key = key
      self.source = source.flatMap { isDeallocating($0) ? nil : $0 }
      var arguments = arguments
      while let index = arguments.indexOfEnding { arguments[index] = .null }
      self.arguments = arguments
    }

    /// The key with the arguments, and the class of the source.
    public var description: String {
      let from = source.map { " from \(type(of: $0))" } ?? ""
      return "\(key)(\(BoxedValue.descriptions(of: arguments).joined(separator: ", ")))\(from)".asLine
    }
  }
}

extension EventProxy {
  /// Waits for the next event of a key.
  ///
  ///     if let event = try await proxy.next("saved", within: .seconds(1)) { ... }
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - limit: How long to wait; nil, the default, for any time.
  ///   - reply: The reply to the event; by default the event continues as if there were no handler.
  ///   - actor: The isolation of the caller, in which the proxy is.
  /// - Returns: The event; nil when the time is over, the handlers of the key are removed, or the task is cancelled.
  /// - Throws: `InvocationError` as ``intercept(_:options:_:)`` does; other handlers of the key are not an error.
  /// - Complexity: Allocates; with a limit, starts a task.
  public func next(
    _ key: EventKey, within limit: Duration? = nil, reply: EventReply = .handledAndContinue,
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(InvocationError) -> EventSequence.Event? {
    let box = EventBox()
    let signal = Signal()
    try listen(key, reply, box, signal)
    let timer = limit.map { limit in
      Task.detached {
        // An error means that the wait has ended.
        guard (try? await Task.sleep(for: max(limit, .zero).clamped)) != nil else { return }
        _ = signal.send()
      }
    }
    await signal.wait(isolation: actor)
    timer?.cancel()
    box.registration?.cancel()
    return box.event
  }

  /// Registers the handler of a wait; only the proxy keeps the handler, so its removal ends the wait.
  private func listen(_ key: EventKey, _ reply: EventReply, _ box: EventBox, _ signal: Signal) throws(InvocationError) {
    let end = EndNotice { _ = signal.send() }
    box.registration = try intercept(key, options: HandlerOptions(isOnce: true, duplicates: .append)) {
      [unowned box] source, key, arguments in
      withExtendedLifetime(end) {}
      box.event = EventSequence.Event(keeping: key, source, arguments)
      _ = signal.send()
      return reply
    }
  }
}

private final class EventBox {
  var event: EventSequence.Event?
  weak var registration: EventRegistration?
}
