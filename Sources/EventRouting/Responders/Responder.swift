public import DynamicInvocation

/// An object that takes part in routing: a node of a tree.
///
/// A class hierarchy conforms with two properties, its next responder and its children; all other requirements have
/// defaults. A third one, a stored ``ResponderState``, gives each object handlers, an override of its next responder,
/// and a terminality.
///
/// ```swift
/// extension View: Responder {
///   var nextResponder: (any Responder)? { superview }
///   var childResponders: [any Responder] { subviews }
/// }
/// ```
///
/// A tree belongs to its isolation domain. A class of the main actor conforms as `extension View: @MainActor
/// Responder`; the compiler then requires every send to be on the main actor.
///
/// ``ResponderNode`` is a ready-made responder, and the fastest one.
public protocol Responder: AnyObject {
  /// The node that a pass up visits after this one, nil at the root.
  var nextResponder: (any Responder)? { get }

  /// The nodes that a pass down visits after this one, in order; empty by default.
  ///
  /// The getter must not create nodes: a pass down calls it on every node of the tree.
  var childResponders: [any Responder] { get }

  /// The state that the node stores for routing; nil by default.
  var responderState: ResponderState? { get }

  /// The handlers of the node, nil when it never had any; by default those of its state.
  ///
  /// Passes use this property: it does not create a proxy.
  var eventProxy: EventProxy? { get }

  /// The handlers of the node, to register new ones; created on first access.
  ///
  /// By default this is ``eventProxy``, or the proxy of the state if there is none yet. The default traps for a node
  /// that has neither, since such a node cannot have handlers.
  var proxy: EventProxy { get }

  /// The node that a pass up visits instead of ``Responder/nextResponder``; by default that of the state.
  ///
  /// Passes down ignore it.
  var nextOverride: (any Responder)? { get }

  /// Whether the node ends passes up; by default the terminality of the state.
  var terminality: RoutingRules.Terminality { get }

  /// Whether a pass up ends before this node, if its rules respect boundaries; by default the value of the state.
  ///
  /// Windows and applications are boundaries.
  var isBoundary: Bool { get }

  /// The name of the node in reports, pictures and warnings; by default the name of its type.
  var responderName: String { get }
}

extension Responder {
  /// No children.
  public var childResponders: [any Responder] { [] }

  /// No state.
  public var responderState: ResponderState? { nil }

  /// The handlers of the state, nil when it never had any.
  public var eventProxy: EventProxy? { responderState?.eventProxy }

  /// The handlers, or those of the state, created if needed; traps for a node without a state.
  public var proxy: EventProxy {
    if let proxy = eventProxy ?? responderState?.proxy { return proxy }
    preconditionFailure("\(type(of: self)) keeps no handlers: store a ResponderState in it and return that from responderState")
  }

  /// The override in the state.
  public var nextOverride: (any Responder)? { responderState?.nextOverride }

  /// The terminality of the state, ``RoutingRules/Terminality/passing`` without a state.
  public var terminality: RoutingRules.Terminality { responderState?.terminality ?? .passing }

  /// The value of the state, false without a state.
  public var isBoundary: Bool { responderState?.isBoundary ?? false }

  /// The name of the type.
  public var responderName: String { String(describing: type(of: self)) }
}

extension RoutingRules {
  /// Whether a node ends the passes up that reach it.
  public enum Terminality: Sendable, Hashable {
    /// The replies of its handlers and the rules of the pass decide.
    case passing
    /// It ends the events that it handles, whatever its handlers reply, and passes the others.
    ///
    /// This is the terminality that a view controller should have.
    case forOwnKeys
    /// No event passes it, handled or not.
    case always
  }
}

/// The state that an object of a class other than ``ResponderNode`` stores to take part in routing.
///
/// Store an instance in the class and return it from ``Responder/responderState``.
public final class ResponderState {
  /// The node that a pass up visits instead of the next responder.
  ///
  /// It is not kept alive: when it is deallocated, passes up visit the next responder again. Nil removes it. If it
  /// leads back to a node of the path, the pass ends there with ``SendOutcome/RoutingError/cyclicPath(_:)``.
  public weak var nextOverride: (any Responder)?

  /// Whether the node ends passes up.
  public var terminality: RoutingRules.Terminality = .passing

  /// Whether a pass up that respects boundaries ends before the node.
  public var isBoundary: Bool = false

  /// The handlers as returned by ``Responder/eventProxy``; nil until ``proxy`` is accessed or this property is set.
  public var eventProxy: EventProxy? {
    // With the former value: it is released after the change, since what its handlers keep may use this object.
    didSet { withExtendedLifetime(oldValue) {} }
  }

  /// The handlers, created on first access.
  public var proxy: EventProxy {
    if let eventProxy { return eventProxy }
    let proxy = EventProxy()
    eventProxy = proxy
    return proxy
  }

  /// Creates the state of a node without handlers.
  public init() {}
}

// MARK: - Route

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

// MARK: - Awaiting

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
