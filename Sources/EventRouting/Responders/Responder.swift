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
