import DynamicInvocation

/// Writes down the way of one event.
final class ReportRecorder {
  private(set) var visits: [DispatchReport.Visit] = []

  func recordPassed(_ responder: (any Responder)?, depth: Int, _ key: EventKey) { append(responder, depth, key, .passed) }

  func recordRemoved(_ responder: (any Responder)?, depth: Int, _ key: EventKey) { append(responder, depth, key, .removed) }

  func record(_ responder: (any Responder)?, depth: Int, _ key: EventKey, _ answer: NodeAnswer, _ rules: RoutingRules, notes: [String]) {
    // Blocked handlers, and those whose target has died, are as good as none.
    if answer.calls == 0, answer.errors.isEmpty { return append(responder, depth, key, .passed) }
    let identity = responder.map { ResponderIdentity($0) }
    var rewrite: DispatchReport.Rewrite?
    let reply: DispatchReport.Answer
    switch answer.reply {
    case .ignored: reply = answer.errors.isEmpty ? .ignored : .failed
    case .handled: reply = rules.continuesWhenHandled ? .handled : .stopped(rules.stopScope)
    case .handledAndContinue: reply = .handled
    case .handledAndStop(let scope): reply = .stopped(scope)
    case .resend(let next, let arguments):
      reply = .resent
      rewrite = DispatchReport.Rewrite(responder: identity, from: key, to: next, arguments: BoxedValue.descriptions(of: arguments))
    }
    visits.append(
      DispatchReport.Visit(
        responder: identity, depth: depth, key: key, answer: reply, errors: answer.errors, rewrite: rewrite, notes: notes))
  }

  /// Starts again: the pass has to see the tree otherwise.
  func reset() { visits.removeAll() }

  /// Drops the nodes that a walk in a circle came by again.
  func dropRepeats() {
    var seen: Set<ObjectIdentifier> = []
    visits.removeAll { visit in visit.responder.map { !seen.insert($0.id).inserted } ?? false }
  }

  private func append(_ responder: (any Responder)?, _ depth: Int, _ key: EventKey, _ answer: DispatchReport.Answer) {
    visits.append(
      DispatchReport.Visit(
        responder: responder.map { ResponderIdentity($0) }, depth: depth, key: key, answer: answer, errors: [], rewrite: nil, notes: []))
  }
}
