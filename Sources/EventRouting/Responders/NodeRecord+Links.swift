extension NodeRecord {
  /// The node, nil when it is dead.
  var node: ResponderNode? { unsafe fields.node?.takeUnretainedValue() }

  func withNode(_ body: (ResponderNode) -> Void) {
    if let node { body(node) }
  }

  func setFlag(_ flag: NodeFlags, _ isSet: Bool) {
    if isSet { fields.flags.insert(flag) } else { fields.flags.remove(flag) }
  }

  func removeOverrider(_ overrider: NodeRecord) {
    if fields.firstOverrider == overrider {
      fields.firstOverrider = overrider.fields.nextOverrider
    } else {
      var here = fields.firstOverrider
      while let record = here, record.fields.nextOverrider != overrider { here = record.fields.nextOverrider }
      here?.fields.nextOverrider = overrider.fields.nextOverrider
    }
    overrider.fields.nextOverrider = nil
  }

  /// Links a record without a parent in before another, or as the last.
  func insert(_ child: NodeRecord, before sibling: NodeRecord?) {
    let previous = sibling.map { $0.fields.previousSibling } ?? fields.lastChild
    child.fields.parent = self
    child.fields.previousSibling = previous
    child.fields.nextSibling = sibling
    if let previous { previous.fields.nextSibling = child } else { fields.firstChild = child }
    if let sibling { sibling.fields.previousSibling = child } else { fields.lastChild = child }
    if !child.fields.flags.contains(.overridden) { child.fields.next = self }
  }

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
    fields.parent = nil
    fields.previousSibling = nil
    fields.nextSibling = nil
    if !fields.flags.contains(.overridden) { fields.next = nil }
  }

  /// Makes roots of all children, in a list of those that still hold their parent's reference.
  func moveChildren(to pending: inout NodeRecord?) {
    while let child = fields.lastChild {
      child.unlink()
      child.fields.nextPending = pending
      pending = child
    }
  }
}
