import DynamicInvocation

/// The routing of one event through a tree.
@safe
struct Pass<Tree: Topology> {
  typealias Asking = Router.Asking

  /// How the pass continues after a node.
  enum Verdict {
    case ignored
    case goOn
    case endSubtree
    case endPass
    case resend(EventKey, [BoxedValue])
  }

  let rules: RoutingRules
  // The caller of the send keeps both alive until the pass ends.
  private let unretainedSource: Unmanaged<AnyObject>?
  private let unretainedRecorder: Unmanaged<ReportRecorder>?
  /// The entry of the pass in the thread's list of active passes; nil for a dry run, which calls no handlers.
  let active: UnsafeMutablePointer<ActivePass>?
  /// Whether a handler has stopped the event, and only handlers that also receive such events are called.
  private(set) var isStopped: Bool = false
  var outcome: SendOutcome = SendOutcome()

  @inline(__always)
  init(rules: RoutingRules, source: AnyObject?, recorder: ReportRecorder?, active: UnsafeMutablePointer<ActivePass>?) {
    self.rules = rules
    unsafe unretainedSource = unsafe source.map { unsafe Unmanaged.passUnretained($0) }
    unsafe unretainedRecorder = unsafe recorder.map { unsafe Unmanaged.passUnretained($0) }
    unsafe self.active = unsafe active
  }

  var source: AnyObject? { unsafe unretainedSource?.takeUnretainedValue() }

  var recorder: ReportRecorder? {
    @inline(__always) get { unsafe unretainedRecorder?.takeUnretainedValue() }
  }

  /// The key with the direction of the pass, to query nodes with.
  func hashed(_ key: EventKey) -> HashedKey { HashedKey(key, rules.direction.directions) }

  /// Calls the handlers of a node for the key.
  ///
  /// A handler may cause the node to be deallocated.
  ///
  /// - Parameter last: The sequence number of the last handler that was registered when the pass started or the event
  ///   was resent. Handlers registered later are not called.
  @inline(__always)
  mutating func ask(_ link: Tree.Link, depth: Int, _ key: EventKey, upTo last: UInt, _ asking: Asking) -> Verdict {
    ask(link, depth: depth, key, upTo: last, skipping: rules.direction.skipped, asking)
  }

  /// Calls the handlers of a node for the key that have none of the given flags.
  mutating func ask(
    _ link: Tree.Link, depth: Int, _ key: EventKey, upTo last: UInt, skipping: Gate, _ asking: Asking
  ) -> Verdict {
    guard let proxy = Self.proxy(of: link) else { return .ignored }
    let answer =
      recorder == nil
      ? run(proxy, of: link, key, upTo: last, skipping: skipping, asking)
      : recorded(proxy, of: link, depth: depth, key, upTo: last, skipping: skipping, asking)
    return verdict(on: answer.reply)
  }

  /// Calls the handlers of a node that also receive events that were stopped, and drops their replies.
  mutating func tell(_ link: Tree.Link, depth: Int, _ key: EventKey, upTo last: UInt, skipping: Gate, _ asking: Asking) {
    guard let proxy = Self.proxy(of: link) else { return }
    let responder = recorder == nil ? nil : Self.responder(link)
    let skipping = Gate(rawValue: skipping.rawValue | Gate.notStopped.rawValue)
    let answer = run(proxy, of: link, key, upTo: last, skipping: skipping, asking)
    recorder?.recordObserved(responder, depth: depth, key, answer)
  }

  /// Starts to call only handlers that also receive events that were stopped, if there are any.
  ///
  /// - Returns: Whether there are such handlers.
  mutating func goOnStopped() -> Bool {
    guard EventProxy.hasStopListeners else { return false }
    isStopped = true
    unsafe active?.pointee.isStopped = true
    return true
  }

  /// Enters a phase, for the handlers and for the report.
  func enter(_ phase: EventContext.Phase) {
    unsafe active?.pointee.phase = phase
    recorder?.phase = phase
  }

  @inline(__always)
  static func proxy(of link: Tree.Link) -> EventProxy? { Tree.node(link).flatMap { Tree.proxy(of: $0) } }

  @inline(__always)
  private mutating func run(
    _ proxy: EventProxy, of link: Tree.Link, _ key: EventKey, upTo last: UInt, skipping: Gate, _ asking: Asking
  ) -> EventProxy.Answer {
    guard let active = unsafe active else { return proxy.declaredAnswer(to: key, skipping: skipping, recorder) }
    Tree.pin(link)
    unsafe Tree.beginAsking(link, key, &active.pointee)
    var answer = asking(proxy, key, last, skipping)
    unsafe active.pointee.endAsking()
    if !answer.errors.isEmpty { note(&answer.errors, of: link) }
    Tree.unpin(link)
    return answer
  }

  /// Calls the handlers of a node, and records the result.
  @inline(never)
  private mutating func recorded(
    _ proxy: EventProxy, of link: Tree.Link, depth: Int, _ key: EventKey, upTo last: UInt, skipping: Gate,
    _ asking: Asking
  ) -> EventProxy.Answer {
    let responder = Self.responder(link)
    let declared = unsafe active == nil ? [] : proxy.declaredRewrites(of: key, upTo: last, skipping: skipping)
    let isAsynchronous = proxy.isAsynchronous(key, upTo: unsafe active == nil ? .max : last, skipping: skipping)
    let answer = run(proxy, of: link, key, upTo: last, skipping: skipping, asking)
    recorder?.record(
      responder, depth: depth, key, answer, rules, notes: answer.deviations(from: declared), isAsynchronous: isAsynchronous)
    return answer
  }

  /// The node of a link, for a report; nil when it was deallocated.
  static func responder(_ link: Tree.Link) -> (any Responder)? { Tree.node(link).flatMap { Tree.responder($0) } }

  mutating func note(_ errors: inout [any Error], of link: Tree.Link) {
    for index in errors.indices {
      var isTold = false
      if var error = errors[index] as? EventError {
        error.node = Self.responder(link).map { DispatchReport.NodeIdentity($0) }
        errors[index] = error
        EventLog.warn(error)
        isTold = true
      } else if let thrown = errors[index] as? ThrownError {
        errors[index] = thrown.error
        isTold = rules.handlerErrors == .told
        if isTold { EventLog.warn(thrown, at: Self.responder(link).map { DispatchReport.NodeIdentity($0) }) }
      }
      outcome.note(ofHandler: errors[index], isTold: isTold)
    }
  }

  mutating func verdict(on reply: EventReply) -> Verdict {
    switch reply {
    case .ignored: return .ignored
    case .resend(let key, let arguments): return .resend(key, arguments)
    case .handled:
      outcome.handledCount += 1
      return rules.continuesWhenHandled ? .goOn : stop(rules.stopScope)
    case .handledAndContinue:
      outcome.handledCount += 1
      return .goOn
    case .handledAndStop(let scope):
      outcome.handledCount += 1
      return stop(scope)
    }
  }

  private mutating func stop(_ scope: EventReply.StopScope) -> Verdict {
    outcome.note(stop: scope)
    switch scope {
    case .node: return .goOn
    case .subtree: return rules.direction == .up ? .endPass : .endSubtree
    case .pass: return .endPass
    }
  }

  /// Adds a key that an event leaves to its trail.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - index: The index in the path of the node that resent the event.
  ///   - next: The new key.
  ///   - trail: The keys left before.
  ///   - path: The path.
  /// - Returns: Whether the event may continue under the new key: false if it has left that key before. To resend under
  ///   the same key only changes the arguments, and is always allowed.
  mutating func leave(
    _ key: EventKey, at index: Int, for next: EventKey, trail: inout [TrailStep], of path: borrowing PathBuffer<Tree>
  ) -> Bool {
    outcome.note(finalKey: next)
    guard next != key else { return true }
    trail.append(TrailStep(key: key, index: index))
    guard trail.contains(where: { $0.key == next }) else { return true }
    var steps: [SendOutcome.RoutingError.Step] = []
    for step in trail {
      steps.append(SendOutcome.RoutingError.Step(key: step.key, node: Self.responder(path[step.index].link)?.responderName))
    }
    steps.append(SendOutcome.RoutingError.Step(key: next, node: nil))
    outcome.note(SendOutcome.RoutingError.resendLoop(steps))
    return false
  }
}

/// A key that an event has left, and the index in the path of the node that resent it.
struct TrailStep {
  let key: EventKey
  let index: Int
}
