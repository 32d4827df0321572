/// The index that lets a pass down skip subtrees: each node counts, for each key, the children that handle it or have a
/// node below them that does.
///
/// A change propagates up only while it changes whether a node is reached. A node with very many keys below stops
/// counting; otherwise a chain of nodes with a key each would cost the square of its length. Passes down search such
/// nodes, and those above them, as if they had every key.
///
/// A node with many children also has a ``ChildIndex``. It goes on counting when it is not known what is below one of
/// its children. It keeps more keys, in proportion to its children; so all tables together stay in proportion to the
/// number of nodes.
extension NodeRecord {
  /// The maximum number of keys that a node counts, unless its number of children raises the limit.
  static var mostKeys: Int { 256 }
  /// The number of keys per child that a node with many children counts.
  static var mostKeysOfChild: Int { 16 }
  /// The maximum number of children of a node without a child index.
  static var mostUnindexed: Int { 16 }
  /// The number of consecutive children that a pass examines before it queries the index.
  private static var mostLooks: Int { 8 }

  @inline(__always)
  func owns(_ key: HashedKey) -> Bool { fields.ownFilter & key.filterBit != 0 && fields.keys.owns(key) }

  /// The result of querying a node in a pass down.
  struct Reach {
    let node: NodeRecord
    /// Whether the node itself handles the key.
    let isListener: Bool
    /// Whether a node below may handle it.
    let goesBelow: Bool
  }

  /// The result of a pass down at this node; nil when neither the node nor a node below it handles the key.
  ///
  /// The result is exact unless the node is saturated. It takes one table lookup.
  @inline(__always)
  func reach(_ key: HashedKey) -> Reach? {
    if fields.flags.contains(.saturated) { return Reach(node: self, isListener: owns(key), goesBelow: fields.firstChild != nil) }
    guard fields.subtreeFilter & key.filterBit != 0, let entry = fields.keys.entry(of: key), entry.isReached else { return nil }
    return Reach(node: self, isListener: !entry.own.isDisjoint(with: key.directions), goesBelow: entry.children > 0)
  }

  /// The first child that may have a key.
  @inline(__always)
  func firstChild(having key: HashedKey, _ looks: inout Int) -> Reach? {
    guard let first = fields.firstChild else { return nil }
    looks += 1
    return first.reach(key) ?? first.nextSibling(having: key, &looks)
  }

  /// The next sibling that may have a key.
  @inline(__always)
  func nextSibling(having key: HashedKey, _ looks: inout Int) -> Reach? {
    fields.nextSibling == nil ? nil : laterSibling(having: key, &looks)
  }

  @inline(never)
  private func laterSibling(having key: HashedKey, _ looks: inout Int) -> Reach? {
    var rest = NodeRecord.mostLooks
    var next = fields.nextSibling
    while let here = next {
      looks += 1
      if let reach = here.reach(key) { return reach }
      rest -= 1
      if rest == 0, let index = here.fields.parent?.childIndex { return here.nextSibling(having: key, in: index, &looks) }
      next = here.fields.nextSibling
    }
    return nil
  }

  private func nextSibling(having key: HashedKey, in index: ChildIndex, _ looks: inout Int) -> Reach? {
    var here = self
    while let next = index.next(after: here, for: key) {
      looks += 1
      if let reach = next.reach(key) { return reach }
      here = next
    }
    return nil
  }
}

// MARK: Changes

extension NodeRecord {
  /// Stores the directions in which the node itself receives events of a key.
  func setOwn(_ key: HashedKey, _ directions: Directions) {
    let change = fields.keys.update(key) { $0.own = directions }
    if directions.isEmpty {
      rebuildFilters()
    } else {
      fields.ownFilter |= key.filterBit
      if change.after { fields.subtreeFilter |= key.filterBit }
    }
    if change.after, !change.before {
      tellParent(arrived: key)
    } else if change.before, !change.after {
      tellParent(left: key)
    }
  }

  /// Counts the keys of a new child.
  func countKeys(of child: NodeRecord) {
    if child.fields.flags.contains(.saturated) {
      child.tellParentUnknown()
    } else {
      child.forEachKeyReached { child.tellParent(arrived: $0) }
    }
    if fields.childCount == NodeRecord.mostUnindexed + 1, childIndex == nil { indexChildren() }
  }

  /// Uncounts the keys of a child that is being removed; its parent link is still set.
  func uncountKeys(of child: NodeRecord) {
    if child.fields.flags.contains(.unknownAbove) {
      child.fields.flags.remove(.unknownAbove)
      childIndex?.removeUnknown(child)
    } else if !fields.flags.contains(.uncounted) {
      child.forEachKeyReached { child.tellParent(left: $0) }
    }
  }

  /// Resets the counting state after the last child was removed.
  func forgetSaturation() {
    fields.flags.remove(.saturated)
    fields.flags.remove(.uncounted)
    childIndex = nil
  }

  private func forEachKeyReached(_ body: (HashedKey) -> Void) {
    fields.keys.forEach { key, entry in if entry.isReached { body(HashedKey(bits: key)) } }
  }

  private func tellParent(arrived key: HashedKey) {
    var full: NodeRecord?
    var child = self
    while !child.fields.flags.contains(.unknownAbove), let here = child.fields.parent, !here.fields.flags.contains(.uncounted) {
      let change = here.fields.keys.update(key) { $0.children += 1 }
      here.fields.subtreeFilter |= key.filterBit
      here.childIndex?.insert(child, for: key)
      if full == nil, here.isFull { full = here }
      if change.before { break }
      child = here
    }
    // Last: the nodes above have counted the key by now, and may be notified that the keys here are no longer known.
    full?.saturate(uncounting: true)
  }

  private func tellParent(left key: HashedKey) {
    var child = self
    while !child.fields.flags.contains(.unknownAbove), let here = child.fields.parent, !here.fields.flags.contains(.uncounted) {
      let change = here.fields.keys.update(key) { $0.children -= 1 }
      here.childIndex?.remove(child, for: key)
      if change.after { return }
      // A stale filter bit costs a table lookup, but is not an error.
      if here.fields.keys.count == 0 { here.fields.subtreeFilter = 0 }
      child = here
    }
  }

  private var isFull: Bool { fields.keys.count > max(NodeRecord.mostKeys, NodeRecord.mostKeysOfChild * fields.childCount) }

  /// Notifies the parent that the keys below this node are not fully known.
  private func tellParentUnknown() {
    guard let parent = fields.parent, !parent.fields.flags.contains(.uncounted) else { return }
    guard let index = parent.childIndex else { return parent.saturate(uncounting: true) }
    fields.flags.insert(.unknownAbove)
    index.insertUnknown(self)
    parent.saturate(uncounting: false)
  }

  /// Marks the keys below this node as not fully known, and those of each node above.
  ///
  /// - Parameter uncounting: Whether the node also stops counting the keys of its children.
  private func saturate(uncounting: Bool) {
    var here = self
    var uncounting = uncounting
    while true {
      let wasKnown = !here.fields.flags.contains(.saturated)
      let parent = wasKnown ? here.fields.parent.flatMap { $0.fields.flags.contains(.uncounted) ? nil : $0 } : nil
      if let index = parent?.childIndex {
        here.forEachKeyReached { here.tellParent(left: $0) }
        here.fields.flags.insert(.unknownAbove)
        index.insertUnknown(here)
      }
      here.fields.flags.insert(.saturated)
      if uncounting { here.stopCounting() }
      guard let parent else { return }
      uncounting = parent.childIndex == nil
      here = parent
    }
  }

  private func stopCounting() {
    fields.flags.insert(.uncounted)
    fields.keys.removeChildren()
    childIndex = nil
    rebuildFilters()
  }

  /// Creates the index of the children, and starts to count their keys if the node did not.
  private func indexChildren() {
    let index = ChildIndex()
    let wasUncounted = fields.flags.contains(.uncounted)
    var next = fields.firstChild
    while let child = next {
      next = child.fields.nextSibling
      if child.fields.flags.contains(.saturated) {
        child.fields.flags.insert(.unknownAbove)
        index.insertUnknown(child)
        continue
      }
      child.fields.flags.remove(.unknownAbove)
      child.forEachKeyReached { key in
        if wasUncounted { _ = fields.keys.update(key) { $0.children += 1 } }
        index.insert(child, for: key)
      }
    }
    fields.flags.remove(.uncounted)
    childIndex = index
    rebuildFilters()
    if isFull { stopCounting() }
  }

  private func rebuildFilters() {
    var own: UInt = 0
    var all: UInt = 0
    fields.keys.forEach { key, entry in
      let bit = HashedKey(bits: key).filterBit
      if entry.isReached { all |= bit }
      if !entry.own.isEmpty { own |= bit }
    }
    fields.ownFilter = own
    fields.subtreeFilter = all
  }
}
