/// The nodes that a proxy belongs to; mostly one.
extension EventProxy {
  /// Tells a node of every key that comes and goes, from now on.
  func attach(_ node: NodeRecord) { nodes.append(node) }

  /// Tells a node no more.
  func detach(_ node: NodeRecord) { nodes.removeAll { $0 == node } }

  /// Tells the nodes from which ways events of a key come to the handlers, if that is not as it was before.
  func tellNodes(_ key: EventKey, unlessStill former: Directions) {
    let directions = directions(of: key)
    guard directions != former else { return }
    for node in nodes { node.setOwn(HashedKey(key), directions) }
  }

  /// From which ways events of a key come to its handlers, be they blocked or dead; none without a handler.
  func directions(of key: EventKey) -> Directions {
    var directions = Directions.none
    var next = unsafe state.pointee.first(key.bits)
    while let record = unsafe next, directions != .both {
      directions = directions.union(unsafe record.pointee.gate.directions)
      unsafe next = record.pointee.next
    }
    return directions
  }
}
