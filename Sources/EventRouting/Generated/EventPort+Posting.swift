// Written by make generate from Scripts/Templates/EventRouting/EventPort+Posting.swift.template.

public import DynamicInvocation

// One overload for each number of arguments up to four.

/// Typed events to a tree of another isolation domain.
extension EventPort {
  /// Posts a typed event with no arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post(
    _ key: TypedEventKey<Void>, rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload0(), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with no arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer(
    _ key: TypedEventKey<Void>, rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload0(), rules) == .queued
  }

  /// Sends a typed event with no arguments, and returns its outcome; see the form with one argument.
  @_alwaysEmitIntoClient
  public func send(
    _ key: TypedEventKey<Void>, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload0()).outcome(from: node)
    }
  }

  /// Sends a typed event with no arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  @_alwaysEmitIntoClient
  public func sendAwaiting(
    _ key: TypedEventKey<Void>, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload0()).outcomeAwaiting(from: node)
    }
  }

  /// Posts a typed event with one argument.
  ///
  ///     await port.post("progress", 0.5)
  ///
  /// While too many events wait, and the overflow is ``Overflow/suspends(at:)``, the task is suspended.
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - a: The argument.
  ///   - rules: How the event is routed from the port's node.
  /// - Returns: Whether the event was queued: false if it was dropped because of the limit, or the task was cancelled
  ///   while it was suspended.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post<A: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<A>, _ a: A, rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload1(a), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with one argument, if there is room, without waiting.
  ///
  /// - Returns: Whether the event was queued: false if as many events wait as the limit.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<A: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<A>, _ a: A, rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload1(a), rules) == .queued
  }

  /// Sends a typed event with one argument in the isolation of the tree, and returns its outcome.
  ///
  /// What was posted before, by any task, is delivered first.
  ///
  /// - Returns: The outcome; nil when the node was deallocated.
  /// - Complexity: A change to the actor and back, the delivery of what is queued, and the send.
  @_alwaysEmitIntoClient
  public func send<A: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<A>, _ a: A, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload1(a)).outcome(from: node)
    }
  }

  /// Sends a typed event with one argument in the isolation of the tree, waits for asynchronous handlers, and returns its
  /// outcome.
  ///
  /// What was posted before, by any task, is delivered first; the asynchronous handlers that it starts may not have
  /// finished. While a handler is suspended, other events are delivered. A handler may send events to the port that
  /// called it, and wait for them.
  ///
  /// - Returns: The outcome, as of ``Responder/sendAwaiting(_:_:rules:)``; nil when the node was deallocated.
  /// - Complexity: A change to the actor and back, the delivery of what is queued, and the send.
  @_alwaysEmitIntoClient
  public func sendAwaiting<A: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<A>, _ a: A, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload1(a)).outcomeAwaiting(from: node)
    }
  }

  /// Posts a typed event with two arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post<A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(A, B)>, _ a: A, _ b: B, rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload2(a, b), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with two arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(A, B)>, _ a: A, _ b: B, rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload2(a, b), rules) == .queued
  }

  /// Sends a typed event with two arguments, and returns its outcome; see the form with one argument.
  @_alwaysEmitIntoClient
  public func send<A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(A, B)>, _ a: A, _ b: B, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload2(a, b)).outcome(from: node)
    }
  }

  /// Sends a typed event with two arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  @_alwaysEmitIntoClient
  public func sendAwaiting<A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(A, B)>, _ a: A, _ b: B, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload2(a, b)).outcomeAwaiting(from: node)
    }
  }

  /// Posts a typed event with three arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post<A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(A, B, C)>, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload3(a, b, c), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with three arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(A, B, C)>, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload3(a, b, c), rules) == .queued
  }

  /// Sends a typed event with three arguments, and returns its outcome; see the form with one argument.
  @_alwaysEmitIntoClient
  public func send<A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(A, B, C)>, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload3(a, b, c)).outcome(from: node)
    }
  }

  /// Sends a typed event with three arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  @_alwaysEmitIntoClient
  public func sendAwaiting<A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(A, B, C)>, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload3(a, b, c)).outcomeAwaiting(from: node)
    }
  }

  /// Posts a typed event with four arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D)>, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload4(a, b, c, d), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with four arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D)>, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload4(a, b, c, d), rules) == .queued
  }

  /// Sends a typed event with four arguments, and returns its outcome; see the form with one argument.
  @_alwaysEmitIntoClient
  public func send<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D)>, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload4(a, b, c, d)).outcome(from: node)
    }
  }

  /// Sends a typed event with four arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  @_alwaysEmitIntoClient
  public func sendAwaiting<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D)>, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload4(a, b, c, d)).outcomeAwaiting(from: node)
    }
  }
}
