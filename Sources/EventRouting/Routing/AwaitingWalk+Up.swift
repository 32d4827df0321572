internal import DynamicInvocation

/// Passes up that await their handlers.
extension AwaitingWalk {
  /// Begins a pass up, from a node or from its next depending on the rules.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow.
  mutating func beginUp(from sender: Tree.Node, _ event: inout AwaitedEvent) -> Bool {
    let rules = pass.rules
    event.last = EventProxy.lastSequence
    // A report asks nodes for their names, which may be the user's code that changes the tree: the path is stored before.
    if rules.hasCapturePhase || pass.recorder != nil {
      guard pass.collectAll(above: sender, event.key, into: &path) else { return false }
      (stage, index, depth) = (.up, 0, 0)
      if rules.hasCapturePhase {
        pass.enter(.capture)
        (stage, index) = (.capture, path.count)
      }
      return true
    }
    var skipped = 0
    switch pass.search(from: sender, event.key, &skipped) {
    case .nobody: return true
    case .leadsOut: return false
    case .last(let found):
      (stage, depth) = (.alone(found), skipped)
    case .node(let found, var mayCircle):
      guard pass.collect(from: sender, found, mayCircle: &mayCircle, event.key, into: &path) else { return false }
      (stage, index, depth) = mayCircle ? (.up, skipped, 0) : (.up, 0, skipped)
    }
    return true
  }

  mutating func nextUp(_ event: inout AwaitedEvent) -> Visit? {
    let hashed = pass.hashed(event.key)
    while index < path.count {
      let here = index
      let step = pass.step(path[here], depth: depth + here, hashed, event.key)
      if case .passed(ends: true) = step {
        stage = .finished
        return nil
      }
      index += 1
      guard case .asked(let flags) = step else { continue }
      return Visit(link: path[here].link, index: here, depth: depth + here, flags: flags, isTold: false)
    }
    if let start = path.cycleStart { pass.outcome.note(SendOutcome.RoutingError.cyclicPath(start)) }
    stage = .finished
    return nil
  }

  mutating func concludeUp(_ visit: Visit, _ verdict: Pass<Tree>.Verdict, _ event: inout AwaitedEvent) {
    switch verdict {
    case .ignored:
      if !visit.flags.isDisjoint(with: pass.rules.endsIgnored) { stage = .finished }
    case .goOn:
      if !visit.flags.isDisjoint(with: pass.rules.endsHandled) { tellRest() }
    case .endSubtree, .endPass:
      tellRest()
    case .resend(let next, let arguments):
      guard resend(next, arguments, at: visit.index, &event) else { return }
      pass.findListeners(of: next, in: &path, from: index)
    }
  }

  /// Goes on under another key; returns whether the event may.
  private mutating func resend(_ next: EventKey, _ arguments: [BoxedValue], at index: Int, _ event: inout AwaitedEvent) -> Bool {
    guard pass.leave(event.key, at: index, for: next, trail: &trail, of: path) else {
      stage = .finished
      return false
    }
    (event.key, event.resent, event.last) = (next, arguments, EventProxy.lastSequence)
    return true
  }

  // MARK: After a stop

  /// Goes on to the handlers that also receive events that were stopped, if there are any.
  private mutating func tellRest() { stage = pass.goOnStopped() ? .rest : .finished }

  mutating func nextTold(_ event: inout AwaitedEvent) -> Visit? {
    let hashed = HashedKey(event.key, Directions.up.stopped)
    while index < path.count {
      let here = index
      index += 1
      let flags = pass.flags(of: path[here])
      if pass.handles(path[here], hashed, event.key) {
        return Visit(link: path[here].link, index: here, depth: depth + here, flags: flags, isTold: true)
      }
      if !flags.isDisjoint(with: pass.rules.endsUnhandled) { break }
    }
    stage = .finished
    return nil
  }

  // MARK: The capture phase

  mutating func nextCapturing(_ event: inout AwaitedEvent) -> Visit? {
    let hashed = HashedKey(event.key, pass.isStopped ? Directions.capture.stopped : Directions.capture)
    while index > 0 {
      index -= 1
      guard pass.handles(path[index], hashed, event.key) else { continue }
      return Visit(link: path[index].link, index: index, depth: index, flags: .none, isTold: pass.isStopped)
    }
    pass.enter(.up)
    if pass.isStopped {
      stage = .rest
    } else {
      if event.resent != nil { pass.findListeners(of: event.key, in: &path, from: 0) }
      stage = .up
    }
    return nil
  }

  mutating func concludeCapturing(_ visit: Visit, _ verdict: Pass<Tree>.Verdict, _ event: inout AwaitedEvent) {
    switch verdict {
    case .ignored, .goOn: break
    case .endSubtree, .endPass: if !pass.goOnStopped() { stage = .finished }
    case .resend(let next, let arguments): _ = resend(next, arguments, at: visit.index, &event)
    }
  }
}
