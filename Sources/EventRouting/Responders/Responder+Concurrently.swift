public import DynamicInvocation

/// Sending events to asynchronous handlers that run at the same time.
extension Responder {
  /// Sends an event from this node, starts its asynchronous handlers, and waits for all of them.
  ///
  ///     let outcome = await page.sendConcurrently("save", within: .seconds(2))
  ///
  /// The handlers are called in the order of a synchronous send. An asynchronous one runs up to its first suspension; then
  /// the next one is called. So the route takes the reply of an asynchronous handler from its options, as that of a
  /// synchronous send does, and another reply is logged. Use ``sendAwaiting(_:arguments:rules:)`` where the reply of a handler
  /// decides whether the next one is called.
  ///
  /// The asynchronous handlers run on the actor of the caller, which is that of the tree. In code of no actor they are
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
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router, within limit: Duration? = nil,
    clock: C = ContinuousClock()
  ) async -> SendOutcome {
    await sendConcurrently(key, source: self, arguments: arguments, rules: rules, within: limit, clock: clock)
  }

  /// Sends an event from this node on behalf of another object, or without a source, starts its asynchronous handlers, and waits
  /// for all of them; see the form without a source.
  @discardableResult
  public nonisolated(nonsending) func sendConcurrently<C: Clock<Duration>>(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router, within limit: Duration? = nil,
    clock: C = ContinuousClock()
  ) async -> SendOutcome {
    await routeConcurrently(key, source, BoxedPayload(arguments ?? []), rules, limit, Self.sleep(limit, clock))
  }

  /// Sends a typed event from this node, starts its asynchronous handlers, and waits for all of them; see the form with boxed
  /// arguments.
  @_disfavoredOverload  // A literal is a key without types.
  @discardableResult
  public nonisolated(nonsending) func sendConcurrently<each Argument: _BoxConvertible, C: Clock<Duration>>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router,
    within limit: Duration? = nil, clock: C = ContinuousClock()
  ) async -> SendOutcome {
    await sendConcurrently(key, source: self, repeat each arguments, rules: rules, within: limit, clock: clock)
  }

  /// Sends a typed event from this node on behalf of another object, or without a source, starts its asynchronous handlers, and
  /// waits for all of them; see the form with boxed arguments.
  @_disfavoredOverload  // A literal is a key without types.
  @discardableResult
  public nonisolated(nonsending) func sendConcurrently<each Argument: _BoxConvertible, C: Clock<Duration>>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument, rules: RoutingRules = .router,
    within limit: Duration? = nil, clock: C = ContinuousClock()
  ) async -> SendOutcome {
    await routeConcurrently(key.key, source, LatePayload(boxing: repeat each arguments), rules, limit, Self.sleep(limit, clock))
  }

  /// Returns what sleeps from now on for a duration; nil without one.
  private static func sleep<C: Clock<Duration>>(_ limit: Duration?, _ clock: C) -> (@Sendable () async throws -> Void)? {
    guard let limit else { return nil }
    let deadline = clock.now.advanced(by: limit)
    return { try await clock.sleep(until: deadline, tolerance: nil) }
  }

  // A closure that awaits runs on the actor of the caller only if it refers to an isolated parameter.
  private func routeConcurrently(
    _ key: EventKey, _ source: AnyObject?, _ payload: any EventPayload, _ rules: RoutingRules, _ limit: Duration?,
    _ sleep: (@Sendable () async throws -> Void)?, isolation actor: isolated (any Actor)? = #isolation
  ) async -> SendOutcome {
    let handlers = StartedHandlers(on: actor)
    return await withTaskCancellationHandler {
      _ = actor
      var outcome = route(key, source: source, payload: StartingPayload(payload, handlers), rules: rules)
      await handlers.wait(sleep)
      handlers.note(in: &outcome, limit, rules)
      return outcome
    } onCancel: {
      handlers.cancel()
    }
  }
}
