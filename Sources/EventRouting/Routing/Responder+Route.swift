public import DynamicInvocation

extension Responder {
  /// Sends an event from this node.
  ///
  /// Everything happens before this returns, on the thread of the caller. A handler may send events, and each is delivered before its `send` returns.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments after the source; nil is the same as none, a null among them is `[.null]`.
  ///   - rules: How the event travels.
  ///   - completion: Is called once at the end, with what this returns.
  /// - Returns: What became of the event. A handler's error ends neither the pass nor the other handlers of its node; the first one is in here.
  /// - Complexity: See ``RoutingRules``.
  @discardableResult
  public func send(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router, completion: ((SendOutcome) -> Void)? = nil
  ) -> SendOutcome {
    send(key, source: self, arguments: arguments, rules: rules, completion: completion)
  }

  /// Sends an event with one argument from this node; nil is the argument null.
  ///
  /// A send without `argument:` has no argument.
  @discardableResult
  public func send(_ key: EventKey, argument: BoxedValue?, rules: RoutingRules = .router) -> SendOutcome {
    send(key, source: self, arguments: [argument ?? .null], rules: rules)
  }

  /// Sends an event from this node on behalf of another object, or of none.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - source: What handlers are given as their first argument. It is kept alive until the pass ends; one that has died before is nil.
  ///   - arguments: The arguments after the source; nil is the same as none.
  ///   - rules: How the event travels.
  ///   - completion: Is called once at the end, with what this returns.
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
  /// This is what every other way of sending calls.
  @inlinable
  @discardableResult
  package func route<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules = .router
  ) -> SendOutcome {
    Router.send(key, from: self, source: source, rules: rules) { $0.run($1, upTo: $2, skipping: $3, source: source, payload) }
  }

  /// Sends an event from this node, and reports its way.
  ///
  /// - Complexity: Allocates as much as there is to tell.
  public func report(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends an event from this node, and reports its way.
  public func report(_ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router) -> DispatchReport {
    report(key, source: self, arguments: arguments, rules: rules)
  }

  /// Sends an event with arguments of any kind from this node, and reports its way.
  package func report<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules
  ) -> DispatchReport {
    Router.report(key, from: self, source: source, rules: rules, isDryRun: false) {
      $0.run($1, upTo: $2, skipping: $3, source: source, payload)
    }.report
  }

  /// Sends a typed event from this node on behalf of another object, and reports its way.
  ///
  ///     print(row.report(rowTapped, source: nil, 3))
  ///
  /// - Parameters:
  ///   - key: The event; a literal takes its types from the call.
  ///   - source: What handlers are given as their first argument.
  ///   - arguments: The arguments after the source.
  ///   - rules: How the event travels.
  /// - Complexity: Boxes the arguments, and allocates as much as there is to tell.
  @_disfavoredOverload  // A literal is a key without types.
  public func report<each Argument: BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) -> DispatchReport {
    var boxes: [Result<BoxedValue, InvocationError>] = []
    for argument in repeat each arguments {
      do throws(InvocationError) { boxes.append(.success(try argument.boxed())) } catch { boxes.append(.failure(error)) }
    }
    // An argument that has no box is an error of each handler, as when the event is sent.
    let payload = LatePayload(count: boxes.count) { [boxes] index, _ throws(InvocationError) in try boxes[index].get() }
    return report(key.key, source: source, payload: payload, rules: rules)
  }

  /// Sends a typed event from this node, and reports its way; see the form with a source.
  @_disfavoredOverload  // A literal is a key without types.
  public func report<each Argument: BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) -> DispatchReport {
    report(key, source: self, repeat each arguments, rules: rules)
  }

  /// Tells which nodes would be asked, and which would handle an event, without calling a handler.
  ///
  /// Handlers are taken to answer what their options say: to send the event on under ``HandlerOptions/rewritesTo`` where that is set, and else
  /// ``HandlerOptions/reply``, which is ``EventReply/handled`` by default. The report equals that of ``report(_:arguments:rules:)`` when they do, but for
  /// the arguments that are sent on under a declared key, which nobody knows before.
  public func wouldHandle(_ key: EventKey, rules: RoutingRules = .router) -> DispatchReport {
    Router.report(key, from: self, source: nil, rules: rules, isDryRun: true) { _, _, _, _ in NodeAnswer() }.report
  }

  /// Tells which nodes would be asked for a typed event, and which would handle it, without calling a handler; see the form with a plain key.
  @_disfavoredOverload  // A literal is a key without types.
  public func wouldHandle<Arguments>(_ key: TypedEventKey<Arguments>, rules: RoutingRules = .router) -> DispatchReport {
    wouldHandle(key.key, rules: rules)
  }
}
