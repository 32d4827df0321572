public import DynamicInvocation

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
