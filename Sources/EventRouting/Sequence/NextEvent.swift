public import DynamicInvocation

extension EventProxy {
  /// Waits for the next event of a key.
  ///
  ///     if let event = try await proxy.next("saved", within: .seconds(1)) { ... }
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - limit: How long to wait; nil, the default, for any time, as 100 years and more.
  ///   - reply: The reply to the event; by default the event continues as if there were no handler.
  ///   - actor: The isolation of the caller, which is that of the proxy.
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
    let timer = limit.flatMap { $0 < Self.longestWait ? max($0, .zero) : nil }.map { limit in
      Task.detached {
        // An error means that the wait has ended.
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        _ = signal.send()
      }
    }
    await signal.wait(isolation: actor)
    timer?.cancel()
    box.registration?.cancel()
    return box.event
  }

  /// The wait from which on no timer is needed; the clock cannot add much longer ones to the present time.
  private static var longestWait: Duration { .seconds(100 * 366 * 86_400 as Int64) }

  /// Registers the handler of a wait; nothing but the proxy keeps it, so that its removal ends the wait.
  private func listen(_ key: EventKey, _ reply: EventReply, _ box: EventBox, _ signal: Signal) throws(InvocationError) {
    let end = EndNotice { _ = signal.send() }
    box.registration = try intercept(key, options: HandlerOptions(isOnce: true, duplicates: .append)) {
      [unowned box] source, key, arguments in
      withExtendedLifetime(end) {}
      box.event = EventSequence.Event(key: key, source: source, arguments: arguments)
      _ = signal.send()
      return reply
    }
  }
}

extension Responder {
  /// Waits for the next event of a key that reaches this node; see ``EventProxy/next(_:within:reply:isolation:)``.
  public func next(
    _ key: EventKey, within limit: Duration? = nil, reply: EventReply = .handledAndContinue,
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(InvocationError) -> EventSequence.Event? {
    try await proxy.next(key, within: limit, reply: reply, isolation: actor)
  }
}

private final class EventBox {
  var event: EventSequence.Event?
  weak var registration: EventRegistration?
}
