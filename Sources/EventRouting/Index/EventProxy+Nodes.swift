/// The nodes that a proxy belongs to; mostly one.
extension EventProxy {
  /// Tells a node of every key that comes and goes, from now on.
  func attach(_ node: NodeRecord) { nodes.append(node) }

  /// Tells a node no more.
  func detach(_ node: NodeRecord) { nodes.removeAll { $0 == node } }

  /// Tells the nodes that a key got its first handler, or lost its last.
  func tellNodes(_ key: EventKey, isAdded: Bool) {
    for node in nodes { node.setOwn(HashedKey(key), isAdded) }
  }

  /// Whether there is a handler for a key, be it blocked or dead.
  func hasHandlers(for key: EventKey) -> Bool { keyFilter.contains(key) }
}
