/// A tree of `ResponderNode`s, by their records: nothing is retained.
enum RecordTopology: Topology {
  @inline(__always) static func isSame(_ left: NodeRecord, _ right: NodeRecord) -> Bool { left == right }
  @inline(__always) static func next(of node: NodeRecord) -> NodeRecord? { node.fields.next }
  @inline(__always) static func flags(of node: NodeRecord) -> NodeFlags { node.fields.flags }
  @inline(__always) static func handles(_ node: NodeRecord, _ event: HashedKey, _ key: EventKey) -> Bool { node.owns(event) }

  @inline(__always)
  static func skip(from first: NodeRecord, _ event: HashedKey, _ attention: NodeFlags, _ skipped: inout Int) -> NodeRecord? {
    var node: NodeRecord? = first
    while let here = node, here.fields.flags.isDisjoint(with: attention), !here.owns(event) {
      node = here.fields.next
      skipped += 1
    }
    return node
  }

  static func proxy(of node: NodeRecord) -> EventProxy? { unsafe node.fields.proxy?.takeUnretainedValue() }

  @discardableResult
  static func forEachBelow(
    _ start: NodeRecord, including: Bool, _ event: HashedKey, _ key: EventKey, _ body: (NodeRecord, Int, Bool) -> Bool
  ) -> Int {
    var looks = 1
    let first = start.reach(event)
    if including, !body(start, 0, first?.isListener ?? false) { return looks }
    guard let first, first.goesBelow, var here = start.firstChild(having: event, &looks) else { return looks }
    var depth = 1
    while true {
      if body(here.node, depth, here.isListener), here.goesBelow, let child = here.node.firstChild(having: event, &looks) {
        here = child
        depth += 1
        continue
      }
      var above = here.node
      while true {
        if let sibling = above.nextSibling(having: event, &looks) {
          here = sibling
          break
        }
        guard let parent = above.fields.parent, parent != start else { return looks }
        above = parent
        depth -= 1
      }
    }
  }

  static func isLost(_ node: NodeRecord, hadNext: Bool) -> Bool {
    hadNext && node.fields.next == nil && !node.fields.flags.contains(.external)
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
  @inline(__always) static func link(to node: NodeRecord) -> NodeRecord { node }
  @inline(__always) static func node(_ link: NodeRecord) -> NodeRecord? { unsafe link.fields.node == nil ? nil : link }
  static func pin(_ link: NodeRecord) { link.pin() }
  static func unpin(_ link: NodeRecord) { link.unpin() }
  static func beginAsking(_ link: NodeRecord, _ key: EventKey, _ pass: inout ActivePass) {
    unsafe pass.beginAsking(key, record: link, object: nil)
  }
  static func responder(_ node: NodeRecord) -> (any Responder)? { node.node }
}
