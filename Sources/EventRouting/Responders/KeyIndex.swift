import DynamicInvocation

/// The keys of a node and of the nodes below it.
///
/// A pass searches the index without retaining anything.
typealias KeyIndex = PointerTable<KeyEntry>

/// What a node stores for a key.
struct KeyEntry: BitwiseCopyable {
  /// The number of children that have the key, themselves or below them, for passes down.
  var children: Int32 = 0
  /// The phases in which the node itself receives events of the key.
  var own: PhaseSet = .none

  /// Whether a pass down reaches a handler, of the node or of a node below it.
  var isReached: Bool { children > 0 || own.contains(.down) }
}

/// A key with its hash and a set of phases.
///
/// A send creates it once and queries every node with it.
struct HashedKey {
  /// The address of the interned name; never 0.
  let bits: UInt
  let hash: UInt
  /// The phases of the pass, to query nodes with.
  let phases: PhaseSet

  init(_ key: EventKey, _ phases: PhaseSet = .both) { self.init(bits: key.bits, phases) }

  init(bits: UInt, _ phases: PhaseSet = .both) {
    self.bits = bits
    hash = PointerHash.hash(bits)
    filterBit = 1 &<< EventKey(bits: bits).textHash
    self.phases = phases
  }

  /// The bit of this key in a node's filters.
  ///
  /// It is selected by the text, so it is the same in each run of a program.
  let filterBit: UInt
}

extension PointerTable where Value == KeyEntry {
  /// The entry of a key.
  @inline(__always)
  func entry(of key: HashedKey) -> KeyEntry? { value(for: key.bits, hash: key.hash) }

  /// Whether the node itself handles the key in one of its phases.
  @inline(__always)
  func owns(_ key: HashedKey) -> Bool {
    guard let entry = entry(of: key) else { return false }
    return !entry.own.isDisjoint(with: key.phases)
  }

  /// Changes the entry of a key.
  ///
  /// The entry is created if needed, and removed when it counts nothing.
  ///
  /// - Returns: Whether the key reached a handler before the change, and whether it does now.
  mutating func update(_ key: HashedKey, _ change: (inout KeyEntry) -> Void) -> (before: Bool, after: Bool) {
    var entry = entry(of: key) ?? KeyEntry()
    let before = entry.isReached
    change(&entry)
    let after = entry.isReached
    self[key.bits] = after || !entry.own.isEmpty ? entry : nil
    return (before, after)
  }

  /// Removes the counts of the children, and keeps the node's own keys.
  mutating func removeChildren() {
    var own = KeyIndex()
    forEach { key, entry in
      if !entry.own.isEmpty { own[key] = KeyEntry(own: entry.own) }
    }
    self = own
  }
}

/// An index of the children of a node with many children, by the keys that they lead to, so that a pass down does not
/// visit the others.
///
/// The node owns it. It has an entry for each child and each key that the child reports, so that the size of all
/// indices is proportional to the size of the key tables.
final class ChildIndex {
  private var children: [UInt: OrderedChunks<NodeRecord>] = [:]
  /// The children whose keys are not fully known: each may lead to any key.
  private var unknown: OrderedChunks<NodeRecord> = OrderedChunks()

  /// Adds a child for a key.
  func insert(_ child: NodeRecord, for key: HashedKey) { children[key.bits, default: OrderedChunks()].insert(child) }

  /// Removes a child for a key.
  func remove(_ child: NodeRecord, for key: HashedKey) {
    guard let place = children.index(forKey: key.bits) else { return }
    children.values[place].remove(child)
    if children.values[place].isEmpty { children.remove(at: place) }
  }

  /// Adds a child whose keys are not fully known.
  func insertUnknown(_ child: NodeRecord) { unknown.insert(child) }

  /// Removes a child whose keys are not fully known.
  func removeUnknown(_ child: NodeRecord) { unknown.remove(child) }

  /// The children that lead to a key, or with nil those whose keys are not fully known.
  func members(of bits: UInt?) -> [NodeRecord] { bits.map { children[$0]?.all ?? [] } ?? unknown.all }

  /// The number of keys that children lead to.
  var keyCount: Int { children.count }

  /// The first child after another one that may lead to a key.
  ///
  /// - Complexity: O(log *n*) for *n* children that may lead to it.
  func next(after child: NodeRecord, for key: HashedKey) -> NodeRecord? {
    let order = child.fields.order
    let known = children[key.bits]?.first(after: order)
    guard !unknown.isEmpty, let other = unknown.first(after: order) else { return known }
    guard let known else { return other }
    return known.fields.order < other.fields.order ? known : other
  }
}

extension NodeRecord: OrderedMember {
  var order: Int { fields.order }
}

/// The nodes that a proxy belongs to; usually one.
extension EventProxy {
  /// Starts to notify a node of the keys that are added and removed.
  func attach(_ node: NodeRecord) {
    node.fields.placeInProxy = nodes.count
    nodes.append(node)
  }

  /// Stops notifying a node.
  ///
  /// - Complexity: Constant: the last node takes its place.
  func detach(_ node: NodeRecord) {
    let place = node.fields.placeInProxy
    nodes.swapAt(place, nodes.count - 1)
    nodes[place].fields.placeInProxy = place
    nodes.removeLast()
  }

  /// Notifies the nodes of the phases in which the handlers receive events of a key, if these have changed.
  func notifyNodes(_ key: EventKey, _ phases: PhaseSet, unlessStill former: PhaseSet) {
    guard phases != former else { return }
    for node in nodes { node.setOwn(HashedKey(key), phases) }
  }

  /// The phases in which handlers receive events of a key, including blocked handlers and handlers with deallocated
  /// targets; empty without a handler.
  func phases(of key: EventKey) -> PhaseSet { unsafe state.pointee.first(key.bits)?.pointee.list.phases ?? .none }

  /// The phases of a key's handlers after a removal: a subset of the phases before the removal.
  ///
  /// - Complexity: O(handlers of the key), which are few.
  func phases(of key: EventKey, atMost former: PhaseSet) -> PhaseSet {
    var phases = PhaseSet.none
    var next = unsafe state.pointee.table[key.bits]
    while let record = unsafe next, phases != former {
      phases = phases.union(unsafe record.pointee.flags.phases)
      unsafe next = record.pointee.next
    }
    return phases
  }
}
