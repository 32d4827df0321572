public import DynamicInvocation

/// Calling the handlers of a key.
extension EventProxy {
  /// Calls the handlers of a key, in order, that were registered up to a sequence number.
  ///
  /// A reply of ``EventReply/handledAndStop(_:)``, of any scope, and of ``EventReply/resend(_:_:)`` ends the list. A
  /// handler that throws, or that cannot be called with the event, does not affect the route of the event; the others
  /// are called.
  ///
  /// - Parameter skipping: The flags of handlers that do not receive events of this direction.
  @inlinable @inline(__always)
  func run<Payload: EventPayload>(
    _ key: EventKey, upTo last: UInt, skipping: Gate, source: AnyObject?, _ payload: borrowing Payload
  ) -> Answer {
    guard let first = unsafe state.pointee.first(key.bits) else { return Answer(calls: 0, reply: .ignored, errors: []) }
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
  /// ``leave(_:)``.
  @inlinable @inline(__always)
  func begin(_ first: UnsafeMutablePointer<HandlerRecord>, _ source: AnyObject?) -> HandlerCall? {
    unsafe begin(first, source, if: first.pointee.gate.isOpen || first.isCurrent)
  }

  /// Starts the run of a handler if it is the key's only one and its gate lets it be called directly.
  @inlinable @inline(__always)
  func begin(
    _ first: UnsafeMutablePointer<HandlerRecord>, _ source: AnyObject?, if isOpen: @autoclosure () -> Bool
  ) -> HandlerCall? {
    guard let handler = unsafe onlyHandler(first, source, if: isOpen()) else { return nil }
    unsafe state.pointee.depth &+= 1
    return handler
  }

  /// Retains the target of a handler if it is the key's only one and its gate lets it be called directly.
  @inlinable @inline(__always)
  func onlyHandler(
    _ first: UnsafeMutablePointer<HandlerRecord>, _ source: AnyObject?, if isOpen: @autoclosure () -> Bool
  ) -> HandlerCall? {
    guard unsafe first.pointee.next == nil, isOpen(), unsafe first.pointee.source.accepts(source) else { return nil }
    // This check is last: once the target is retained, the run has to be ended.
    if unsafe first.pointee.gate.contains(.weak), unsafe !first.retainTarget() { return nil }
    return unsafe HandlerCall(first, target: first.pointee.target)
  }

  /// Starts the run of a key's handler if it is the only one, may be called directly, and is a Swift closure of these
  /// types.
  @inlinable @inline(__always)
  func begin(_ key: EventKey, _ source: AnyObject?, _ types: ObjectIdentifier) -> HandlerCall? {
    guard let first = unsafe state.pointee.first(key.bits), unsafe first.pointee.argumentTypes == types else { return nil }
    return unsafe begin(first, source)
  }

  /// Starts the run of a key's handler if it is the only one and a function that may be called by the fast path.
  ///
  /// - Parameter fits: Whether each argument has exactly its parameter's type.
  @inlinable @inline(__always)
  func beginQuickly(
    _ key: EventKey, _ source: AnyObject?, count: Int, where fits: (UnsafePointer<BoxedParameter>) -> Bool
  ) -> HandlerCall? {
    guard let first = unsafe state.pointee.first(key.bits), unsafe first.pointee.isQuick, unsafe first.pointee.layout.count == count,
      unsafe fits(first.pointee.layout.parameters.unsafelyUnwrapped)
    else { return nil }
    return unsafe begin(first, source)
  }

  /// Calls the handlers of a key, of any kind.
  @inlinable @inline(never)
  func sendCarefully<Payload: EventPayload>(_ key: EventKey, source: AnyObject?, _ payload: Payload) -> Answer {
    told(run(key, upTo: unsafe state.pointee.sequence, skipping: [], source: source, payload))
  }

  /// Logs warnings for the handlers that could not be called, and for those that threw an error.
  ///
  /// A pass does this itself, with the node's name.
  @inlinable @inline(__always)
  func told(_ answer: Answer) -> Answer { answer.errors.isEmpty ? answer : tell(answer) }

  @usableFromInline @inline(never)
  func tell(_ answer: Answer) -> Answer {
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
  func answer(_ reply: consuming EventReply?, of handler: HandlerCall) -> Answer {
    // Before the run ends, which releases a handler that removed itself.
    let answer = handler.answer(reply)
    leave(handler)
    return answer
  }

  /// Ends the run of a single handler that failed.
  @usableFromInline @inline(never)
  func answer(_ error: any Error, of handler: HandlerCall) -> Answer {
    let answer = handler.answer(error)
    leave(handler)
    return answer
  }

  /// Ends the run of a single handler, and releases its weak target.
  @inlinable @inline(__always)
  func leave(_ handler: HandlerCall) {
    // Within the run: a target that is deallocated here may remove its handlers and send events.
    if unsafe handler.record.pointee.gate.contains(.weak) { unsafe handler.record.releaseTarget() }
    leave()
  }

  /// Ends a run.
  @inlinable @inline(__always)
  func leave() {
    unsafe state.pointee.depth &-= 1
    if unsafe state.pointee.hasEnded, unsafe state.pointee.depth == 0 { releaseEnded() }
  }

  /// Calls each handler of a list up to a sequence number, with all checks.
  @inlinable @inline(never)
  func runAll<Payload: EventPayload>(
    _ first: UnsafeMutablePointer<HandlerRecord>, upTo last: UInt, skipping: Gate, source: AnyObject?, _ payload: borrowing Payload
  ) -> Answer {
    var answer = Answer()
    let closed = Gate(rawValue: Gate.closed.rawValue | skipping.rawValue)
    unsafe state.pointee.depth += 1
    defer { leave() }
    var next: UnsafeMutablePointer<HandlerRecord>? = unsafe first
    while let record = unsafe next {
      if unsafe record.pointee.sequence <= last, unsafe record.pointee.gate.isDisjoint(with: closed),
        unsafe runOne(record, source: source, payload, &answer)
      {
        unsafe tellStopped(after: record, upTo: last, skipping: skipping, source: source, payload, &answer)
        break
      }
      // Read after the call, which may have changed the list; a removed handler still links to the next one.
      unsafe next = record.pointee.next
    }
    return answer
  }

  /// Calls the handlers after one that has stopped the event which also receive such events; their replies are dropped.
  @inlinable @inline(never)
  func tellStopped<Payload: EventPayload>(
    after stopping: UnsafeMutablePointer<HandlerRecord>, upTo last: UInt, skipping: Gate, source: AnyObject?,
    _ payload: borrowing Payload, _ answer: inout Answer
  ) {
    guard unsafe stopping.pointee.next != nil, Self.tellsOfStop(answer.reply, skipping) else { return }
    let closed = Gate(rawValue: Gate.closed.rawValue | skipping.rawValue | Gate.notStopped.rawValue)
    let former = Self.markStopped(skipping)
    defer { Self.markStopped(skipping, former) }
    var next = unsafe stopping.pointee.next
    while let record = unsafe next {
      if unsafe record.pointee.sequence <= last, unsafe record.pointee.gate.isDisjoint(with: closed) {
        var dropped = Answer()
        _ = unsafe runOne(record, source: source, payload, &dropped)
        answer.errors += dropped.errors
      }
      unsafe next = record.pointee.next
    }
  }

  /// Whether handlers that also receive stopped events are called after a reply that ends the list.
  ///
  /// A resend does not stop an event, unless the event was stopped before, so that replies have no effect.
  @usableFromInline
  static func tellsOfStop(_ reply: EventReply, _ skipping: Gate) -> Bool {
    guard hasStopListeners else { return false }
    if case .resend = reply { return skipping.contains(.notStopped) }
    return true
  }

  /// Sets whether the pass that calls the handlers was stopped, and returns the former value; does nothing for a send to
  /// the proxy alone, which has no pass.
  @usableFromInline
  @discardableResult
  static func markStopped(_ skipping: Gate, _ isStopped: Bool = true) -> Bool {
    guard skipping.rawValue != 0, let pass = unsafe ActivePass.innermost else { return false }
    defer { unsafe pass.pointee.isStopped = isStopped }
    return unsafe pass.pointee.isStopped
  }

  /// Calls a handler; returns whether it ends the list.
  @inlinable @inline(__always)
  func runOne<Payload: EventPayload>(
    _ record: UnsafeMutablePointer<HandlerRecord>, source: AnyObject?, _ payload: borrowing Payload, _ answer: inout Answer
  ) -> Bool {
    let gate = unsafe record.pointee.gate
    if unsafe gate.contains(.watched) && record.hasEnded || gate.contains(.weak) && !record.retainTarget() {
      remove(unsafe record.pointee.registration.takeUnretainedValue())
      return false
    }
    defer { if gate.contains(.weak) { unsafe record.releaseTarget() } }
    return unsafe runOne(HandlerCall(record, target: record.pointee.target), gate, source: source, payload, &answer)
  }

  /// Calls a handler whose target is alive; returns whether it ends the list.
  @inlinable @inline(__always)
  func runOne<Payload: EventPayload>(
    _ handler: HandlerCall, _ gate: Gate, source: AnyObject?, _ payload: borrowing Payload, _ answer: inout Answer
  ) -> Bool {
    // Marked as spent during the call, and removed if the handler was called: an event that it cannot take does not use
    // it up.
    if gate.contains(.once) { unsafe handler.record.pointee.gate.insert(.spent) }
    do {
      if gate.contains(.lookedUp) { try resolve(handler) }
      guard unsafe handler.record.pointee.source.accepts(source) else {
        throw handler.sourceFailure(source)
      }
      let reply = try payload.deliver(to: handler, source: source)
      let ends = unsafe answer.add(reply, of: handler.record)
      if gate.contains(.once) { remove(handler.registration) }
      return ends
    } catch {
      fail(handler, gate, error, &answer)
      return false
    }
  }

  /// Ends the run of a handler that failed; one that runs once stays if it was not called.
  @usableFromInline @inline(never)
  func fail(_ handler: HandlerCall, _ gate: Gate, _ error: any Error, _ answer: inout Answer) {
    let wasCalled = answer.add(error, of: handler.registration)
    guard gate.contains(.once) else { return }
    if wasCalled {
      remove(handler.registration)
    } else {
      unsafe handler.record.pointee.gate.remove(.spent)
    }
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
      // The calls that are running read their frames with the former plan.
      if let former = try handler.registration.resolve(target) { keepWhileRunning(former) }
    } catch {
      throw DeliveryFailure(reason: error)
    }
  }
}

extension HandlerCall {
  /// The result of the only handler.
  @inlinable @inline(__always)
  func answer(_ reply: consuming EventReply?) -> EventProxy.Answer {
    let isPlain = unsafe record.pointee.reply == .handled
    if reply == nil, isPlain { return EventProxy.Answer(calls: 1, reply: .handled, errors: []) }
    return EventProxy.Answer(calls: 1, reply: unsafe reply ?? record.otherReply, errors: [])
  }

  /// The result of the only handler, which failed.
  @usableFromInline @inline(never)
  func answer(_ error: any Error) -> EventProxy.Answer {
    var answer = EventProxy.Answer()
    answer.add(error, of: registration)
    return answer
  }
}

extension EventProxy.Answer {
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
  public nonisolated(nonsending) func sendAwaiting(_ key: EventKey, source: AnyObject?, arguments: [BoxedValue]) async -> Answer {
    await sendAwaiting(key, source: source, payload: BoxedPayload(arguments))
  }

  /// Sends an event with arguments of any kind, and waits for asynchronous handlers.
  @inlinable
  nonisolated(nonsending) func sendAwaiting<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload
  ) async -> Answer {
    let last = unsafe state.pointee.sequence
    guard let first = unsafe state.pointee.first(key.bits), unsafe first.hasAsynchronous else {
      return told(run(key, upTo: last, skipping: [], source: source, payload))
    }
    return told(unsafe await awaitAll(first, upTo: last, skipping: [], source: source, payload))
  }

  /// Starts the run of an asynchronous handler if it is the key's only one and may be called directly; its target is
  /// retained until ``endAwaiting(_:)``.
  @inlinable @inline(__always)
  func beginAwaiting(_ first: UnsafeMutablePointer<HandlerRecord>, _ source: AnyObject?) -> HandlerCall? {
    let gates = Gate.open.rawValue | Gate.asynchronous.rawValue
    guard let handler = unsafe onlyHandler(first, source, if: first.pointee.gate.rawValue & ~gates == 0) else { return nil }
    unsafe pin(first)
    return handler
  }

  /// Ends the run of a single asynchronous handler, and releases its weak target.
  @inlinable @inline(__always)
  func endAwaiting(_ handler: HandlerCall) {
    if unsafe handler.record.pointee.gate.contains(.weak) { unsafe handler.record.releaseTarget() }
    unsafe unpin(handler.record)
  }

  /// Calls each handler of a list up to a sequence number, and waits for asynchronous ones.
  ///
  /// The handler at which the run is stays in memory. The others may be removed and released while it is suspended.
  @inlinable
  nonisolated(nonsending) func awaitAll<Payload: EventPayload>(
    _ first: UnsafeMutablePointer<HandlerRecord>, upTo last: UInt, skipping: Gate, source: AnyObject?, _ payload: Payload
  ) async -> Answer {
    var answer = Answer()
    let closed = Gate(rawValue: Gate.closed.rawValue | skipping.rawValue)
    unsafe pin(first)
    var next: UnsafeMutablePointer<HandlerRecord>? = unsafe first
    while let record = unsafe next {
      let gate = unsafe record.pointee.gate
      if unsafe record.pointee.sequence <= last, gate.isDisjoint(with: closed) {
        let ends =
          gate.contains(.asynchronous)
          ? unsafe await awaitOne(record, source: source, payload, &answer) : unsafe runApart(record, source: source, payload, &answer)
        if ends {
          unsafe await awaitStopped(after: record, upTo: last, skipping: skipping, source: source, payload, &answer)
          break
        }
      }
      unsafe next = step(from: record)
    }
    return answer
  }

  /// Moves an awaited run from a handler to the next.
  @inlinable @inline(__always)
  func step(from record: UnsafeMutablePointer<HandlerRecord>) -> UnsafeMutablePointer<HandlerRecord>? {
    let next = unsafe record.pointee.gate.contains(.removed) ? next(afterRemoved: record) : record.pointee.next
    // First: what is released with a handler may remove others.
    if let next = unsafe next { unsafe pin(next) }
    unsafe unpin(record)
    return unsafe next
  }

  /// Calls the handlers after one that has stopped the event which also receive such events, waits for asynchronous ones,
  /// and ends the run; their replies are dropped.
  @inlinable @inline(never)
  nonisolated(nonsending) func awaitStopped<Payload: EventPayload>(
    after stopping: UnsafeMutablePointer<HandlerRecord>, upTo last: UInt, skipping: Gate, source: AnyObject?, _ payload: Payload,
    _ answer: inout Answer
  ) async {
    guard Self.tellsOfStop(answer.reply, skipping) else { return unsafe unpin(stopping) }
    let closed = Gate(rawValue: Gate.closed.rawValue | skipping.rawValue | Gate.notStopped.rawValue)
    let former = Self.markStopped(skipping)
    defer { Self.markStopped(skipping, former) }
    var next = unsafe step(from: stopping)
    while let record = unsafe next {
      let gate = unsafe record.pointee.gate
      if unsafe record.pointee.sequence <= last, gate.isDisjoint(with: closed) {
        var dropped = Answer()
        _ =
          gate.contains(.asynchronous)
          ? unsafe await awaitOne(record, source: source, payload, &dropped)
          : unsafe runApart(record, source: source, payload, &dropped)
        answer.errors += dropped.errors
      }
      unsafe next = step(from: record)
    }
  }

  /// Calls a synchronous handler; returns whether it ends the list.
  // Its frame would be a part of the asynchronous one, which is larger and slower then.
  @inlinable @inline(never)
  func runApart<Payload: EventPayload>(
    _ record: UnsafeMutablePointer<HandlerRecord>, source: AnyObject?, _ payload: borrowing Payload, _ answer: inout Answer
  ) -> Bool {
    unsafe state.pointee.depth += 1
    defer { leave() }
    return unsafe runOne(record, source: source, payload, &answer)
  }

  /// Calls an asynchronous handler and waits for it; returns whether it ends the list.
  @inlinable @inline(__always)
  nonisolated(nonsending) func awaitOne<Payload: EventPayload>(
    _ record: UnsafeMutablePointer<HandlerRecord>, source: AnyObject?, _ payload: Payload, _ answer: inout Answer
  ) async -> Bool {
    let gate = unsafe record.pointee.gate
    if unsafe gate.contains(.watched) && record.hasEnded || gate.contains(.weak) && !record.retainTarget() {
      remove(unsafe record.pointee.registration.takeUnretainedValue())
      return false
    }
    defer { if gate.contains(.weak) { unsafe record.releaseTarget() } }
    let handler = unsafe HandlerCall(record, target: record.pointee.target)
    if gate.contains(.once) { unsafe record.pointee.gate.insert(.spent) }
    do {
      guard unsafe record.pointee.source.accepts(source) else { throw handler.sourceFailure(source) }
      let reply = try await payload.deliverAwaiting(to: handler, source: source)
      let ends = unsafe answer.add(reply, of: record)
      if gate.contains(.once) { remove(handler.registration) }
      return ends
    } catch {
      fail(handler, gate, error, &answer)
      return false
    }
  }
}
