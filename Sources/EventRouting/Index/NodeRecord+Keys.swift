/// The index that lets a pass down skip subtrees: each node counts, for each key, the children that have it on themselves or below.
///
/// A change goes up only as far as it is news. A node with more than `saturation` keys below counts no more, and neither do those above it: a chain of
/// nodes with a key each would else cost the square of its length. Passes down look into such nodes unasked.
extension NodeRecord {
  static var saturation: Int { 256 }

  @inline(__always)
  func owns(_ key: HashedKey) -> Bool { fields.ownFilter & key.filterBit != 0 && fields.keys.owns(key) }

  /// Whether a node below may handle a key; exact unless saturated.
  func mayHaveBelow(_ key: HashedKey) -> Bool {
    if fields.flags.contains(.saturated) { return fields.firstChild != nil }
    return fields.subtreeFilter & key.filterBit != 0 && fields.keys.hasBelow(key)
  }

  /// Whether the node or one below may handle a key; exact unless saturated.
  func mayHave(_ key: HashedKey) -> Bool {
    if fields.flags.contains(.saturated) { return true }
    return fields.subtreeFilter & key.filterBit != 0 && fields.keys.contains(key)
  }

  /// Notes whether the node itself handles a key.
  func setOwn(_ key: HashedKey, _ isOwn: Bool) {
    let change = fields.keys.update(key) { $0.isOwn = isOwn }
    if isOwn {
      fields.ownFilter |= key.filterBit
      fields.subtreeFilter |= key.filterBit
    } else {
      rebuildFilters()
    }
    if change.after, !change.before {
      tellParent(arrived: key)
    } else if change.before, !change.after {
      tellParent(left: key)
    }
  }

  /// Counts what a new child brings.
  func countKeys(of child: NodeRecord) {
    if child.fields.flags.contains(.saturated) { return saturate() }
    child.fields.keys.forEach { entry in child.tellParent(arrived: HashedKey(bits: entry.bits)) }
  }

  /// Uncounts what a child takes away; it still has its parent.
  func uncountKeys(of child: NodeRecord) {
    if !fields.flags.contains(.saturated) {
      child.fields.keys.forEach { entry in child.tellParent(left: HashedKey(bits: entry.bits)) }
    }
  }

  /// Counts again from the start after the last child has left.
  func forgetSaturation() { fields.flags.remove(.saturated) }

  private func tellParent(arrived key: HashedKey) {
    var above = fields.parent
    while let here = above {
      if here.fields.flags.contains(.saturated) { return }
      let change = here.fields.keys.update(key) { $0.children += 1 }
      here.fields.subtreeFilter |= key.filterBit
      if here.fields.keys.count > NodeRecord.saturation { return here.saturate() }
      if change.before { return }
      above = here.fields.parent
    }
  }

  private func tellParent(left key: HashedKey) {
    var above = fields.parent
    while let here = above {
      if here.fields.flags.contains(.saturated) { return }
      let change = here.fields.keys.update(key) { $0.children -= 1 }
      if change.after { return }
      // Stale bits cost a look into the table, not a mistake.
      if here.fields.keys.count == 0 { here.fields.subtreeFilter = 0 }
      above = here.fields.parent
    }
  }

  private func saturate() {
    var above: NodeRecord? = self
    while let here = above, !here.fields.flags.contains(.saturated) {
      here.fields.flags.insert(.saturated)
      here.fields.keys.removeChildren()
      here.rebuildFilters()
      above = here.fields.parent
    }
  }

  private func rebuildFilters() {
    var own: UInt = 0
    var all: UInt = 0
    fields.keys.forEach { entry in
      let bit = HashedKey(bits: entry.bits).filterBit
      all |= bit
      if entry.isOwn { own |= bit }
    }
    fields.ownFilter = own
    fields.subtreeFilter = all
  }
}
