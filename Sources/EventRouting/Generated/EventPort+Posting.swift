// Written by make generate from Scripts/Templates/EventRouting/EventPort+Posting.swift.template.

public import DynamicInvocation

// One overload for each number of arguments up to eight.

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

  /// Posts a typed event with five arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload5(a, b, c, d, e), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with five arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload5(a, b, c, d, e), rules) == .queued
  }

  /// Sends a typed event with five arguments, and returns its outcome; see the form with one argument.
  @_alwaysEmitIntoClient
  public func send<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload5(a, b, c, d, e)).outcome(from: node)
    }
  }

  /// Sends a typed event with five arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  @_alwaysEmitIntoClient
  public func sendAwaiting<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload5(a, b, c, d, e)).outcomeAwaiting(from: node)
    }
  }

  /// Posts a typed event with six arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload6(a, b, c, d, e, f), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with six arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload6(a, b, c, d, e, f), rules) == .queued
  }

  /// Sends a typed event with six arguments, and returns its outcome; see the form with one argument.
  @_alwaysEmitIntoClient
  public func send<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload6(a, b, c, d, e, f)).outcome(from: node)
    }
  }

  /// Sends a typed event with six arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  @_alwaysEmitIntoClient
  public func sendAwaiting<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload6(a, b, c, d, e, f)).outcomeAwaiting(from: node)
    }
  }

  /// Posts a typed event with seven arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable, G: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload7(a, b, c, d, e, f, g), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with seven arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable, G: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload7(a, b, c, d, e, f, g), rules) == .queued
  }

  /// Sends a typed event with seven arguments, and returns its outcome; see the form with one argument.
  @_alwaysEmitIntoClient
  public func send<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable, G: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload7(a, b, c, d, e, f, g)).outcome(from: node)
    }
  }

  /// Sends a typed event with seven arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  @_alwaysEmitIntoClient
  public func sendAwaiting<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable, G: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload7(a, b, c, d, e, f, g)).outcomeAwaiting(from: node)
    }
  }

  /// Posts a typed event with eight arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func post<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable, G: _BoxConvertible & Sendable, H: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
    rules: RoutingRules = .router
  ) async -> Bool {
    while true {
      switch core.put(key.key, TypedPayload8(a, b, c, d, e, f, g, h), rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts a typed event with eight arguments, if there is room, without waiting; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func offer<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable, G: _BoxConvertible & Sendable, H: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
    rules: RoutingRules = .router
  ) -> Bool {
    core.put(key.key, TypedPayload8(a, b, c, d, e, f, g, h), rules) == .queued
  }

  /// Sends a typed event with eight arguments, and returns its outcome; see the form with one argument.
  @_alwaysEmitIntoClient
  public func send<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable, G: _BoxConvertible & Sendable, H: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
    rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      PortEvent(key.key, rules, TypedPayload8(a, b, c, d, e, f, g, h)).outcome(from: node)
    }
  }

  /// Sends a typed event with eight arguments, waits for asynchronous handlers, and returns its outcome; see the form
  /// with one argument.
  @_alwaysEmitIntoClient
  public func sendAwaiting<
    A: _BoxConvertible & Sendable, B: _BoxConvertible & Sendable, C: _BoxConvertible & Sendable, D: _BoxConvertible & Sendable,
    E: _BoxConvertible & Sendable, F: _BoxConvertible & Sendable, G: _BoxConvertible & Sendable, H: _BoxConvertible & Sendable
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
    rules: RoutingRules = .router
  ) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await PortEvent(key.key, rules, TypedPayload8(a, b, c, d, e, f, g, h)).outcomeAwaiting(from: node)
    }
  }
}
