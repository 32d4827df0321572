public import DynamicInvocation

/// Sending events to asynchronous handlers.
extension Responder {
  /// Sends an event from this node, and waits for asynchronous handlers.
  ///
  /// The handlers are called in order, each after the one before has returned. All of them run in the isolation of the
  /// caller, which is that of the tree. The outcome is that of a synchronous send whose handlers reply the same. When the
  /// task is cancelled, the handlers are called nevertheless, and find out about it themselves.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments after the source; nil is the same as an empty array. A null argument is `[.null]`.
  ///   - rules: How the event is routed.
  /// - Returns: The outcome of the event. An error of a handler ends neither the pass nor the other handlers of its
  ///   node; the outcome has the first error.
  /// - Complexity: See ``RoutingRules``; a pass allocates its state, or reuses that of a pass which has
  ///   ended.
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await sendAwaiting(key, source: self, arguments: arguments, rules: rules)
  }

  /// Sends an event from this node on behalf of another object, or without a source, and waits for asynchronous handlers.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - source: The first argument of the handlers. It is kept alive until the pass ends.
  ///   - arguments: The arguments after the source; nil is the same as an empty array.
  ///   - rules: How the event is routed.
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends an event from this node, waits for asynchronous handlers, and reports its route.
  ///
  /// - Complexity: Allocates in proportion to the size of the report.
  public nonisolated(nonsending) func reportAwaiting(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async -> DispatchReport {
    await reportAwaiting(key, source: self, arguments: arguments, rules: rules)
  }

  /// Sends an event from this node on behalf of another object, or without a source, waits for asynchronous handlers,
  /// and reports its route.
  public nonisolated(nonsending) func reportAwaiting(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async -> DispatchReport {
    await reportAwaiting(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules).report
  }

  /// Sends a typed event from this node on behalf of another object, waits for asynchronous handlers, and reports its
  /// route.
  ///
  ///     print(await row.reportAwaiting(rowTapped, source: nil, 3))
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - source: The first argument of the handlers.
  ///   - arguments: The arguments after the source.
  ///   - rules: How the event is routed.
  /// - Complexity: Boxes the arguments, and allocates in proportion to the size of the report.
  @_disfavoredOverload  // A literal is a key without types.
  public nonisolated(nonsending) func reportAwaiting<each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) async -> DispatchReport {
    await reportAwaiting(key.key, source: source, payload: LatePayload(boxing: repeat each arguments), rules: rules).report
  }

  /// Sends a typed event from this node, waits for asynchronous handlers, and reports its route; see the form with a
  /// source.
  @_disfavoredOverload  // A literal is a key without types.
  public nonisolated(nonsending) func reportAwaiting<each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) async -> DispatchReport {
    await reportAwaiting(key, source: self, repeat each arguments, rules: rules)
  }

  /// Sends an event with arguments of any kind from this node, and waits for asynchronous handlers.
  @inlinable
  @discardableResult
  package nonisolated(nonsending) func routeAwaiting<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules = .router
  ) async -> SendOutcome {
    if Router.isObserved(self) { return await reportAwaiting(key, source: source, payload: payload, rules: rules).outcome }
    let pass = Router.begin(key, from: self, source: source, rules: rules)
    await pass.drive(source: source, payload)
    return Router.end(pass, key, from: self, rules: rules)
  }

  @inlinable
  nonisolated(nonsending) func reportAwaiting<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules
  ) async -> (report: DispatchReport, outcome: SendOutcome) {
    await Router.reportAwaiting(key, from: self, source: source, rules: rules) {
      $0.run($1, upTo: $2, skipping: $3, source: source, payload)
    } _: {
      await $0.drive(source: source, payload)
    }
  }
}
