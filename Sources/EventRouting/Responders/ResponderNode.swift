public import DynamicInvocation

/// A ready-made responder: a node with ordered children, handlers and a name.
///
/// - Important: A parent retains its children, a child does not retain its parent: **keep the root**. When a parent is
///   deallocated, its children become roots, and the events that they send no longer reach the nodes that were above.
///   An optimized build may release a variable after its last use. So a root that only a local variable holds may be
///   deallocated before its leaf sends, while a debug build still has it. Store the ``root``, which any node of
///   the tree returns, in a property, or use `withExtendedLifetime`. The warning about an event that no node handled
///   names a node whose parent was deallocated.
///
/// The tree has no cycles. ``nextOverride`` may create a cycle in the path up; a pass then ends where it would return
/// to a node.
///
/// It is an encoded object: a method known by its selector may take it as the source of an event.
///
/// - Complexity: A step of a pass up costs a few loads, without reference counting. See ``RoutingRules`` for passes
///   down.
open class ResponderNode: Responder, EncodedObject {
  let record: NodeRecord
  /// The override, if it is not a `ResponderNode`; otherwise it is stored in the links of the record.
  private weak var externalOverride: (any Responder)?

  /// The name of the node in reports, pictures and warnings.
  public final var name: String?

  /// Creates a root without children.
  ///
  /// Keep a reference to it: its children do not retain it.
  ///
  /// - Parameter name: The name in reports; nil for the name of the type.
  public init(_ name: String? = nil) {
    record = NodeRecord()
    self.name = name
    unsafe record.fields.node = Unmanaged.passUnretained(self)
  }

  deinit {
    eventProxy.map { $0.detach(record) }
    unlinkOverride()
    while let overrider = record.fields.firstOverrider {
      overrider.withNode { $0.unlinkOverride() }
    }
    ResponderNode.release(childrenOf: record)
    record.die()
  }

  /// The handlers; nil until ``proxy`` is accessed or this property is set.
  ///
  /// Several nodes may share a proxy.
  public final var eventProxy: EventProxy? {
    didSet {
      guard eventProxy !== oldValue else { return }
      oldValue.map { stopObserving($0) }
      unsafe record.fields.proxy = eventProxy.map { unsafe Unmanaged.passUnretained($0) }
      record.setFlag(.hasProxy, eventProxy != nil)
      eventProxy.map { startObserving($0) }
    }
  }

  /// The handlers, created on first access.
  public final var proxy: EventProxy {
    if let eventProxy { return eventProxy }
    let proxy = EventProxy()
    eventProxy = proxy
    return proxy
  }

  /// Whether the node ends passes up.
  public final var terminality: RoutingRules.Terminality {
    get {
      if record.fields.flags.contains(.terminalAlways) { return .always }
      return record.fields.flags.contains(.terminalForOwnKeys) ? .forOwnKeys : .passing
    }
    set {
      record.setFlag(.terminalAlways, newValue == .always)
      record.setFlag(.terminalForOwnKeys, newValue == .forOwnKeys)
    }
  }

  /// Whether a pass up that respects boundaries ends before the node.
  public final var isBoundary: Bool {
    get { record.fields.flags.contains(.boundary) }
    set { record.setFlag(.boundary, newValue) }
  }

  /// The parent.
  public final var nextResponder: (any Responder)? { parent }

  /// The children, in order.
  public final var childResponders: [any Responder] { children }

  /// Nil: the node stores its own state.
  public final var responderState: ResponderState? { nil }

  /// The name, or the name of the type.
  open var responderName: String { name ?? String(describing: type(of: self)) }

  /// The node that a pass up visits instead of the parent; passes down ignore it.
  ///
  /// It is not kept alive: when it is deallocated, passes up visit the parent again. Nil removes it. If it leads back
  /// to a node of the path, the pass ends there with ``SendOutcome/RoutingError/cyclicPath(_:)``.
  public final var nextOverride: (any Responder)? {
    get {
      let flags = record.fields.flags
      if flags.contains(.external) { return externalOverride }
      return flags.contains(.overridden) ? record.fields.next?.node : nil
    }
    set {
      unlinkOverride()
      switch newValue {
      case nil: return
      case let node as ResponderNode:
        record.fields.next = node.record
        node.record.addOverrider(record)
        record.setFlag(.overridden, true)
      default:
        externalOverride = newValue
        record.setFlag(.external, true)
      }
    }
  }

  private func unlinkOverride() {
    if record.fields.flags.contains(.overridden), let target = record.fields.next {
      target.removeOverrider(record)
      record.setFlag(.overridden, false)
      record.fields.next = record.fields.parent
    }
    externalOverride = nil
    record.setFlag(.external, false)
  }

  private func startObserving(_ proxy: EventProxy) {
    proxy.attach(record)
    for key in proxy.keys { record.setOwn(HashedKey(key), proxy.directions(of: key)) }
  }

  private func stopObserving(_ proxy: EventProxy) {
    proxy.detach(record)
    for key in proxy.keys { record.setOwn(HashedKey(key), .none) }
  }
}
