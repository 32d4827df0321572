public import DynamicInvocation

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
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router, completion: ((SendOutcome) -> Void)? = nil
  ) -> SendOutcome {
    send(key, source: self, arguments: arguments, rules: rules, completion: completion)
  }

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

  /// Sends an event with arguments of any kind from this node.
  ///
  /// All other methods that send events call this one.
  @inlinable
  @discardableResult
  package func route<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules = .router
  ) -> SendOutcome {
    Router.send(key, from: self, source: source, rules: rules) { $0.run($1, upTo: $2, skipping: $3, source: source, payload) }
  }

  /// Sends an event from this node, and reports its route.
  ///
  /// - Complexity: Allocates in proportion to the size of the report.
  public func report(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends an event from this node, and reports its route.
  public func report(_ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router) -> DispatchReport {
    report(key, source: self, arguments: arguments, rules: rules)
  }

  /// Sends an event with arguments of any kind from this node, and reports its route.
  package func report<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules
  ) -> DispatchReport {
    Router.report(key, from: self, source: source, rules: rules, isDryRun: false) {
      $0.run($1, upTo: $2, skipping: $3, source: source, payload)
    }.report
  }

  /// Sends a typed event from this node on behalf of another object, and reports its route.
  ///
  ///     print(row.report(rowTapped, source: nil, 3))
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - source: The first argument of the handlers.
  ///   - arguments: The arguments after the source.
  ///   - rules: How the event is routed.
  /// - Complexity: Boxes the arguments, and allocates in proportion to the size of the report.
  @_disfavoredOverload  // A literal is a key without types.
  public func report<each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key.key, source: source, payload: LatePayload(boxing: repeat each arguments), rules: rules)
  }

  /// Sends a typed event from this node, and reports its route; see the form with a source.
  @_disfavoredOverload  // A literal is a key without types.
  public func report<each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key, source: self, repeat each arguments, rules: rules)
  }

  /// Reports which nodes an event would visit and which would handle it, without calling a handler.
  ///
  /// Handlers are assumed to reply as their options specify: to resend the event under ``HandlerOptions/rewritesTo``
  /// where that is set, and otherwise ``HandlerOptions/reply``, which is ``EventReply/handled`` by default. If they do,
  /// the report equals that of ``report(_:arguments:rules:)``, except for the arguments that are sent under a declared
  /// key, which are not known in advance. Whether a handler takes the source and the arguments of the event is not
  /// known either. An interceptor decides for each event: ``DispatchReport/visitsIfIgnored`` has the route if it
  /// ignores this one. The text of the report says that it is a dry run, and shows that route as well.
  public func dryRun(_ key: EventKey, rules: RoutingRules = .router) -> DispatchReport {
    Router.report(key, from: self, source: nil, rules: rules, isDryRun: true) { _, _, _, _ in EventProxy.Answer() }.report
  }

  /// Reports which nodes a typed event would visit and which would handle it, without calling a handler; see the form
  /// with a plain key.
  @_disfavoredOverload  // A literal is a key without types.
  public func dryRun<Arguments>(_ key: TypedEventKey<Arguments>, rules: RoutingRules = .router) -> DispatchReport {
    dryRun(key.key, rules: rules)
  }
}

extension LatePayload {
  /// Boxes the arguments of a typed event.
  ///
  /// An argument that cannot be boxed is an error of each handler, as when the event is sent.
  init<each Argument: _BoxConvertible>(boxing arguments: repeat each Argument) {
    var boxes: [Result<BoxedValue, InvocationError>] = []
    for argument in repeat each arguments {
      do throws(InvocationError) { boxes.append(.success(try argument.boxed())) } catch { boxes.append(.failure(error)) }
    }
    self.init(count: boxes.count) { [boxes] index, _, _ throws(InvocationError) in try boxes[index].get() }
  }
}

// MARK: - Packs

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
