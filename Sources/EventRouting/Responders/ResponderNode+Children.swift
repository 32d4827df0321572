extension ResponderNode {
  /// The node that retains this one, nil for a root.
  public final var parent: ResponderNode? { record.fields.parent?.node }

  /// The topmost node of the tree; the node itself when it has no parent.
  ///
  /// A parent retains its children, and a child does not retain its parent: a reference to a lower node does not keep those
  /// above alive, and one to the root keeps the whole tree alive. Store it where the root has no owner of its own:
  ///
  /// ```swift
  /// let leaf = makePage()  // Returns a node deep in a tree that nothing else holds.
  /// page = (root: leaf.root, leaf)
  /// ```
  ///
  /// Call it while the root is alive. The tree does not hold the reference, so there is no retain cycle. In a function the
  /// optimizer may release it after its last use, like any variable; `withExtendedLifetime` keeps it longer. When a root
  /// gets a parent, a reference to it keeps the tree below it alive, and its own `root` is the new one.
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
      here.withNode { nodes.append($0) }
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
      // A deinitializer adds a node whose parent is being deallocated, too: the reference of that parent goes on to this.
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
