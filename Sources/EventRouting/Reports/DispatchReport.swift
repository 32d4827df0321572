import DynamicInvocation

/// The route of one event: every node that was visited, its result, and the outcome.
///
/// Equality ignores the duration, and whether the report is of a dry run. So the report of a dry run may equal the report of
/// the send.
public struct DispatchReport: Sendable, Equatable, CustomStringConvertible {
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
  /// The outcome that the sender got.
  public let outcome: SendOutcome
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

  /// The nodes that handled the event, in order, without those that resent it under another key.
  public var handledBy: [NodeIdentity] { visits.filter(\.answer.isHandled).compactMap(\.responder) }

  /// The keys and arguments with which nodes resent the event, in order.
  public var rewrites: [(to: EventKey, arguments: [String])] { visits.compactMap(\.rewrite) }

  /// The errors of all handlers, in order.
  public var errors: [any Error] { visits.flatMap(\.errors) }

  /// Returns whether two reports describe the same route: everything is compared except the duration, whether it was a dry
  /// run, and ``visitsIfIgnored``.
  public static func == (left: DispatchReport, right: DispatchReport) -> Bool {
    left.key == right.key && left.rules == right.rules && left.sender == right.sender && left.visits == right.visits
      && left.outcome.isUnhandled == right.outcome.isUnhandled && left.outcome.wasIgnored == right.outcome.wasIgnored
      && left.outcome.stopped == right.outcome.stopped && left.outcome.routingError == right.outcome.routingError
      && left.diagnosis == right.diagnosis
  }

  /// The report as text, with a line of at most 4,096 bytes for each node.
  ///
  /// The text of a dry run says so, and shows the route if interceptors ignore the event.
  public var description: String {
    let end = outcome.isUnhandled ? "unhandled" : "handled by \(handledBy.lazy.map(\.description).joinedInLine())"
    var lines = ["\(key) from \(sender)\(isDryRun ? " (dry run, no handler was called)" : ""): \(end)".asLine]
    let line = { (visit: Visit) in String(repeating: " ", count: 2 + min(visit.depth, 40)) + visit.text(isDryRun: isDryRun) }
    lines += visits.map(line)
    if let routingError = outcome.routingError { lines.append("  \(routingError)") }
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

  /// Records the handlers of a node that received an event after it was stopped, if there are any.
  func recordObserved(_ responder: (any Responder)?, depth: Int, _ key: EventKey, _ answer: EventProxy.Outcome) {
    if answer.calls > 0 || !answer.errors.isEmpty {
      record(responder, depth: depth, key, .observed, answer)
    }
  }

  func record(
    _ responder: (any Responder)?, depth: Int, _ key: EventKey, _ answer: EventProxy.Outcome, _ rules: RoutingRules, notes: [String],
    isAsynchronous: Bool
  ) {
    // Blocked handlers, and those whose target was deallocated, count as no handler.
    if answer.calls == 0, answer.errors.isEmpty { return record(responder, depth: depth, key, .passed) }
    var rewrite: (to: EventKey, arguments: [String])?
    let reply: DispatchReport.Visit.Answer
    switch answer.reply {
    case .ignored: reply = answer.errors.isEmpty ? .ignored : .failed
    case .handled: reply = rules.continuesWhenHandled ? .handled : .stopped(rules.stopScope)
    case .handledAndContinue: reply = .handled
    case .handledAndStop(let scope): reply = .stopped(scope)
    case .resend(let next, let arguments):
      reply = .resent
      rewrite = (next, BoxedValue.descriptions(of: arguments))
    }
    record(responder, depth: depth, key, reply, answer, rewrite, notes, isAsynchronous: isAsynchronous)
  }

  /// Records a node; without an outcome, one whose handlers were not called.
  func record(
    _ responder: (any Responder)?, depth: Int, _ key: EventKey, _ answer: DispatchReport.Visit.Answer,
    _ outcome: EventProxy.Outcome = EventProxy.Outcome(), _ rewrite: (to: EventKey, arguments: [String])? = nil, _ notes: [String] = [],
    isAsynchronous: Bool = false
  ) {
    visits.append(
      DispatchReport.Visit(
        responder: responder.map { DispatchReport.NodeIdentity($0) }, depth: depth, phase: phase, key: key, answer: answer,
        errors: outcome.errors, rewrite: rewrite, notes: notes, handlerCount: outcome.calls, isAsynchronous: isAsynchronous))
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

    /// The name; if it has more than 256 bytes, its beginning and its end.
    public var description: String { name.asName }
  }

  /// The possible reasons why no node handled an event.
  public struct Diagnosis: Sendable, Hashable, CustomStringConvertible {
    /// A key close to the one sent, with a node that handles it.
    public struct NearKey: Sendable, Hashable, CustomStringConvertible {
      /// The key.
      public let key: EventKey
      /// The first node, from the root down, that handles it.
      public let responder: NodeIdentity

      /// The key and the node that handles it.
      public var description: String { "\"\(key)\" of \(responder)".asLine }
    }

    /// The key that no node handled.
    let key: EventKey
    /// Keys with handlers in the same tree whose names are similar to the key sent, nearest first.
    ///
    /// There are none for a key of more than 1,024 bytes. Nodes are searched from the root down, as long as they have no
    /// more than 1,000 keys together.
    public let nearestKeys: [NearKey]
    /// The nodes of the same tree that have handlers for the key: the pass did not visit them, or the handler could not
    /// be called or ignored the event.
    public let registeredOn: [NodeIdentity]
    /// The nodes of ``registeredOn`` whose handlers for the key receive only events of the other direction, or only the
    /// capture phase.
    let listeningOtherWay: [NodeIdentity]
    /// The node at which the path up ends because its parent was deallocated, nil if that is not the case.
    ///
    /// A child does not retain its parent.
    public let orphan: NodeIdentity?
    /// The first error of the send, such as the reason why a handler could not be called, or what a handler threw; nil when
    /// there was no error.
    public let refusal: String?

    /// The maximum number of nodes of a tree that are searched.
    static var searchLimit: Int { 10_000 }
    /// The maximum number of keys, counted for each node, that are compared: each event that no node handles may cost as much.
    static var comparisonLimit: Int { 1_000 }

    init(_ key: EventKey, from sender: any Responder, _ direction: RoutingRules.Direction, error: (any Error)?) {
      self.key = key
      refusal = error.map { $0 is EventError || $0 is SendOutcome.RoutingError ? "\($0)" : "a handler threw \($0.withType)" }
      var owners: [EventKey: NodeIdentity] = [:]
      var registeredOn: [NodeIdentity] = []
      var listeningOtherWay: [NodeIdentity] = []
      var compared = 0
      let root = TreeWalk.root(of: sender)
      orphan = (root as? ResponderNode).flatMap { $0.record.fields.flags.contains(.orphaned) ? NodeIdentity($0) : nil }
      for (node, _) in TreeWalk.nodes(from: root, limit: Self.searchLimit) {
        guard let proxy = node.eventProxy else { continue }
        // An event removes the inactive handlers that it reaches; a dry run sends no event.
        let listening = proxy.registrations(for: key).filter { $0.template == nil && $0.isActive }
        if !listening.isEmpty {
          registeredOn.append(NodeIdentity(node))
          if listening.allSatisfy({ $0.phases.isDisjoint(with: direction.phases) }) { listeningOtherWay.append(NodeIdentity(node)) }
        }
        compared += proxy.keyCount
        guard compared <= Self.comparisonLimit else { continue }
        for other in proxy.keys where other != key && owners[other] == nil {
          if proxy.registrations(for: other).contains(where: \.isActive) { owners[other] = NodeIdentity(node) }
        }
      }
      self.registeredOn = registeredOn
      self.listeningOtherWay = listeningOtherWay
      nearestKeys = NearestNames.nearest(to: key.name, among: owners.keys.lazy.map(\.name), limit: 3).compactMap { name in
        let near = EventKey(name)
        return owners[near].map { NearKey(key: near, responder: $0) }
      }
    }

    /// The diagnosis as a sentence, in one line whatever the names contain.
    public var description: String {
      var text = "no handler handled \"\(key)\""
      if let refusal { text += "; \(refusal)" }
      if !registeredOn.isEmpty {
        let names = registeredOn.lazy.map(\.description).joinedInLine()
        text += refusal == nil ? "; registered on \(names), which this pass did not ask or which ignored it" : "; registered on \(names)"
      }
      if !listeningOtherWay.isEmpty {
        text += "; on \(listeningOtherWay.lazy.map(\.description).joinedInLine()) only for events of another direction or phase"
      }
      if let orphan { text += "; the parent of \(orphan) has ended, as a child does not keep its parent" }
      if !nearestKeys.isEmpty {
        text += "; did you mean \(nearestKeys.map { "\"\($0.key)\" of \($0.responder)" }.joined(separator: ", "))?"
      }
      return text.asLine
    }
  }

  /// A node in the route of an event.
  public struct Visit: Sendable, Equatable, CustomStringConvertible {
    /// The node, nil when it was deallocated.
    public let responder: NodeIdentity?
    /// The distance of the node from the start of the event; for a pass down, the depth below it.
    public let depth: Int
    /// The part of the route in which the event reached it.
    public let phase: EventContext.Phase
    /// The key with which the event reached it.
    public let key: EventKey
    /// The result of the node.
    public let answer: Answer
    /// The errors of its handlers.
    public let errors: [any Error]
    /// The key under which the node resent the event, possibly the same key, and the arguments as text; nil if it did not.
    public let rewrite: (to: EventKey, arguments: [String])?
    /// How its handlers deviated from what they had declared by ``HandlerOptions/rewritesTo``, in text.
    public let notes: [String]
    /// The number of its handlers that were called, or in a dry run would be called, before one of them stopped the event.
    public let handlerCount: Int
    /// Whether the node has an asynchronous handler for the event, which a synchronous send starts or refuses.
    public let isAsynchronous: Bool

    /// Returns whether two visits are equal; errors are compared by their description.
    public static func == (left: DispatchReport.Visit, right: DispatchReport.Visit) -> Bool {
      left.responder == right.responder && left.depth == right.depth && left.phase == right.phase && left.key == right.key
        && left.answer == right.answer && left.isAsynchronous == right.isAsynchronous
        && left.handlerCount == right.handlerCount
        && left.rewrite?.to == right.rewrite?.to && left.rewrite?.arguments == right.rewrite?.arguments
        && left.notes == right.notes && left.errors.map { "\($0)" } == right.errors.map { "\($0)" }
    }

    /// The visit as a line of text.
    public var description: String { text(isDryRun: false) }

    /// The visit as a line of text; in a dry run, that handlers would be called, and their assumed reply.
    func text(isDryRun: Bool) -> String {
      let name = responder?.description ?? "a dead node"
      let result = isDryRun && handlerCount > 0 ? "would be asked, assumed: \(answer)" : "\(answer)"
      var text = "\(name)\(phase == .capture ? ", capture" : ""): \(result)\(isAsynchronous ? ", asynchronous" : "")"
      if let rewrite { text += " as \(rewrite.to)(\(rewrite.arguments.joined(separator: ", ")))" }
      if !errors.isEmpty { text += "; errors: \(errors.lazy.map { $0.withType }.joinedInLine(separator: "; "))" }
      for note in notes { text += "; \(note)" }
      return text.asLine
    }
  }
}

extension DispatchReport.Visit {
  /// What became of the event at a node, by the reply of its handlers.
  public enum Answer: Sendable, Hashable, CustomStringConvertible {
    /// It has no handler for the key in this direction.
    case passed
    /// It was removed or deallocated before it was visited.
    case removed
    /// Its handlers ignored the event.
    case ignored
    /// All its handlers failed.
    case failed
    /// It handled the event, which continued.
    case handled
    /// It handled the event and stopped it in a scope.
    case stopped(EventReply.StopScope)
    /// It resent the event.
    case resent
    /// Its handlers with ``HandlerOptions/seesStopped`` received the event, which a node before had stopped.
    case observed

    /// Whether it handled the event.
    public var isHandled: Bool {
      switch self {
      case .handled, .stopped: true
      case .passed, .removed, .ignored, .failed, .resent, .observed: false
      }
    }

    /// The result as text.
    public var description: String {
      switch self {
      case .passed: "passed"
      case .removed: "removed before its turn"
      case .ignored: "ignored"
      case .failed: "failed"
      case .handled: "handled"
      case .stopped(let scope): "handled, stopped the \(scope)"
      case .resent: "sent on"
      case .observed: "observed after the stop"
      }
    }
  }
}
