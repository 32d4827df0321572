// Written by make generate from Scripts/Templates/EventRouting/EventProxy+TypedSending.swift.template.

public import DynamicInvocation

// One overload for each number of arguments up to four.

/// Sending typed events.
extension EventProxy {
  /// Sends an event with no arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send(_ key: TypedEventKey<Void>, source: AnyObject?) -> Outcome {
    if let handler = begin(key.key, source, ObjectIdentifier(Void.self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody0.self) { try $0.function(handler.target, ObjectAddress(source)) },
          of: handler)
      } catch {
        return logEachFailure(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source) { return Outcome(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload0())
  }

  /// Calls the only handler by the fast path, if it is a function that takes no arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly(_ key: EventKey, source: AnyObject?) -> Bool {
    guard let handler = unsafe beginQuickly(key, source, count: 0, where: { _ in true }) else { return false }
    unsafe handler.callQuickly(source: source) { _, _ in 0 }
    endRun(of: handler)
    return true
  }

  /// Sends an event with no arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(
    _ key: TypedEventKey<Void>, source: AnyObject?
  ) async -> Outcome {
    await sendAwaiting(key.key, source: source, payload: TypedPayload0())
  }

  /// Sends an event with one argument, typed.
  ///
  /// A Swift closure registered with the same types is called directly. For any other handler each argument is compared
  /// with its parameter, and converted like a box where the types differ.
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - source: The source of the event, the handlers' first argument.
  ///   - a: The argument.
  /// - Returns: The same as the form with boxes.
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible>(_ key: TypedEventKey<A>, source: AnyObject?, _ a: A) -> Outcome {
    if let handler = begin(key.key, source, ObjectIdentifier(A.self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody1<A>.self) { try $0.function(handler.target, ObjectAddress(source), a) },
          of: handler)
      } catch {
        return logEachFailure(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a) { return Outcome(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload1(a))
  }

  /// Calls the only handler by the fast path, if it is a function that takes one argument of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly<A: _BoxConvertible>(_ key: EventKey, source: AnyObject?, _ a: A) -> Bool {
    guard
      let handler = unsafe beginQuickly(key, source, count: 1, where: { unsafe !A.hasPointee && A.accepts($0[0].slot.kind) })
    else { return false }
    unsafe handler.callQuickly(source: source) { parameters, frame in
      var owned: UInt64 = 0
      if unsafe a.store(in: parameters[0].slot, of: frame, keeping: false) { owned |= 1 << 0 }
      return owned
    }
    endRun(of: handler)
    return true
  }

  /// Sends an event with one argument, typed, and waits for asynchronous handlers.
  ///
  /// The handlers are called in order, each after the one before has returned. All of them run in the isolation of the
  /// caller.
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - source: The source of the event, the handlers' first argument.
  ///   - a: The argument.
  /// - Returns: The same as the form with boxes.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible>(
    _ key: TypedEventKey<A>, source: AnyObject?, _ a: A
  ) async -> Outcome {
    await sendAwaiting(key.key, source: source, payload: TypedPayload1(a))
  }

  /// Sends an event with two arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible>(_ key: TypedEventKey<(A, B)>, source: AnyObject?, _ a: A, _ b: B) -> Outcome {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody2<A, B>.self) { try $0.function(handler.target, ObjectAddress(source), a, b) },
          of: handler)
      } catch {
        return logEachFailure(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b) { return Outcome(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload2(a, b))
  }

  /// Calls the only handler by the fast path, if it is a function that takes two arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly<A: _BoxConvertible, B: _BoxConvertible>(_ key: EventKey, source: AnyObject?, _ a: A, _ b: B) -> Bool {
    guard
      let handler = unsafe beginQuickly(
        key, source, count: 2, where: { unsafe !A.hasPointee && A.accepts($0[0].slot.kind) && !B.hasPointee && B.accepts($0[1].slot.kind) })
    else { return false }
    unsafe handler.callQuickly(source: source) { parameters, frame in
      var owned: UInt64 = 0
      if unsafe a.store(in: parameters[0].slot, of: frame, keeping: false) { owned |= 1 << 0 }
      if unsafe b.store(in: parameters[1].slot, of: frame, keeping: false) { owned |= 1 << 1 }
      return owned
    }
    endRun(of: handler)
    return true
  }

  /// Sends an event with two arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible>(
    _ key: TypedEventKey<(A, B)>, source: AnyObject?, _ a: A, _ b: B
  ) async -> Outcome {
    await sendAwaiting(key.key, source: source, payload: TypedPayload2(a, b))
  }

  /// Sends an event with three arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C)>, source: AnyObject?, _ a: A, _ b: B, _ c: C
  ) -> Outcome {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B, C).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody3<A, B, C>.self) { try $0.function(handler.target, ObjectAddress(source), a, b, c) },
          of: handler)
      } catch {
        return logEachFailure(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b, c) { return Outcome(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload3(a, b, c))
  }

  /// Calls the only handler by the fast path, if it is a function that takes three arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(_ key: EventKey, source: AnyObject?, _ a: A, _ b: B, _ c: C)
    -> Bool
  {
    guard
      let handler = unsafe beginQuickly(
        key, source, count: 3,
        where: {
          unsafe !A.hasPointee && A.accepts($0[0].slot.kind) && !B.hasPointee && B.accepts($0[1].slot.kind) && !C.hasPointee
            && C.accepts($0[2].slot.kind)
        })
    else { return false }
    unsafe handler.callQuickly(source: source) { parameters, frame in
      var owned: UInt64 = 0
      if unsafe a.store(in: parameters[0].slot, of: frame, keeping: false) { owned |= 1 << 0 }
      if unsafe b.store(in: parameters[1].slot, of: frame, keeping: false) { owned |= 1 << 1 }
      if unsafe c.store(in: parameters[2].slot, of: frame, keeping: false) { owned |= 1 << 2 }
      return owned
    }
    endRun(of: handler)
    return true
  }

  /// Sends an event with three arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C)>, source: AnyObject?, _ a: A, _ b: B, _ c: C
  ) async -> Outcome {
    await sendAwaiting(key.key, source: source, payload: TypedPayload3(a, b, c))
  }

  /// Sends an event with four arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Outcome {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B, C, D).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody4<A, B, C, D>.self) { try $0.function(handler.target, ObjectAddress(source), a, b, c, d) },
          of: handler)
      } catch {
        return logEachFailure(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b, c, d) { return Outcome(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload4(a, b, c, d))
  }

  /// Calls the only handler by the fast path, if it is a function that takes four arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: EventKey, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Bool {
    guard
      let handler = unsafe beginQuickly(
        key, source, count: 4,
        where: {
          unsafe !A.hasPointee && A.accepts($0[0].slot.kind) && !B.hasPointee && B.accepts($0[1].slot.kind) && !C.hasPointee
            && C.accepts($0[2].slot.kind) && !D.hasPointee && D.accepts($0[3].slot.kind)
        })
    else { return false }
    unsafe handler.callQuickly(source: source) { parameters, frame in
      var owned: UInt64 = 0
      if unsafe a.store(in: parameters[0].slot, of: frame, keeping: false) { owned |= 1 << 0 }
      if unsafe b.store(in: parameters[1].slot, of: frame, keeping: false) { owned |= 1 << 1 }
      if unsafe c.store(in: parameters[2].slot, of: frame, keeping: false) { owned |= 1 << 2 }
      if unsafe d.store(in: parameters[3].slot, of: frame, keeping: false) { owned |= 1 << 3 }
      return owned
    }
    endRun(of: handler)
    return true
  }

  /// Sends an event with four arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D
  ) async -> Outcome {
    await sendAwaiting(key.key, source: source, payload: TypedPayload4(a, b, c, d))
  }
}
