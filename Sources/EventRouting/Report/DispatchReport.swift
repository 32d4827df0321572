internal import DynamicInvocation

/// The route of one event: every node that was visited, its result, and the outcome.
///
/// Two reports are equal when everything except the duration and whether it was a dry run is equal; so the report of a
/// dry run may equal that of the send.
public struct DispatchReport: Sendable {
  /// The key as it was sent.
  public let key: EventKey
  /// The rules of the send.
  public let rules: RoutingRules
  /// The node that the event was sent from.
  public let sender: NodeIdentity
  /// The nodes in the route of the event, in the order they were reached.
  ///
  /// In a capture phase, and after the event was stopped, they are only the nodes whose handlers received it.
  /// A pass down through ``ResponderNode``s does not reach branches without a handler.
  public let visits: [Visit]
  /// Whether no node handled the event.
  public let isUnhandled: Bool
  /// Whether no node was visited, because the name is empty and the rules ignore empty names.
  public let wasIgnored: Bool
  /// The widest scope that a reply stopped, nil when no reply did.
  public let stopped: EventReply.StopScope?
  /// The error of routing, nil when there was none.
  public let routingError: SendOutcome.RoutingError?
  /// The reasons why no node handled the event, nil when a node did.
  public let diagnosis: Diagnosis?
  /// The duration of the pass, including the recording.
  public let duration: Duration
  /// Whether this is the report of a dry run, which calls no handlers.
  public let isDryRun: Bool
  /// In a dry run that reaches interceptors, the nodes in the route of the event if they ignore it; otherwise nil.
  ///
  /// An interceptor decides for each event. ``visits`` assumes what the options specify.
  public let visitsIfIgnored: [Visit]?

  init(
    key: EventKey, rules: RoutingRules, sender: NodeIdentity, visits: [Visit], outcome: SendOutcome,
    diagnosis: Diagnosis?,
    duration: Duration, isDryRun: Bool, visitsIfIgnored: [Visit]? = nil
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
    self.visitsIfIgnored = visitsIfIgnored
  }

  /// The nodes that handled the event, in order, without those that resent it under another key.
  public var handledBy: [NodeIdentity] { visits.filter(\.answer.isHandled).compactMap(\.responder) }

  /// The nodes that resent the event with other arguments or under another key, with the changes.
  public var rewrites: [Rewrite] { visits.compactMap(\.rewrite) }

  /// The number of handlers that were called, those of all nodes' ``Visit/handlerCount``.
  public var handlerCount: Int { visits.reduce(0) { $0 + $1.handlerCount } }

  /// The errors of all handlers, in order.
  public var errors: [any Error] { visits.flatMap(\.errors) }
}

extension DispatchReport: Equatable {
  /// Returns whether two reports describe the same route: everything is compared except the duration, whether it was a dry
  /// run, and ``visitsIfIgnored``.
  public static func == (left: DispatchReport, right: DispatchReport) -> Bool {
    left.key == right.key && left.rules == right.rules && left.sender == right.sender && left.visits == right.visits
      && left.isUnhandled == right.isUnhandled && left.wasIgnored == right.wasIgnored && left.stopped == right.stopped
      && left.routingError == right.routingError && left.diagnosis == right.diagnosis
  }
}

extension DispatchReport: CustomStringConvertible {
  /// The report as text, with a line of at most 4,096 bytes for each node.
  ///
  /// That of a dry run says so, and shows the route if interceptors ignore the event.
  public var description: String {
    let end = isUnhandled ? "unhandled" : "handled by \(handledBy.lazy.map(\.description).joinedInLine())"
    var lines = ["\(key) from \(sender)\(isDryRun ? " (dry run, no handler was called)" : ""): \(end)".asLine]
    let line = { (visit: Visit) in String(repeating: " ", count: 2 + min(visit.depth, 40)) + visit.text(isDryRun: isDryRun) }
    lines += visits.map(line)
    if let routingError { lines.append("  \(routingError)") }
    if let diagnosis { lines.append("  \(diagnosis)") }
    if let visitsIfIgnored { lines += ["if its interceptors ignore it:"] + visitsIfIgnored.map(line) }
    return lines.joined(separator: "\n")
  }
}

/// Records the route of one event.
final class ReportRecorder {
  private(set) var visits: [DispatchReport.Visit] = []
  /// The part of the route that is being recorded.
  var phase: EventContext.Phase
  /// Whether a dry run assumes that interceptors ignore the event.
  var ignoresUndecided: Bool = false
  /// Whether a dry run has reached an interceptor.
  var hasUndecided: Bool = false

  init(_ direction: RoutingRules.Direction) { phase = direction == .up ? .up : .down }

  func recordPassed(_ responder: (any Responder)?, depth: Int, _ key: EventKey) { append(responder, depth, key, .passed) }

  func recordRemoved(_ responder: (any Responder)?, depth: Int, _ key: EventKey) { append(responder, depth, key, .removed) }

  /// Records the handlers of a node that received an event after it was stopped, if there are any.
  func recordObserved(_ responder: (any Responder)?, depth: Int, _ key: EventKey, _ answer: EventProxy.Answer) {
    if answer.calls > 0 || !answer.errors.isEmpty {
      append(responder, depth, key, .observed, answer.errors, handlerCount: answer.calls)
    }
  }

  func record(
    _ responder: (any Responder)?, depth: Int, _ key: EventKey, _ answer: EventProxy.Answer, _ rules: RoutingRules, notes: [String],
    isAsynchronous: Bool
  ) {
    // Blocked handlers, and those whose target was deallocated, count as no handler.
    if answer.calls == 0, answer.errors.isEmpty { return append(responder, depth, key, .passed) }
    let identity = responder.map { DispatchReport.NodeIdentity($0) }
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
        responder: identity, depth: depth, phase: phase, key: key, answer: reply, errors: answer.errors, rewrite: rewrite, notes: notes,
        handlerCount: answer.calls, isAsynchronous: isAsynchronous))
  }

  /// Removes all visits, since the pass starts again with another topology.
  func reset() { visits.removeAll() }

  private func append(
    _ responder: (any Responder)?, _ depth: Int, _ key: EventKey, _ answer: DispatchReport.Answer, _ errors: [any Error] = [],
    handlerCount: Int = 0
  ) {
    visits.append(
      DispatchReport.Visit(
        responder: responder.map { DispatchReport.NodeIdentity($0) }, depth: depth, phase: phase, key: key, answer: answer, errors: errors,
        rewrite: nil, notes: [], handlerCount: handlerCount, isAsynchronous: false))
  }
}

extension DispatchReport {
  /// The identity of a node in reports; the node itself is not kept alive.
  public struct NodeIdentity: Sendable, Hashable, CustomStringConvertible {
    /// The name of the node when the report was created.
    public let name: String
    /// The identifier of the object.
    ///
    /// It may be reused by another object after the node was deallocated.
    public let id: ObjectIdentifier

    init(_ responder: some Responder) {
      name = responder.responderName
      id = ObjectIdentifier(responder)
    }

    /// The name; of one with more than 256 bytes the beginning and the end.
    public var description: String { name.asName }
  }
}
