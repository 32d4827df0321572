// Written by make generate from Scripts/Templates/EventRouting/Responder+TypedSending.swift.template.

public import DynamicInvocation

// One overload for each number of arguments up to four.

/// Sending typed events through the tree.
extension Responder {
  /// Sends a typed event with no arguments from this node.
  ///
  /// See the form with one argument.
  @_disfavoredOverload  // A literal is a key without types.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send(
    _ key: TypedEventKey<Void>, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: self, payload: TypedPayload0(), rules: rules)
  }

  /// Sends a typed event with no arguments from this node, and waits.
  ///
  /// See the form with one argument.
  @_disfavoredOverload  // A literal is a key without types.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(
    _ key: TypedEventKey<Void>, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: self, payload: TypedPayload0(), rules: rules)
  }

  /// Sends an event with one argument, typed, from this node.
  ///
  ///     let rowTapped: TypedEventKey<Int> = "row.tapped"
  ///     row.send(rowTapped, 3)
  ///
  /// The compiler checks the argument against the key. A handler of the same types receives it unchanged. For any other
  /// handler it is converted like a box.
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - a: The argument.
  ///   - rules: How the event is routed.
  /// - Returns: The outcome of the event, as for boxed arguments.
  /// - Complexity: See ``RoutingRules``.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<A: _BoxConvertible>(
    _ key: TypedEventKey<A>, _ a: A, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: self, payload: TypedPayload1(a), rules: rules)
  }

  /// Sends an event with one argument, typed, from this node, and waits for asynchronous handlers.
  ///
  ///     await row.sendAwaiting(rowTapped, 3)
  ///
  /// The handlers are called in order, each after the one before has returned. All of them run in the isolation of the
  /// caller. A synchronous send whose handlers reply the same has the same outcome.
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - a: The argument.
  ///   - rules: How the event is routed.
  /// - Returns: The outcome of the event, as for boxed arguments.
  /// - Complexity: See ``RoutingRules``; a pass allocates its state, or reuses the state of a pass which has
  ///   ended.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible>(
    _ key: TypedEventKey<A>, _ a: A, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: self, payload: TypedPayload1(a), rules: rules)
  }

  /// Sends a typed event with two arguments from this node.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible>(
    _ key: TypedEventKey<(A, B)>, _ a: A, _ b: B, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: self, payload: TypedPayload2(a, b), rules: rules)
  }

  /// Sends a typed event with two arguments from this node, and waits.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible>(
    _ key: TypedEventKey<(A, B)>, _ a: A, _ b: B, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: self, payload: TypedPayload2(a, b), rules: rules)
  }

  /// Sends a typed event with three arguments from this node.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C)>, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: self, payload: TypedPayload3(a, b, c), rules: rules)
  }

  /// Sends a typed event with three arguments from this node, and waits.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C)>, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: self, payload: TypedPayload3(a, b, c), rules: rules)
  }

  /// Sends a typed event with four arguments from this node.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D)>, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: self, payload: TypedPayload4(a, b, c, d), rules: rules)
  }

  /// Sends a typed event with four arguments from this node, and waits.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D)>, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: self, payload: TypedPayload4(a, b, c, d), rules: rules)
  }
}

/// Sending typed events through the tree on behalf of another object, or without a source.
extension Responder {
  /// Sends a typed event with no arguments from this node on behalf of another object.
  ///
  /// See the form with one argument.
  @_disfavoredOverload  // A literal is a key without types.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send(
    _ key: TypedEventKey<Void>, source: AnyObject?, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: source, payload: TypedPayload0(), rules: rules)
  }

  /// Sends a typed event with no arguments from this node on behalf of another object, and waits.
  ///
  /// See the form with one argument.
  @_disfavoredOverload  // A literal is a key without types.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(
    _ key: TypedEventKey<Void>, source: AnyObject?, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: source, payload: TypedPayload0(), rules: rules)
  }

  /// Sends an event with one argument, typed, from this node on behalf of another object, or without a source.
  ///
  ///     row.send(rowTapped, source: nil, 3)
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - source: The first argument of the handlers. It is kept alive until the pass ends.
  ///   - a: The argument.
  ///   - rules: How the event is routed.
  /// - Returns: The outcome of the event, as for boxed arguments.
  /// - Complexity: See ``RoutingRules``.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<A: _BoxConvertible>(
    _ key: TypedEventKey<A>, source: AnyObject?, _ a: A, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: source, payload: TypedPayload1(a), rules: rules)
  }

  /// Sends a typed event with one argument from this node on behalf of another object, and waits.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible>(
    _ key: TypedEventKey<A>, source: AnyObject?, _ a: A, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: source, payload: TypedPayload1(a), rules: rules)
  }

  /// Sends a typed event with two arguments from this node on behalf of another object.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible>(
    _ key: TypedEventKey<(A, B)>, source: AnyObject?, _ a: A, _ b: B, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: source, payload: TypedPayload2(a, b), rules: rules)
  }

  /// Sends a typed event with two arguments from this node on behalf of another object, and waits.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible>(
    _ key: TypedEventKey<(A, B)>, source: AnyObject?, _ a: A, _ b: B, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: source, payload: TypedPayload2(a, b), rules: rules)
  }

  /// Sends a typed event with three arguments from this node on behalf of another object.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: source, payload: TypedPayload3(a, b, c), rules: rules)
  }

  /// Sends a typed event with three arguments from this node on behalf of another object, and waits.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: source, payload: TypedPayload3(a, b, c), rules: rules)
  }

  /// Sends a typed event with four arguments from this node on behalf of another object.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: source, payload: TypedPayload4(a, b, c, d), rules: rules)
  }

  /// Sends a typed event with four arguments from this node on behalf of another object, and waits.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible>(
    _ key: TypedEventKey<(A, B, C, D)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key.key, source: source, payload: TypedPayload4(a, b, c, d), rules: rules)
  }
}
