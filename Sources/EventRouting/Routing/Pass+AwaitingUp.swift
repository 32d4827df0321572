import DynamicInvocation

/// Passes up that wait for asynchronous handlers; the rules are those of a synchronous pass.
extension Pass {
  /// Routes an event up, from a node or from its next depending on the rules.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  nonisolated(nonsending) mutating func goUpAwaiting(
    from sender: Tree.Node, _ key: EventKey, _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async -> Bool {
    if rules.hasCapturePhase { return await goUpCapturingAwaiting(from: sender, key, awaiting, asking) }
    let last = EventProxy.lastSequence
    var skipped = 0
    switch search(from: sender, key, &skipped) {
    case .nobody: return true
    case .leadsOut: return false
    case .last(let found):
      let verdict = await ask(found, depth: skipped, key, upTo: last, skipping: rules.direction.skipped, awaiting, asking)
      if case .resend(let next, _) = verdict { outcome.note(finalKey: next) }
      return true
    case .node(let found, var mayCircle):
      var path = PathBuffer<Tree>()
      defer { path.end() }
      guard collect(from: sender, found, mayCircle: &mayCircle, key, into: &path) else { return false }
      var trail: [TrailStep] = []
      await walk(&path, from: mayCircle ? skipped : 0, depth: mayCircle ? 0 : skipped, key, upTo: last, &trail, awaiting, asking)
      return true
    }
  }

  /// Visits the nodes of a path in order, for an event that has left the keys of a trail.
  private nonisolated(nonsending) mutating func walk(
    _ path: inout PathBuffer<Tree>, from start: Int, depth: Int, _ key: EventKey, upTo last: UInt, _ trail: inout [TrailStep],
    _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async {
    var index = start
    var key = key
    var resent = await walk(&path, &index, depth, &key, upTo: last, &trail, awaiting, asking)
    while let arguments = resent {
      let source = source
      resent = await walk(&path, &index, depth, &key, upTo: EventProxy.lastSequence, &trail, awaiting) {
        await $0.runAwaiting($1, upTo: $2, skipping: $3, source: source, BoxedPayload(arguments), in: $4)
      }
    }
  }

  /// Visits the nodes of a path in order, until its end or until a handler resends the event.
  ///
  /// - Returns: The arguments of the resent event; nil when the pass is finished.
  private nonisolated(nonsending) mutating func walk(
    _ path: inout PathBuffer<Tree>, _ index: inout Int, _ depth: Int, _ key: inout EventKey, upTo last: UInt, _ trail: inout [TrailStep],
    _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async -> [BoxedValue]? {
    let event = hashed(key)
    while index < path.count {
      let flags: NodeFlags
      switch step(path[index], depth: depth + index, event, key) {
      case .passed(ends: true): return nil
      case .passed(ends: false):
        index += 1
        continue
      case .asked(let found): flags = found
      }
      let link = path[index].link
      index += 1
      let verdict = await ask(
        link, depth: depth + index - 1, key, upTo: last, skipping: rules.direction.skipped, awaiting, asking)
      switch verdict {
      case .ignored:
        if !flags.isDisjoint(with: rules.endsIgnored) { return nil }
      case .goOn where flags.isDisjoint(with: rules.endsHandled):
        continue
      case .goOn, .endSubtree, .endPass:
        await tellRest(path, from: index, depth, key, upTo: last, awaiting, asking)
        return nil
      case .resend(let next, let arguments):
        guard leave(key, at: index - 1, for: next, trail: &trail, of: path) else { return nil }
        key = next
        findListeners(of: next, in: &path, from: index)
        return arguments
      }
    }
    if let start = path.cycleStart { outcome.note(RoutingError.cyclicPath(start)) }
    return nil
  }

  /// Calls the handlers of the nodes after one that has stopped the event which also receive such events.
  private nonisolated(nonsending) mutating func tellRest(
    _ path: borrowing PathBuffer<Tree>, from start: Int, _ depth: Int, _ key: EventKey, upTo last: UInt, _ awaiting: AwaitingPass,
    _ asking: Awaiting
  ) async {
    guard goOnStopped() else { return }
    let event = HashedKey(key, Directions.up.stopped)
    for index in start..<path.count {
      let flags = flags(of: path[index])
      if handles(path[index], event, key) {
        await tell(path[index].link, depth: depth + index, key, upTo: last, skipping: rules.direction.skipped, awaiting, asking)
        if !flags.isDisjoint(with: rules.endsIgnored) { return }
      } else if !flags.isDisjoint(with: rules.endsUnhandled) {
        return
      }
    }
  }
}

// MARK: The capture phase

extension Pass {
  /// Routes an event up, after a capture phase.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  private nonisolated(nonsending) mutating func goUpCapturingAwaiting(
    from sender: Tree.Node, _ key: EventKey, _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async -> Bool {
    if !rules.startsAtSender, Tree.flags(of: sender).contains(.external) { return false }
    var path = PathBuffer<Tree>()
    defer { path.end() }
    let last = EventProxy.lastSequence
    guard collect(above: sender, key, into: &path) else { return false }
    var (index, key, trail) = (path.count, key, [TrailStep]())
    enter(.capture)
    var resent = await capture(&path, &index, &key, upTo: last, &trail, awaiting, asking)
    while let arguments = resent {
      let source = source
      resent = await capture(&path, &index, &key, upTo: EventProxy.lastSequence, &trail, awaiting) {
        await $0.runAwaiting($1, upTo: $2, skipping: $3, source: source, BoxedPayload(arguments), in: $4)
      }
    }
    return true
  }

  /// Visits the nodes of a path from its end to its start, and then the rest of the pass, until a handler resends the
  /// event in the capture phase.
  ///
  /// - Returns: The arguments of the resent event; nil when the pass is finished.
  private nonisolated(nonsending) mutating func capture(
    _ path: inout PathBuffer<Tree>, _ index: inout Int, _ key: inout EventKey, upTo last: UInt, _ trail: inout [TrailStep],
    _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async -> [BoxedValue]? {
    let event = HashedKey(key, .capture)
    while index > 0 {
      index -= 1
      if isStopped {
        if handles(path[index], HashedKey(key, Directions.capture.stopped), key) {
          await tell(path[index].link, depth: index, key, upTo: last, skipping: .notCapture, awaiting, asking)
        }
        continue
      }
      guard handles(path[index], event, key) else { continue }
      switch await ask(path[index].link, depth: index, key, upTo: last, skipping: .notCapture, awaiting, asking) {
      case .ignored, .goOn:
        continue
      case .endSubtree, .endPass:
        guard goOnStopped() else { return nil }
      case .resend(let next, let arguments):
        guard leave(key, at: index, for: next, trail: &trail, of: path) else { return nil }
        key = next
        return arguments
      }
    }
    enter(.up)
    if isStopped {
      await tellRest(path, from: 0, 0, key, upTo: last, awaiting, asking)
    } else {
      if !trail.isEmpty { findListeners(of: key, in: &path, from: 0) }
      await walk(&path, from: 0, depth: 0, key, upTo: last, &trail, awaiting, asking)
    }
    return nil
  }
}
