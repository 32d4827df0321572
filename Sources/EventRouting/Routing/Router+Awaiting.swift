internal import DynamicInvocation

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
