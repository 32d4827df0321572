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
open class ResponderNode: Responder, EncodedObject, CustomStringConvertible {
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
      overrider.node?.unlinkOverride()
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
    if !proxy.interceptorsOfPrefixes.isEmpty { record.setTakesAnyKey(true) }
    for key in proxy.listedKeys { record.setOwn(HashedKey(key), proxy.phases(of: key)) }
  }

  private func stopObserving(_ proxy: EventProxy) {
    proxy.detach(record)
    record.setTakesAnyKey(false)
    for key in proxy.listedKeys { record.setOwn(HashedKey(key), .none) }
  }

  /// The name, the number of children, and the number of keys that it handles.
  public final var description: String {
    let handled = eventProxy.map { ", \($0.keys.count.counted("key"))" } ?? ""
    return "\(responderName.asName)(\(children.count == 1 ? "1 child" : "\(children.count) children")\(handled))".asLine
  }
}

// MARK: - Children

extension ResponderNode {
  /// The node that retains this one, nil for a root.
  public final var parent: ResponderNode? { record.fields.parent?.node }

  /// The topmost node of the tree; the node itself when it has no parent.
  ///
  /// A parent retains its children, and a child does not retain its parent: a reference to a lower node does not keep the nodes
  /// above alive, and a reference to the root keeps the whole tree alive. Store the root where it has no owner of its own:
  ///
  /// ```swift
  /// let leaf = makePage()  // Returns a node deep in a tree that nothing else holds.
  /// page = (root: leaf.root, leaf)
  /// ```
  ///
  /// Call it while the root is alive. The tree does not hold the reference, so there is no retain cycle. In a function the
  /// optimizer may release the reference after its last use, like any variable; `withExtendedLifetime` keeps it longer. When a
  /// root gets a parent, a reference to it still keeps the tree below it alive; its own `root` is then the new root.
  ///
  /// - Complexity: O(depth).
  public final var root: ResponderNode {
    var root = record
    while let above = root.fields.parent { root = above }
    return root.node ?? self
  }

  /// The children, in order.
  ///
  /// - Complexity: O(children); creates an array each time.
  public final var children: [ResponderNode] {
    var nodes: [ResponderNode] = []
    var child = record.fields.firstChild
    while let here = child {
      if let node = here.node { nodes.append(node) }
      child = here.fields.nextSibling
    }
    return nodes
  }

  /// Adds a node as the last child, after removing it from its former parent.
  ///
  /// This node retains the child; the child does not retain this node.
  ///
  /// Traps when `child` is this node or above it, since a tree has no cycles. Check with ``canAdopt(_:)`` first.
  ///
  /// - Complexity: O(depth) when `child` has children. In addition, each key of `child` propagates up to the first node
  ///   that already leads to it.
  public final func addChild(_ child: ResponderNode) { adopt(child, before: nil) }

  /// Adds a node as the child at an index, after removing it from its former parent.
  ///
  /// Traps when `child` is this node or above it, and when the index is not in `0...children.count`, counted without
  /// `child`.
  ///
  /// - Complexity: O(index) in addition to ``addChild(_:)``.
  public final func insertChild(_ child: ResponderNode, at index: Int) {
    precondition(canAdopt(child), "a node cannot be the child of itself or of a node below it")
    child.removeFromParent()
    precondition(index >= 0, "a child's index is out of range")
    var sibling = record.fields.firstChild
    for _ in 0..<index {
      precondition(sibling != nil, "a child's index is out of range")
      sibling = sibling?.fields.nextSibling
    }
    adopt(child, before: sibling)
  }

  /// Removes the node from its parent; does nothing for a root.
  ///
  /// A running pass skips the node from then on; a pass down also skips the nodes below it.
  public final func removeFromParent() {
    guard let parent = record.fields.parent else { return }
    NodeRecord.noteRemoval()
    parent.uncountKeys(of: record)
    record.unlink()
    if parent.fields.firstChild == nil { parent.forgetSaturation() }
    unsafe Unmanaged.passUnretained(self).release()
  }

  /// Whether a node can become a child of this one: it is neither this node nor above it.
  ///
  /// - Complexity: O(depth), O(1) when the node has no children.
  public final func canAdopt(_ child: ResponderNode) -> Bool {
    if child === self { return false }
    guard child.record.fields.firstChild != nil else { return true }
    var above = record.fields.parent
    while let here = above {
      if here == child.record { return false }
      above = here.fields.parent
    }
    return true
  }

  private func adopt(_ child: ResponderNode, before sibling: NodeRecord?) {
    precondition(canAdopt(child), "a node cannot be the child of itself or of a node below it")
    child.removeFromParent()
    if child.record.isPending {
      // A deinitializer may add a node whose parent is being deallocated: this node takes over that parent's reference.
      child.record.leaveOrphans()
    } else {
      _ = unsafe Unmanaged.passRetained(child)
    }
    record.insert(child.record, before: sibling)
    record.countKeys(of: child.record)
  }

  /// Releases the descendants of a node that is being deallocated, iteratively: a tree may be deeper than the stack.
  static func release(childrenOf dying: NodeRecord) {
    dying.moveChildren(after: dying)
    while let record = dying.fields.nextSibling {
      record.leaveOrphans()
      guard var node = unsafe record.fields.node?.takeRetainedValue() else { continue }
      // This reference is the last one: the children join the list instead of being released recursively in the deinit.
      if isKnownUniquelyReferenced(&node) { record.moveChildren(after: dying) }
    }
  }
}
