import DynamicInvocation

extension Pass {
  /// Takes an event up from a node.
  ///
  /// - Returns: False when the way leads out of what this kind of tree can follow; no handler has been called then.
  mutating func goUp(from first: Tree.Node?, _ key: EventKey, _ asking: Asking) -> Bool {
    let event = HashedKey(key)
    let last = HandlerSequence.last
    let attention = rules.attention
    let endsUnhandled = rules.endsUnhandled
    var watch = CycleWatch<Tree>()
    var mayCircle = false
    var skipped = 0
    var node = first
    // Most events meet one handler: nothing needs to be kept until it is found.
    while let here = node {
      let flags = Tree.flags(of: here)
      if !flags.isDisjoint(with: attention) {
        if flags.contains(.external) { return false }
        if rules.endsBeforeBoundary, flags.contains(.boundary) { return true }
        if flags.contains(.overridden) {
          mayCircle = true
          if watch.meets(here) {
            noteCircle(from: first, key)
            return true
          }
        }
      }
      if Tree.handles(here, event, key) { break }
      recorder?.recordPassed(Tree.responder(here), depth: skipped, key)
      if !flags.isDisjoint(with: endsUnhandled) { return true }
      node = Tree.next(of: here)
      skipped += 1
    }
    guard let found = node else { return true }

    if Tree.next(of: found) == nil, !mayCircle {
      if case .resend(let next, _) = ask(found, depth: skipped, key, upTo: last, asking) { outcome.note(finalKey: next) }
      return true
    }
    return unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Node>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var path = unsafe PathBuffer<Tree>(memory)
      defer { path.end() }
      guard collect(from: mayCircle ? first : found, key, into: &path) else { return false }
      if path.cycleStart != nil, !mayCircle {
        // In a circle, the nodes passed already may come again.
        mayCircle = true
        path.truncate(to: 0)
        guard collect(from: first, key, into: &path) else { return false }
      }
      walk(&path, from: mayCircle ? skipped : 0, depth: mayCircle ? 0 : skipped, key, upTo: last, asking)
      return true
    }
  }

  /// Notes where a path that nobody listens on comes back to.
  private mutating func noteCircle(from first: Tree.Node?, _ key: EventKey) {
    recorder?.dropRepeats()
    unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Node>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var path = unsafe PathBuffer<Tree>(memory)
      defer { path.end() }
      // The walk may have noticed it at any node of the circle.
      _ = collect(from: first, key, into: &path)
      if let start = path.cycleStart { outcome.note(RoutingError.cyclicPath(start)) }
    }
  }

  /// Fixes the path.
  private func collect(from first: Tree.Node?, _ key: EventKey, into path: inout PathBuffer<Tree>) -> Bool {
    let event = HashedKey(key)
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
      var entry = PathEntry(here, isListener: Tree.handles(here, event, key))
      entry.hadNext = next != nil
      path.append(entry)
      if flags.contains(.terminalAlways) { break }
      node = next
    }
    return true
  }

  /// Cuts a path that has come back to a node of it before the first node that comes twice.
  private func cutCircle(at again: Tree.Node, _ path: inout PathBuffer<Tree>) {
    var last = path.count - 1
    while last > 0, !Tree.isSame(path[last].node, again) { last -= 1 }
    let length = path.count - last
    var start = 0
    while start + length < path.count, !Tree.isSame(path[start].node, path[start + length].node) { start += 1 }
    // Now, as the node may die on the way.
    path.cycleStart = Tree.responder(path[start].node)?.responderName
    path.truncate(to: start + length)
  }

  private mutating func walk(
    _ path: inout PathBuffer<Tree>, from start: Int, depth: Int, _ key: EventKey, upTo last: UInt, _ asking: Asking
  ) {
    var index = start
    var key = key
    var trail: [EventKey] = []
    var resent = walk(&path, &index, depth, &key, upTo: last, &trail, asking)
    while let arguments = resent {
      let source = source
      resent = walk(&path, &index, depth, &key, upTo: HandlerSequence.last, &trail) {
        $0.run($1, upTo: $2, source: source, BoxedPayload(arguments))
      }
    }
  }

  /// Asks the nodes of a path in turn, until its end or until a handler sends the event on under another key.
  ///
  /// - Returns: The arguments sent on.
  private mutating func walk(
    _ path: inout PathBuffer<Tree>, _ index: inout Int, _ depth: Int, _ key: inout EventKey, upTo last: UInt, _ trail: inout [EventKey],
    _ asking: Asking
  ) -> [BoxedValue]? {
    let event = HashedKey(key)
    while index < path.count {
      let node = path[index].node
      let isListener = path[index].isListener
      let hadNext = path[index].hadNext
      index += 1
      let level = depth + index - 1
      if Tree.isLost(node, hadNext: hadNext) {
        recorder?.recordRemoved(Tree.responder(node), depth: level, key)
        continue
      }
      let flags = Tree.flags(of: node)
      guard isListener, Tree.handles(node, event, key) else {
        recorder?.recordPassed(Tree.responder(node), depth: level, key)
        if !flags.isDisjoint(with: rules.endsUnhandled) { return nil }
        continue
      }
      switch ask(node, depth: level, key, upTo: last, asking) {
      case .ignored:
        if !flags.isDisjoint(with: rules.endsIgnored) { return nil }
      case .goOn:
        if !flags.isDisjoint(with: rules.endsHandled) { return nil }
      case .endSubtree, .endPass:
        return nil
      case .resend(let next, let arguments):
        guard leave(key, for: next, trail: &trail) else { return nil }
        key = next
        let event = HashedKey(next)
        for later in index..<path.count { path[later].isListener = Tree.handles(path[later].node, event, next) }
        return arguments
      }
    }
    if let start = path.cycleStart { outcome.note(RoutingError.cyclicPath(start)) }
    return nil
  }
}
