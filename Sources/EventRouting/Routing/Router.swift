internal import DynamicInvocation

/// Sends events: chooses the topology of the tree, and what is recorded of the pass.
@usableFromInline
enum Router {
  /// Calls the handlers that a proxy has for a key with the arguments of the event, except for handlers registered after
  /// the one numbered `last` and those that have a flag in `skipping`.
  @usableFromInline
  typealias HandlerCaller = (EventProxy, EventKey, _ last: UInt, _ skipping: HandlerFlags) -> EventProxy.Outcome

  @usableFromInline
  static func send(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ caller: HandlerCaller
  ) -> SendOutcome {
    if DispatchReport.Observer.isCareNeeded { return sendCarefully(key, from: sender, source: source, rules: rules, caller) }
    let outcome = unsafe run(
      key, from: sender, source: source, rules: rules, recorder: nil, isDryRun: false, within: ActivePass.innermostOnThread, caller)
    if outcome.isUnhandled, !outcome.wasIgnored { warn(of: outcome, key, from: sender, rules) }
    return outcome
  }

  /// Sends an event while there are observers, or passes that await their handlers.
  @inline(never)
  private static func sendCarefully(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ caller: HandlerCaller
  ) -> SendOutcome {
    if DispatchReport.Observer.isAnyWatching {
      return report(key, from: sender, source: source, rules: rules, isDryRun: false, caller).outcome
    }
    let outcome = runWithin(key, from: sender, source: source, rules: rules, recorder: nil, isDryRun: false, caller)
    if outcome.isUnhandled, !outcome.wasIgnored { warn(of: outcome, key, from: sender, rules) }
    return outcome
  }

  /// Runs an event that may be sent by a handler which a pass awaits.
  @inline(never)
  private static func runWithin(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, recorder: ReportRecorder?, isDryRun: Bool,
    _ caller: HandlerCaller
  ) -> SendOutcome {
    // The outer pass may not be the one on the stack of this thread.
    let onThread = unsafe ThreadState.innermostPass
    defer { unsafe ThreadState.innermostPass = onThread }
    return unsafe run(
      key, from: sender, source: source, rules: rules, recorder: recorder, isDryRun: isDryRun, within: ActivePass.innermost, caller)
  }

  static func report(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, isDryRun: Bool, _ caller: HandlerCaller
  ) -> (report: DispatchReport, outcome: SendOutcome) {
    let send = ReportedSend(key, from: sender, rules: rules, isDryRun: isDryRun, isAwaited: false)
    let outcome = send.watches.run {
      runWithin(key, from: sender, source: source, rules: rules, recorder: send.recorder, isDryRun: isDryRun, caller)
    }
    var visitsIfIgnored: [DispatchReport.Visit]?
    if send.recorder.hasUndecided {
      let other = ReportRecorder(rules.direction)
      other.ignoresUndecided = true
      _ = runWithin(key, from: sender, source: source, rules: rules, recorder: other, isDryRun: true, caller)
      visitsIfIgnored = other.visits
    }
    return (send.report(of: outcome, from: sender, visitsIfIgnored: visitsIfIgnored), outcome)
  }

  /// Logs a warning for an event that no node handled, if the rules ask for it and no warning was logged for an error of a
  /// handler; for an event that was refused, always logs one.
  @inline(never)
  static func warn(of outcome: SendOutcome, _ key: EventKey, from sender: some Responder, _ rules: RoutingRules) {
    if case .depthExceeded? = outcome.routingError, let error = outcome.routingError {
      EventLog.warn { "the event \"\(key)\" was not sent: ".escaped + error.description }
    } else if rules.warnsWhenUnhandled, !outcome.isLogged {
      EventLog.warn {
        DispatchReport.Diagnosis(outcome.finalKey ?? key, from: sender, rules.direction, error: outcome.firstError).description
      }
    }
  }

  @inline(__always)
  private static func run(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, recorder: ReportRecorder?, isDryRun: Bool,
    within outer: UnsafeMutablePointer<ActivePass>?, _ caller: HandlerCaller
  ) -> SendOutcome {
    if rules.emptyKey == .isIgnored, key == EventKey.empty {
      var outcome = SendOutcome()
      outcome.wasIgnored = true
      return outcome
    }
    if isDryRun { return unsafe route(key, from: sender, source, rules, recorder, nil, caller) }
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
      return unsafe route(key, from: sender, source, rules, recorder, active, caller)
    }
  }

  @inline(__always)
  private static func route(
    _ key: EventKey, from sender: some Responder, _ source: AnyObject?, _ rules: RoutingRules, _ recorder: ReportRecorder?,
    _ active: UnsafeMutablePointer<ActivePass>?, _ caller: HandlerCaller
  ) -> SendOutcome {
    if let record = RecordTopology.record(of: sender) {
      let pass = unsafe Pass<RecordTopology>(rules: rules, source: source, recorder: recorder, active: active)
      if let outcome = pass.run(from: record, key, caller) { return outcome }
    }
    let pass = unsafe Pass<AnyTopology>(rules: rules, source: source, recorder: recorder, active: active)
    return pass.run(from: sender, key, caller) ?? SendOutcome()
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
  typealias AwaitingCaller = nonisolated(nonsending) (AwaitingPass) async -> Void

  /// Whether a send is observed, and so has a report.
  @usableFromInline
  static var isObserved: Bool { DispatchReport.Observer.isAnyWatching }

  /// Begins a pass without a report.
  @usableFromInline
  static func begin(_ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules) -> AwaitingPass {
    AwaitingPass.begin(key, from: sender, source: source, rules, nil)
  }

  /// Ends a pass without a report, and returns its outcome.
  @usableFromInline
  static func end(_ pass: AwaitingPass, _ key: EventKey, from sender: some Responder, rules: RoutingRules) -> SendOutcome {
    let outcome = AwaitingPass.end(pass)
    if outcome.isUnhandled, !outcome.wasIgnored { warn(of: outcome, key, from: sender, rules) }
    return outcome
  }

  /// Sends an event with a report.
  ///
  /// - Parameter awaiting: Calls the handlers of the pass, and waits for them.
  @usableFromInline
  nonisolated(nonsending) static func reportAwaiting(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ awaiting: AwaitingCaller
  ) async -> (report: DispatchReport, outcome: SendOutcome) {
    let send = ReportedSend(key, from: sender, rules: rules, isDryRun: false, isAwaited: true)
    let outcome = await send.watches.run(awaiting: {
      let pass = AwaitingPass.begin(key, from: sender, source: source, rules, send.recorder)
      await awaiting(pass)
      return AwaitingPass.end(pass)
    })
    return (send.report(of: outcome, from: sender), outcome)
  }
}

/// A send with a report, from its start: tells the observers, and runs within their watches.
private struct ReportedSend {
  let recorder: ReportRecorder
  let watches: SendWatches
  private let key: EventKey
  private let rules: RoutingRules
  private let isDryRun: Bool
  private let sender: DispatchReport.NodeIdentity
  private let start: ContinuousClock.Instant

  init(_ key: EventKey, from sender: some Responder, rules: RoutingRules, isDryRun: Bool, isAwaited: Bool) {
    let identity = DispatchReport.NodeIdentity(sender)
    (self.key, self.rules, self.isDryRun, self.sender) = (key, rules, isDryRun, identity)
    recorder = ReportRecorder(rules.direction)
    if !isDryRun { DispatchReport.Observer.notifyBefore(key, from: identity, rules) }
    watches = isDryRun ? SendWatches([]) : DispatchReport.Observer.watches(of: key, from: identity, rules, isAwaited: isAwaited)
    start = ContinuousClock.now
  }

  /// Creates the report of the pass; for a send, also logs warnings, tells the observers and ends their watches.
  func report(
    of outcome: SendOutcome, from sender: some Responder, visitsIfIgnored: [DispatchReport.Visit]? = nil
  ) -> DispatchReport {
    let duration = ContinuousClock.now - start
    var diagnosis: DispatchReport.Diagnosis?
    if outcome.isUnhandled, !outcome.wasIgnored {
      diagnosis = DispatchReport.Diagnosis(outcome.finalKey ?? key, from: sender, rules.direction, error: outcome.firstError)
    }
    let report = DispatchReport(
      key: key, rules: rules, sender: self.sender, visits: recorder.visits, outcome: outcome, diagnosis: diagnosis, duration: duration,
      isDryRun: isDryRun, visitsIfIgnored: visitsIfIgnored)
    if !isDryRun {
      if case .depthExceeded? = outcome.routingError {
        Router.warn(of: outcome, key, from: sender, rules)
      } else if let diagnosis, rules.warnsWhenUnhandled, !outcome.isLogged {
        EventLog.warn { diagnosis.description }
      }
      DispatchReport.Observer.notifyAfter(report)
    }
    watches.end(report)
    return report
  }
}
