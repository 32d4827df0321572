import DynamicInvocation

extension Pass {
  /// The result of a search for the first node that handles an event.
  enum Found {
    /// No node handles it, and the pass is finished.
    case nobody
    /// The path leads to a node that this topology cannot follow.
    case leadsOut
    /// A node without a next.
    case last(Tree.Link)
    /// A node, and whether the path may contain a cycle.
    case node(Tree.Link, mayCircle: Bool)
  }

  /// Routes an event up without a report, from a node or from its next depending on the rules.
  ///
  /// While handlers run, the pass does not keep nodes alive.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  mutating func goUp(from sender: Tree.Node, _ key: EventKey, _ asking: Asking) -> Bool {
    if rules.hasCapturePhase { return goUpCapturing(from: sender, key, asking) }
    let last = EventProxy.lastSequence
    var skipped = 0
    switch search(from: sender, key, &skipped) {
    case .nobody: return true
    case .leadsOut: return false
    case .last(let found):
      if case .resend(let next, _) = ask(found, depth: skipped, key, upTo: last, asking) { outcome.note(finalKey: next) }
      return true
    case .node(let found, let mayCircle):
      return goUp(from: sender, found, skipped, mayCircle: mayCircle, key, upTo: last, asking)
    }
  }

  /// The first node of a pass up.
  @inline(__always)
  private func first(from sender: Tree.Node) -> Tree.Node? { rules.startsAtSender ? sender : Tree.next(of: sender) }

  /// Routes an event up with a report, which asks nodes for their names: these may be the user's code, and change the
  /// tree, so the path is stored before.
  @inline(never)
  mutating func goUpRecording(from sender: Tree.Node, _ key: EventKey, _ asking: Asking) -> Bool {
    if rules.hasCapturePhase { return goUpCapturing(from: sender, key, asking) }
    return unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Link>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var path = unsafe PathBuffer<Tree>(memory)
      defer { path.end() }
      let last = EventProxy.lastSequence
      guard collectAll(above: sender, key, into: &path) else { return false }
      walk(&path, from: 0, depth: 0, key, upTo: last, asking)
      return true
    }
  }

  /// Finds the first node that handles an event, of a pass without a report.
  ///
  /// Most events are handled by one node, and no path is stored until it is found.
  @inline(__always)
  mutating func search(from sender: Tree.Node, _ key: EventKey, _ skipped: inout Int) -> Found {
    let event = hashed(key)
    let attention = rules.attention
    let endsUnhandled = rules.endsUnhandled
    var watch = CycleWatch<Tree>()
    var mayCircle = false
    if !rules.startsAtSender, Tree.flags(of: sender).contains(.external) { return .leadsOut }
    var node = first(from: sender)
    while let first = node {
      guard let here = Tree.skip(from: first, event, attention, &skipped) else { return .nobody }
      let flags = Tree.flags(of: here)
      if !flags.isDisjoint(with: attention) {
        if flags.contains(.external) { return .leadsOut }
        if rules.endsBeforeBoundary, flags.contains(.boundary) { return .nobody }
        if flags.contains(.overridden) {
          mayCircle = true
          if watch.meets(here) {
            noteCircle(from: sender, key)
            return .nobody
          }
        }
      }
      if Tree.handles(here, event, key) {
        return Tree.next(of: here) == nil && !mayCircle ? .last(Tree.link(to: here)) : .node(Tree.link(to: here), mayCircle: mayCircle)
      }
      if !flags.isDisjoint(with: endsUnhandled) { return .nobody }
      node = Tree.next(of: here)
      skipped += 1
    }
    return .nobody
  }

  /// Routes an event up from the first node that handles it.
  private mutating func goUp(
    from sender: Tree.Node, _ found: Tree.Link, _ skipped: Int, mayCircle: Bool, _ key: EventKey, upTo last: UInt, _ asking: Asking
  ) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Link>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var path = unsafe PathBuffer<Tree>(memory)
      defer { path.end() }
      var mayCircle = mayCircle
      guard collect(from: sender, found, mayCircle: &mayCircle, key, into: &path) else { return false }
      walk(&path, from: mayCircle ? skipped : 0, depth: mayCircle ? 0 : skipped, key, upTo: last, asking)
      return true
    }
  }

  /// Collects the path of a pass up from the first node that handles it, or from the sender if the path may contain a
  /// cycle.
  @inline(__always)
  func collect(
    from sender: Tree.Node, _ found: Tree.Link, mayCircle: inout Bool, _ key: EventKey, into path: inout PathBuffer<Tree>
  ) -> Bool {
    guard mayCircle ? collect(above: sender, key, into: &path) : collect(from: Tree.node(found), key, into: &path) else { return false }
    guard path.cycleStart != nil, !mayCircle else { return true }
    // In a cycle, the nodes that were already passed may occur again.
    mayCircle = true
    path.truncate(to: 0)
    return collect(above: sender, key, into: &path)
  }

  /// Notes at which node a path without handlers returns to itself.
  private mutating func noteCircle(from sender: Tree.Node, _ key: EventKey) {
    unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Link>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var path = unsafe PathBuffer<Tree>(memory)
      defer { path.end() }
      // The search may have detected the cycle at any node of it.
      _ = collect(above: sender, key, into: &path)
      if let start = path.cycleStart { outcome.note(SendOutcome.RoutingError.cyclicPath(start)) }
    }
  }

  /// Collects the path of a sender before any node is visited.
  ///
  /// - Returns: False when it leads to a node that this topology cannot follow.
  func collectAll(above sender: Tree.Node, _ key: EventKey, into path: inout PathBuffer<Tree>) -> Bool {
    if !rules.startsAtSender, Tree.flags(of: sender).contains(.external) { return false }
    return collect(above: sender, key, into: &path)
  }

  /// Collects the path of a sender.
  func collect(above sender: Tree.Node, _ key: EventKey, into path: inout PathBuffer<Tree>) -> Bool {
    collect(from: first(from: sender), key, into: &path)
  }

  /// Collects the path.
  private func collect(from first: Tree.Node?, _ key: EventKey, into path: inout PathBuffer<Tree>) -> Bool {
    let event = hashed(key)
    let attention = rules.attention
    var watch = CycleWatch<Tree>()
    var node = first
    while let here = node {
      let flags = Tree.flags(of: here)
      if !flags.isDisjoint(with: attention) {
        if flags.contains(.external) { return false }
        if rules.endsBeforeBoundary, flags.contains(.boundary) { break }
        if flags.contains(.overridden), watch.meets(here) {
          cutCircle(at: here, &path)
          break
        }
      }
      let next = Tree.next(of: here)
      var entry = PathEntry(Tree.link(to: here), isListener: Tree.handles(here, event, key))
      entry.hadNext = next != nil
      path.append(entry)
      if flags.contains(.terminalAlways) { break }
      node = next
    }
    return true
  }

  /// Truncates a path that has returned to one of its nodes before the first node that occurs twice.
  private func cutCircle(at again: Tree.Node, _ path: inout PathBuffer<Tree>) {
    var last = path.count - 1
    while last > 0, !Tree.isSame(path[last].link, again) { last -= 1 }
    let length = path.count - last
    var start = 0
    while start + length < path.count, let node = Tree.node(path[start + length].link), !Tree.isSame(path[start].link, node) { start += 1 }
    // The name is read now, since the node may be deallocated during the pass.
    path.cycleStart = Self.responder(path[start].link)?.responderName
    path.truncate(to: start + length)
  }

  private mutating func walk(
    _ path: inout PathBuffer<Tree>, from start: Int, depth: Int, _ key: EventKey, upTo last: UInt, _ asking: Asking
  ) {
    var trail: [TrailStep] = []
    walk(&path, from: start, depth: depth, key, upTo: last, &trail, asking)
  }

  /// Visits the nodes of a path in order, for an event that has left the keys of a trail.
  mutating func walk(
    _ path: inout PathBuffer<Tree>, from start: Int, depth: Int, _ key: EventKey, upTo last: UInt, _ trail: inout [TrailStep],
    _ asking: Asking
  ) {
    var index = start
    var key = key
    var resent = walk(&path, &index, depth, &key, upTo: last, &trail, asking)
    while let arguments = resent {
      let source = source
      resent = walk(&path, &index, depth, &key, upTo: EventProxy.lastSequence, &trail) {
        $0.run($1, upTo: $2, skipping: $3, source: source, BoxedPayload(arguments))
      }
    }
  }

  /// Visits the nodes of a path in order, until its end or until a handler resends the event.
  ///
  /// - Returns: The arguments of the resent event; nil when the pass is finished.
  private mutating func walk(
    _ path: inout PathBuffer<Tree>, _ index: inout Int, _ depth: Int, _ key: inout EventKey, upTo last: UInt, _ trail: inout [TrailStep],
    _ asking: Asking
  ) -> [BoxedValue]? {
    let event = hashed(key)
    while index < path.count {
      let flags: NodeFlags
      let level = depth + index
      switch step(path[index], depth: level, event, key) {
      case .passed(ends: true): return nil
      case .passed(ends: false):
        index += 1
        continue
      case .asked(let found): flags = found
      }
      let link = path[index].link
      index += 1
      switch ask(link, depth: level, key, upTo: last, asking) {
      case .ignored:
        if !flags.isDisjoint(with: rules.endsIgnored) { return nil }
      case .goOn:
        if !flags.isDisjoint(with: rules.endsHandled) { return tellRest(path, from: index, depth, key, upTo: last, asking) }
      case .endSubtree, .endPass:
        return tellRest(path, from: index, depth, key, upTo: last, asking)
      case .resend(let next, let arguments):
        guard leave(key, at: index - 1, for: next, trail: &trail, of: path) else { return nil }
        key = next
        findListeners(of: next, in: &path, from: index)
        return arguments
      }
    }
    if let start = path.cycleStart { outcome.note(SendOutcome.RoutingError.cyclicPath(start)) }
    return nil
  }

  /// Determines which nodes of a path handle a key, from an index on.
  func findListeners(of key: EventKey, in path: inout PathBuffer<Tree>, from index: Int) {
    let event = hashed(key)
    for later in index..<path.count {
      path[later].isListener = Tree.node(path[later].link).map { Tree.handles($0, event, key) } ?? false
    }
  }

  enum Step {
    /// The node is passed, or was removed or deallocated.
    case passed(ends: Bool)
    /// The node is to be visited; its flags before its handlers run.
    case asked(NodeFlags)
  }

  /// Checks a node of the path.
  ///
  /// This is a separate function because otherwise, without optimization, the node would be kept alive while its
  /// handlers run.
  @inline(__always)
  func step(_ entry: PathEntry<Tree.Link>, depth: Int, _ event: HashedKey, _ key: EventKey) -> Step {
    guard let node = Tree.node(entry.link), !Tree.isLost(node, hadNext: entry.hadNext) else {
      recorder?.recordRemoved(Self.responder(entry.link), depth: depth, key)
      return .passed(ends: false)
    }
    let flags = Tree.flags(of: node)
    guard entry.isListener, Tree.handles(node, event, key) else {
      recorder?.recordPassed(Tree.responder(node), depth: depth, key)
      return .passed(ends: !flags.isDisjoint(with: rules.endsUnhandled))
    }
    return .asked(flags)
  }
}
