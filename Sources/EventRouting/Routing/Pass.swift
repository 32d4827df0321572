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

// MARK: - Up

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
