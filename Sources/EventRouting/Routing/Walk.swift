public import DynamicInvocation

/// The event of a pass, as the visited node receives it.
@usableFromInline
struct DeliveredEvent {
  @usableFromInline var key: EventKey
  /// The sequence number of the last handler that was registered when the pass started or the event was resent.
  ///
  /// Handlers registered later are not called.
  @usableFromInline var last: UInt = 0
  /// The flags of handlers that do not receive the event.
  @usableFromInline var skipping: HandlerFlags = []
  /// The arguments of an event that was resent; nil before.
  @usableFromInline var resent: [BoxedValue]?
}

/// The visits of a pass, in one topology.
///
/// A walk calls no handlers. ``next(_:)`` goes on to a node with handlers, its driver calls them, and ``take(_:_:)`` goes
/// on with their answer:
///
///     capture ──▶ up ──▶ observers ──▶ finished        the path of a pass up: back from its end, along it,
///        └────────┴──────────┴────────────▲           and on along it after a node that has stopped the event
///     down ─────────────────────────────────┘           the entries of a pass down, with a segment for each resend
///     alone ────────────────────────────────┘           the only node of a path
///
/// ``run(_:_:)`` drives a send, and ``AwaitingPass`` a send that awaits its handlers.
@safe
struct Walk<Tree: Topology>: ~Copyable {
  private enum Stage {
    /// Of a pass up: the only node that handles the event, which has no next.
    case alone(Tree.Link)
    /// Of a pass up: the nodes of the path from its end.
    case capture
    /// Of a pass up: the nodes of the path.
    case up
    /// Of a pass up: the nodes after one that has stopped the event, for handlers that also receive such events.
    case observers
    case down
    case finished
  }

  /// The node whose handlers are called.
  private struct Visit {
    let link: Tree.Link
    /// Its index in the path.
    let index: Int
    let depth: Int
    /// Its flags before its handlers run.
    let flags: NodeFlags
    /// Whether the event was stopped, and the replies are dropped.
    let isObserver: Bool
  }

  /// What a report says of the node whose handlers are called.
  private struct Record {
    let responder: (any Responder)?
    let declared: EventProxy.Declared
  }

  /// A part of a pass down that goes on after an inner part, which a resend has started.
  private struct Segment {
    let event: DeliveredEvent
    let index: Int
    let end: Int
    let formerKeys: [FormerKey]
  }

  /// The state that few passes have, allocated when it is needed.
  private final class Detour {
    /// The keys that the event had before.
    var formerKeys: [FormerKey] = []
    var outerSegments: [Segment] = []
    var record: Record?
  }

  private var pass: Pass<Tree>
  var path: PathBuffer<Tree>
  private(set) var outcome: SendOutcome = SendOutcome()
  /// Whether a handler has stopped the event, and only handlers that also receive such events are called.
  private var isStopped: Bool = false
  private var stage: Stage = .finished
  private var visit: Visit?
  private var detour: Detour?
  /// The index in the path of the next node; in the capture phase, of the node before.
  private var index: Int = 0

  /// Of a pass up: the depth of the first node of the path.
  private var depth: Int = 0

  // Of a pass down.

  /// The node that it starts from.
  private var start: Tree.Node?
  /// How many nodes had been removed when it started.
  private var changes: UInt = 0
  /// The end of the segment that is visited: the whole path, or the nodes below one that resent the event.
  private var end: Int = 0

  init(_ pass: Pass<Tree>, _ path: consuming PathBuffer<Tree>) {
    self.pass = pass
    self.path = path
  }

  /// Creates a walk without a pass, which allocates its path.
  init() { self.init(Self.noPass, PathBuffer()) }

  private static var noPass: Pass<Tree> { unsafe Pass(rules: .router, source: nil, recorder: nil, active: nil) }

  /// Begins another pass.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  mutating func begin(_ pass: Pass<Tree>, from start: Tree.Node, _ event: inout DeliveredEvent) -> Bool {
    self.pass = pass
    return begin(from: start, &event)
  }

  /// Begins the pass, from a node or from its next depending on the rules.
  mutating func begin(from start: Tree.Node, _ event: inout DeliveredEvent) -> Bool {
    if pass.rules.direction == .down {
      beginDown(from: start, &event)
      return true
    }
    event.last = EventProxy.lastSequence
    // A report asks nodes for their names. That may run the user's code, which may change the tree: the path is stored before.
    guard pass.rules.hasCapturePhase || pass.recorder != nil else {
      return begin(at: pass.search(from: start, event.key, &outcome), from: start, event)
    }
    guard pass.collectAll(above: start, event.key, into: &path) else { return false }
    (stage, index, depth) = (.up, 0, 0)
    if pass.rules.hasCapturePhase {
      pass.enter(.capture)
      (stage, index) = (.capture, path.count)
    }
    return true
  }

  /// Begins a pass up with the first node that handles the event.
  mutating func begin(at found: Pass<Tree>.Found, from sender: Tree.Node, _ event: DeliveredEvent) -> Bool {
    switch found {
    case .nobody: return true
    case .leadsOut: return false
    case .last(let link, let depth):
      (stage, self.depth) = (.alone(link), depth)
    case .node(let link, let depth, var mayCircle):
      guard pass.collect(from: sender, link, mayCircle: &mayCircle, event.key, into: &path) else { return false }
      (stage, index, self.depth) = mayCircle ? (.up, depth, 0) : (.up, 0, depth)
    }
    return true
  }

  /// Ends the pass, and returns its outcome; afterwards another one can begin.
  mutating func reset() -> SendOutcome {
    let outcome = outcome
    path.reset()
    (self.outcome, isStopped, stage, start) = (SendOutcome(), false, .finished, nil)
    if detour != nil { detour = nil }
    return outcome
  }

  /// Ends the walk, and returns the outcome of the pass.
  // The path is moved out, so that the compiler destroys the other members one by one. A whole walk would be destroyed by
  // a function that looks up the types of its members.
  @inline(__always)
  consuming func finish() -> SendOutcome {
    let outcome = outcome
    var path = path
    path.end()
    return outcome
  }

  /// Notes that the event was not sent.
  mutating func refuse(_ error: SendOutcome.RoutingError?) {
    if let error { outcome.note(error) } else { outcome.wasIgnored = true }
  }
}

extension EventProxy {
  /// Calls the handlers of a node with the arguments of an event that was resent, with what its sender asks or waits for.
  @inline(never)
  fileprivate func run(
    _ event: DeliveredEvent, resent: [BoxedValue], source: AnyObject?, within active: UnsafeMutablePointer<ActivePass>?
  ) -> Outcome {
    func run(_ payload: some EventPayload) -> Outcome {
      self.run(event.key, upTo: event.last, skipping: event.skipping, source: source, payload)
    }
    let payload = KeptPayload(resent)
    if let started = unsafe active?.pointee.started?.takeUnretainedValue() { return run(StartingPayload(payload, started)) }
    if let asking = unsafe active?.pointee.asking { return run(unsafe AskingPayload(payload, asking)) }
    return run(payload)
  }
}

// MARK: - Visits

extension Walk {
  /// Calls the handlers of all nodes that the pass visits.
  @inline(__always)
  mutating func run(_ event: inout DeliveredEvent, _ caller: Router.HandlerCaller) {
    while let proxy = next(&event) {
      if unsafe pass.active == nil {
        take(detours.record?.declared.answer ?? EventProxy.Outcome(), &event)
      } else if let resent = event.resent {
        take(unsafe proxy.run(event, resent: resent, source: pass.source, within: pass.active), &event)
      } else {
        take(caller(proxy, event.key, event.last, event.skipping), &event)
      }
    }
  }

  /// Goes on to the next node with handlers for the event, and returns its proxy; nil at the end of the pass.
  @inline(__always)
  mutating func next(_ event: inout DeliveredEvent) -> EventProxy? {
    while true {
      let next: Visit?
      switch stage {
      case .finished: return nil
      case .alone(let link): next = Visit(link: link, index: 0, depth: depth, flags: .none, isObserver: false)
      case .capture: next = nextCapturing(event)
      case .up: next = nextUp(event)
      case .observers: next = nextObserver(event)
      case .down: next = nextDown(&event)
      }
      guard let next else { continue }
      visit = next
      guard let proxy = Pass<Tree>.proxy(of: next.link) else {
        conclude(next, .ignored, &event)
        continue
      }
      begin(next, proxy, &event)
      return proxy
    }
  }

  /// Prepares the call of a node's handlers.
  @inline(__always)
  private mutating func begin(_ visit: Visit, _ proxy: EventProxy, _ event: inout DeliveredEvent) {
    var skipping = HandlerFlags(missing: pass.rules.direction.phases)
    if case .capture = stage { skipping = .notCapture }
    if visit.isObserver { skipping = HandlerFlags(rawValue: skipping.rawValue | HandlerFlags.notStopped.rawValue) }
    event.skipping = skipping
    if pass.recorder != nil { detours.record = record(visit, proxy, event) }
    pass.beginVisit(visit.link, event.key)
  }

  @inline(never)
  private func record(_ visit: Visit, _ proxy: EventProxy, _ event: DeliveredEvent) -> Record {
    let isDryRun = unsafe pass.active == nil
    let declared = proxy.declared(
      event.key, upTo: isDryRun ? .max : event.last, skipping: event.skipping,
      ignoresUndecided: pass.recorder?.ignoresUndecided == true)
    if isDryRun, declared.isUndecided { pass.recorder?.hasUndecided = true }
    return Record(responder: Pass<Tree>.responder(visit.link), declared: declared)
  }

  /// Goes on with the answer of the node's handlers.
  @inline(__always)
  mutating func take(_ answer: consuming EventProxy.Outcome, _ event: inout DeliveredEvent) {
    guard let visit else { preconditionFailure("a node has answered") }
    var answer = answer
    pass.endVisit(visit.link, &answer, &outcome)
    if pass.recorder != nil { report(visit, answer, event) }
    conclude(visit, visit.isObserver ? .ignored : pass.decision(on: answer.reply, &outcome), &event)
  }

  @inline(never)
  private mutating func report(_ visit: Visit, _ answer: EventProxy.Outcome, _ event: DeliveredEvent) {
    guard let recorder = pass.recorder, let record = detours.record else { return }
    detours.record = nil
    if visit.isObserver {
      recorder.recordObserved(record.responder, depth: visit.depth, event.key, answer)
    } else {
      recorder.record(
        record.responder, depth: visit.depth, event.key, answer, pass.rules,
        notes: record.declared.deviations(of: answer) + (unsafe pass.active?.pointee.asking?.pointee.takeNotes() ?? []),
        isAsynchronous: record.declared.isAsynchronous)
    }
  }

  /// Goes on after a node.
  @inline(__always)
  private mutating func conclude(_ visit: Visit, _ decision: Pass<Tree>.Decision, _ event: inout DeliveredEvent) {
    switch stage {
    case .alone:
      pass.conclude(alone: decision, &outcome)
      stage = .finished
    case .capture: concludeCapturing(visit, decision, &event)
    case .up: concludeUp(visit, decision, &event)
    case .observers: if !visit.flags.isDisjoint(with: pass.rules.endsIgnored) { stage = .finished }
    case .down: concludeDown(visit, decision, &event)
    case .finished: break
    }
  }
}

// MARK: - Stops and resends

extension Walk {
  /// Starts to call only handlers that also receive events that were stopped, if there are any.
  ///
  /// - Returns: Whether there are such handlers.
  private mutating func goOnStopped() -> Bool {
    guard EventProxy.hasStopListeners else { return false }
    isStopped = true
    unsafe pass.active?.pointee.isStopped = true
    return true
  }

  /// The state that few passes have.
  private var detours: Detour {
    mutating get {
      if let detour { return detour }
      let new = Detour()
      detour = new
      return new
    }
  }

  /// Changes the key of an event that a handler resends.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - next: The new key.
  ///   - index: The index in the path of the node that resent the event.
  /// - Returns: Whether the event may continue under the new key: false if it has had that key before. To resend under
  ///   the same key only changes the arguments, and is always allowed.
  private mutating func changeKey(_ key: EventKey, to next: EventKey, at index: Int) -> Bool {
    outcome.note(finalKey: next)
    guard next != key else { return true }
    let detours = detours
    detours.formerKeys.append(FormerKey(key: key, index: index))
    guard detours.formerKeys.contains(where: { $0.key == next }) else { return true }
    var steps: [SendOutcome.RoutingError.Step] = []
    for step in detours.formerKeys {
      steps.append(SendOutcome.RoutingError.Step(key: step.key, node: Pass<Tree>.responder(path[step.index].link)?.responderName))
    }
    steps.append(SendOutcome.RoutingError.Step(key: next, node: nil))
    outcome.note(SendOutcome.RoutingError.resendLoop(steps))
    return false
  }
}

// MARK: - Up

extension Walk {
  private mutating func nextUp(_ event: DeliveredEvent) -> Visit? {
    let hashed = pass.hashed(event.key)
    while index < path.count {
      let here = index
      let step = pass.step(path[here], depth: depth + here, hashed, event.key)
      if case .passed(ends: true) = step {
        stage = .finished
        return nil
      }
      index += 1
      guard case .visited(let flags) = step else { continue }
      return Visit(link: path[here].link, index: here, depth: depth + here, flags: flags, isObserver: false)
    }
    if let start = path.cycleStart { outcome.note(SendOutcome.RoutingError.cyclicPath(start)) }
    stage = .finished
    return nil
  }

  private mutating func concludeUp(_ visit: Visit, _ decision: Pass<Tree>.Decision, _ event: inout DeliveredEvent) {
    switch decision {
    case .ignored:
      if !visit.flags.isDisjoint(with: pass.rules.endsIgnored) { stage = .finished }
    case .goOn:
      if !visit.flags.isDisjoint(with: pass.rules.endsHandled) { stop() }
    case .endSubtree, .endPass:
      stop()
    case .resend(let next, let arguments):
      guard resend(next, arguments, at: visit.index, &event) else { return }
      pass.findListeners(of: next, in: &path, from: index)
    }
  }

  /// Goes on to the handlers that also receive events that were stopped, if there are any.
  private mutating func stop() { stage = goOnStopped() ? .observers : .finished }

  /// Goes on under another key; returns whether the event may.
  private mutating func resend(_ next: EventKey, _ arguments: [BoxedValue], at index: Int, _ event: inout DeliveredEvent) -> Bool {
    guard changeKey(event.key, to: next, at: index) else {
      stage = .finished
      return false
    }
    (event.key, event.resent, event.last) = (next, arguments, EventProxy.lastSequence)
    return true
  }

  private mutating func nextObserver(_ event: DeliveredEvent) -> Visit? {
    let hashed = HashedKey(event.key, PhaseSet.up.stopped)
    while index < path.count {
      let here = index
      index += 1
      let flags = pass.flags(of: path[here])
      if pass.handles(path[here], hashed, event.key) {
        return Visit(link: path[here].link, index: here, depth: depth + here, flags: flags, isObserver: true)
      }
      if !flags.isDisjoint(with: pass.rules.endsUnhandled) { break }
    }
    stage = .finished
    return nil
  }

  // MARK: The capture phase

  private mutating func nextCapturing(_ event: DeliveredEvent) -> Visit? {
    let hashed = HashedKey(event.key, isStopped ? PhaseSet.capture.stopped : PhaseSet.capture)
    while index > 0 {
      index -= 1
      guard pass.handles(path[index], hashed, event.key) else { continue }
      return Visit(link: path[index].link, index: index, depth: index, flags: .none, isObserver: isStopped)
    }
    pass.enter(.up)
    if isStopped {
      stage = .observers
    } else {
      if event.resent != nil { pass.findListeners(of: event.key, in: &path, from: 0) }
      stage = .up
    }
    return nil
  }

  private mutating func concludeCapturing(_ visit: Visit, _ decision: Pass<Tree>.Decision, _ event: inout DeliveredEvent) {
    switch decision {
    case .ignored, .goOn: break
    case .endSubtree, .endPass: if !goOnStopped() { stage = .finished }
    case .resend(let next, let arguments): _ = resend(next, arguments, at: visit.index, &event)
    }
  }
}

// MARK: - Down

extension Walk {
  private mutating func beginDown(from start: Tree.Node, _ event: inout DeliveredEvent) {
    self.start = start
    changes = NodeRecord.removalCount
    pass.collect(below: start, of: start, including: pass.rules.startsAtSender, depth: 0, event.key, changes, into: &path)
    (stage, index, end, event.last) = (.down, 0, path.count, EventProxy.lastSequence)
  }

  @inline(__always)
  private mutating func nextDown(_ event: inout DeliveredEvent) -> Visit? {
    guard let start else { preconditionFailure("a pass down has a start") }
    while index < end {
      let here = index
      index += 1
      let isObserver = isStopped || path[here].isStopped
      var flags = NodeFlags.none
      if isObserver {
        guard pass.isObserver(at: here, before: end, of: path, start, changes, event.key) else { continue }
        unsafe pass.active?.pointee.isStopped = true
      } else {
        guard let found = pass.look(at: here, before: end, of: path, start, changes, event.key) else { continue }
        flags = found
      }
      path[here].wasVisited = true
      return Visit(link: path[here].link, index: here, depth: path[here].depth, flags: flags, isObserver: isObserver)
    }
    if let detour, let outer = detour.outerSegments.popLast() {
      event = outer.event
      (index, end, detour.formerKeys) = (outer.index, outer.end, outer.formerKeys)
    } else {
      stage = .finished
    }
    return nil
  }

  private mutating func concludeDown(_ visit: Visit, _ decision: Pass<Tree>.Decision, _ event: inout DeliveredEvent) {
    if visit.isObserver {
      unsafe pass.active?.pointee.isStopped = isStopped
      return
    }
    switch decision {
    case .ignored:
      // The event continues as if there were no handler, so it does not pass a terminal node.
      if pass.rules.unknownKey == .endsAtTerminal, !visit.flags.isDisjoint(with: pass.rules.endsIgnored) {
        index = endOfEntries(below: visit.depth)
      }
    case .goOn: break
    case .endPass: if !goOnStopped() { stage = .finished }
    case .endSubtree:
      let below = index..<endOfEntries(below: visit.depth)
      if EventProxy.hasStopListeners {
        for place in below { path[place].isStopped = true }
      } else {
        index = below.upperBound
      }
    case .resend(let next, let arguments): resend(next, arguments, visit, &event)
    }
  }

  /// The end of the next entries of the segment that are below the node just visited.
  private func endOfEntries(below depth: Int) -> Int {
    var place = index
    while place < end, path[place].lowestDepth > depth { place += 1 }
    return place
  }

  /// Starts a segment under another key, below a node.
  private mutating func resend(_ next: EventKey, _ arguments: [BoxedValue], _ visit: Visit, _ event: inout DeliveredEvent) {
    guard let start else { preconditionFailure("a pass down has a start") }
    index = endOfEntries(below: visit.depth)
    let detours = detours
    let outer = Segment(event: event, index: index, end: end, formerKeys: detours.formerKeys)
    // The node may have been deallocated by its handler; then there are no nodes below it.
    guard changeKey(event.key, to: next, at: visit.index), let node = Tree.node(visit.link) else {
      detours.formerKeys = outer.formerKeys
      return
    }
    detours.outerSegments.append(outer)
    (index, event.key, event.resent) = (path.count, next, arguments)
    pass.collect(
      below: node, wasUnlinked: path[visit.index].wasUnlinked, of: start, including: false, depth: visit.depth, next, changes, into: &path)
    (end, event.last) = (path.count, EventProxy.lastSequence)
  }
}
