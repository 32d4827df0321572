/// How a pass accesses a tree: through the records of `ResponderNode`s, or through any responders.
protocol Topology {
  associatedtype Node
  /// A reference to a node as stored in a path; it does not keep the node alive.
  associatedtype Link

  static func isSame(_ left: Node, _ right: Node) -> Bool
  static func isSame(_ link: Link, _ node: Node) -> Bool
  /// The node that a pass up visits after this one: the override if there is one.
  static func next(of node: Node) -> Node?
  static func flags(of node: Node) -> NodeFlags
  static func handles(_ node: Node, _ event: HashedKey, _ key: EventKey) -> Bool
  static func proxy(of node: Node) -> EventProxy?

  /// Moves up past nodes that neither handle the key nor have one of the given flags.
  ///
  /// This is a requirement, not generic code: without optimization, generic code takes ten times as long.
  ///
  /// - Returns: The first node that handles the key or has one of the flags; nil when there is none.
  static func skip(from first: Node, _ event: HashedKey, _ flagsToCheck: NodeFlags, _ skipped: inout Int) -> Node?

  /// Calls `body` with the nodes below `start`, in order, each node before its children and each once.
  ///
  /// - Parameters:
  ///   - start: The node to start from.
  ///   - including: Whether `start` itself is visited first.
  ///   - event: The hashed key. If the topology has an index, branches without the key are skipped.
  ///   - key: The same key.
  ///   - body: Takes a node, its depth below `start`, and whether it handles the key; returns whether to visit the
  ///     nodes below it.
  /// - Returns: How many nodes were examined, including those that were skipped.
  @discardableResult
  static func forEachBelow(
    _ start: Node, including: Bool, _ event: HashedKey, _ key: EventKey, _ body: (Node, Int, Bool) -> Bool
  ) -> Int

  /// Whether a live node was removed from the tree since it was added to the path.
  static func isLost(_ node: Node, hadNext: Bool) -> Bool
  /// Whether a node is still below another. Only called when nodes have been removed.
  static func isBelow(_ node: Node, _ start: Node) -> Bool
  /// Whether `NodeRecord.removalCount` counts the nodes removed.
  static var countsChanges: Bool { get }

  static func link(to node: Node) -> Link
  /// The node, nil when it was deallocated.
  static func node(_ link: Link) -> Node?
  /// Keeps the memory that a link refers to allocated.
  static func pin(_ link: Link)
  /// Ends one ``pin(_:)``; without another one, the link must not be used afterwards.
  static func unpin(_ link: Link)
  /// Records in a pass which node it visits.
  static func beginVisit(_ link: Link, _ key: EventKey, _ pass: inout ActivePass)
  static func responder(_ node: Node) -> (any Responder)?
}

/// A tree of any responders, accessed through the requirements of `Responder`.
enum AnyTopology: Topology {
  typealias Node = any Responder

  static func isSame(_ left: any Responder, _ right: any Responder) -> Bool { left === right }
  static func isSame(_ link: WeakResponder, _ node: any Responder) -> Bool {
    unsafe link.address == UnsafeRawPointer(Unmanaged.passUnretained(node as AnyObject).toOpaque())
  }
  static func next(of node: any Responder) -> (any Responder)? { node.nextOverride ?? node.nextResponder }

  static func flags(of node: any Responder) -> NodeFlags {
    // Other responders may form cycles through `nextResponder`.
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
    node.eventProxy.map { !$0.phases(of: key).isDisjoint(with: event.phases) } ?? false
  }
  static func skip(
    from first: any Responder, _ event: HashedKey, _ flagsToCheck: NodeFlags, _ skipped: inout Int
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
  static func beginVisit(_ link: WeakResponder, _ key: EventKey, _ pass: inout ActivePass) {
    unsafe pass.beginVisit(key, record: nil, object: link.address)
  }
  static func responder(_ node: any Responder) -> (any Responder)? { node }
}

/// A tree of `ResponderNode`s, accessed through their records: nothing is retained.
enum RecordTopology: Topology {
  /// The record of a responder that is a `ResponderNode`, which the caller keeps alive; nil for others.
  @inline(__always)
  static func record(of responder: some Responder) -> NodeRecord? {
    guard responder is ResponderNode else { return nil }
    // A cast that has the object as its result would retain it.
    let node = unsafe Unmanaged<ResponderNode>.fromOpaque(unsafeBitCast(responder, to: UnsafeRawPointer.self))
    return unsafe node._withUnsafeGuaranteedRef { $0.record }
  }

  @inline(__always) static func isSame(_ left: NodeRecord, _ right: NodeRecord) -> Bool { left == right }
  @inline(__always) static func next(of node: NodeRecord) -> NodeRecord? { node.fields.next }
  @inline(__always) static func flags(of node: NodeRecord) -> NodeFlags { node.fields.flags }
  @inline(__always) static func handles(_ node: NodeRecord, _ event: HashedKey, _ key: EventKey) -> Bool { node.owns(event) }

  @inline(__always)
  static func skip(from first: NodeRecord, _ event: HashedKey, _ flagsToCheck: NodeFlags, _ skipped: inout Int) -> NodeRecord? {
    var node: NodeRecord? = first
    while let here = node, here.fields.flags.isDisjoint(with: flagsToCheck), !here.owns(event) {
      node = here.fields.next
      skipped += 1
    }
    return node
  }

  static func proxy(of node: NodeRecord) -> EventProxy? { unsafe node.fields.proxy?.takeUnretainedValue() }

  // With the closure inlined: a pass down calls it for each node.
  @inline(__always) @discardableResult
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
        depth &+= 1
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
        depth &-= 1
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
  static func beginVisit(_ link: NodeRecord, _ key: EventKey, _ pass: inout ActivePass) {
    unsafe pass.beginVisit(key, record: link, object: nil)
  }
  static func responder(_ node: NodeRecord) -> (any Responder)? { node.node }
}
