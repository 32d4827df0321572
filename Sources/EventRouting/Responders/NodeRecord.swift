import Synchronization

/// The routing state of a `ResponderNode`, in raw memory.
///
/// A walk reads records and retains nothing. The node creates its record, and frees the record when the node is deallocated.
/// If passes that have yet to visit the node have pinned the record, the last such pass frees it instead.
@safe
struct NodeRecord: Equatable {
  @safe
  struct Fields: ~Copyable {
    /// The override if there is one, otherwise the parent.
    var next: NodeRecord?
    var ownFilter: UInt = 0
    /// A bit for each key of the node and of the nodes below it.
    ///
    /// Bits may be stale; `keys` is exact.
    var subtreeFilter: UInt = 0
    var flags: NodeFlags = []
    var keys: KeyIndex = KeyIndex()
    /// The node, not retained; nil when it was deallocated.
    var node: Unmanaged<ResponderNode>?
    /// The proxy, which the node retains.
    var proxy: Unmanaged<EventProxy>?
    /// The links of the tree.
    ///
    /// A parent retains its children. Orphans that still hold the reference of their deallocated parent form a list, and are
    /// siblings in it; the previous sibling of the first orphan is the record that the list belongs to.
    var parent: NodeRecord?
    var firstChild: NodeRecord?
    var lastChild: NodeRecord?
    var previousSibling: NodeRecord?
    var nextSibling: NodeRecord?
    /// The number of children.
    var childCount: Int = 0
    /// The order number among the siblings, which ascends.
    var order: Int = 0
    /// The index of the children, if the node has many; the record owns it.
    var childIndex: Unmanaged<ChildIndex>?
    /// The list of the nodes whose override is this node.
    var firstOverrider: NodeRecord?
    var previousOverrider: NodeRecord?
    var nextOverrider: NodeRecord?
    /// The index in the list of the nodes of the proxy.
    var placeInProxy: Int = 0
    /// The number of passes that have yet to visit the node.
    var pins: Int = 0
  }

  private let pointer: UnsafeMutablePointer<Fields>

  init() {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: Fields())
  }

  var fields: Fields {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The index of the children, if the node has many.
  var childIndex: ChildIndex? {
    get { unsafe fields.childIndex?.takeUnretainedValue() }
    nonmutating set {
      unsafe fields.childIndex?.release()
      unsafe fields.childIndex = newValue.map { unsafe .passRetained($0) }
    }
  }

  static func == (left: NodeRecord, right: NodeRecord) -> Bool { unsafe left.pointer == right.pointer }

  /// Keeps the record allocated; does not keep the node alive.
  func pin() { fields.pins &+= 1 }

  func unpin() {
    fields.pins &-= 1
    if fields.pins == 0, unsafe fields.node == nil { free() }
  }

  /// Clears the record when the node is deallocated, and frees it unless a pass has pinned it.
  func die() {
    unsafe fields.node = nil
    unsafe fields.proxy = nil
    fields.next = nil
    fields.keys = KeyIndex()
    childIndex = nil
    fields.ownFilter = 0
    fields.subtreeFilter = 0
    if fields.pins == 0 { free() }
  }

  private func free() {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }
}

/// What a walk checks of a node besides its keys.
struct NodeFlags: OptionSet {
  let rawValue: UInt16

  // Not generic: without optimization, each of the protocol's generic operations takes several calls, and a walk checks
  // the flags at every node.
  func contains(_ flag: NodeFlags) -> Bool { rawValue & flag.rawValue == flag.rawValue }
  func isDisjoint(with other: NodeFlags) -> Bool { rawValue & other.rawValue == 0 }
  func union(_ other: NodeFlags) -> NodeFlags { NodeFlags(rawValue: rawValue | other.rawValue) }

  static var none: NodeFlags { NodeFlags(rawValue: 0) }
  /// A pass up may end before it.
  static var boundary: NodeFlags { NodeFlags(rawValue: 1) }
  /// Terminal for every key.
  static var terminalAlways: NodeFlags { NodeFlags(rawValue: 2) }
  /// Terminal for the keys it handles.
  static var terminalForOwnKeys: NodeFlags { NodeFlags(rawValue: 4) }
  /// It has a proxy, with or without handlers.
  static var hasProxy: NodeFlags { NodeFlags(rawValue: 8) }
  /// Its next may not be its parent, so that a walk may return to a node.
  static var overridden: NodeFlags { NodeFlags(rawValue: 16) }
  /// Its next is not a `ResponderNode`.
  static var external: NodeFlags { NodeFlags(rawValue: 32) }
  /// The keys below it are not fully known; its parent is notified of that.
  static var saturated: NodeFlags { NodeFlags(rawValue: 64) }
  /// Its table counts only its own keys.
  static var uncounted: NodeFlags { NodeFlags(rawValue: 128) }
  /// Its parent has it among the children that may lead to any key, and does not count its keys.
  static var unknownAbove: NodeFlags { NodeFlags(rawValue: 256) }
  /// Its parent was deallocated, and it has no new one.
  static var orphaned: NodeFlags { NodeFlags(rawValue: 512) }
  /// Its proxy has interceptors of prefixes, whose keys it learns from events.
  static var takesAnyKey: NodeFlags { NodeFlags(rawValue: 1_024) }
}

// MARK: - Links

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

  /// Removes the record from its list of orphans; the caller then owns the reference that the record holds.
  func leaveOrphans() {
    fields.previousSibling?.fields.nextSibling = fields.nextSibling
    fields.nextSibling?.fields.previousSibling = fields.previousSibling
    fields.previousSibling = nil
    fields.nextSibling = nil
  }
}

// MARK: - Keys

/// The index that lets a pass down skip subtrees: each node counts, for each key, the children that handle the key or have a
/// node below them that does.
///
/// A change propagates up only while it changes whether a node is reached. A node with very many keys below stops
/// counting; otherwise a chain of nodes with a key each would cost the square of its length. Passes down search such
/// nodes, and those above them, as if they had every key.
///
/// A node with many children also has a ``ChildIndex``. Such a node goes on counting when the keys below one of its children
/// are not known. It keeps more keys, in proportion to its children; so all tables together stay in proportion to the
/// number of nodes.
extension NodeRecord {
  /// The maximum number of keys that a node counts, unless its number of children raises the limit.
  static var mostKeys: Int { 256 }
  /// The number of keys per child that a node with many children counts.
  static var mostKeysOfChild: Int { 16 }
  /// The maximum number of children of a node without a child index.
  static var mostUnindexed: Int { 16 }
  /// The maximum capacity of a table whose filters are made again after a removal.
  private static var mostSlotsForFilters: Int { 256 }
  /// The number of consecutive children that a pass examines before it queries the index.
  private static var mostLooks: Int { 8 }

  @inline(__always)
  func owns(_ key: HashedKey) -> Bool {
    fields.ownFilter & key.filterBit != 0 && (fields.keys.owns(key) || fields.flags.contains(.takesAnyKey) && learns(key))
  }

  /// Whether the proxy has an interceptor of a prefix of a key; the proxy lists that interceptor for the key from now on.
  @inline(never)
  private func learns(_ key: HashedKey) -> Bool {
    guard let proxy = unsafe fields.proxy else { return false }
    return unsafe proxy._withUnsafeGuaranteedRef { !$0.phases(of: EventKey(bits: key.bits)).isDisjoint(with: key.phases) }
  }

  /// Sets whether the node may receive events of any key.
  ///
  /// Its filter then lets all keys pass, and passes down search the nodes above as if this node had every key.
  func setTakesAnyKey(_ takesAnyKey: Bool) {
    guard takesAnyKey != fields.flags.contains(.takesAnyKey) else { return }
    setFlag(.takesAnyKey, takesAnyKey)
    rebuildFilters()
    if takesAnyKey { saturate(uncounting: false) }
  }

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
    return Reach(node: self, isListener: !entry.own.isDisjoint(with: key.phases), goesBelow: entry.children > 0)
  }

  /// The first child that may have a key.
  @inline(__always)
  func firstChild(having key: HashedKey, _ looks: inout Int) -> Reach? {
    guard let first = fields.firstChild else { return nil }
    looks &+= 1
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
      looks &+= 1
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
      looks &+= 1
      if let reach = next.reach(key) { return reach }
      here = next
    }
    return nil
  }
}

// MARK: Changes

extension NodeRecord {
  /// Stores the phases in which the node itself receives events of a key.
  ///
  /// - Complexity: Constant. Stale filter bits cost a table lookup, and a node with many keys has all bits anyway: its
  ///   filters are made again only when it has no keys.
  func setOwn(_ key: HashedKey, _ phases: PhaseSet) {
    let change = fields.keys.update(key) { $0.own = phases }
    if phases.isEmpty {
      if fields.keys.count == 0 {
        fields.ownFilter = fields.flags.contains(.takesAnyKey) ? .max : 0
        fields.subtreeFilter = 0
      } else if fields.keys.capacity <= NodeRecord.mostSlotsForFilters {
        rebuildFilters()
      }
    } else {
      fields.ownFilter |= key.filterBit
      if change.after { fields.subtreeFilter |= key.filterBit }
    }
    if change.after, !change.before {
      notifyParent(arrived: key)
    } else if change.before, !change.after {
      notifyParent(left: key)
    }
  }

  /// Counts the keys of a new child.
  func countKeys(of child: NodeRecord) {
    if child.fields.flags.contains(.saturated) {
      child.notifyParentOfUnknown()
    } else {
      child.forEachKeyReached { child.notifyParent(arrived: $0) }
    }
    if fields.childCount == NodeRecord.mostUnindexed + 1, childIndex == nil { indexChildren() }
  }

  /// Uncounts the keys of a child that is being removed; its parent link is still set.
  func uncountKeys(of child: NodeRecord) {
    if child.fields.flags.contains(.unknownAbove) {
      child.fields.flags.remove(.unknownAbove)
      childIndex?.removeUnknown(child)
    } else if !fields.flags.contains(.uncounted) {
      child.forEachKeyReached { child.notifyParent(left: $0) }
    }
  }

  /// Resets the counting state after the last child was removed.
  func forgetSaturation() {
    if !fields.flags.contains(.takesAnyKey) { fields.flags.remove(.saturated) }
    fields.flags.remove(.uncounted)
    childIndex = nil
  }

  private func forEachKeyReached(_ body: (HashedKey) -> Void) {
    fields.keys.forEach { key, entry in if entry.isReached { body(HashedKey(bits: key)) } }
  }

  private func notifyParent(arrived key: HashedKey) {
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

  private func notifyParent(left key: HashedKey) {
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
  private func notifyParentOfUnknown() {
    guard let parent = fields.parent, !parent.fields.flags.contains(.uncounted) else { return }
    guard let index = parent.childIndex else { return parent.saturate(uncounting: true) }
    fields.flags.insert(.unknownAbove)
    index.insertUnknown(self)
    parent.saturate(uncounting: false)
  }

  /// Marks the keys below this node, and below each node above, as not fully known.
  ///
  /// - Parameter uncounting: Whether the node also stops counting the keys of its children.
  private func saturate(uncounting: Bool) {
    var here = self
    var uncounting = uncounting
    while true {
      let wasKnown = !here.fields.flags.contains(.saturated)
      let parent = wasKnown ? here.fields.parent.flatMap { $0.fields.flags.contains(.uncounted) ? nil : $0 } : nil
      if let index = parent?.childIndex {
        here.forEachKeyReached { here.notifyParent(left: $0) }
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
    fields.ownFilter = fields.flags.contains(.takesAnyKey) ? .max : own
    fields.subtreeFilter = all
  }
}
