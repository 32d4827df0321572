/// A tree of `ResponderNode`s, by their records: nothing is retained.
enum RecordTopology: Topology {
  @inline(__always) static func isSame(_ left: NodeRecord, _ right: NodeRecord) -> Bool { left == right }
  @inline(__always) static func next(of node: NodeRecord) -> NodeRecord? { node.fields.next }
  @inline(__always) static func flags(of node: NodeRecord) -> NodeFlags { node.fields.flags }
  @inline(__always) static func handles(_ node: NodeRecord, _ event: HashedKey, _ key: EventKey) -> Bool { node.owns(event) }
  static func proxy(of node: NodeRecord) -> EventProxy? { unsafe node.fields.proxy?.takeUnretainedValue() }

  static func forEachBelow(
    _ start: NodeRecord, including: Bool, _ event: HashedKey, _ key: EventKey, _ body: (NodeRecord, Int, Bool) -> Bool
  ) {
    var depth = 0
    if including, !body(start, depth, start.owns(event)) { return }
    guard start.mayHaveBelow(event), var here = start.fields.firstChild else { return }
    depth = 1
    while true {
      if here.mayHave(event), body(here, depth, here.owns(event)), here.mayHaveBelow(event), let child = here.fields.firstChild {
        here = child
        depth += 1
        continue
      }
      while here.fields.nextSibling == nil {
        guard let parent = here.fields.parent, parent != start else { return }
        here = parent
        depth -= 1
      }
      guard let sibling = here.fields.nextSibling else { return }
      here = sibling
    }
  }

  static func isLost(_ node: NodeRecord, hadNext: Bool) -> Bool {
    guard unsafe node.fields.node != nil else { return true }
    return hadNext && node.fields.next == nil && !node.fields.flags.contains(.external)
  }

  static func isBelow(_ node: NodeRecord, _ start: NodeRecord) -> Bool {
    var above: NodeRecord? = node
    while let here = above {
      if here == start { return true }
      above = here.fields.parent
    }
    return false
  }

  static var countsChanges: Bool { true }
  static func pin(_ node: NodeRecord) { node.pin() }
  static func unpin(_ node: NodeRecord) { node.unpin() }
  static func responder(_ node: NodeRecord) -> (any Responder)? { node.node }
}
