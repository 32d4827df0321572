/// An object that takes part in routing: a node of a tree.
///
/// A class hierarchy takes part with two lines, its next and its children; everything else has a default. A third, a stored ``ResponderState``, gives
/// each object handlers, an override of its next, and a terminality.
///
/// ```swift
/// extension View: Responder {
///   var nextResponder: (any Responder)? { superview }
///   var childResponders: [any Responder] { subviews }
/// }
/// ```
///
/// A tree belongs to its isolation domain. A class of the main actor conforms as `extension View: @MainActor Responder`, and the compiler then keeps every
/// send to the main actor.
///
/// ``ResponderNode`` is a ready-made responder, and the quickest.
public protocol Responder: AnyObject {
  /// The node that a pass up asks after this one, nil at the root.
  var nextResponder: (any Responder)? { get }

  /// The nodes that a pass down asks after this one, in order; none by default.
  ///
  /// The answer must not make nodes: a pass down asks every node of the tree.
  var childResponders: [any Responder] { get }

  /// What the node keeps for routing; nil by default.
  var responderState: ResponderState? { get }

  /// The handlers of the node, nil when it never had any; those of its state by default.
  ///
  /// Passes ask for this one: it makes nothing.
  var eventProxy: EventProxy? { get }

  /// The handlers of the node, to register some: made when first asked for.
  ///
  /// By default that is ``eventProxy``, and the proxy of the state when there is none yet. A node that has neither cannot have handlers; asking it traps.
  var proxy: EventProxy { get }

  /// The node that a pass up asks instead of the next one; that of the state by default.
  ///
  /// Passes down do not look at it.
  var nextOverride: (any Responder)? { get }

  /// Whether the node ends passes up; what the state says by default.
  var terminality: Terminality { get }

  /// Whether a pass up ends before this node, if its rules look at boundaries; what the state says by default.
  ///
  /// Windows and applications are boundaries.
  var isBoundary: Bool { get }

  /// The name of the node in reports, pictures and warnings; its type by default.
  var responderName: String { get }
}

extension Responder {
  /// No children.
  public var childResponders: [any Responder] { [] }

  /// Nothing kept.
  public var responderState: ResponderState? { nil }

  /// The handlers of the state, nil when it never had any.
  public var eventProxy: EventProxy? { responderState?.eventProxy }

  /// The handlers, or those of the state, made if need be; traps for a node without a state.
  public var proxy: EventProxy {
    if let proxy = eventProxy ?? responderState?.proxy { return proxy }
    preconditionFailure("\(type(of: self)) keeps no handlers: store a ResponderState in it and return that from responderState")
  }

  /// The override in the state.
  public var nextOverride: (any Responder)? { responderState?.nextOverride }

  /// What the state says, ``Terminality/passing`` without one.
  public var terminality: Terminality { responderState?.terminality ?? .passing }

  /// What the state says, false without one.
  public var isBoundary: Bool { responderState?.isBoundary ?? false }

  /// The name of the type.
  public var responderName: String { String(describing: type(of: self)) }
}

/// Whether a node ends the passes up that reach it.
public enum Terminality: Sendable, Hashable {
  /// The answer of its handlers and the rules of the pass decide.
  case passing
  /// It ends the events that it handles, whatever its handlers say, and passes the others.
  ///
  /// The default for what a view controller was.
  case forOwnKeys
  /// Nothing goes beyond it, handled or not.
  case always
}

/// What an object of a foreign class keeps to take part in routing.
///
/// Store one in the class and return it from ``Responder/responderState``.
public final class ResponderState {
  /// The node that a pass up asks instead of the next one.
  ///
  /// It is not kept alive: when it dies the next one counts again. Nil removes it. One that leads back to a node of the path ends the pass there, with
  /// ``RoutingError/cyclicPath(_:)``.
  public weak var nextOverride: (any Responder)?

  /// Whether the node ends passes up.
  public var terminality: Terminality = .passing

  /// Whether a pass up that looks at boundaries ends before the node.
  public var isBoundary: Bool = false

  /// The handlers as ``Responder/eventProxy`` gives them, nil until ``proxy`` is asked for or this is set.
  public var eventProxy: EventProxy?

  /// The handlers, made when first asked for.
  public var proxy: EventProxy {
    if let eventProxy { return eventProxy }
    let proxy = EventProxy()
    eventProxy = proxy
    return proxy
  }

  /// Creates the state of a node without handlers.
  public init() {}
}
