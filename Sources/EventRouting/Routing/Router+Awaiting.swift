internal import DynamicInvocation

/// Sends that wait for asynchronous handlers.
extension Router {
  /// Runs the handlers that a proxy has for a key as ``Asking`` does, and waits for asynchronous ones.
  @usableFromInline
  typealias Awaiting = nonisolated(nonsending) (EventProxy, EventKey, _ last: UInt, _ skipping: Gate, AwaitingPass?) async -> NodeAnswer

  @usableFromInline
  nonisolated(nonsending) static func sendAwaiting(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ asking: Awaiting
  ) async -> SendOutcome {
    if SendObserver.isAnyWatching {
      return await reportAwaiting(key, from: sender, source: source, rules: rules, asking).outcome
    }
    let outcome = await runAwaiting(key, from: sender, source: source, rules: rules, recorder: nil, asking)
    if outcome.isUnhandled, !outcome.wasIgnored { warn(of: outcome, key, from: sender, rules) }
    return outcome
  }

  nonisolated(nonsending) static func reportAwaiting(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ asking: Awaiting
  ) async -> (report: DispatchReport, outcome: SendOutcome) {
    let recorder = ReportRecorder(rules.direction)
    let identity = ResponderIdentity(sender)
    SendObserver.tellBefore(key, from: identity, rules)
    var send: RecordedSend?
    if SendObserver.isAnyRecording {
      let catcher = ArgumentCatcher(key)
      _ = await asking(catcher.proxy, key, .max, [], nil)
      send = RecordedSend(key, from: sender, source: source, rules: rules, isAwaited: true, catcher.caught)
    }
    let watches = SendObserver.watches(of: key, from: identity, rules, isAwaited: true)
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = await watches.run(awaiting: {
      await runAwaiting(key, from: sender, source: source, rules: rules, recorder: recorder, asking)
    })
    let report = report(
      of: outcome, recorder, key, from: sender, identity, rules: rules, duration: clock.now - start, isDryRun: false, send)
    watches.end(report)
    return (report, outcome)
  }

  private nonisolated(nonsending) static func runAwaiting(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, recorder: ReportRecorder?,
    _ asking: Awaiting
  ) async -> SendOutcome {
    var outcome = SendOutcome()
    if rules.emptyKey == .isIgnored, key == EventKey.empty {
      outcome.wasIgnored = true
      return outcome
    }
    let awaiting = AwaitingPass(key, rules, from: sender)
    defer { awaiting.end() }
    if let error = unsafe awaiting.active.pointee.refusal(ofAwaiting: sender, rules, awaiting.active) {
      outcome.note(error)
      return outcome
    }
    if let node = sender as? ResponderNode {
      var pass = unsafe Pass<RecordTopology>(rules: rules, source: source, recorder: recorder, active: awaiting.active)
      if await pass.goAwaiting(from: node.record, key, awaiting, asking) { return pass.outcome }
      recorder?.reset()
    }
    var pass = unsafe Pass<AnyTopology>(rules: rules, source: source, recorder: recorder, active: awaiting.active)
    _ = await pass.goAwaiting(from: sender, key, awaiting, asking)
    return pass.outcome
  }
}

extension Pass {
  typealias Awaiting = Router.Awaiting

  /// Routes an event in the direction of the rules, and waits for asynchronous handlers.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  fileprivate nonisolated(nonsending) mutating func goAwaiting(
    from start: Tree.Node, _ key: EventKey, _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async -> Bool {
    if rules.direction == .up { return await goUpAwaiting(from: start, key, awaiting, asking) }
    await goDownAwaiting(from: start, key, awaiting, asking)
    return true
  }

  /// Calls the handlers of a node for the key that have none of the given flags, and waits for asynchronous ones.
  ///
  /// A handler may cause the node to be deallocated.
  nonisolated(nonsending) mutating func ask(
    _ link: Tree.Link, depth: Int, _ key: EventKey, upTo last: UInt, skipping: Gate, _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async -> Verdict {
    guard let proxy = Self.proxy(of: link) else { return .ignored }
    guard let recorder else {
      return verdict(on: await run(proxy, of: link, key, upTo: last, skipping: skipping, awaiting, asking).reply)
    }
    let responder = Self.responder(link)
    let declared = proxy.declaredRewrites(of: key, upTo: last, skipping: skipping)
    let isAsynchronous = proxy.isAsynchronous(key, upTo: last, skipping: skipping)
    let answer = await run(proxy, of: link, key, upTo: last, skipping: skipping, awaiting, asking)
    recorder.record(
      responder, depth: depth, key, answer, rules, notes: answer.deviations(from: declared), isAsynchronous: isAsynchronous)
    return verdict(on: answer.reply)
  }

  /// Calls the handlers of a node that also receive events that were stopped, waits for asynchronous ones, and drops
  /// their replies.
  nonisolated(nonsending) mutating func tell(
    _ link: Tree.Link, depth: Int, _ key: EventKey, upTo last: UInt, skipping: Gate, _ awaiting: AwaitingPass, _ asking: Awaiting
  ) async {
    guard let proxy = Self.proxy(of: link) else { return }
    let responder = recorder == nil ? nil : Self.responder(link)
    let skipping = Gate(rawValue: skipping.rawValue | Gate.notStopped.rawValue)
    let answer = await run(proxy, of: link, key, upTo: last, skipping: skipping, awaiting, asking)
    recorder?.recordObserved(responder, depth: depth, key, answer)
  }

  private nonisolated(nonsending) mutating func run(
    _ proxy: EventProxy, of link: Tree.Link, _ key: EventKey, upTo last: UInt, skipping: Gate, _ awaiting: AwaitingPass,
    _ asking: Awaiting
  ) async -> NodeAnswer {
    Tree.pin(link)
    unsafe Tree.beginAsking(link, key, &awaiting.active.pointee)
    var answer = await asking(proxy, key, last, skipping, awaiting)
    unsafe awaiting.active.pointee.endAsking()
    Tree.unpin(link)
    if !answer.errors.isEmpty { note(&answer.errors, of: link) }
    return answer
  }
}
