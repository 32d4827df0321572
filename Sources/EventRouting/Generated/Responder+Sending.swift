// Written by make generate from Scripts/Templates/EventRouting/Responder+Sending.swift.template.

public import DynamicInvocation

// Each form with the node as the source of the event, and with another source or none.

/// Sending events through the tree.
extension Responder {
  /// Sends an event from this node.
  ///
  /// The send is synchronous: all handlers run on the thread of the caller before this method returns. A handler may
  /// send events; each is delivered before its `send` returns.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments after the source; nil is the same as an empty array. A null argument is `[.null]`.
  ///   - rules: How the event is routed.
  ///   - completion: Called once at the end, with the returned outcome.
  /// - Returns: The outcome of the event. An error of a handler ends neither the pass nor the other handlers of its
  ///   node; the outcome has the first error.
  /// - Complexity: See ``RoutingRules``.
  @discardableResult
  public func send(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router,
    completion: ((SendOutcome) -> Void)? = nil
  ) -> SendOutcome {
    let outcome = route(key, source: self, payload: BoxedPayload(arguments ?? []), rules: rules)
    completion?(outcome)
    return outcome
  }

  /// Sends an event from this node, and waits for asynchronous handlers.
  ///
  /// The handlers are called in order, each after the one before has returned. All of them run in the isolation of the
  /// caller, in which the tree is. A synchronous send whose handlers reply the same has the same outcome. When the
  /// task is cancelled, the handlers are called nevertheless, and find out about it themselves.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments after the source; nil is the same as an empty array. A null argument is `[.null]`.
  ///   - rules: How the event is routed.
  /// - Returns: The outcome of the event. An error of a handler ends neither the pass nor the other handlers of its
  ///   node; the outcome has the first error.
  /// - Complexity: See ``RoutingRules``; a pass allocates its state, or reuses the state of a pass which has
  ///   ended.
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key, source: self, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends an event from this node, starts its asynchronous handlers, and waits for all of them.
  ///
  ///     let outcome = await page.sendConcurrently("save", within: .seconds(2))
  ///
  /// The handlers are called in the order of a synchronous send. An asynchronous one runs up to its first suspension; then
  /// the next one is called. So the route takes the reply of an asynchronous handler from its options, as a
  /// synchronous send does, and another reply is logged. Use ``sendAwaiting(_:arguments:rules:)`` where the reply of a handler
  /// decides whether the next one is called.
  ///
  /// The asynchronous handlers run on the actor of the caller, in which the tree is. In code of no actor they are
  /// refused: the outcome has an ``EventError`` with the code `asynchronousHandler`. A handler whose options refuse a synchronous
  /// send is called.
  ///
  /// At the deadline the handlers that have not returned are cancelled, and the send returns without them: also a handler that
  /// does not react to its cancellation does not delay it. Code that blocks the actor does. When the task that sends is
  /// cancelled, its handlers are cancelled, too, and the send waits for them.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments after the source; nil is the same as an empty array. A null argument is `[.null]`.
  ///   - rules: How the event is routed, and what happens to the errors of handlers.
  ///   - limit: How long the send waits from its beginning, or nil for as long as the handlers take.
  ///   - clock: What measures that time; tests pass one that they advance.
  /// - Returns: The outcome of the event, with the errors of the asynchronous handlers after the others. For a handler that has not
  ///   returned at the deadline it is an ``EventError`` with the code `deadlineExceeded`. A report of the send does not have them.
  /// - Complexity: Creates a task for each asynchronous handler, and one for the deadline.
  @discardableResult
  public nonisolated(nonsending) func sendConcurrently<C: Clock<Duration>>(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router,
    within limit: Duration? = nil, clock: C = ContinuousClock()
  ) async -> SendOutcome {
    await routeConcurrently(key, self, BoxedPayload(arguments ?? []), rules, limit, StartedHandlers.sleep(limit, clock))
  }

  /// Sends a typed event from this node, starts its asynchronous handlers, and waits for
  /// all of them; see the form with boxed arguments.
  @_disfavoredOverload  // A literal is a key without types.
  @discardableResult
  public nonisolated(nonsending) func sendConcurrently<each Argument: _BoxConvertible, C: Clock<Duration>>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument,
    rules: RoutingRules = .router, within limit: Duration? = nil, clock: C = ContinuousClock()
  ) async -> SendOutcome {
    await routeConcurrently(
      key.key, self, PackPayload(repeat each arguments), rules, limit, StartedHandlers.sleep(limit, clock))
  }
}

/// Reports of events.
extension Responder {
  /// Sends an event from this node, and reports its route.
  ///
  /// - Complexity: Allocates in proportion to the size of the report.
  public func report(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key, source: self, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends a typed event from this node, and reports its route.
  ///
  ///     print(row.report(rowTapped, 3))
  ///
  /// - Complexity: Boxes the arguments, and allocates in proportion to the size of the report.
  @_disfavoredOverload  // A literal is a key without types.
  public func report<each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument,
    rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key.key, source: self, payload: PackPayload(repeat each arguments), rules: rules)
  }

  /// Sends an event from this node, waits for asynchronous handlers, and reports its route.
  ///
  /// - Complexity: Allocates in proportion to the size of the report.
  public nonisolated(nonsending) func reportAwaiting(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async -> DispatchReport {
    await reportAwaiting(key, source: self, payload: BoxedPayload(arguments ?? []), rules: rules).report
  }

  /// Sends a typed event from this node, waits for asynchronous handlers, and reports its route.
  ///
  /// - Complexity: Boxes the arguments, and allocates in proportion to the size of the report.
  @_disfavoredOverload  // A literal is a key without types.
  public nonisolated(nonsending) func reportAwaiting<each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument,
    rules: RoutingRules = .router
  ) async -> DispatchReport {
    await reportAwaiting(key.key, source: self, payload: PackPayload(repeat each arguments), rules: rules).report
  }
}

/// Sending events through the tree on behalf of another object, or without a source.
extension Responder {
  /// Sends an event from this node on behalf of another object, or without a source.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - source: The first argument of the handlers. It is kept alive until the pass ends. An object that was
  ///     deallocated before the send is nil.
  ///   - arguments: The arguments after the source; nil is the same as an empty array.
  ///   - rules: How the event is routed.
  ///   - completion: Called once at the end, with the returned outcome.
  @discardableResult
  public func send(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router,
    completion: ((SendOutcome) -> Void)? = nil
  ) -> SendOutcome {
    let outcome = route(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
    completion?(outcome)
    return outcome
  }

  /// Sends an event from this node on behalf of another object, or without a source, and waits for asynchronous handlers.
  ///
  /// The source is kept alive until the pass ends. See the form without a source.
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async -> SendOutcome {
    await routeAwaiting(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends an event from this node on behalf of another object, or without a source, starts its asynchronous handlers, and waits for
  /// all of them; see the form without a source.
  @discardableResult
  public nonisolated(nonsending) func sendConcurrently<C: Clock<Duration>>(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router,
    within limit: Duration? = nil, clock: C = ContinuousClock()
  ) async -> SendOutcome {
    await routeConcurrently(key, source, BoxedPayload(arguments ?? []), rules, limit, StartedHandlers.sleep(limit, clock))
  }

  /// Sends a typed event from this node on behalf of another object, or without a source, starts its asynchronous handlers, and waits for
  /// all of them; see the form with boxed arguments.
  @_disfavoredOverload  // A literal is a key without types.
  @discardableResult
  public nonisolated(nonsending) func sendConcurrently<each Argument: _BoxConvertible, C: Clock<Duration>>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument,
    rules: RoutingRules = .router, within limit: Duration? = nil, clock: C = ContinuousClock()
  ) async -> SendOutcome {
    await routeConcurrently(
      key.key, source, PackPayload(repeat each arguments), rules, limit, StartedHandlers.sleep(limit, clock))
  }
}

/// Reports of events on behalf of another object, or without a source.
extension Responder {
  /// Sends an event from this node on behalf of another object, or without a source, and reports its route.
  ///
  /// - Complexity: Allocates in proportion to the size of the report.
  public func report(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends a typed event from this node on behalf of another object, or without a source, and reports its route.
  ///
  ///     print(row.report(rowTapped, source: nil, 3))
  ///
  /// - Complexity: Boxes the arguments, and allocates in proportion to the size of the report.
  @_disfavoredOverload  // A literal is a key without types.
  public func report<each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument,
    rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key.key, source: source, payload: PackPayload(repeat each arguments), rules: rules)
  }

  /// Sends an event from this node on behalf of another object, or without a source, waits for asynchronous handlers, and reports its route.
  ///
  /// - Complexity: Allocates in proportion to the size of the report.
  public nonisolated(nonsending) func reportAwaiting(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async -> DispatchReport {
    await reportAwaiting(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules).report
  }

  /// Sends a typed event from this node on behalf of another object, or without a source, waits for asynchronous handlers, and reports its route.
  ///
  /// - Complexity: Boxes the arguments, and allocates in proportion to the size of the report.
  @_disfavoredOverload  // A literal is a key without types.
  public nonisolated(nonsending) func reportAwaiting<each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument,
    rules: RoutingRules = .router
  ) async -> DispatchReport {
    await reportAwaiting(key.key, source: source, payload: PackPayload(repeat each arguments), rules: rules).report
  }
}
