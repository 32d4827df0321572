internal import DynamicInvocation

extension DispatchReport {
  /// A node in the route of an event.
  public struct Visit: Sendable {
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
    /// How it changed the event, if it resent it.
    public let rewrite: Rewrite?
    /// How its handlers deviated from what they had declared by ``HandlerOptions/rewritesTo``, in text.
    public let notes: [String]
    /// The number of its handlers that were called, or in a dry run would be called, before one of them stopped the event.
    public let handlerCount: Int
    /// Whether the node has an asynchronous handler for the event, which a synchronous send starts or refuses.
    public let isAsynchronous: Bool
  }

  /// The result of a node.
  public enum Answer: Sendable, Hashable {
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
  }

  /// How a node changed an event that it resent.
  public struct Rewrite: Sendable, Hashable {
    /// The node, nil when it was deallocated by its handler.
    public let responder: NodeIdentity?
    /// The key before the resend.
    public let from: EventKey
    /// The key after the resend; the same one when only the arguments changed.
    public let to: EventKey
    /// The arguments after the resend, as text.
    public let arguments: [String]
  }
}

extension DispatchReport.Visit: Hashable, CustomStringConvertible {
  /// Returns whether two visits are equal; errors are compared by their description.
  public static func == (left: DispatchReport.Visit, right: DispatchReport.Visit) -> Bool {
    left.responder == right.responder && left.depth == right.depth && left.phase == right.phase && left.key == right.key
      && left.answer == right.answer && left.isAsynchronous == right.isAsynchronous
      && left.handlerCount == right.handlerCount
      && left.rewrite == right.rewrite && left.notes == right.notes && left.errors.map { "\($0)" } == right.errors.map { "\($0)" }
  }

  /// Hashes the node, the depth, the key and the result.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(responder)
    hasher.combine(depth)
    hasher.combine(key)
    hasher.combine(answer)
  }

  /// The visit as a line of text.
  public var description: String { text(isDryRun: false) }

  /// The visit as a line of text; in a dry run, which handlers would be called, and what is assumed that they reply.
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

extension DispatchReport.Answer: CustomStringConvertible {
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
