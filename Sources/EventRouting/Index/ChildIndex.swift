/// An index of the children of a node with many children, by the keys that they lead to, so that a pass down does not
/// visit the others.
///
/// The node owns it. It has an entry for each child and each key that the child reports, so that the size of all
/// indices is proportional to the size of the key tables.
final class ChildIndex {
  private var children: [UInt: OrderedChildren] = [:]
  /// The children whose keys are not fully known: each may lead to any key.
  private var unknown: OrderedChildren = OrderedChildren()

  /// Adds a child for a key.
  func insert(_ child: NodeRecord, for key: HashedKey) { children[key.bits, default: OrderedChildren()].insert(child) }

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

/// The children of one node in tree order, stored in chunks: a change moves the members of one chunk.
private struct OrderedChildren {
  /// The chunks; no chunk is empty.
  private var pieces: [[NodeRecord]] = []

  /// The maximum number of members of a chunk.
  private static var mostMembers: Int { 512 }

  var isEmpty: Bool { pieces.isEmpty }

  mutating func insert(_ child: NodeRecord) {
    let order = child.fields.order
    // A child after all others goes into the last chunk.
    let piece = min(Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].fields.order > order }, pieces.count - 1)
    guard piece >= 0 else { return pieces.append([child]) }
    let place = Self.search(pieces[piece].count) { pieces[piece][$0].fields.order > order }
    pieces[piece].insert(child, at: place)
    guard pieces[piece].count > Self.mostMembers else { return }
    // Children that are appended in order leave full chunks.
    let half = piece == pieces.count - 1 && place == pieces[piece].count - 1 ? place : pieces[piece].count / 2
    let rest = Array(pieces[piece][half...])
    pieces[piece].removeSubrange(half...)
    pieces.insert(rest, at: piece + 1)
  }

  mutating func remove(_ child: NodeRecord) {
    let order = child.fields.order
    let piece = Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].fields.order >= order }
    guard piece < pieces.count else { return }
    let place = Self.search(pieces[piece].count) { pieces[piece][$0].fields.order >= order }
    guard place < pieces[piece].count, pieces[piece][place] == child else { return }
    pieces[piece].remove(at: place)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
  }

  func first(after order: Int) -> NodeRecord? {
    let piece = Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].fields.order > order }
    guard piece < pieces.count else { return nil }
    return pieces[piece][Self.search(pieces[piece].count) { pieces[piece][$0].fields.order > order }]
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
