internal import DynamicInvocation

/// Calling the handlers of a key.
extension EventProxy {
  /// Calls the handlers of a key that were registered by a time, in order.
  ///
  /// A reply of ``EventReply/handledAndStop(_:)``, of any scope, and of ``EventReply/resend(_:_:)`` ends the list. A handler that throws, or that
  /// the event cannot be given to, has no say in where the event goes; the others are called.
  ///
  /// - Parameter skipping: The handlers that do not listen to events that go this way.
  @inlinable @inline(__always)
  func run<Payload: EventPayload>(
    _ key: EventKey, upTo last: UInt, skipping: Gate, source: AnyObject?, _ payload: borrowing Payload
  ) -> NodeAnswer {
    guard let first = unsafe state.pointee.first(key.bits) else { return NodeAnswer(calls: 0, reply: .ignored, errors: []) }
    guard unsafe first.pointee.sequence <= last, let handler = unsafe begin(first, source) else {
      return unsafe runAll(first, upTo: last, skipping: skipping, source: source, payload)
    }
    do {
      return answer(try payload.deliver(to: handler, source: source), of: handler)
    } catch {
      return answer(error, of: handler)
    }
  }

  /// Begins the run of a handler if it is the key's only one and may be called at once; its target is alive until ``leave(_:)``.
  @inlinable @inline(__always)
  func begin(_ first: UnsafeMutablePointer<HandlerRecord>, _ source: AnyObject?) -> HandlerCall? {
    let gate = unsafe first.pointee.gate
    guard unsafe first.pointee.next == nil, unsafe gate.isOpen || first.isCurrent, unsafe first.pointee.source.accepts(source) else {
      return nil
    }
    // Last: once it is retained, the run has to be ended.
    if gate.contains(.weak), unsafe !first.retainTarget() { return nil }
    unsafe state.pointee.depth &+= 1
    return unsafe HandlerCall(first, target: first.pointee.target)
  }

  /// Begins the run of a key's handler if it is the only one, may be called at once, and is a Swift closure of these types.
  @inlinable @inline(__always)
  func begin(_ key: EventKey, _ source: AnyObject?, _ types: ObjectIdentifier) -> HandlerCall? {
    guard let first = unsafe state.pointee.first(key.bits), unsafe first.pointee.argumentTypes == types else { return nil }
    return unsafe begin(first, source)
  }

  /// Calls the handlers of a key, whatever they are.
  @inlinable @inline(never)
  func sendAny<Payload: EventPayload>(_ key: EventKey, source: AnyObject?, _ payload: Payload) -> NodeAnswer {
    told(run(key, upTo: unsafe state.pointee.sequence, skipping: [], source: source, payload))
  }

  /// Warns of the handlers that could not be called; a pass does so itself, with the node's name.
  @inlinable @inline(__always)
  func told(_ answer: NodeAnswer) -> NodeAnswer {
    if !answer.errors.isEmpty { tell(answer.errors) }
    return answer
  }

  @usableFromInline @inline(never)
  func tell(_ errors: [any Error]) {
    for case let error as EventError in errors { EventLog.warn(error) }
  }

  /// Ends the run of a single handler.
  @inlinable @inline(__always)
  func answer(_ reply: consuming EventReply?, of handler: HandlerCall) -> NodeAnswer {
    // Read before the run ends, with which a handler that removed itself is released.
    let isPlain = unsafe handler.record.pointee.reply == .handled
    if reply == nil, isPlain {
      leave(handler)
      return NodeAnswer(calls: 1, reply: .handled, errors: [])
    }
    let reply = unsafe reply ?? handler.record.otherReply
    leave(handler)
    return NodeAnswer(calls: 1, reply: reply, errors: [])
  }

  /// Ends the run of a single handler that failed.
  @usableFromInline @inline(never)
  func answer(_ error: any Error, of handler: HandlerCall) -> NodeAnswer {
    var answer = NodeAnswer()
    answer.add(error, of: handler.registration)
    leave(handler)
    return answer
  }

  /// Ends the run of a single handler, and with it the hold on its target.
  @inlinable @inline(__always)
  func leave(_ handler: HandlerCall) {
    // Within the run: a target that ends here may remove its handlers and send events.
    if unsafe handler.record.pointee.gate.contains(.weak) { unsafe handler.record.releaseTarget() }
    leave()
  }

  /// Ends a run.
  @inlinable @inline(__always)
  func leave() {
    unsafe state.pointee.depth &-= 1
    if unsafe state.pointee.hasEnded, unsafe state.pointee.depth == 0 { releaseEnded() }
  }

  /// Calls each handler of a list up to a number, after every check.
  @inlinable @inline(never)
  func runAll<Payload: EventPayload>(
    _ first: UnsafeMutablePointer<HandlerRecord>, upTo last: UInt, skipping: Gate, source: AnyObject?, _ payload: borrowing Payload
  ) -> NodeAnswer {
    var answer = NodeAnswer()
    let closed = Gate(rawValue: Gate.closed.rawValue | skipping.rawValue)
    unsafe state.pointee.depth += 1
    defer { leave() }
    var next: UnsafeMutablePointer<HandlerRecord>? = unsafe first
    while let record = unsafe next {
      if unsafe record.pointee.sequence <= last, unsafe record.pointee.gate.isDisjoint(with: closed),
        unsafe runOne(record, source: source, payload, &answer)
      {
        break
      }
      // Read after the call, which may have changed the list; a removed handler still leads on.
      unsafe next = record.pointee.next
    }
    return answer
  }

  /// Calls a handler; says whether it ends the list.
  @inlinable @inline(__always)
  func runOne<Payload: EventPayload>(
    _ record: UnsafeMutablePointer<HandlerRecord>, source: AnyObject?, _ payload: borrowing Payload, _ answer: inout NodeAnswer
  ) -> Bool {
    let gate = unsafe record.pointee.gate
    if gate.contains(.weak), unsafe !record.retainTarget() {
      remove(unsafe record.pointee.registration.takeUnretainedValue())
      return false
    }
    defer { if gate.contains(.weak) { unsafe record.releaseTarget() } }
    return unsafe runOne(HandlerCall(record, target: record.pointee.target), gate, source: source, payload, &answer)
  }

  /// Calls a handler whose target is alive; says whether it ends the list.
  @inlinable @inline(__always)
  func runOne<Payload: EventPayload>(
    _ handler: HandlerCall, _ gate: Gate, source: AnyObject?, _ payload: borrowing Payload, _ answer: inout NodeAnswer
  ) -> Bool {
    // Spent for the time of the call, and removed when there was one: an event that it cannot take does not use it up.
    if gate.contains(.once) { unsafe handler.record.pointee.gate.insert(.spent) }
    do {
      if gate.contains(.lookedUp) { try resolve(handler) }
      guard unsafe handler.record.pointee.source.accepts(source) else {
        throw handler.sourceFailure(source)
      }
      let reply = try unsafe payload.deliver(to: handler, source: source) ?? handler.record.standardReply
      if gate.contains(.once) { remove(handler.registration) }
      answer.add(reply)
      return reply.endsNode
    } catch {
      let wasCalled = answer.add(error, of: handler.registration)
      guard gate.contains(.once) else { return false }
      if wasCalled {
        remove(handler.registration)
      } else {
        unsafe handler.record.pointee.gate.remove(.spent)
      }
      return false
    }
  }

  /// Looks the method of a handler up again, if a table has changed.
  @usableFromInline
  func resolve(_ handler: HandlerCall) throws {
    if unsafe handler.record.pointee.epoch != MethodTable.epoch { try resolveAgain(handler) }
  }

  @inline(never)
  private func resolveAgain(_ handler: HandlerCall) throws {
    guard let target = handler.target.object else { return }
    do throws(InvocationError) {
      // The calls that are running read their frames by the former plan.
      if let former = try handler.registration.resolve(target) { keepWhileRunning(former) }
    } catch {
      throw DeliveryFailure(reason: error)
    }
  }
}

extension NodeAnswer {
  /// Takes an error into account; says whether the handler was called.
  @usableFromInline
  @discardableResult
  mutating func add(_ error: any Error, of registration: EventRegistration) -> Bool {
    guard let failure = error as? DeliveryFailure else {
      calls += 1
      errors.append(error)
      return true
    }
    errors.append(EventError(key: registration.key, handler: registration.handler, reason: failure.reason))
    return false
  }
}
