internal import DynamicInvocation

/// Sends events: chooses the topology of the tree, and what is recorded of the pass.
@usableFromInline
enum Router {
  /// Runs the handlers that a proxy has for a key with the arguments of the event, except for handlers registered after
  /// the one numbered `last` and handlers of the directions in `skipping`.
  @usableFromInline
  typealias Asking = (EventProxy, EventKey, _ last: UInt, _ skipping: Gate) -> EventProxy.Answer

  @usableFromInline
  static func send(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ asking: Asking
  ) -> SendOutcome {
    if DispatchReport.Observer.isCareNeeded { return sendCarefully(key, from: sender, source: source, rules: rules, asking) }
    let outcome = unsafe run(
      key, from: sender, source: source, rules: rules, recorder: nil, isDryRun: false, within: ActivePass.innermostOnThread, asking)
    if outcome.isUnhandled, !outcome.wasIgnored { warn(of: outcome, key, from: sender, rules) }
    return outcome
  }

  /// Sends an event while there are observers, or passes that await their handlers.
  @inline(never)
  private static func sendCarefully(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ asking: Asking
  ) -> SendOutcome {
    if DispatchReport.Observer.isAnyWatching(sender) {
      return report(key, from: sender, source: source, rules: rules, isDryRun: false, asking).outcome
    }
    let outcome = runWithin(key, from: sender, source: source, rules: rules, recorder: nil, isDryRun: false, asking)
    if outcome.isUnhandled, !outcome.wasIgnored { warn(of: outcome, key, from: sender, rules) }
    return outcome
  }

  /// Runs an event that may be sent by a handler which a pass awaits.
  @inline(never)
  private static func runWithin(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, recorder: ReportRecorder?, isDryRun: Bool,
    _ asking: Asking
  ) -> SendOutcome {
    // The outer pass may not be the one on the stack of this thread.
    let onThread = unsafe ThreadState.innermostPass
    defer { unsafe ThreadState.innermostPass = onThread }
    return unsafe run(
      key, from: sender, source: source, rules: rules, recorder: recorder, isDryRun: isDryRun, within: ActivePass.innermost, asking)
  }

  static func report(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, isDryRun: Bool, _ asking: Asking
  ) -> (report: DispatchReport, outcome: SendOutcome) {
    let recorder = ReportRecorder(rules.direction)
    let identity = DispatchReport.NodeIdentity(sender)
    var send: RecordedSend?
    if !isDryRun {
      DispatchReport.Observer.tellBefore(key, from: identity, rules)
      if DispatchReport.Observer.isRecording(sender) {
        let catcher = ArgumentCatcher(key)
        _ = asking(catcher.proxy, key, .max, [])
        send = RecordedSend(key, from: sender, source: source, rules: rules, isAwaited: false, catcher.caught)
      }
    }
    let watches = isDryRun ? SendWatches([]) : DispatchReport.Observer.watches(of: key, from: identity, rules, isAwaited: false)
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = watches.run {
      runWithin(key, from: sender, source: source, rules: rules, recorder: recorder, isDryRun: isDryRun, asking)
    }
    var visitsIfIgnored: [DispatchReport.Visit]?
    if recorder.hasUndecided {
      let other = ReportRecorder(rules.direction)
      other.ignoresUndecided = true
      _ = runWithin(key, from: sender, source: source, rules: rules, recorder: other, isDryRun: true, asking)
      visitsIfIgnored = other.visits
    }
    let report = report(
      of: outcome, recorder, key, from: sender, identity, rules: rules, duration: clock.now - start, isDryRun: isDryRun,
      visitsIfIgnored: visitsIfIgnored, send)
    watches.end(report)
    return (report, outcome)
  }

  /// Creates the report of a pass; of a send, logs warnings and tells the observers.
  static func report(
    of outcome: SendOutcome, _ recorder: ReportRecorder, _ key: EventKey, from sender: some Responder,
    _ identity: DispatchReport.NodeIdentity,
    rules: RoutingRules, duration: Duration, isDryRun: Bool, visitsIfIgnored: [DispatchReport.Visit]? = nil, _ send: RecordedSend?
  ) -> DispatchReport {
    var diagnosis: DispatchReport.Diagnosis?
    if outcome.isUnhandled, !outcome.wasIgnored {
      diagnosis = DispatchReport.Diagnosis(outcome.finalKey ?? key, from: sender, rules.direction, error: outcome.firstError)
    }
    let report = DispatchReport(
      key: key, rules: rules, sender: identity, visits: recorder.visits, outcome: outcome, diagnosis: diagnosis, duration: duration,
      isDryRun: isDryRun, visitsIfIgnored: visitsIfIgnored)
    if !isDryRun {
      if case .depthExceeded? = outcome.routingError {
        warn(of: outcome, key, from: sender, rules)
      } else if let diagnosis, rules.warnsWhenUnhandled, !outcome.isTold {
        EventLog.warn { diagnosis.description }
      }
      DispatchReport.Observer.tellAfter(report, of: send)
    }
    return report
  }

  /// Logs a warning for an event that no node handled, if the rules ask for it and none was logged for an error of a
  /// handler; always for an event that was refused.
  @inline(never)
  static func warn(of outcome: SendOutcome, _ key: EventKey, from sender: some Responder, _ rules: RoutingRules) {
    if case .depthExceeded? = outcome.routingError, let error = outcome.routingError {
      EventLog.warn { "the event \"\(key)\" was not sent: ".escaped + error.description }
    } else if rules.warnsWhenUnhandled, !outcome.isTold {
      EventLog.warn {
        DispatchReport.Diagnosis(outcome.finalKey ?? key, from: sender, rules.direction, error: outcome.firstError).description
      }
    }
  }

  @inline(__always)
  private static func run(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, recorder: ReportRecorder?, isDryRun: Bool,
    within outer: UnsafeMutablePointer<ActivePass>?, _ asking: Asking
  ) -> SendOutcome {
    if rules.emptyKey == .isIgnored, key == EventKey.empty {
      var outcome = SendOutcome()
      outcome.wasIgnored = true
      return outcome
    }
    if isDryRun { return unsafe go(key, from: sender, source, rules, recorder, nil, asking) }
    // A reference is one word; converting it otherwise would retain it.
    var active = unsafe ActivePass(key, rules, from: unsafeBitCast(sender, to: UnsafeRawPointer.self), within: outer)
    if let error = active.refusal(of: sender, rules) {
      var outcome = SendOutcome()
      outcome.note(error)
      return outcome
    }
    return unsafe withUnsafeMutablePointer(to: &active) { active in
      unsafe ThreadState.innermostPass = UnsafeMutableRawPointer(active)
      defer { unsafe ThreadState.innermostPass = UnsafeMutableRawPointer(active.pointee.outer) }
      return unsafe go(key, from: sender, source, rules, recorder, active, asking)
    }
  }

  @inline(__always)
  private static func go(
    _ key: EventKey, from sender: some Responder, _ source: AnyObject?, _ rules: RoutingRules, _ recorder: ReportRecorder?,
    _ active: UnsafeMutablePointer<ActivePass>?, _ asking: Asking
  ) -> SendOutcome {
    if let record = RecordTopology.record(of: sender) {
      var pass = unsafe Pass<RecordTopology>(rules: rules, source: source, recorder: recorder, active: active)
      if pass.go(from: record, key, asking) { return pass.outcome }
      recorder?.reset()
    }
    var pass = unsafe Pass<AnyTopology>(rules: rules, source: source, recorder: recorder, active: active)
    _ = pass.go(from: sender, key, asking)
    return pass.outcome
  }
}

extension Pass {
  /// Routes an event in the direction of the rules.
  ///
  /// - Returns: False when the path leads to a node that this topology cannot follow; no handler has been called then.
  @inline(__always)
  fileprivate mutating func go(from start: Tree.Node, _ key: EventKey, _ asking: Asking) -> Bool {
    if rules.direction == .up {
      // Checked here, where most callers know that there is no recorder.
      return recorder == nil ? goUp(from: start, key, asking) : goUpRecording(from: start, key, asking)
    }
    goDown(from: start, key, asking)
    return true
  }
}

extension EventKey {
  /// The key without a name.
  static let empty: EventKey = EventKey("")
}

// MARK: - Awaiting

/// Sends that wait for asynchronous handlers.
extension Router {
  /// Calls the handlers of all nodes that a pass visits.
  @usableFromInline
  typealias Driving = nonisolated(nonsending) (AwaitingPass) async -> Void

  /// Whether a send from a node is observed, and so has a report.
  @usableFromInline
  static func isObserved(_ sender: some Responder) -> Bool { DispatchReport.Observer.isAnyWatching(sender) }

  /// Begins a pass without a report.
  @usableFromInline
  static func begin(_ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules) -> AwaitingPass {
    begin(key, from: sender, source: source, rules: rules, nil)
  }

  private static func begin(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ recorder: ReportRecorder?
  ) -> AwaitingPass {
    let pass = AwaitingPass.take()
    pass.begin(key, from: sender, source: source, rules, recorder)
    return pass
  }

  /// Ends a pass without a report, and returns its outcome.
  @usableFromInline
  static func end(_ pass: AwaitingPass, _ key: EventKey, from sender: some Responder, rules: RoutingRules) -> SendOutcome {
    let outcome = end(pass)
    if outcome.isUnhandled, !outcome.wasIgnored { warn(of: outcome, key, from: sender, rules) }
    return outcome
  }

  private static func end(_ pass: AwaitingPass) -> SendOutcome {
    let outcome = pass.end()
    AwaitingPass.giveBack(pass)
    return outcome
  }

  /// Sends an event with a report.
  ///
  /// - Parameters:
  ///   - asking: Runs the handlers that a proxy has for the key, which are synchronous.
  ///   - driving: Calls the handlers of the pass.
  @usableFromInline
  nonisolated(nonsending) static func reportAwaiting(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ asking: Asking, _ driving: Driving
  ) async -> (report: DispatchReport, outcome: SendOutcome) {
    let recorder = ReportRecorder(rules.direction)
    let identity = DispatchReport.NodeIdentity(sender)
    DispatchReport.Observer.tellBefore(key, from: identity, rules)
    var send: RecordedSend?
    if DispatchReport.Observer.isRecording(sender) {
      let catcher = ArgumentCatcher(key)
      _ = asking(catcher.proxy, key, .max, [])
      send = RecordedSend(key, from: sender, source: source, rules: rules, isAwaited: true, catcher.caught)
    }
    let watches = DispatchReport.Observer.watches(of: key, from: identity, rules, isAwaited: true)
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = await watches.run(awaiting: {
      let pass = begin(key, from: sender, source: source, rules: rules, recorder)
      await driving(pass)
      return end(pass)
    })
    let report = report(
      of: outcome, recorder, key, from: sender, identity, rules: rules, duration: clock.now - start, isDryRun: false, send)
    watches.end(report)
    return (report, outcome)
  }
}
