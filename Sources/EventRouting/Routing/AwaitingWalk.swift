public import DynamicInvocation

/// The event of a pass that awaits its handlers, as the visited node receives it.
@usableFromInline
struct AwaitedEvent {
  @usableFromInline var key: EventKey
  /// The sequence number of the last handler that was registered when the pass started or the event was resent.
  @usableFromInline var last: UInt = 0
  /// The flags of handlers that do not receive the event.
  @usableFromInline var skipping: Gate = []
  /// The arguments of an event that was resent; nil before.
  @usableFromInline var resent: [BoxedValue]?
}

/// The visits of a pass that awaits its handlers, in one topology; the rules are those of a synchronous pass.
@safe
struct AwaitingWalk<Tree: Topology>: ~Copyable {
  enum Stage {
    /// Of a pass up: the only node that handles the event, which has no next.
    case alone(Tree.Link)
    /// Of a pass up: the nodes of the path from its end.
    case capture
    /// Of a pass up: the nodes of the path.
    case up
    /// Of a pass up: the nodes after one that has stopped the event.
    case rest
    case down
    case finished
  }

  /// The node whose handlers are called.
  struct Visit {
    let link: Tree.Link
    /// Its index in the path.
    let index: Int
    let depth: Int
    /// Its flags before its handlers run.
    let flags: NodeFlags
    /// Whether the event was stopped, and the replies are dropped.
    let isTold: Bool
  }

  /// What a report says of the node whose handlers are called.
  private struct Record {
    let responder: (any Responder)?
    let declared: [EventProxy.DeclaredRewrite]
    let isAsynchronous: Bool
  }

  var pass: Pass<Tree>
  var path: PathBuffer<Tree> = PathBuffer()
  var stage: Stage = .finished
  private var visit: Visit?
  private var record: Record?

  // Of a pass up.

  /// The index in the path of the next node; in the capture phase, of the node before.
  var index: Int = 0
  /// The depth of the first node of the path.
  var depth: Int = 0
  /// The keys that the event has left.
  var trail: [TrailStep] = []

  // Of a pass down.

  /// The node that it starts from.
  var start: Tree.Node?
  /// How many nodes had been removed when it started.
  var changes: UInt = 0
  /// The segment that runs.
  var leg: Pass<Tree>.Leg?
  /// The segments in which others have started, with their arguments.
  var outerLegs: [(leg: Pass<Tree>.Leg, resent: [BoxedValue]?)] = []

  init() { pass = unsafe Pass(rules: .router, source: nil, recorder: nil, active: nil) }

  /// Begins a pass.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  mutating func begin(
    from start: Tree.Node, _ event: inout AwaitedEvent, source: AnyObject?, _ rules: RoutingRules, _ recorder: ReportRecorder?,
    _ active: UnsafeMutablePointer<ActivePass>
  ) -> Bool {
    pass = unsafe Pass(rules: rules, source: source, recorder: recorder, active: active)
    if rules.direction == .up { return beginUp(from: start, &event) }
    beginDown(from: start, &event)
    return true
  }

  /// Ends the pass; afterwards another one can begin.
  mutating func end() {
    pass = unsafe Pass(rules: .router, source: nil, recorder: nil, active: nil)
    path.reset()
    (stage, start, leg) = (.finished, nil, nil)
    if !trail.isEmpty { trail = [] }
    if !outerLegs.isEmpty { outerLegs = [] }
  }

  /// Goes on to the next node with handlers for the event, and returns its proxy; nil at the end of the pass.
  @inline(__always)
  mutating func next(_ event: inout AwaitedEvent) -> EventProxy? {
    while true {
      let next: Visit?
      switch stage {
      case .finished: return nil
      case .alone(let link): next = Visit(link: link, index: 0, depth: depth, flags: .none, isTold: false)
      case .capture: next = nextCapturing(&event)
      case .up: next = nextUp(&event)
      case .rest: next = nextTold(&event)
      case .down: next = nextDown(&event)
      }
      guard let next else { continue }
      visit = next
      guard let proxy = Pass<Tree>.proxy(of: next.link) else {
        conclude(next, .ignored, &event)
        continue
      }
      open(next, proxy, &event)
      return proxy
    }
  }

  /// Prepares the call of a node's handlers.
  private mutating func open(_ visit: Visit, _ proxy: EventProxy, _ event: inout AwaitedEvent) {
    var skipping = pass.rules.direction.skipped
    if case .capture = stage { skipping = .notCapture }
    if visit.isTold { skipping.insert(.notStopped) }
    event.skipping = skipping
    if pass.recorder != nil {
      record = Record(
        responder: Pass<Tree>.responder(visit.link),
        declared: visit.isTold ? [] : proxy.declaredRewrites(of: event.key, upTo: event.last, skipping: skipping),
        isAsynchronous: !visit.isTold && proxy.isAsynchronous(event.key, upTo: event.last, skipping: skipping))
    }
    Tree.pin(visit.link)
    if let active = unsafe pass.active { unsafe Tree.beginAsking(visit.link, event.key, &active.pointee) }
  }

  /// Goes on with the answer of the node's handlers.
  @inline(__always)
  mutating func take(_ answer: consuming EventProxy.Answer, _ event: inout AwaitedEvent) {
    guard let visit else { preconditionFailure("the answer is that of a node") }
    unsafe pass.active?.pointee.endAsking()
    var answer = answer
    if !answer.errors.isEmpty { pass.note(&answer.errors, of: visit.link) }
    Tree.unpin(visit.link)
    if let recorder = pass.recorder, let record {
      self.record = nil
      if visit.isTold {
        recorder.recordObserved(record.responder, depth: visit.depth, event.key, answer)
      } else {
        recorder.record(
          record.responder, depth: visit.depth, event.key, answer, pass.rules, notes: answer.deviations(from: record.declared),
          isAsynchronous: record.isAsynchronous)
      }
    }
    conclude(visit, visit.isTold ? .ignored : pass.verdict(on: answer.reply), &event)
  }

  /// Goes on after a node.
  private mutating func conclude(_ visit: Visit, _ verdict: Pass<Tree>.Verdict, _ event: inout AwaitedEvent) {
    switch stage {
    case .alone:
      if case .resend(let next, _) = verdict { pass.outcome.note(finalKey: next) }
      stage = .finished
    case .capture: concludeCapturing(visit, verdict, &event)
    case .up: concludeUp(visit, verdict, &event)
    case .rest: if !visit.flags.isDisjoint(with: pass.rules.endsIgnored) { stage = .finished }
    case .down: concludeDown(visit, verdict, &event)
    case .finished: break
    }
  }
}

// MARK: - Up

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

// MARK: - Down

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
