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

// MARK: - Capture

/// The capture phase of a pass up, and the nodes after one that has stopped the event.
extension Pass {
  private enum Capture {
    case finished
    /// A handler has stopped the event.
    case stopped
    /// The event has returned to a key that it had left.
    case looped
    case resent([BoxedValue])
  }

  /// Routes an event up, after a capture phase.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  @inline(never)
  mutating func goUpCapturing(from sender: Tree.Node, _ key: EventKey, _ asking: Asking) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Link>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var path = unsafe PathBuffer<Tree>(memory)
      defer { path.end() }
      let last = EventProxy.lastSequence
      guard collectAll(above: sender, key, into: &path) else { return false }
      var trail: [TrailStep] = []
      capture(&path, key, upTo: last, &trail, asking)
      return true
    }
  }

  /// Runs the capture phase under a key, and everything after it.
  ///
  /// A resend runs the rest with other arguments.
  private mutating func capture(
    _ path: inout PathBuffer<Tree>, _ key: EventKey, upTo last: UInt, _ trail: inout [TrailStep], _ asking: Asking
  ) {
    var index = path.count
    var key = key
    var resent: [BoxedValue]
    enter(.capture)
    switch capture(&path, &index, &key, upTo: last, &trail, asking) {
    case .finished: return goUp(&path, key, upTo: last, &trail, asking)
    case .stopped: return tellAll(path, key, upTo: last, asking)
    case .looped: return
    case .resent(let arguments): resent = arguments
    }
    let source = source
    while true {
      let last = EventProxy.lastSequence
      let payload = BoxedPayload(resent)
      let asking: Asking = { $0.run($1, upTo: $2, skipping: $3, source: source, payload) }
      switch capture(&path, &index, &key, upTo: last, &trail, asking) {
      case .finished:
        findListeners(of: key, in: &path, from: 0)
        return goUp(&path, key, upTo: last, &trail, asking)
      case .stopped: return tellAll(path, key, upTo: last, asking)
      case .looped: return
      case .resent(let arguments): resent = arguments
      }
    }
  }

  private mutating func goUp(
    _ path: inout PathBuffer<Tree>, _ key: EventKey, upTo last: UInt, _ trail: inout [TrailStep], _ asking: Asking
  ) {
    enter(.up)
    walk(&path, from: 0, depth: 0, key, upTo: last, &trail, asking)
  }

  /// Visits the nodes of a path from its end, until its start or until a handler stops or resends the event.
  private mutating func capture(
    _ path: inout PathBuffer<Tree>, _ index: inout Int, _ key: inout EventKey, upTo last: UInt, _ trail: inout [TrailStep],
    _ asking: Asking
  ) -> Capture {
    let event = HashedKey(key, .capture)
    while index > 0 {
      index -= 1
      let entry = path[index]
      if isStopped {
        if handles(entry, HashedKey(key, Directions.capture.stopped), key) {
          tell(entry.link, depth: index, key, upTo: last, skipping: .notCapture, asking)
        }
        continue
      }
      guard handles(entry, event, key) else { continue }
      switch ask(entry.link, depth: index, key, upTo: last, skipping: .notCapture, asking) {
      case .ignored, .goOn:
        continue
      case .endSubtree, .endPass:
        guard goOnStopped() else { return .stopped }
      case .resend(let next, let arguments):
        guard leave(key, at: index, for: next, trail: &trail, of: path) else { return .looped }
        key = next
        return .resent(arguments)
      }
    }
    return isStopped ? .stopped : .finished
  }

  /// Whether a node of the path that was not removed has handlers for an event.
  ///
  /// This is a separate function because otherwise, without optimization, the node would be kept alive while its
  /// handlers run.
  func handles(_ entry: PathEntry<Tree.Link>, _ event: HashedKey, _ key: EventKey) -> Bool {
    guard let node = Tree.node(entry.link), !Tree.isLost(node, hadNext: entry.hadNext) else { return false }
    return Tree.handles(node, event, key)
  }

  /// Visits the whole path for an event that was stopped in the capture phase.
  private mutating func tellAll(_ path: borrowing PathBuffer<Tree>, _ key: EventKey, upTo last: UInt, _ asking: Asking) {
    guard isStopped else { return }
    enter(.up)
    _ = tellRest(path, from: 0, 0, key, upTo: last, asking)
  }

  /// Calls the handlers of the nodes after one that has stopped the event which also receive such events.
  ///
  /// - Returns: Nil: no handler resends the event.
  @inline(__always)
  mutating func tellRest(
    _ path: borrowing PathBuffer<Tree>, from index: Int, _ depth: Int, _ key: EventKey, upTo last: UInt, _ asking: Asking
  ) -> [BoxedValue]? {
    if EventProxy.hasStopListeners { tellEach(path, from: index, depth, key, upTo: last, asking) }
    return nil
  }

  @inline(never)
  private mutating func tellEach(
    _ path: borrowing PathBuffer<Tree>, from start: Int, _ depth: Int, _ key: EventKey, upTo last: UInt, _ asking: Asking
  ) {
    _ = goOnStopped()
    let event = HashedKey(key, Directions.up.stopped)
    for index in start..<path.count {
      let flags = flags(of: path[index])
      if handles(path[index], event, key) {
        tell(path[index].link, depth: depth + index, key, upTo: last, skipping: rules.direction.skipped, asking)
        if !flags.isDisjoint(with: rules.endsIgnored) { return }
      } else if !flags.isDisjoint(with: rules.endsUnhandled) {
        return
      }
    }
  }

  func flags(of entry: PathEntry<Tree.Link>) -> NodeFlags { Tree.node(entry.link).map { Tree.flags(of: $0) } ?? .none }
}
