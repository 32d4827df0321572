public import DynamicInvocation

/// A ready-made responder: a node with children in order, handlers and a name.
///
/// - Important: A parent keeps its children alive, a child does not keep its parent: **keep the root**. When a parent dies its children become roots, and
///   events that they send do not come to what was above. An optimized build lets go of a variable after its last use: a root that only a local variable
///   holds is gone before its leaf sends, where a debug build still has it. Keep the root in a property, or hold the tree from any of its nodes by a
///   ``ResponderTree``, or use `withExtendedLifetime`. The warning about an event that nobody handled names a node whose parent has ended.
///
/// The tree has no cycles; ``nextOverride`` may make one of the way up, and a pass then ends where it would come back.
///
/// It is an object that a method known by its selector may take as the source of an event.
///
/// - Complexity: A hop of a pass up costs a few loads, without reference counting. See ``RoutingRules`` for passes down.
open class ResponderNode: Responder, EncodedObject {
  let record: NodeRecord
  /// The override, if it is no `ResponderNode`; the record's links hold one that is.
  private weak var externalOverride: (any Responder)?

  /// The name of the node in reports, pictures and warnings.
  public final var name: String?

  /// Creates a root without children.
  ///
  /// Keep it: a child that is added to it does not.
  ///
  /// - Parameter name: The name in reports; its type when nil.
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

  /// The handlers, nil until ``proxy`` is asked for or this is set.
  ///
  /// Several nodes may share one.
  public final var eventProxy: EventProxy? {
    didSet {
      guard eventProxy !== oldValue else { return }
      oldValue.map { stopObserving($0) }
      unsafe record.fields.proxy = eventProxy.map { unsafe Unmanaged.passUnretained($0) }
      record.setFlag(.hasProxy, eventProxy != nil)
      eventProxy.map { startObserving($0) }
    }
  }

  /// The handlers, made when first asked for.
  public final var proxy: EventProxy {
    if let eventProxy { return eventProxy }
    let proxy = EventProxy()
    eventProxy = proxy
    return proxy
  }

  /// Whether the node ends passes up.
  public final var terminality: Terminality {
    get {
      if record.fields.flags.contains(.terminalAlways) { return .always }
      return record.fields.flags.contains(.terminalForOwnKeys) ? .forOwnKeys : .passing
    }
    set {
      record.setFlag(.terminalAlways, newValue == .always)
      record.setFlag(.terminalForOwnKeys, newValue == .forOwnKeys)
    }
  }

  /// Whether a pass up that looks at boundaries ends before the node.
  public final var isBoundary: Bool {
    get { record.fields.flags.contains(.boundary) }
    set { record.setFlag(.boundary, newValue) }
  }

  /// The parent.
  public final var nextResponder: (any Responder)? { parent }

  /// The children, in order.
  public final var childResponders: [any Responder] { children }

  /// Nothing: the node keeps its own state.
  public final var responderState: ResponderState? { nil }

  /// The name, or that of the type.
  open var responderName: String { name ?? String(describing: type(of: self)) }

  /// The node that a pass up asks instead of the parent; passes down do not look at it.
  ///
  /// It is not kept alive: when it dies the parent counts again. Nil removes it. One that leads back to a node of the path ends the pass there, with
  /// ``RoutingError/cyclicPath(_:)``.
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
        record.fields.nextOverrider = node.record.fields.firstOverrider
        node.record.fields.firstOverrider = record
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

/// Keeps a tree of nodes alive, from whichever of its nodes it was made.
///
/// A parent keeps its children, a child does not keep its parent: whoever holds only nodes further down loses those above. Hold a tree where the root has
/// no owner of its own:
///
/// ```swift
/// let leaf = makePage()                                         // returns a node deep in a tree that nobody else holds
/// page = (ResponderTree(of: leaf), leaf)
/// ```
///
/// Make it while the root is alive. Nothing in the tree holds it, so there is no retain cycle. In a function the optimizer may let go of it after its last
/// use, as of any variable; `withExtendedLifetime` holds it longer.
public final class ResponderTree {
  private let node: ResponderNode

  /// The root that the tree had when this was made; if that has got a parent since, the root above it.
  ///
  /// - Complexity: O(depth) of what is above the first root.
  public var root: ResponderNode { node.root }

  /// Holds the tree of a node.
  ///
  /// What is above its root later is not held.
  ///
  /// - Complexity: O(depth).
  public init(of node: ResponderNode) { self.node = node.root }
}
