public import DynamicInvocation

/// Calling the handlers of a key.
extension EventProxy {
  /// Calls, in order, the handlers of a key that were registered up to a sequence number.
  ///
  /// A reply of ``EventReply/handledAndStop(_:)``, of any scope, and of ``EventReply/resend(_:_:)`` ends the list. A
  /// handler that throws, or that cannot be called with the event, does not affect the route of the event; the other handlers
  /// are called.
  ///
  /// Interceptors of prefixes must be listed for the key. Asking a node or a proxy whether it handles the key lists them.
  ///
  /// - Parameter skipping: The flags of handlers that do not receive events of this direction.
  @inlinable @inline(__always)
  func run<Payload: EventPayload>(
    _ key: EventKey, upTo last: UInt, skipping: HandlerFlags, source: AnyObject?, _ payload: borrowing Payload
  ) -> Outcome {
    guard let first = unsafe state.pointee.table[key.bits] else { return Outcome(calls: 0, reply: .ignored, errors: []) }
    guard unsafe first.pointee.sequence <= last, let handler = unsafe begin(first, source) else {
      return unsafe runAll(first, upTo: last, skipping: skipping, source: source, payload)
    }
    do {
      return answer(try payload.deliver(to: handler, source: source), of: handler)
    } catch {
      return answer(error, of: handler)
    }
  }

  /// Starts the run of a handler if it is the key's only one and may be called directly; its target is retained until
  /// ``endRun(of:)``.
  @inlinable @inline(__always)
  func begin(_ first: UnsafeMutablePointer<HandlerRecord>, _ source: AnyObject?) -> HandlerCall? {
    guard let handler = unsafe onlyHandler(first, source, if: first.pointee.flags.isOpen || first.isCurrent) else { return nil }
    unsafe state.pointee.depth &+= 1
    return handler
  }

  /// Retains the target of a handler if it is the key's only one and its flags let it be called directly.
  @inlinable @inline(__always)
  func onlyHandler(
    _ first: UnsafeMutablePointer<HandlerRecord>, _ source: AnyObject?, if isOpen: @autoclosure () -> Bool
  ) -> HandlerCall? {
    guard unsafe first.pointee.next == nil, isOpen(), unsafe first.pointee.source.accepts(source) else { return nil }
    // This check is last: once the target is retained, the run has to be ended.
    if unsafe first.pointee.flags.contains(.weak), unsafe !first.retainTarget() { return nil }
    return unsafe HandlerCall(first, target: first.pointee.target)
  }

  /// Starts the run of a key's handler if it is the only one, may be called directly, and is a Swift closure of these
  /// types.
  @inlinable @inline(__always)
  func begin(_ key: EventKey, _ source: AnyObject?, _ types: ObjectIdentifier) -> HandlerCall? {
    guard let first = unsafe state.pointee.table[key.bits], unsafe first.pointee.argumentTypes == types else { return nil }
    return unsafe begin(first, source)
  }

  /// Starts the run of a key's handler if it is the only one and a function that may be called by the fast path.
  ///
  /// - Parameter fits: Whether each argument has exactly its parameter's type.
  @inlinable @inline(__always)
  func beginQuickly(
    _ key: EventKey, _ source: AnyObject?, count: Int, where fits: (UnsafePointer<BoxedParameter>) -> Bool
  ) -> HandlerCall? {
    guard let first = unsafe state.pointee.table[key.bits], unsafe first.pointee.isQuick, unsafe first.pointee.layout.count == count,
      unsafe fits(first.pointee.layout.parameters.unsafelyUnwrapped)
    else { return nil }
    return unsafe begin(first, source)
  }

  /// Calls the handlers of a key, of any kind.
  @inlinable @inline(never)
  func sendCarefully<Payload: EventPayload>(_ key: EventKey, source: AnyObject?, _ payload: Payload) -> Outcome {
    _ = unsafe state.pointee.first(key.bits)
    return logFailures(run(key, upTo: unsafe state.pointee.sequence, skipping: [], source: source, payload))
  }

  /// Logs warnings for the handlers that could not be called, and for those that threw an error.
  ///
  /// A pass does this itself, with the node's name.
  @inlinable @inline(__always)
  func logFailures(_ answer: Outcome) -> Outcome { answer.errors.isEmpty ? answer : logEachFailure(answer) }

  @usableFromInline @inline(never)
  func logEachFailure(_ answer: Outcome) -> Outcome {
    var answer = answer
    for index in answer.errors.indices {
      if let thrown = answer.errors[index] as? ThrownError {
        EventLog.warn(thrown, at: nil)
        answer.errors[index] = thrown.error
      } else if let error = answer.errors[index] as? EventError {
        EventLog.warn(error)
      }
    }
    return answer
  }

  /// Ends the run of a single handler.
  @inlinable @inline(__always)
  func answer(_ reply: consuming EventReply?, of handler: HandlerCall) -> Outcome {
    // Before the run ends, which releases a handler that removed itself.
    let answer = handler.answer(reply)
    endRun(of: handler)
    return answer
  }

  /// Ends the run of a single handler that failed.
  @usableFromInline @inline(never)
  func answer(_ error: any Error, of handler: HandlerCall) -> Outcome {
    let answer = handler.answer(error)
    endRun(of: handler)
    return answer
  }

  /// Ends the run of a single handler, and releases its weak target.
  @inlinable @inline(__always)
  func endRun(of handler: HandlerCall) {
    // Within the run: a target that is deallocated here may remove its handlers and send events.
    if unsafe handler.record.pointee.flags.contains(.weak) { unsafe handler.record.releaseTarget() }
    endRun()
  }

  /// Ends a run.
  @inlinable @inline(__always)
  func endRun() {
    unsafe state.pointee.depth &-= 1
    if unsafe state.pointee.hasEnded, unsafe state.pointee.depth == 0 { releaseEnded() }
  }

  /// Calls each handler of a list up to a sequence number, with all checks.
  @inlinable @inline(never)
  func runAll<Payload: EventPayload>(
    _ first: UnsafeMutablePointer<HandlerRecord>, upTo last: UInt, skipping: HandlerFlags, source: AnyObject?, _ payload: borrowing Payload
  ) -> Outcome {
    var run = unsafe HandlerRun(first, upTo: last, skipping: skipping, isAwaited: false)
    unsafe state.pointee.depth += 1
    defer { endRun() }
    while let handler = next(&run) {
      do {
        try prepare(handler, source)
        end(handler, try payload.deliver(to: handler, source: source), &run)
      } catch {
        end(handler, error, &run)
      }
    }
    return run.answer
  }

  /// Calls each handler of a list up to a sequence number, with all checks, and waits for asynchronous ones.
  ///
  /// The current handler stays in memory. The others may be removed and released while it is suspended.
  @inlinable
  nonisolated(nonsending) func awaitAll<Payload: EventPayload>(
    _ first: UnsafeMutablePointer<HandlerRecord>, upTo last: UInt, skipping: HandlerFlags, source: AnyObject?, _ payload: Payload
  ) async -> Outcome {
    var run = unsafe HandlerRun(first, upTo: last, skipping: skipping, isAwaited: true)
    unsafe pin(first)
    while let handler = next(&run) {
      do {
        try prepare(handler, source)
        if unsafe handler.record.pointee.flags.contains(.asynchronous) {
          end(handler, try await payload.deliverAwaiting(to: handler, source: source), &run)
        } else {
          end(handler, try deliver(payload, to: handler, source: source), &run)
        }
      } catch {
        end(handler, error, &run)
      }
    }
    return run.answer
  }

  /// Calls a synchronous handler of an awaited run.
  // Inlined, its frame would enlarge the asynchronous one.
  @inlinable @inline(never)
  func deliver<Payload: EventPayload>(
    _ payload: borrowing Payload, to handler: HandlerCall, source: AnyObject?
  ) throws -> EventReply? {
    unsafe state.pointee.depth += 1
    defer { endRun() }
    return try payload.deliver(to: handler, source: source)
  }

  /// Looks up the method of a handler again, if a table has changed.
  @usableFromInline
  func resolve(_ handler: HandlerCall) throws {
    if unsafe handler.record.pointee.epoch != MethodTable.epoch { try resolveAgain(handler) }
  }

  @inline(never)
  private func resolveAgain(_ handler: HandlerCall) throws {
    guard let target = handler.target.object else { return }
    do throws(InvocationError) {
      // The calls that are running read their frames with the old plan.
      if let former = try handler.registration.resolve(target) { keepWhileRunning(former) }
    } catch {
      throw DeliveryFailure(reason: error)
    }
  }
}

extension HandlerCall {
  /// The result of the only handler.
  @inlinable @inline(__always)
  func answer(_ reply: consuming EventReply?) -> EventProxy.Outcome {
    let isPlain = unsafe record.pointee.reply == .handled
    if reply == nil, isPlain { return EventProxy.Outcome(calls: 1, reply: .handled, errors: []) }
    return EventProxy.Outcome(calls: 1, reply: unsafe reply ?? record.otherReply, errors: [])
  }

  /// The result of the only handler, which failed.
  @usableFromInline @inline(never)
  func answer(_ error: any Error) -> EventProxy.Outcome {
    var answer = EventProxy.Outcome()
    answer.add(error, of: registration)
    return answer
  }
}

extension EventProxy.Outcome {
  /// Adds an error to the result; returns whether the handler was called.
  @usableFromInline
  @discardableResult
  mutating func add(_ error: any Error, of registration: EventRegistration) -> Bool {
    guard let failure = error as? DeliveryFailure else {
      calls += 1
      errors.append(ThrownError(error: error, handler: registration.handler))
      return true
    }
    errors.append(EventError(key: registration.key, handler: registration.handler, reason: failure.reason))
    return false
  }
}

// MARK: - One handler after another

/// A run over the handlers of a key: which of them are called, and what their replies decide.
@usableFromInline
@safe
struct HandlerRun {
  /// The current handler.
  @usableFromInline var current: UnsafeMutablePointer<HandlerRecord>?
  /// The sequence number of the last handler that is called.
  @usableFromInline let last: UInt
  /// The flags of handlers that do not receive events of this direction.
  @usableFromInline let skipping: HandlerFlags
  /// The flags of handlers that are not called.
  @usableFromInline var closed: HandlerFlags
  /// Whether all handlers but the current one may be removed and released during the run.
  @usableFromInline let isAwaited: Bool
  /// Whether a handler has stopped the event, so that replies are dropped.
  @usableFromInline var isStopped = false
  /// Whether the pass that calls the handlers was stopped before.
  @usableFromInline var wasStopped = false
  @usableFromInline var answer: EventProxy.Outcome = EventProxy.Outcome()

  @inlinable
  init(_ first: UnsafeMutablePointer<HandlerRecord>, upTo last: UInt, skipping: HandlerFlags, isAwaited: Bool) {
    unsafe current = unsafe first
    self.last = last
    self.skipping = skipping
    self.isAwaited = isAwaited
    closed = HandlerFlags(rawValue: HandlerFlags.closed.rawValue | skipping.rawValue)
  }
}

/// The decisions of a run; its loops are ``runAll(_:upTo:skipping:source:_:)`` and ``awaitAll(_:upTo:skipping:source:_:)``.
extension EventProxy {
  /// The handler to call now, whose target is retained until its end; nil at the end of the run.
  @inlinable @inline(__always)
  func next(_ run: inout HandlerRun) -> HandlerCall? {
    while let record = unsafe run.current {
      let flags = unsafe record.pointee.flags
      if unsafe record.pointee.sequence <= run.last, flags.isDisjoint(with: run.closed) {
        if unsafe !(flags.contains(.watched) && record.hasEnded || flags.contains(.weak) && !record.retainTarget()) {
          return unsafe HandlerCall(record, target: record.pointee.target)
        }
        remove(unsafe record.pointee.registration.takeUnretainedValue())
      }
      step(&run)
    }
    if run.isStopped { Self.markStopped(run.skipping, run.wasStopped) }
    return nil
  }

  /// Checks what an event may change between the calls of a handler.
  ///
  /// A handler that runs once is marked as spent during the call, and removed if it was called: an event that it cannot
  /// take does not use it up.
  @inlinable @inline(__always)
  func prepare(_ handler: HandlerCall, _ source: AnyObject?) throws {
    let flags = unsafe handler.record.pointee.flags
    if flags.contains(.once) { unsafe handler.record.pointee.flags.insert(.spent) }
    if flags.contains(.lookedUp) { try resolve(handler) }
    guard unsafe handler.record.pointee.source.accepts(source) else { throw handler.sourceFailure(source) }
  }

  /// Ends the call of a handler, and goes on to the next one.
  @inlinable @inline(__always)
  func end(_ handler: HandlerCall, _ reply: consuming EventReply?, _ run: inout HandlerRun) {
    let endsNode = unsafe run.isStopped ? false : run.answer.add(reply, of: handler.record)
    let flags = unsafe handler.record.pointee.flags
    if flags.contains(.once) { remove(handler.registration) }
    if flags.contains(.weak) { unsafe handler.record.releaseTarget() }
    if endsNode { stop(&run) } else { step(&run) }
  }

  /// Ends the call of a handler that failed; a handler that runs once stays if it was not called.
  @usableFromInline @inline(never)
  func end(_ handler: HandlerCall, _ error: any Error, _ run: inout HandlerRun) {
    let calls = run.answer.calls
    let wasCalled = run.answer.add(error, of: handler.registration)
    if run.isStopped { run.answer.calls = calls }
    let flags = unsafe handler.record.pointee.flags
    if flags.contains(.once) {
      if wasCalled { remove(handler.registration) } else { unsafe handler.record.pointee.flags.remove(.spent) }
    }
    if flags.contains(.weak) { unsafe handler.record.releaseTarget() }
    step(&run)
  }

  /// Goes on after a reply that ends the list, with the handlers that also receive stopped events.
  ///
  /// A resend does not stop an event, unless the event was stopped before, so that replies have no effect.
  @usableFromInline @inline(never)
  func stop(_ run: inout HandlerRun) {
    let isResent = if case .resend = run.answer.reply { true } else { false }
    if Self.hasStopListeners, !isResent || run.skipping.contains(.notStopped) {
      run.closed.insert(.notStopped)
      (run.isStopped, run.wasStopped) = (true, Self.markStopped(run.skipping))
      step(&run)
    } else {
      if run.isAwaited, let current = unsafe run.current { unsafe unpin(current) }
      unsafe run.current = nil
    }
  }

  /// Moves a run to the next handler.
  @inlinable @inline(__always)
  func step(_ run: inout HandlerRun) {
    guard let record = unsafe run.current else { return }
    guard run.isAwaited else {
      // Read after the call, which may have changed the list; a removed handler still links to the next one.
      unsafe run.current = record.pointee.next
      return
    }
    unsafe run.current = record.pointee.flags.contains(.removed) ? next(afterRemoved: record) : record.pointee.next
    // First: objects that are released with a handler may remove others.
    if let next = unsafe run.current { unsafe pin(next) }
    unsafe unpin(record)
  }

  /// Sets whether the pass that calls the handlers was stopped, and returns the value before.
  ///
  /// It does nothing for a send to the proxy alone, which has no pass.
  @usableFromInline
  @discardableResult
  static func markStopped(_ skipping: HandlerFlags, _ isStopped: Bool = true) -> Bool {
    guard skipping.rawValue != 0, let pass = unsafe ActivePass.innermost else { return false }
    defer { unsafe pass.pointee.isStopped = isStopped }
    return unsafe pass.pointee.isStopped
  }
}

// MARK: - Awaiting

/// Sending events to asynchronous handlers.
extension EventProxy {
  /// Sends an event with boxed arguments, and waits for asynchronous handlers.
  ///
  /// The handlers are called in order, each after the one before has returned. All of them run in the isolation of the
  /// caller. When the task is cancelled, the handlers are called nevertheless, and find out about it themselves.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - source: The source of the event, the handlers' first argument.
  ///   - arguments: The other arguments.
  /// - Returns: The same as ``send(_:source:arguments:)`` for handlers that reply the same.
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(_ key: EventKey, source: AnyObject?, arguments: [BoxedValue]) async -> Outcome {
    await sendAwaiting(key, source: source, payload: BoxedPayload(arguments))
  }

  /// Sends an event with arguments of any kind, and waits for asynchronous handlers.
  @inlinable
  nonisolated(nonsending) func sendAwaiting<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload
  ) async -> Outcome {
    let last = unsafe state.pointee.sequence
    guard let first = unsafe state.pointee.first(key.bits), unsafe first.hasAsynchronous else {
      return logFailures(run(key, upTo: last, skipping: [], source: source, payload))
    }
    return logFailures(unsafe await awaitAll(first, upTo: last, skipping: [], source: source, payload))
  }

  /// Starts the run of an asynchronous handler if it is the key's only one and may be called directly; its target is
  /// retained until ``endAwaiting(_:)``.
  @inlinable @inline(__always)
  func beginAwaiting(_ first: UnsafeMutablePointer<HandlerRecord>, _ source: AnyObject?) -> HandlerCall? {
    let open = HandlerFlags.open.rawValue | HandlerFlags.asynchronous.rawValue
    guard let handler = unsafe onlyHandler(first, source, if: first.pointee.flags.rawValue & ~open == 0) else { return nil }
    unsafe pin(first)
    return handler
  }

  /// Ends the run of a single asynchronous handler, and releases its weak target.
  @inlinable @inline(__always)
  func endAwaiting(_ handler: HandlerCall) {
    if unsafe handler.record.pointee.flags.contains(.weak) { unsafe handler.record.releaseTarget() }
    unsafe unpin(handler.record)
  }
}
