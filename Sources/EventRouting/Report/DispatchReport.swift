internal import DynamicInvocation

/// The way of one event: every node that was asked, what it answered, and what came of it.
///
/// Two reports are equal when everything but the time they took is; a dry run may equal the real thing.
public struct DispatchReport: Sendable {
  /// The key as it was sent.
  public let key: EventKey
  /// How the event travelled.
  public let rules: RoutingRules
  /// The node it was sent from.
  public let sender: ResponderIdentity
  /// The nodes on its way, in the order they were reached.
  ///
  /// A pass down to nodes of ``ResponderNode`` does not reach branches without a handler.
  public let visits: [Visit]
  /// Whether nobody handled it.
  public let isUnhandled: Bool
  /// Whether nobody was asked, because the name is empty and the rules ignore that.
  public let wasIgnored: Bool
  /// The widest scope that an answer ended, nil when none did.
  public let stopped: StopScope?
  /// What was wrong with the way, nil when nothing was.
  public let routingError: RoutingError?
  /// Why nobody handled it, nil when somebody did.
  public let diagnosis: UnhandledDiagnosis?
  /// How long the pass took, with the recording.
  public let duration: Duration
  /// Whether no handler was called.
  public let isDryRun: Bool

  init(
    key: EventKey, rules: RoutingRules, sender: ResponderIdentity, visits: [Visit], outcome: SendOutcome, diagnosis: UnhandledDiagnosis?,
    duration: Duration, isDryRun: Bool
  ) {
    self.key = key
    self.rules = rules
    self.sender = sender
    self.visits = visits
    isUnhandled = outcome.isUnhandled
    wasIgnored = outcome.wasIgnored
    stopped = outcome.stopped
    routingError = outcome.routingError
    self.diagnosis = diagnosis
    self.duration = duration
    self.isDryRun = isDryRun
  }

  /// The nodes that handled it, in order; those that sent it on under another key are not among them.
  public var handledBy: [ResponderIdentity] { visits.filter(\.answer.isHandled).compactMap(\.responder) }

  /// The nodes that sent it on with other arguments or under another key, with what they made of it.
  public var rewrites: [Rewrite] { visits.compactMap(\.rewrite) }

  /// The errors of all handlers, in order.
  public var errors: [any Error] { visits.flatMap(\.errors) }
}

extension DispatchReport: Equatable {
  /// Returns whether two reports tell of the same course: all but the time and whether it was a dry run.
  public static func == (left: DispatchReport, right: DispatchReport) -> Bool {
    left.key == right.key && left.rules == right.rules && left.sender == right.sender && left.visits == right.visits
      && left.isUnhandled == right.isUnhandled && left.wasIgnored == right.wasIgnored && left.stopped == right.stopped
      && left.routingError == right.routingError && left.diagnosis == right.diagnosis
  }
}

extension DispatchReport: CustomStringConvertible {
  /// The report as text, a line for each node.
  public var description: String {
    let end = isUnhandled ? "unhandled" : "handled by \(handledBy.map(\.name).joined(separator: ", "))"
    var lines = ["\(key.name) from \(sender.name): \(end)".escaped]
    lines += visits.map { "\(String(repeating: " ", count: 2 + min($0.depth, 40)))\($0)" }
    if let routingError { lines.append("  \(routingError)") }
    if let diagnosis { lines.append("  \(diagnosis)") }
    return lines.joined(separator: "\n")
  }
}

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

/// A node as reports name it; the node itself is not kept alive.
public struct ResponderIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The name of the node when the report was made.
  public let name: String
  /// Which object it was; another may have the same one after the node has died.
  public let id: ObjectIdentifier

  init(_ responder: some Responder) {
    name = responder.responderName
    id = ObjectIdentifier(responder)
  }

  /// The name.
  public var description: String { name }
}
