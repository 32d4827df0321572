public import DynamicInvocation

/// Typed events with five or more arguments to a tree of another isolation domain.
extension EventPort {
  /// Posts a typed event with five or more arguments; see the form with one argument.
  @discardableResult
  public nonisolated(nonsending) func post<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, each Rest: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest,
    rules: RoutingRules = .router
  ) async -> Bool {
    let payload = PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest)
    while true {
      switch core.put(key.key, payload, rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with five or more arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, each Rest: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest,
    rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest), rules) == .queued
  }

  /// Sends a typed event with five or more arguments, and returns its outcome; see the form with one argument.
  public func send<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, each Rest: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest,
    rules: RoutingRules = .router
  ) async -> SendOutcome? {
    // The arguments are Sendable.
    nonisolated(unsafe) let payload = PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest)
    return await core.answer(on: owner) { node in
      unsafe PortEvent(key.key, rules, payload).outcome(from: node)
    }
  }

  /// Sends a typed event with five or more arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  public func sendAwaiting<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, each Rest: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest,
    rules: RoutingRules = .router
  ) async -> SendOutcome? {
    // The arguments are Sendable.
    nonisolated(unsafe) let payload = PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest)
    return await core.answerAwaiting(on: owner) { node in
      unsafe await PortEvent(key.key, rules, payload).outcomeAwaiting(from: node)
    }
  }
}
