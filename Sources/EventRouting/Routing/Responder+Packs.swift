public import DynamicInvocation

/// Sending typed events with five or more arguments through the tree.
extension Responder {
  /// Sends a typed event with five or more arguments from this node; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest,
    rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: self, payload: PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest), rules: rules)
  }

  /// Sends a typed event with five or more arguments from this node, and waits; see the form with one argument.
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ rest: repeat each Rest,
    rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(
      key.key, source: self, payload: PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest), rules: rules)
  }

  /// Sends a typed event with five or more arguments from this node on behalf of another object; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
    _ rest: repeat each Rest, rules: RoutingRules = .router
  ) -> SendOutcome {
    route(key.key, source: source, payload: PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest), rules: rules)
  }

  /// Sends a typed event with five or more arguments from this node on behalf of another object, and waits; see the form with one argument.
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
    _ rest: repeat each Rest, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(
      key.key, source: source, payload: PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest), rules: rules)
  }
}
