/// Sends events: chooses how the tree is seen, and what is told of the pass.
@usableFromInline
enum Router {
  @usableFromInline
  typealias Asking = (EventProxy, EventKey, _ last: UInt) -> NodeAnswer

  @usableFromInline
  static func send(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, _ asking: Asking
  ) -> SendOutcome {
    if SendObserver.isAnyWatching {
      return report(key, from: sender, source: source, rules: rules, isDryRun: false, asking).outcome
    }
    let outcome = run(key, from: sender, source: source, rules: rules, recorder: nil, isDryRun: false, asking)
    if outcome.isUnhandled, rules.warnsWhenUnhandled, !outcome.wasIgnored {
      EventLog.warn { UnhandledDiagnosis(outcome.finalKey ?? key, from: sender, error: outcome.firstError) }
    }
    return outcome
  }

  static func report(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, isDryRun: Bool, _ asking: Asking
  ) -> (report: DispatchReport, outcome: SendOutcome) {
    let recorder = ReportRecorder()
    let identity = ResponderIdentity(sender)
    if !isDryRun { SendObserver.tellBefore(key, from: identity, rules) }
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = run(key, from: sender, source: source, rules: rules, recorder: recorder, isDryRun: isDryRun, asking)
    let duration = clock.now - start
    var diagnosis: UnhandledDiagnosis?
    if outcome.isUnhandled, !outcome.wasIgnored {
      diagnosis = UnhandledDiagnosis(outcome.finalKey ?? key, from: sender, error: outcome.firstError)
    }
    let report = DispatchReport(
      key: key, rules: rules, sender: identity, visits: recorder.visits, outcome: outcome, diagnosis: diagnosis, duration: duration,
      isDryRun: isDryRun)
    if !isDryRun {
      if let diagnosis, rules.warnsWhenUnhandled { EventLog.warn { diagnosis } }
      SendObserver.tellAfter(report)
    }
    return (report, outcome)
  }

  @inline(__always)
  private static func run(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, recorder: ReportRecorder?, isDryRun: Bool,
    _ asking: Asking
  ) -> SendOutcome {
    if rules.emptyKey == .isIgnored, key == EventKey.empty {
      var outcome = SendOutcome()
      outcome.wasIgnored = true
      return outcome
    }
    if let node = sender as? ResponderNode {
      var pass = Pass<RecordTopology>(rules: rules, source: source, recorder: recorder, isDryRun: isDryRun)
      if pass.go(from: node.record, key, asking) { return pass.outcome }
      recorder?.reset()
    }
    var pass = Pass<AnyTopology>(rules: rules, source: source, recorder: recorder, isDryRun: isDryRun)
    _ = pass.go(from: sender, key, asking)
    return pass.outcome
  }
}

extension Pass {
  /// Takes an event its way.
  ///
  /// - Returns: False when the way leads out of what this kind of tree can follow; no handler has been called then.
  fileprivate mutating func go(from start: Tree.Node, _ key: EventKey, _ asking: Asking) -> Bool {
    if rules.direction == .down {
      goDown(from: start, key, asking)
      return true
    }
    if rules.startsAtSender { return goUp(from: start, key, asking) }
    if Tree.flags(of: start).contains(.external) { return false }
    return goUp(from: Tree.next(of: start), key, asking)
  }
}

extension EventKey {
  /// The key without a name.
  static let empty: EventKey = EventKey("")
}
