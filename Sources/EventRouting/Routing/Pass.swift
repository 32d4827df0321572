import DynamicInvocation

/// The rules of one event's route through a tree: which nodes it visits, and what their replies decide.
///
/// A ``Walk`` makes the visits, and has the state. A pass has no state, so copies of it cost little.
@safe
struct Pass<Tree: Topology> {
  /// How the pass continues after a node.
  enum Decision {
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
  func hashed(_ key: EventKey) -> HashedKey { HashedKey(key, rules.direction.phases) }

  /// Enters a phase, for the handlers and for the report.
  func enter(_ phase: EventContext.Phase) {
    unsafe active?.pointee.phase = phase
    recorder?.phase = phase
  }

  @inline(__always)
  static func proxy(of link: Tree.Link) -> EventProxy? { Tree.node(link).flatMap { Tree.proxy(of: $0) } }

  /// The node of a link, for a report; nil when it was deallocated.
  static func responder(_ link: Tree.Link) -> (any Responder)? { Tree.node(link).flatMap { Tree.responder($0) } }
}

// MARK: - Sending

extension Pass {
  /// Routes an event, and calls its handlers.
  ///
  /// While handlers run, the pass does not keep nodes alive.
  ///
  /// - Returns: Nil when the path leads to a node that this topology cannot follow; no handler has been called then.
  @inline(__always)
  func run(from start: Tree.Node, _ key: EventKey, _ caller: Router.HandlerCaller) -> SendOutcome? {
    // Checked here, where most callers know that there is no recorder.
    if rules.direction == .up, recorder == nil { return goUp(from: start, key, caller) }
    return walk(from: start, DeliveredEvent(key: key), nil, caller)
  }

  /// Routes an event up without a report.
  ///
  /// Most events are handled by one node that has no next. It is visited without a walk.
  private func goUp(from sender: Tree.Node, _ key: EventKey, _ caller: Router.HandlerCaller) -> SendOutcome? {
    var event = DeliveredEvent(key: key)
    if rules.hasCapturePhase { return walk(from: sender, event, nil, caller) }
    event.last = EventProxy.lastSequence
    var outcome = SendOutcome()
    let found = search(from: sender, key, &outcome)
    switch found {
    case .nobody: return outcome
    case .leadsOut: return nil
    case .last(let link, depth: _):
      guard let proxy = Self.proxy(of: link) else { return outcome }
      beginVisit(link, key)
      var answer = caller(proxy, key, event.last, .notUp)
      endVisit(link, &answer, &outcome)
      conclude(alone: decision(on: answer.reply, &outcome), &outcome)
      return outcome
    case .node: return walk(from: sender, event, found, caller)
    }
  }

  /// Visits the nodes of an event's path.
  ///
  /// - Parameter found: The first node that handles it; nil if it was not searched for.
  @inline(never)
  private func walk(
    from start: Tree.Node, _ event: DeliveredEvent, _ found: Found?, _ caller: Router.HandlerCaller
  ) -> SendOutcome? {
    unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Link>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var walk = unsafe Walk(self, PathBuffer(memory))
      var event = event
      let isFollowed =
        if let found { walk.begin(at: found, from: start, event) } else { walk.begin(from: start, &event) }
      if isFollowed { walk.run(&event, caller) }
      let outcome = walk.finish()
      return isFollowed ? outcome : nil
    }
  }
}

// MARK: - Visits

extension Pass {
  /// Begins a visit of a node, whose handlers may deallocate it.
  @inline(__always)
  func beginVisit(_ link: Tree.Link, _ key: EventKey) {
    Tree.pin(link)
    if let active = unsafe active { unsafe Tree.beginVisit(link, key, &active.pointee) }
  }

  /// Ends the visit of a node, and notes the errors of its handlers.
  @inline(__always)
  func endVisit(_ link: Tree.Link, _ answer: inout EventProxy.Outcome, _ outcome: inout SendOutcome) {
    unsafe active?.pointee.endVisit()
    if !answer.errors.isEmpty { note(&answer.errors, of: link, &outcome) }
    Tree.unpin(link)
  }

  /// Notes the decision of a node that has no next and alone handles an event.
  func conclude(alone decision: Decision, _ outcome: inout SendOutcome) {
    if case .resend(let next, _) = decision { outcome.note(finalKey: next) }
  }

  /// Notes and logs the errors of a node's handlers.
  private func note(_ errors: inout [any Error], of link: Tree.Link, _ outcome: inout SendOutcome) {
    for index in errors.indices {
      errors[index] = outcome.note(errors[index], at: Self.responder(link).map { DispatchReport.NodeIdentity($0) }, rules)
    }
  }

  /// What a reply decides by the rules.
  func decision(on reply: EventReply, _ outcome: inout SendOutcome) -> Decision {
    switch reply {
    case .ignored: return .ignored
    case .resend(let key, let arguments): return .resend(key, arguments)
    case .handled:
      outcome.handledCount += 1
      return rules.continuesWhenHandled ? .goOn : stop(rules.stopScope, &outcome)
    case .handledAndContinue:
      outcome.handledCount += 1
      return .goOn
    case .handledAndStop(let scope):
      outcome.handledCount += 1
      return stop(scope, &outcome)
    }
  }

  private func stop(_ scope: EventReply.StopScope, _ outcome: inout SendOutcome) -> Decision {
    outcome.note(stop: scope)
    switch scope {
    case .node: return .goOn
    case .subtree: return rules.direction == .up ? .endPass : .endSubtree
    case .pass: return .endPass
    }
  }
}

/// A key that an event had before it was resent, and the index in the path of the node that resent it.
struct FormerKey {
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
    case last(Tree.Link, depth: Int)
    /// A node, and whether the path may contain a cycle.
    case node(Tree.Link, depth: Int, mayCircle: Bool)
  }

  /// The first node of a pass up.
  @inline(__always)
  private func first(from sender: Tree.Node) -> Tree.Node? { rules.startsAtSender ? sender : Tree.next(of: sender) }

  /// Finds the first node that handles an event, of a pass without a report.
  ///
  /// Most events are handled by one node, and no path is stored until it is found.
  @inline(__always)
  func search(from sender: Tree.Node, _ key: EventKey, _ outcome: inout SendOutcome) -> Found {
    var skipped = 0
    let event = hashed(key)
    let flagsToCheck = rules.flagsToCheck
    let endsUnhandled = rules.endsUnhandled
    var watch = CycleWatch<Tree>()
    var mayCircle = false
    if !rules.startsAtSender, Tree.flags(of: sender).contains(.external) { return .leadsOut }
    var node = first(from: sender)
    while let first = node {
      guard let here = Tree.skip(from: first, event, flagsToCheck, &skipped) else { return .nobody }
      let flags = Tree.flags(of: here)
      if !flags.isDisjoint(with: flagsToCheck) {
        if flags.contains(.external) { return .leadsOut }
        if rules.endsBeforeBoundary, flags.contains(.boundary) { return .nobody }
        if flags.contains(.overridden) {
          mayCircle = true
          if watch.meets(here) {
            noteCircle(from: sender, key, &outcome)
            return .nobody
          }
        }
      }
      if Tree.handles(here, event, key) {
        let link = Tree.link(to: here)
        return Tree.next(of: here) == nil && !mayCircle
          ? .last(link, depth: skipped) : .node(link, depth: skipped, mayCircle: mayCircle)
      }
      if !flags.isDisjoint(with: endsUnhandled) { return .nobody }
      node = Tree.next(of: here)
      skipped += 1
    }
    return .nobody
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
  private func noteCircle(from sender: Tree.Node, _ key: EventKey, _ outcome: inout SendOutcome) {
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
    let flagsToCheck = rules.flagsToCheck
    var watch = CycleWatch<Tree>()
    var node = first
    while let here = node {
      let flags = Tree.flags(of: here)
      if !flags.isDisjoint(with: flagsToCheck) {
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

  /// Truncates a path that has returned to one of its nodes, so that it ends before the first repeated node.
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
    case visited(NodeFlags)
  }

  /// Checks a node of the path.
  ///
  /// This is a separate function because otherwise, without optimization, the node would be kept alive while its
  /// handlers run.
  @inline(__always)
  func step(_ entry: PathEntry<Tree.Link>, depth: Int, _ event: HashedKey, _ key: EventKey) -> Step {
    guard let node = Tree.node(entry.link), !Tree.isLost(node, hadNext: entry.hadNext) else {
      recorder?.record(Self.responder(entry.link), depth: depth, key, .removed)
      return .passed(ends: false)
    }
    let flags = Tree.flags(of: node)
    guard entry.isListener, Tree.handles(node, event, key) else {
      recorder?.record(Tree.responder(node), depth: depth, key, .passed)
      return .passed(ends: !flags.isDisjoint(with: rules.endsUnhandled))
    }
    return .visited(flags)
  }

  /// Whether a node of the path that was not removed has handlers for an event.
  ///
  /// This is a separate function because otherwise, without optimization, the node would be kept alive while its
  /// handlers run.
  func handles(_ entry: PathEntry<Tree.Link>, _ event: HashedKey, _ key: EventKey) -> Bool {
    guard let node = Tree.node(entry.link), !Tree.isLost(node, hadNext: entry.hadNext) else { return false }
    return Tree.handles(node, event, key)
  }

  func flags(of entry: PathEntry<Tree.Link>) -> NodeFlags { Tree.node(entry.link).map { Tree.flags(of: $0) } ?? .none }
}

// MARK: - Down

extension Pass {
  /// Collects the nodes below a node that a pass down visits.
  ///
  /// - Parameters:
  ///   - top: The start of the pass, or the node that resent the event.
  ///   - wasUnlinked: ``PathEntry/wasUnlinked`` of its entry.
  ///   - start: The node that the pass starts from.
  ///   - including: Whether the node itself is visited.
  ///   - depth: The depth of the node.
  ///   - key: The key.
  ///   - changes: How many nodes had been removed when the pass started.
  ///   - path: The path, to which they are added.
  func collect(
    below top: Tree.Node, wasUnlinked: Bool = false, of start: Tree.Node, including: Bool, depth: Int, _ key: EventKey,
    _ changes: UInt, into path: inout PathBuffer<Tree>
  ) {
    let first = path.count
    let endsUnhandled = rules.endsUnhandled
    // Once nodes have moved, a node that was visited before may be below this one.
    let mayRepeat = first > 0 && (!Tree.countsChanges || NodeRecord.removalCount != changes)
    // If the top node was removed, no node below it is unlinked: all were removed with it.
    let mayBeUnlinked = !Tree.countsChanges && (wasUnlinked || Tree.isBelow(top, start))
    var lowestDepth = Int.max
    let isReported = recorder != nil
    // Neither a depth nor a count of nodes can overflow, here and in the walk.
    Tree.forEachBelow(top, including: including, hashed(key), key) { node, level, isListener in
      let level = depth &+ level
      lowestDepth = min(lowestDepth, level)
      if mayRepeat, Self.wasVisited(node, path, in: 0..<first) { return true }
      if isListener || isReported {
        var entry = PathEntry(Tree.link(to: node), depth: level, lowestDepth: lowestDepth, isListener: isListener)
        if mayBeUnlinked { entry.wasUnlinked = !Tree.isBelow(node, start) }
        path.append(entry)
        lowestDepth = Int.max
      }
      return isListener || Tree.flags(of: node).isDisjoint(with: endsUnhandled)
    }
  }

  private static func wasVisited(_ node: Tree.Node, _ path: borrowing PathBuffer<Tree>, in entries: Range<Int>) -> Bool {
    for index in entries where path[index].wasVisited && Tree.isSame(path[index].link, node) { return true }
    return false
  }

  /// Whether a node of the path has handlers that also receive events that were stopped, and is to be visited.
  ///
  /// - Parameters:
  ///   - index: The index of the node in the path.
  ///   - end: The end of the segment that contains it.
  ///   - start: The node that the pass starts from.
  ///   - changes: How many nodes had been removed when it started.
  ///   - key: The key.
  func isObserver(
    at index: Int, before end: Int, of path: borrowing PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt, _ key: EventKey
  ) -> Bool {
    guard let node = Self.stayed(path[index], start, changes), path[index].isListener else { return false }
    if path.count > end, Self.wasVisited(node, path, in: end..<path.count) { return false }
    return Tree.handles(node, HashedKey(key, PhaseSet.down.stopped), key)
  }

  /// The node of an entry, if it is still below the start.
  @inline(__always)
  private static func stayed(_ entry: PathEntry<Tree.Link>, _ start: Tree.Node, _ changes: UInt) -> Tree.Node? {
    let hasChanged = !Tree.countsChanges || NodeRecord.removalCount != changes
    guard let node = Tree.node(entry.link), !hasChanged || entry.wasUnlinked || Tree.isBelow(node, start) else { return nil }
    return node
  }

  /// Checks a node of the path; see ``isObserver(at:before:of:_:_:_:)`` for the parameters.
  ///
  /// This is a separate function because otherwise, without optimization, the node would be kept alive while its
  /// handlers run.
  ///
  /// - Returns: The flags of the node before its handlers run; nil when it is not to be visited.
  @inline(__always)
  func look(
    at index: Int, before end: Int, of path: borrowing PathBuffer<Tree>, _ start: Tree.Node, _ changes: UInt, _ key: EventKey
  ) -> NodeFlags? {
    let depth = path[index].depth
    guard let node = Self.stayed(path[index], start, changes) else {
      recorder?.record(Self.responder(path[index].link), depth: depth, key, .removed)
      return nil
    }
    // A node that moved below a node that resent the event was visited there.
    if path.count > end, Self.wasVisited(node, path, in: end..<path.count) { return nil }
    guard path[index].isListener, Tree.handles(node, hashed(key), key) else {
      recorder?.record(Tree.responder(node), depth: depth, key, .passed)
      return nil
    }
    return Tree.flags(of: node)
  }
}
