extension ResponderNode {
  /// The node that keeps this one alive, nil for a root.
  public final var parent: ResponderNode? { record.fields.parent?.node }

  /// The uppermost node of the tree, the node itself when it has no parent.
  ///
  /// Whoever keeps it keeps the whole tree; ``ResponderTree`` does.
  ///
  /// - Complexity: O(depth).
  public final var root: ResponderNode {
    var root = record
    while let above = root.fields.parent { root = above }
    return root.node ?? self
  }

  /// The children, in order.
  ///
  /// - Complexity: O(children), with an array made each time.
  public final var children: [ResponderNode] {
    var nodes: [ResponderNode] = []
    var child = record.fields.firstChild
    while let here = child {
      here.withNode { nodes.append($0) }
      child = here.fields.nextSibling
    }
    return nodes
  }

  /// Adds a node as the last child; it leaves its parent first.
  ///
  /// This node keeps the child; the child does not keep this node.
  ///
  /// Traps when `child` is this node or above it: a tree has no cycles. ``canAdopt(_:)`` asks before.
  ///
  /// - Complexity: O(depth) when `child` has children, and the news of its keys goes up as far as it is news.
  public final func addChild(_ child: ResponderNode) { adopt(child, before: nil) }

  /// Adds a node as the child at an index; it leaves its parent first.
  ///
  /// Traps when `child` is this node or above it, and when the index is not in `0...children.count`, counted without
  /// `child`.
  ///
  /// - Complexity: O(index) more than ``addChild(_:)``.
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

  /// Takes the node out of its parent; a root stays as it is.
  ///
  /// A pass on its way skips the node from then on; one that goes down skips also what is below it.
  public final func removeFromParent() {
    guard let parent = record.fields.parent else { return }
    NodeRecord.noteRemoval()
    parent.uncountKeys(of: record)
    record.unlink()
    if parent.fields.firstChild == nil { parent.forgetSaturation() }
    unsafe Unmanaged.passUnretained(self).release()
  }

  /// Whether a node could be a child of this one: it is neither this one nor above it.
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
    _ = unsafe Unmanaged.passRetained(child)
    record.insert(child.record, before: sibling)
    record.countKeys(of: child.record)
  }

  /// Releases the children of a dying node, and theirs, one after the other: a tree may be deeper than the stack.
  static func release(childrenOf dying: NodeRecord) {
    var pending: NodeRecord?
    dying.moveChildren(to: &pending)
    while let record = pending {
      pending = record.fields.nextPending
      record.fields.nextPending = nil
      guard var node = unsafe record.fields.node?.takeRetainedValue() else { continue }
      // The node dies with this reference: its children join the list instead of dying inside its deinit.
      if isKnownUniquelyReferenced(&node) { record.moveChildren(to: &pending) }
    }
  }
}
