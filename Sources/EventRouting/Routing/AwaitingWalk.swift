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
