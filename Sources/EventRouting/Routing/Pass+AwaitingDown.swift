import DynamicInvocation

/// Passes down that wait for asynchronous handlers; the rules are those of a synchronous pass.
extension Pass {
  /// Routes an event down from a node.
  nonisolated(nonsending) mutating func goDownAwaiting(
    from start: Tree.Node, _ key: EventKey, _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async {
    var path = PathBuffer<Tree>()
    defer { path.end() }
    let changes = NodeRecord.removalCount
    var leg = collect(below: start, of: start, including: rules.startsAtSender, depth: 0, key, [], changes, into: &path)
    while case .resent(let below, let arguments) = await advance(&leg, of: &path, start, changes, awaiting, asking) {
      if await runResent(below, arguments, of: &path, start, changes, awaiting) { return }
    }
  }

  /// Runs the segment below a node that resent the event, and the segments that start in it.
  ///
  /// - Returns: Whether the whole pass ended.
  private nonisolated(nonsending) mutating func runResent(
    _ leg: Leg, _ arguments: [BoxedValue], of path: inout PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt, _ awaiting: AwaitingPass
  ) async -> Bool {
    let source = source
    var pending = [(leg: leg, arguments: arguments)]
    while let (last, arguments) = pending.popLast() {
      var leg = last
      let advance = await advance(&leg, of: &path, start, changes, awaiting) {
        await $0.runAwaiting($1, upTo: $2, skipping: $3, source: source, BoxedPayload(arguments), in: $4)
      }
      switch advance {
      case .finished: break
      case .ended: return true
      case .resent(let below, let next): pending += [(leg, arguments), (below, next)]
      }
    }
    return false
  }

  /// Visits the nodes of a segment in order, until its end or until a handler resends the event.
  private nonisolated(nonsending) mutating func advance(
    _ leg: inout Leg, of path: inout PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt, _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async -> Advance {
    let key = leg.key
    let event = hashed(key)
    while leg.index < leg.end {
      let index = leg.index
      let depth = path[index].depth
      leg.index += 1
      if isStopped || path[index].isStopped {
        await tell(index, leg, &path, start, changes, awaiting, asking)
        continue
      }
      guard let flags = look(at: index, leg, path, start, changes, event) else { continue }
      path[index].wasAsked = true
      let link = path[index].link
      switch await ask(link, depth: depth, key, upTo: leg.last, skipping: rules.direction.skipped, awaiting, asking) {
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
        guard let node = Tree.node(link) else { continue }
        let below = collect(below: node, of: start, including: false, depth: depth, next, trail, changes, into: &path)
        return .resent(below, arguments)
      }
    }
    return .finished
  }

  /// Calls the handlers of a node that also receive events that were stopped.
  private nonisolated(nonsending) mutating func tell(
    _ index: Int, _ leg: Leg, _ path: inout PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt, _ awaiting: AwaitingPass,
    _ asking: Awaiting
  ) async {
    guard isTold(index, leg, path, start, changes) else { return }
    path[index].wasAsked = true
    let wasStopped = isStopped
    unsafe awaiting.active.pointee.isStopped = true
    await tell(
      path[index].link, depth: path[index].depth, leg.key, upTo: leg.last, skipping: rules.direction.skipped, awaiting, asking)
    unsafe awaiting.active.pointee.isStopped = wasStopped
  }
}
