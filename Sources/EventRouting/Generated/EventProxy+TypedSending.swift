// Written by make generate from Scripts/Templates/EventRouting/EventProxy+TypedSending.swift.template.

public import DynamicInvocation

// One overload for each number of arguments up to eight.

/// Sending typed events.
extension EventProxy {
  /// Sends an event with no arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send(_ key: TypedEventKey<Void>, source: AnyObject?) -> Answer {
    if let handler = begin(key.key, source, ObjectIdentifier(Void.self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody0.self) { try $0.function(handler.target, ObjectAddress(source)) },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source) { return Answer(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload0())
  }

  /// Calls the only handler by the fast path, if it is a function that takes no arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly(_ key: EventKey, source: AnyObject?) -> Bool {
    guard let handler = unsafe beginQuickly(key, source, count: 0, where: { _ in true }) else { return false }
    unsafe handler.callQuickly(source: source) { _, _ in 0 }
    leave(handler)
    return true
  }

  /// Sends an event with no arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(
    _ key: TypedEventKey<Void>, source: AnyObject?
  ) async -> Answer {
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
  public func send<A: _BoxConvertible>(_ key: TypedEventKey<A>, source: AnyObject?, _ a: A) -> Answer {
    if let handler = begin(key.key, source, ObjectIdentifier(A.self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody1<A>.self) { try $0.function(handler.target, ObjectAddress(source), a) },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a) { return Answer(calls: 1, reply: .handled, errors: []) }
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
    leave(handler)
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
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: TypedPayload1(a))
  }

  /// Sends an event with two arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible>(_ key: TypedEventKey<(A, B)>, source: AnyObject?, _ a: A, _ b: B) -> Answer {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody2<A, B>.self) { try $0.function(handler.target, ObjectAddress(source), a, b) },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b) { return Answer(calls: 1, reply: .handled, errors: []) }
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
    leave(handler)
    return true
  }

  /// Sends an event with two arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible>(
    _ key: TypedEventKey<(A, B)>, source: AnyObject?, _ a: A, _ b: B
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: TypedPayload2(a, b))
  }

  /// Sends an event with three arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C)>, source: AnyObject?, _ a: A, _ b: B, _ c: C
  ) -> Answer {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B, C).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody3<A, B, C>.self) { try $0.function(handler.target, ObjectAddress(source), a, b, c) },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b, c) { return Answer(calls: 1, reply: .handled, errors: []) }
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
    leave(handler)
    return true
  }

  /// Sends an event with three arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C)>, source: AnyObject?, _ a: A, _ b: B, _ c: C
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: TypedPayload3(a, b, c))
  }

  /// Sends an event with four arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Answer {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B, C, D).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody4<A, B, C, D>.self) { try $0.function(handler.target, ObjectAddress(source), a, b, c, d) },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b, c, d) { return Answer(calls: 1, reply: .handled, errors: []) }
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
    leave(handler)
    return true
  }

  /// Sends an event with four arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: TypedPayload4(a, b, c, d))
  }

  /// Sends an event with five arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D, E)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Answer {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B, C, D, E).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody5<A, B, C, D, E>.self) {
            try $0.function(handler.target, ObjectAddress(source), a, b, c, d, e)
          },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b, c, d, e) { return Answer(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload5(a, b, c, d, e))
  }

  /// Calls the only handler by the fast path, if it is a function that takes five arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible>(
    _ key: EventKey, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Bool {
    guard
      let handler = unsafe beginQuickly(
        key, source, count: 5,
        where: {
          unsafe !A.hasPointee && A.accepts($0[0].slot.kind) && !B.hasPointee && B.accepts($0[1].slot.kind) && !C.hasPointee
            && C.accepts($0[2].slot.kind) && !D.hasPointee && D.accepts($0[3].slot.kind) && !E.hasPointee && E.accepts($0[4].slot.kind)
        })
    else { return false }
    unsafe handler.callQuickly(source: source) { parameters, frame in
      var owned: UInt64 = 0
      if unsafe a.store(in: parameters[0].slot, of: frame, keeping: false) { owned |= 1 << 0 }
      if unsafe b.store(in: parameters[1].slot, of: frame, keeping: false) { owned |= 1 << 1 }
      if unsafe c.store(in: parameters[2].slot, of: frame, keeping: false) { owned |= 1 << 2 }
      if unsafe d.store(in: parameters[3].slot, of: frame, keeping: false) { owned |= 1 << 3 }
      if unsafe e.store(in: parameters[4].slot, of: frame, keeping: false) { owned |= 1 << 4 }
      return owned
    }
    leave(handler)
    return true
  }

  /// Sends an event with five arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: TypedPayload5(a, b, c, d, e))
  }

  /// Sends an event with six arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Answer {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B, C, D, E, F).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody6<A, B, C, D, E, F>.self) {
            try $0.function(handler.target, ObjectAddress(source), a, b, c, d, e, f)
          },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b, c, d, e, f) { return Answer(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload6(a, b, c, d, e, f))
  }

  /// Calls the only handler by the fast path, if it is a function that takes six arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible>(
    _ key: EventKey, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Bool {
    guard
      let handler = unsafe beginQuickly(
        key, source, count: 6,
        where: {
          unsafe !A.hasPointee && A.accepts($0[0].slot.kind) && !B.hasPointee && B.accepts($0[1].slot.kind) && !C.hasPointee
            && C.accepts($0[2].slot.kind) && !D.hasPointee && D.accepts($0[3].slot.kind) && !E.hasPointee && E.accepts($0[4].slot.kind)
            && !F.hasPointee && F.accepts($0[5].slot.kind)
        })
    else { return false }
    unsafe handler.callQuickly(source: source) { parameters, frame in
      var owned: UInt64 = 0
      if unsafe a.store(in: parameters[0].slot, of: frame, keeping: false) { owned |= 1 << 0 }
      if unsafe b.store(in: parameters[1].slot, of: frame, keeping: false) { owned |= 1 << 1 }
      if unsafe c.store(in: parameters[2].slot, of: frame, keeping: false) { owned |= 1 << 2 }
      if unsafe d.store(in: parameters[3].slot, of: frame, keeping: false) { owned |= 1 << 3 }
      if unsafe e.store(in: parameters[4].slot, of: frame, keeping: false) { owned |= 1 << 4 }
      if unsafe f.store(in: parameters[5].slot, of: frame, keeping: false) { owned |= 1 << 5 }
      return owned
    }
    leave(handler)
    return true
  }

  /// Sends an event with six arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: TypedPayload6(a, b, c, d, e, f))
  }

  /// Sends an event with seven arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible,
    G: _BoxConvertible
  >(_ key: TypedEventKey<(A, B, C, D, E, F, G)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) -> Answer {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B, C, D, E, F, G).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody7<A, B, C, D, E, F, G>.self) {
            try $0.function(handler.target, ObjectAddress(source), a, b, c, d, e, f, g)
          },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b, c, d, e, f, g) { return Answer(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload7(a, b, c, d, e, f, g))
  }

  /// Calls the only handler by the fast path, if it is a function that takes seven arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible,
    G: _BoxConvertible
  >(_ key: EventKey, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) -> Bool {
    guard
      let handler = unsafe beginQuickly(
        key, source, count: 7,
        where: {
          unsafe !A.hasPointee && A.accepts($0[0].slot.kind) && !B.hasPointee && B.accepts($0[1].slot.kind) && !C.hasPointee
            && C.accepts($0[2].slot.kind) && !D.hasPointee && D.accepts($0[3].slot.kind) && !E.hasPointee && E.accepts($0[4].slot.kind)
            && !F.hasPointee && F.accepts($0[5].slot.kind) && !G.hasPointee && G.accepts($0[6].slot.kind)
        })
    else { return false }
    unsafe handler.callQuickly(source: source) { parameters, frame in
      var owned: UInt64 = 0
      if unsafe a.store(in: parameters[0].slot, of: frame, keeping: false) { owned |= 1 << 0 }
      if unsafe b.store(in: parameters[1].slot, of: frame, keeping: false) { owned |= 1 << 1 }
      if unsafe c.store(in: parameters[2].slot, of: frame, keeping: false) { owned |= 1 << 2 }
      if unsafe d.store(in: parameters[3].slot, of: frame, keeping: false) { owned |= 1 << 3 }
      if unsafe e.store(in: parameters[4].slot, of: frame, keeping: false) { owned |= 1 << 4 }
      if unsafe f.store(in: parameters[5].slot, of: frame, keeping: false) { owned |= 1 << 5 }
      if unsafe g.store(in: parameters[6].slot, of: frame, keeping: false) { owned |= 1 << 6 }
      return owned
    }
    leave(handler)
    return true
  }

  /// Sends an event with seven arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible,
    G: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: TypedPayload7(a, b, c, d, e, f, g))
  }

  /// Sends an event with eight arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible,
    G: _BoxConvertible, H: _BoxConvertible
  >(_ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H)
    -> Answer
  {
    if let handler = begin(key.key, source, ObjectIdentifier((A, B, C, D, E, F, G, H).self)) {
      do {
        return answer(
          try handler.withBody(as: TypedBody8<A, B, C, D, E, F, G, H>.self) {
            try $0.function(handler.target, ObjectAddress(source), a, b, c, d, e, f, g, h)
          },
          of: handler)
      } catch {
        return tell(answer(error, of: handler))
      }
    }
    // A result that is created here costs nothing when the caller ignores it.
    if sendQuickly(key.key, source: source, a, b, c, d, e, f, g, h) { return Answer(calls: 1, reply: .handled, errors: []) }
    return sendCarefully(key.key, source: source, TypedPayload8(a, b, c, d, e, f, g, h))
  }

  /// Calls the only handler by the fast path, if it is a function that takes eight arguments of these types; returns whether it did.
  ///
  /// The arguments are stored into the frame at once: a payload would retain its objects.
  @_alwaysEmitIntoClient @inline(never)
  func sendQuickly<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible,
    G: _BoxConvertible, H: _BoxConvertible
  >(_ key: EventKey, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) -> Bool {
    guard
      let handler = unsafe beginQuickly(
        key, source, count: 8,
        where: {
          unsafe !A.hasPointee && A.accepts($0[0].slot.kind) && !B.hasPointee && B.accepts($0[1].slot.kind) && !C.hasPointee
            && C.accepts($0[2].slot.kind) && !D.hasPointee && D.accepts($0[3].slot.kind) && !E.hasPointee && E.accepts($0[4].slot.kind)
            && !F.hasPointee && F.accepts($0[5].slot.kind) && !G.hasPointee && G.accepts($0[6].slot.kind) && !H.hasPointee
            && H.accepts($0[7].slot.kind)
        })
    else { return false }
    unsafe handler.callQuickly(source: source) { parameters, frame in
      var owned: UInt64 = 0
      if unsafe a.store(in: parameters[0].slot, of: frame, keeping: false) { owned |= 1 << 0 }
      if unsafe b.store(in: parameters[1].slot, of: frame, keeping: false) { owned |= 1 << 1 }
      if unsafe c.store(in: parameters[2].slot, of: frame, keeping: false) { owned |= 1 << 2 }
      if unsafe d.store(in: parameters[3].slot, of: frame, keeping: false) { owned |= 1 << 3 }
      if unsafe e.store(in: parameters[4].slot, of: frame, keeping: false) { owned |= 1 << 4 }
      if unsafe f.store(in: parameters[5].slot, of: frame, keeping: false) { owned |= 1 << 5 }
      if unsafe g.store(in: parameters[6].slot, of: frame, keeping: false) { owned |= 1 << 6 }
      if unsafe h.store(in: parameters[7].slot, of: frame, keeping: false) { owned |= 1 << 7 }
      return owned
    }
    leave(handler)
    return true
  }

  /// Sends an event with eight arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, F: _BoxConvertible,
    G: _BoxConvertible, H: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: TypedPayload8(a, b, c, d, e, f, g, h))
  }
}
