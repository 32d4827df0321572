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
