import Synchronization

extension NodeRecord {
  /// The number of nodes removed from any tree.
  ///
  /// When it has changed, a pass down checks whether nodes have moved.
  static var removalCount: UInt { removals.load(ordering: .relaxed) }

  /// Counts a removed node.
  static func noteRemoval() { removals.wrappingAdd(1, ordering: .relaxed) }

  private static let removals: Atomic<UInt> = Atomic(0)

  /// The node, nil when it was deallocated.
  var node: ResponderNode? { unsafe fields.node?.takeUnretainedValue() }

  func withNode(_ body: (ResponderNode) -> Void) {
    if let node { body(node) }
  }

  func setFlag(_ flag: NodeFlags, _ isSet: Bool) {
    if isSet { fields.flags.insert(flag) } else { fields.flags.remove(flag) }
  }

  func addOverrider(_ overrider: NodeRecord) {
    overrider.fields.nextOverrider = fields.firstOverrider
    fields.firstOverrider?.fields.previousOverrider = overrider
    fields.firstOverrider = overrider
  }

  func removeOverrider(_ overrider: NodeRecord) {
    let (previous, next) = (overrider.fields.previousOverrider, overrider.fields.nextOverrider)
    if let previous { previous.fields.nextOverrider = next } else { fields.firstOverrider = next }
    next?.fields.previousOverrider = previous
    overrider.fields.previousOverrider = nil
    overrider.fields.nextOverrider = nil
  }

  /// Links a record without a parent before a sibling, or as the last child.
  func insert(_ child: NodeRecord, before sibling: NodeRecord?) {
    let previous = sibling.map { $0.fields.previousSibling } ?? fields.lastChild
    child.fields.flags.remove(.orphaned)
    child.fields.order = order(between: previous, sibling)
    fields.childCount += 1
    child.fields.parent = self
    child.fields.previousSibling = previous
    child.fields.nextSibling = sibling
    if let previous { previous.fields.nextSibling = child } else { fields.firstChild = child }
    if let sibling { sibling.fields.previousSibling = child } else { fields.lastChild = child }
    if !child.fields.flags.contains(.overridden) { child.fields.next = self }
  }

  /// An order number between two children.
  ///
  /// If there is no free number, all children are renumbered.
  private func order(between previous: NodeRecord?, _ following: NodeRecord?) -> Int {
    while true {
      switch (previous?.fields.order, following?.fields.order) {
      case (nil, nil): return 0
      case (let before?, nil): if before < Int.max - NodeRecord.gap { return before + NodeRecord.gap }
      case (nil, let after?): if after > Int.min + NodeRecord.gap { return after - NodeRecord.gap }
      case (let before?, let after?): if before < after - 1 { return before + Int(bitPattern: UInt(bitPattern: after &- before) / 2) }
      }
      var place = 0
      var next = fields.firstChild
      while let child = next {
        child.fields.order = place
        place += NodeRecord.gap
        next = child.fields.nextSibling
      }
    }
  }

  /// The initial distance between the order numbers of children.
  private static var gap: Int { 1 << 32 }

  /// Unlinks a record from its parent.
  func unlink() {
    guard let parent = fields.parent else { return }
    if let previous = fields.previousSibling {
      previous.fields.nextSibling = fields.nextSibling
    } else {
      parent.fields.firstChild = fields.nextSibling
    }
    if let following = fields.nextSibling {
      following.fields.previousSibling = fields.previousSibling
    } else {
      parent.fields.lastChild = fields.previousSibling
    }
    parent.fields.childCount -= 1
    fields.flags.remove(.unknownAbove)
    fields.parent = nil
    fields.previousSibling = nil
    fields.nextSibling = nil
    if !fields.flags.contains(.overridden) { fields.next = nil }
  }

  /// Makes roots of all children, and inserts them after a record into the list of orphans that still hold their
  /// parent's reference.
  func moveChildren(after head: NodeRecord) {
    while let child = fields.lastChild {
      child.unlink()
      child.fields.flags.insert(.orphaned)
      child.fields.previousSibling = head
      child.fields.nextSibling = head.fields.nextSibling
      head.fields.nextSibling?.fields.previousSibling = child
      head.fields.nextSibling = child
    }
  }

  /// Whether the record is in a list of orphans.
  var isPending: Bool { fields.parent == nil && fields.previousSibling != nil }

  /// Removes the record from its list of orphans; the reference that it holds is the caller's then.
  func leaveOrphans() {
    fields.previousSibling?.fields.nextSibling = fields.nextSibling
    fields.nextSibling?.fields.previousSibling = fields.previousSibling
    fields.previousSibling = nil
    fields.nextSibling = nil
  }
}
