/// A tree of any responders, by calls of their requirements.
enum AnyTopology: Topology {
  typealias Node = any Responder

  static func isSame(_ left: any Responder, _ right: any Responder) -> Bool { left === right }
  static func isSame(_ link: WeakResponder, _ node: any Responder) -> Bool {
    unsafe link.address == UnsafeRawPointer(Unmanaged.passUnretained(node as AnyObject).toOpaque())
  }
  static func next(of node: any Responder) -> (any Responder)? { node.nextOverride ?? node.nextResponder }

  static func flags(of node: any Responder) -> NodeFlags {
    // Nothing keeps foreign nexts from going in a circle.
    var flags: NodeFlags = .overridden
    switch node.terminality {
    case .passing: break
    case .forOwnKeys: flags.insert(.terminalForOwnKeys)
    case .always: flags.insert(.terminalAlways)
    }
    if node.isBoundary { flags.insert(.boundary) }
    if node.eventProxy != nil { flags.insert(.hasProxy) }
    return flags
  }

  static func handles(_ node: any Responder, _ event: HashedKey, _ key: EventKey) -> Bool {
    node.eventProxy.map { !$0.directions(of: key).isDisjoint(with: event.directions) } ?? false
  }
  static func skip(
    from first: any Responder, _ event: HashedKey, _ attention: NodeFlags, _ skipped: inout Int
  ) -> (any Responder)? { first }
  static func proxy(of node: any Responder) -> EventProxy? { node.eventProxy }

  static func forEachBelow(
    _ start: any Responder, including: Bool, _ event: HashedKey, _ key: EventKey, _ body: (any Responder, Int, Bool) -> Bool
  ) -> Int {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(start)]
    if including, !body(start, 0, handles(start, event, key)) { return seen.count }
    var pending: [(node: any Responder, depth: Int)] = start.childResponders.reversed().map { ($0, 1) }
    while let (node, depth) = pending.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted, body(node, depth, handles(node, event, key)) else { continue }
      for child in node.childResponders.reversed() { pending.append((child, depth + 1)) }
    }
    return seen.count
  }

  static func isLost(_ node: any Responder, hadNext: Bool) -> Bool { hadNext && next(of: node) == nil }

  static func isBelow(_ node: any Responder, _ start: any Responder) -> Bool {
    var watch = CycleWatch<AnyTopology>()
    var above: (any Responder)? = node
    while let here = above {
      if here === start { return true }
      if watch.meets(here) { return false }
      above = here.nextResponder
    }
    return false
  }

  static var countsChanges: Bool { false }
  static func link(to node: any Responder) -> WeakResponder { WeakResponder(node) }
  static func node(_ link: WeakResponder) -> (any Responder)? { link.node }
  static func pin(_ link: WeakResponder) {}
  static func unpin(_ link: WeakResponder) {}
  static func beginAsking(_ link: WeakResponder, _ key: EventKey, _ pass: inout ActivePass) {
    unsafe pass.beginAsking(key, record: nil, object: link.address)
  }
  static func responder(_ node: any Responder) -> (any Responder)? { node }
}
