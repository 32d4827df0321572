/// Walks a tree of any responders for those who describe it, without recursion and each node once.
enum TreeWalk {
  /// The last node of a way up, by nexts without overrides; in a circle, a node of it.
  static func root(of node: any Responder) -> any Responder {
    var watch = CycleWatch<AnyTopology>()
    var here = node
    while let next = here.nextResponder, !watch.meets(here) { here = next }
    return here
  }

  /// The nodes from one down, in order, with their depth and the index of the one above.
  static func nodes(from root: any Responder, limit: Int) -> [(node: any Responder, depth: Int, above: Int?)] {
    var seen: Set<ObjectIdentifier> = []
    var nodes: [(node: any Responder, depth: Int, above: Int?)] = []
    var pending: [(node: any Responder, depth: Int, above: Int?)] = [(root, 0, nil)]
    while nodes.count < limit, let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next.node)).inserted else { continue }
      let index = nodes.count
      nodes.append(next)
      for child in next.node.childResponders.reversed() { pending.append((child, next.depth + 1, index)) }
    }
    return nodes
  }
}
