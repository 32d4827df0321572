internal import DynamicInvocation

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

  /// The handlers of the node, nil when it never had any; by default the handlers of its state.
  ///
  /// Passes use this property: it does not create a proxy.
  var eventProxy: EventProxy? { get }

  /// The handlers of the node, to register new ones; created on first access.
  ///
  /// By default this is ``eventProxy``, or the proxy of the state if there is none yet. The default traps for a node
  /// that has neither, since such a node cannot have handlers.
  var proxy: EventProxy { get }

  /// The node that a pass up visits instead of ``Responder/nextResponder``; by default the override in the state.
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

  /// ``eventProxy``, or the proxy of the state, created if needed; traps for a node without a state.
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
public final class ResponderState: CustomStringConvertible {
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
    // The old value is released after the change, since what its handlers keep may use this object.
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

  /// The number of keys, the terminality, and the boundary and the override if set.
  public var description: String {
    var parts = ["\((eventProxy?.keys.count ?? 0).counted("key"))", "\(terminality)"]
    if isBoundary { parts.append("boundary") }
    if let nextOverride { parts.append("next \(nextOverride.responderName.asName)") }
    return "ResponderState(\(parts.joined(separator: ", ")))".asLine
  }
}

// MARK: - Route

extension Responder {
  /// Sends an event with arguments of any kind from this node.
  ///
  /// All other methods that send events call this one. It is inlined, so the closure is specialized for the payload's type.
  @inlinable @inline(__always)
  @discardableResult
  package func route<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules = .router
  ) -> SendOutcome {
    Router.send(key, from: self, source: source, rules: rules) { $0.run($1, upTo: $2, skipping: $3, source: source, payload) }
  }

  /// Sends an event with arguments of any kind from this node, and reports its route.
  package func report<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules
  ) -> DispatchReport {
    Router.report(key, from: self, source: source, rules: rules, isDryRun: false) {
      $0.run($1, upTo: $2, skipping: $3, source: source, payload)
    }.report
  }

  /// Sends an event with arguments of any kind from this node, and waits for asynchronous handlers.
  @inlinable
  @discardableResult
  package nonisolated(nonsending) func routeAwaiting<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules = .router
  ) async -> SendOutcome {
    if Router.isObserved { return await reportAwaiting(key, source: source, payload: payload, rules: rules).outcome }
    let pass = Router.begin(key, from: self, source: source, rules: rules)
    await pass.drive(source: source, payload)
    return Router.end(pass, key, from: self, rules: rules)
  }

  @inlinable
  nonisolated(nonsending) func reportAwaiting<Payload: EventPayload>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules
  ) async -> (report: DispatchReport, outcome: SendOutcome) {
    await Router.reportAwaiting(key, from: self, source: source, rules: rules) { await $0.drive(source: source, payload) }
  }

  // A closure that awaits runs on the actor of the caller only if it refers to an isolated parameter.
  func routeConcurrently(
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

  /// Reports which nodes an event would visit and which would handle it, without calling a handler.
  ///
  /// Handlers are assumed to reply as their options specify: to resend the event under ``HandlerOptions/rewritesTo``
  /// where that is set, and otherwise ``HandlerOptions/reply``, which is ``EventReply/handled`` by default. If they do,
  /// the report equals the one of ``report(_:arguments:rules:)``, except for the arguments that are sent under a declared
  /// key, which are not known in advance. Whether a handler takes the source and the arguments of the event is not
  /// known either. An interceptor decides for each event: ``DispatchReport/visitsIfIgnored`` has the route if it
  /// ignores this one. The text of the report says that it is a dry run, and shows that route as well.
  public func dryRun(_ key: EventKey, rules: RoutingRules = .router) -> DispatchReport {
    Router.report(key, from: self, source: nil, rules: rules, isDryRun: true) { _, _, _, _ in EventProxy.Outcome() }.report
  }
}
