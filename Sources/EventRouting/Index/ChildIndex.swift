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
