internal import DynamicInvocation

/// Passes down that await their handlers.
extension AwaitingWalk {
  /// Begins a pass down from a node.
  mutating func beginDown(from start: Tree.Node, _ event: inout AwaitedEvent) {
    self.start = start
    changes = NodeRecord.removalCount
    let first = pass.collect(
      below: start, of: start, including: pass.rules.startsAtSender, depth: 0, event.key, [], changes, into: &path)
    (stage, leg, event.last) = (.down, first, first.last)
  }

  mutating func nextDown(_ event: inout AwaitedEvent) -> Visit? {
    guard let start, var leg else {
      stage = .finished
      return nil
    }
    let hashed = pass.hashed(event.key)
    while leg.index < leg.end {
      let here = leg.index
      let depth = path[here].depth
      leg.index += 1
      let isTold = pass.isStopped || path[here].isStopped
      let flags: NodeFlags
      if isTold {
        guard pass.isTold(here, leg, path, start, changes) else { continue }
        flags = .none
        unsafe pass.active?.pointee.isStopped = true
      } else {
        guard let found = pass.look(at: here, leg, path, start, changes, hashed) else { continue }
        flags = found
      }
      path[here].wasAsked = true
      self.leg = leg
      return Visit(link: path[here].link, index: here, depth: depth, flags: flags, isTold: isTold)
    }
    // The segment in which this one has started goes on.
    let outer = outerLegs.popLast()
    (self.leg, event.resent) = (outer?.leg, outer?.resent)
    if let outer { (event.key, event.last) = (outer.leg.key, outer.leg.last) }
    return nil
  }

  mutating func concludeDown(_ visit: Visit, _ verdict: Pass<Tree>.Verdict, _ event: inout AwaitedEvent) {
    if visit.isTold {
      unsafe pass.active?.pointee.isStopped = pass.isStopped
      return
    }
    switch verdict {
    case .ignored:
      // The event continues as if there were no handler, so it does not pass a terminal node.
      if pass.rules.unknownKey == .endsAtTerminal, !visit.flags.isDisjoint(with: pass.rules.endsIgnored) {
        leg?.skip(below: visit.depth, in: path)
      }
    case .goOn: break
    case .endPass: if !pass.goOnStopped() { stage = .finished }
    case .endSubtree:
      if EventProxy.hasStopListeners { leg?.stop(below: visit.depth, in: &path) } else { leg?.skip(below: visit.depth, in: path) }
    case .resend(let next, let arguments): resend(next, arguments, visit, &event)
    }
  }

  /// Starts a segment under another key, below a node.
  private mutating func resend(_ next: EventKey, _ arguments: [BoxedValue], _ visit: Visit, _ event: inout AwaitedEvent) {
    guard let start, var outer = leg else { return }
    outer.skip(below: visit.depth, in: path)
    leg = outer
    var trail = outer.trail
    guard pass.leave(event.key, at: visit.index, for: next, trail: &trail, of: path) else { return }
    // The node may have been deallocated by its handler; then there are no nodes below it.
    guard let node = Tree.node(visit.link) else { return }
    let isLoose = path[visit.index].isLoose
    let below = pass.collect(
      below: node, isLoose: isLoose, of: start, including: false, depth: visit.depth, next, trail, changes, into: &path)
    outerLegs.append((outer, event.resent))
    (leg, event.key, event.resent, event.last) = (below, next, arguments, below.last)
  }
}
