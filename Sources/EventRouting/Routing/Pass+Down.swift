import DynamicInvocation

extension Pass {
  /// A segment of a pass down under one key: the whole pass, or the nodes below a node that resent the event.
  struct Leg {
    var key: EventKey
    var trail: [TrailStep]
    /// The index of the segment's next entry and the end of its entries, in the path of the pass.
    var index: Int
    let end: Int
    /// The sequence number of the last handler registered when the segment started.
    let last: UInt = EventProxy.lastSequence

    /// Skips the entries below a node that was just visited.
    mutating func skip(below depth: Int, in path: borrowing PathBuffer<Tree>) {
      while index < end, path[index].floor > depth { index += 1 }
    }

    /// Marks the entries below a node that has stopped the event.
    func stop(below depth: Int, in path: inout PathBuffer<Tree>) {
      var place = index
      while place < end, path[place].floor > depth {
        path[place].isStopped = true
        place += 1
      }
    }
  }

  enum Advance {
    case finished
    case ended
    case resent(Leg, [BoxedValue])
  }

  /// Routes an event down from a node.
  mutating func goDown(from start: Tree.Node, _ key: EventKey, _ asking: Asking) {
    unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Link>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var path = unsafe PathBuffer<Tree>(memory)
      defer { path.end() }
      let changes = NodeRecord.removalCount
      var leg = collect(below: start, of: start, including: rules.startsAtSender, depth: 0, key, [], changes, into: &path)
      while case .resent(let below, let arguments) = advance(&leg, of: &path, start, changes, asking) {
        if runResent(below, arguments, of: &path, start, changes) { return }
      }
    }
  }

  /// Runs the segment below a node that resent the event, and the segments that start in it.
  ///
  /// - Returns: Whether the whole pass ended.
  private mutating func runResent(
    _ leg: Leg, _ arguments: [BoxedValue], of path: inout PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt
  ) -> Bool {
    let source = source
    var pending = [(leg: leg, arguments: arguments)]
    while let last = pending.indices.last {
      let payload = BoxedPayload(pending[last].arguments)
      switch advance(&pending[last].leg, of: &path, start, changes, { $0.run($1, upTo: $2, skipping: $3, source: source, payload) }) {
      case .finished: pending.removeLast()
      case .ended: return true
      case .resent(let below, let arguments): pending.append((below, arguments))
      }
    }
    return false
  }

  /// Collects the nodes that a segment of a pass visits; `isLoose` is that of the entry of its top.
  func collect(
    below top: Tree.Node, isLoose: Bool = false, of start: Tree.Node, including: Bool, depth: Int, _ key: EventKey,
    _ trail: [TrailStep], _ changes: UInt, into path: inout PathBuffer<Tree>
  ) -> Leg {
    let first = path.count
    let endsUnhandled = rules.endsUnhandled
    // Once nodes have moved, a node that was visited before may be below this one.
    let mayRepeat = first > 0 && (!Tree.countsChanges || NodeRecord.removalCount != changes)
    // Below a node that was removed, none is: they were removed with it.
    let mayBeLoose = !Tree.countsChanges && (isLoose || Tree.isBelow(top, start))
    var floor = Int.max
    Tree.forEachBelow(top, including: including, hashed(key), key) { node, level, isListener in
      let level = depth + level
      floor = min(floor, level)
      if mayRepeat, Self.wasAsked(node, path, in: 0..<first) { return true }
      if isListener || recorder != nil {
        var entry = PathEntry(Tree.link(to: node), depth: level, floor: floor, isListener: isListener)
        if mayBeLoose { entry.isLoose = !Tree.isBelow(node, start) }
        path.append(entry)
        floor = Int.max
      }
      return isListener || Tree.flags(of: node).isDisjoint(with: endsUnhandled)
    }
    return Leg(key: key, trail: trail, index: first, end: path.count)
  }

  private static func wasAsked(_ node: Tree.Node, _ path: borrowing PathBuffer<Tree>, in entries: Range<Int>) -> Bool {
    for index in entries where path[index].wasAsked && Tree.isSame(path[index].link, node) { return true }
    return false
  }

  /// Visits the nodes of a segment in order, until its end or until a handler resends the event.
  private mutating func advance(
    _ leg: inout Leg, of path: inout PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt, _ asking: Asking
  ) -> Advance {
    let key = leg.key
    let event = hashed(key)
    while leg.index < leg.end {
      let index = leg.index
      let depth = path[index].depth
      leg.index += 1
      if isStopped || path[index].isStopped {
        tell(index, leg, &path, start, changes, asking)
        continue
      }
      guard let flags = look(at: index, leg, path, start, changes, event) else { continue }
      path[index].wasAsked = true
      switch ask(path[index].link, depth: depth, key, upTo: leg.last, asking) {
      case .ignored:
        // The event continues as if there were no handler, so it does not pass a terminal node.
        if rules.unknownKey == .endsAtTerminal, !flags.isDisjoint(with: rules.endsIgnored) { leg.skip(below: depth, in: path) }
      case .goOn:
        continue
      case .endPass:
        guard goOnStopped() else { return .ended }
      case .endSubtree:
        if EventProxy.hasStopListeners { leg.stop(below: depth, in: &path) } else { leg.skip(below: depth, in: path) }
      case .resend(let next, let arguments):
        leg.skip(below: depth, in: path)
        var trail = leg.trail
        guard leave(key, at: index, for: next, trail: &trail, of: path) else { continue }
        // The node may have been deallocated by its handler; then there are no nodes below it.
        guard let node = Tree.node(path[index].link) else { continue }
        let isLoose = path[index].isLoose
        let below = collect(
          below: node, isLoose: isLoose, of: start, including: false, depth: depth, next, trail, changes, into: &path)
        return .resent(below, arguments)
      }
    }
    return .finished
  }

  /// Calls the handlers of a node that also receive events that were stopped.
  @inline(never)
  private mutating func tell(
    _ index: Int, _ leg: Leg, _ path: inout PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt, _ asking: Asking
  ) {
    guard isTold(index, leg, path, start, changes) else { return }
    path[index].wasAsked = true
    let wasStopped = isStopped
    unsafe active?.pointee.isStopped = true
    tell(path[index].link, depth: path[index].depth, leg.key, upTo: leg.last, skipping: rules.direction.skipped, asking)
    unsafe active?.pointee.isStopped = wasStopped
  }

  /// Whether a node of the path has handlers that also receive events that were stopped, and is to be visited.
  func isTold(_ index: Int, _ leg: Leg, _ path: borrowing PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt) -> Bool {
    let hasChanged = !Tree.countsChanges || NodeRecord.removalCount != changes
    guard path[index].isListener, let node = Tree.node(path[index].link),
      !hasChanged || path[index].isLoose || Tree.isBelow(node, start)
    else { return false }
    if path.count > leg.end, Self.wasAsked(node, path, in: leg.end..<path.count) { return false }
    return Tree.handles(node, HashedKey(leg.key, Directions.down.stopped), leg.key)
  }

  /// Checks a node of the path.
  ///
  /// This is a separate function because otherwise, without optimization, the node would be kept alive while its
  /// handlers run.
  ///
  /// - Returns: The flags of the node before its handlers run; nil when it is not to be visited.
  @inline(__always)
  func look(
    at index: Int, _ leg: Leg, _ path: borrowing PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt, _ event: HashedKey
  ) -> NodeFlags? {
    let depth = path[index].depth
    let hasChanged = !Tree.countsChanges || NodeRecord.removalCount != changes
    guard let node = Tree.node(path[index].link), !hasChanged || path[index].isLoose || Tree.isBelow(node, start) else {
      recorder?.recordRemoved(Self.responder(path[index].link), depth: depth, leg.key)
      return nil
    }
    // A node that moved below a node that resent the event was visited there.
    if path.count > leg.end, Self.wasAsked(node, path, in: leg.end..<path.count) { return nil }
    guard path[index].isListener, Tree.handles(node, event, leg.key) else {
      recorder?.recordPassed(Tree.responder(node), depth: depth, leg.key)
      return nil
    }
    return Tree.flags(of: node)
  }
}
