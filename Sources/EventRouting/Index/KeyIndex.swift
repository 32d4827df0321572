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
  /// The phases to query: those of the pass.
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

/// A member of ``OrderedChunks``.
protocol OrderedMember {
  associatedtype Order: Comparable
  /// What the members are sorted by; no two are equal.
  var order: Order { get }
}

/// Sorted members, stored in chunks: a change moves the members of one chunk.
struct OrderedChunks<Member: OrderedMember> {
  /// The chunks; no chunk is empty.
  private var pieces: [[Member]] = []

  /// The maximum number of members of a chunk.
  private static var mostMembers: Int { 512 }

  var isEmpty: Bool { pieces.isEmpty }

  mutating func insert(_ member: Member) {
    let order = member.order
    // A member after all others goes into the last chunk.
    let piece = min(Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].order > order }, pieces.count - 1)
    guard piece >= 0 else { return pieces.append([member]) }
    let place = Self.search(pieces[piece].count) { pieces[piece][$0].order > order }
    pieces[piece].insert(member, at: place)
    guard pieces[piece].count > Self.mostMembers else { return }
    // Members that are appended in order leave full chunks.
    let half = piece == pieces.count - 1 && place == pieces[piece].count - 1 ? place : pieces[piece].count / 2
    let rest = Array(pieces[piece][half...])
    pieces[piece].removeSubrange(half...)
    pieces.insert(rest, at: piece + 1)
  }

  mutating func remove(_ member: Member) {
    let order = member.order
    let piece = Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].order >= order }
    guard piece < pieces.count else { return }
    let place = Self.search(pieces[piece].count) { pieces[piece][$0].order >= order }
    guard place < pieces[piece].count, pieces[piece][place].order == order else { return }
    pieces[piece].remove(at: place)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
  }

  func first(after order: Member.Order) -> Member? {
    let piece = Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].order > order }
    guard piece < pieces.count else { return nil }
    return pieces[piece][Self.search(pieces[piece].count) { pieces[piece][$0].order > order }]
  }

  /// The last member that is not after an order.
  func last(through order: Member.Order) -> Member? {
    let piece = Self.search(pieces.count) { pieces[$0][0].order > order } - 1
    guard piece >= 0 else { return nil }
    return pieces[piece][Self.search(pieces[piece].count) { pieces[piece][$0].order > order } - 1]
  }

  /// Replaces the member of the same order, or inserts a new one.
  mutating func update(_ member: Member) {
    let order = member.order
    let piece = Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].order >= order }
    guard piece < pieces.count else { return insert(member) }
    let place = Self.search(pieces[piece].count) { pieces[piece][$0].order >= order }
    if pieces[piece][place].order == order { pieces[piece][place] = member } else { insert(member) }
  }

  /// The first index below `count` for which a monotonic predicate holds; `count` when there is no such index.
  private static func search(_ count: Int, _ holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The phases of events: of a handler, of a key at a node, or of a pass.
struct PhaseSet: OptionSet {
  let rawValue: UInt8

  // Not generic: without optimization, each of the protocol's generic operations takes several calls.
  func contains(_ other: PhaseSet) -> Bool { rawValue & other.rawValue == other.rawValue }
  func isDisjoint(with other: PhaseSet) -> Bool { rawValue & other.rawValue == 0 }
  func union(_ other: PhaseSet) -> PhaseSet { PhaseSet(rawValue: rawValue | other.rawValue) }
  var isEmpty: Bool { rawValue == 0 }

  static var none: PhaseSet { PhaseSet(rawValue: 0) }
  static var up: PhaseSet { PhaseSet(rawValue: 1) }
  static var down: PhaseSet { PhaseSet(rawValue: 2) }
  static var both: PhaseSet { PhaseSet(rawValue: 3) }
  /// The capture phase of a pass up.
  static var capture: PhaseSet { PhaseSet(rawValue: 4) }
  /// Every direction and phase, before and after the event was stopped.
  static var all: PhaseSet { PhaseSet(rawValue: 63) }

  /// The same phases, for events that were stopped.
  var stopped: PhaseSet { PhaseSet(rawValue: rawValue << 3) }

  /// The phases for events that were not stopped.
  var running: PhaseSet { PhaseSet(rawValue: rawValue & 7) }
}

extension RoutingRules.Direction {
  /// The direction as a set, to query nodes with.
  var phases: PhaseSet { self == .up ? .up : .down }

  /// The flag of handlers that do not receive events of this direction.
  var skipped: HandlerFlags { self == .up ? .notUp : .notDown }
}

extension HandlerOptions.Direction {
  /// The flags that exclude the handler from other passes.
  var excluded: HandlerFlags {
    switch self {
    case .both: .notCapture
    case .up: HandlerFlags(rawValue: HandlerFlags.notCapture.rawValue | HandlerFlags.notDown.rawValue)
    case .down: HandlerFlags(rawValue: HandlerFlags.notCapture.rawValue | HandlerFlags.notUp.rawValue)
    case .capture: HandlerFlags(rawValue: HandlerFlags.notUp.rawValue | HandlerFlags.notDown.rawValue)
    }
  }
}

extension HandlerFlags {
  /// The phases in which the handler receives events.
  var phases: PhaseSet {
    var phases = PhaseSet.none
    if !contains(.notUp) { phases = .up }
    if !contains(.notDown) { phases = phases.union(.down) }
    if !contains(.notCapture) { phases = phases.union(.capture) }
    return contains(.notStopped) ? phases : phases.union(phases.stopped)
  }
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

  /// The phases of the handlers that a key has after a removal, which are among those that it had before.
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
