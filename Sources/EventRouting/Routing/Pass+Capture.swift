import DynamicInvocation

/// The capture phase of a pass up, and the nodes after one that has stopped the event.
extension Pass {
  private enum Capture {
    case finished
    /// A handler has stopped the event.
    case stopped
    /// The event has returned to a key that it had left.
    case looped
    case resent([BoxedValue])
  }

  /// Routes an event up, after a capture phase.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  @inline(never)
  mutating func goUpCapturing(from sender: Tree.Node, _ key: EventKey, _ asking: Asking) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: PathEntry<Tree.Link>.self, capacity: PathBuffer<Tree>.stackCapacity) { memory in
      var path = unsafe PathBuffer<Tree>(memory)
      defer { path.end() }
      let last = EventProxy.lastSequence
      guard collectAll(above: sender, key, into: &path) else { return false }
      var trail: [TrailStep] = []
      capture(&path, key, upTo: last, &trail, asking)
      return true
    }
  }

  /// Runs the capture phase under a key, and everything after it.
  ///
  /// A resend runs the rest with other arguments.
  private mutating func capture(
    _ path: inout PathBuffer<Tree>, _ key: EventKey, upTo last: UInt, _ trail: inout [TrailStep], _ asking: Asking
  ) {
    var index = path.count
    var key = key
    var resent: [BoxedValue]
    enter(.capture)
    switch capture(&path, &index, &key, upTo: last, &trail, asking) {
    case .finished: return goUp(&path, key, upTo: last, &trail, asking)
    case .stopped: return tellAll(path, key, upTo: last, asking)
    case .looped: return
    case .resent(let arguments): resent = arguments
    }
    let source = source
    while true {
      let last = EventProxy.lastSequence
      let payload = BoxedPayload(resent)
      let asking: Asking = { $0.run($1, upTo: $2, skipping: $3, source: source, payload) }
      switch capture(&path, &index, &key, upTo: last, &trail, asking) {
      case .finished:
        findListeners(of: key, in: &path, from: 0)
        return goUp(&path, key, upTo: last, &trail, asking)
      case .stopped: return tellAll(path, key, upTo: last, asking)
      case .looped: return
      case .resent(let arguments): resent = arguments
      }
    }
  }

  private mutating func goUp(
    _ path: inout PathBuffer<Tree>, _ key: EventKey, upTo last: UInt, _ trail: inout [TrailStep], _ asking: Asking
  ) {
    enter(.up)
    walk(&path, from: 0, depth: 0, key, upTo: last, &trail, asking)
  }

  /// Visits the nodes of a path from its end, until its start or until a handler stops or resends the event.
  private mutating func capture(
    _ path: inout PathBuffer<Tree>, _ index: inout Int, _ key: inout EventKey, upTo last: UInt, _ trail: inout [TrailStep],
    _ asking: Asking
  ) -> Capture {
    let event = HashedKey(key, .capture)
    while index > 0 {
      index -= 1
      let entry = path[index]
      if isStopped {
        if handles(entry, HashedKey(key, Directions.capture.stopped), key) {
          tell(entry.link, depth: index, key, upTo: last, skipping: .notCapture, asking)
        }
        continue
      }
      guard handles(entry, event, key) else { continue }
      switch ask(entry.link, depth: index, key, upTo: last, skipping: .notCapture, asking) {
      case .ignored, .goOn:
        continue
      case .endSubtree, .endPass:
        guard goOnStopped() else { return .stopped }
      case .resend(let next, let arguments):
        guard leave(key, at: index, for: next, trail: &trail, of: path) else { return .looped }
        key = next
        return .resent(arguments)
      }
    }
    return isStopped ? .stopped : .finished
  }

  /// Whether a node of the path that was not removed has handlers for an event.
  ///
  /// This is a separate function because otherwise, without optimization, the node would be kept alive while its
  /// handlers run.
  func handles(_ entry: PathEntry<Tree.Link>, _ event: HashedKey, _ key: EventKey) -> Bool {
    guard let node = Tree.node(entry.link), !Tree.isLost(node, hadNext: entry.hadNext) else { return false }
    return Tree.handles(node, event, key)
  }

  /// Visits the whole path for an event that was stopped in the capture phase.
  private mutating func tellAll(_ path: borrowing PathBuffer<Tree>, _ key: EventKey, upTo last: UInt, _ asking: Asking) {
    guard isStopped else { return }
    enter(.up)
    _ = tellRest(path, from: 0, 0, key, upTo: last, asking)
  }

  /// Calls the handlers of the nodes after one that has stopped the event which also receive such events.
  ///
  /// - Returns: Nil: no handler resends the event.
  @inline(__always)
  mutating func tellRest(
    _ path: borrowing PathBuffer<Tree>, from index: Int, _ depth: Int, _ key: EventKey, upTo last: UInt, _ asking: Asking
  ) -> [BoxedValue]? {
    if EventProxy.hasStopListeners { tellEach(path, from: index, depth, key, upTo: last, asking) }
    return nil
  }

  @inline(never)
  private mutating func tellEach(
    _ path: borrowing PathBuffer<Tree>, from start: Int, _ depth: Int, _ key: EventKey, upTo last: UInt, _ asking: Asking
  ) {
    _ = goOnStopped()
    let event = HashedKey(key, Directions.up.stopped)
    for index in start..<path.count {
      let flags = flags(of: path[index])
      if handles(path[index], event, key) {
        tell(path[index].link, depth: depth + index, key, upTo: last, skipping: rules.direction.skipped, asking)
        if !flags.isDisjoint(with: rules.endsIgnored) { return }
      } else if !flags.isDisjoint(with: rules.endsUnhandled) {
        return
      }
    }
  }

  func flags(of entry: PathEntry<Tree.Link>) -> NodeFlags { Tree.node(entry.link).map { Tree.flags(of: $0) } ?? .none }
}
