internal import DynamicInvocation

extension DispatchReport {
  /// A node on the way of an event.
  public struct Visit: Sendable {
    /// The node, nil when it had died.
    public let responder: ResponderIdentity?
    /// How many nodes the event had come from its start; for a pass down, how far below.
    public let depth: Int
    /// The key with which the event reached it.
    public let key: EventKey
    /// What it answered.
    public let answer: Answer
    /// The errors of its handlers.
    public let errors: [any Error]
    /// What it made of the event, if it sent it on.
    public let rewrite: Rewrite?
    /// What its handlers did otherwise than they had declared by ``HandlerOptions/rewritesTo``, in words.
    public let notes: [String]
  }

  /// What a node answered.
  public enum Answer: Sendable, Hashable {
    /// It has no handler for the key that listens this way.
    case passed
    /// It was removed before its turn, or had died.
    case removed
    /// Its handlers did not want the event.
    case ignored
    /// All its handlers failed.
    case failed
    /// It handled the event, which went on.
    case handled
    /// It handled the event and ended it in a scope.
    case stopped(StopScope)
    /// It sent the event on.
    case resent

    /// Whether it handled the event.
    public var isHandled: Bool {
      switch self {
      case .handled, .stopped: true
      case .passed, .removed, .ignored, .failed, .resent: false
      }
    }
  }

  /// What a node made of an event that it sent on.
  public struct Rewrite: Sendable, Hashable {
    /// The node, nil when it died of its handler.
    public let responder: ResponderIdentity?
    /// The key before.
    public let from: EventKey
    /// The key after; the same one when only arguments changed.
    public let to: EventKey
    /// The arguments after, in words.
    public let arguments: [String]
  }
}

extension DispatchReport.Visit: Hashable, CustomStringConvertible {
  /// Returns whether two visits are the same, errors by their description.
  public static func == (left: DispatchReport.Visit, right: DispatchReport.Visit) -> Bool {
    left.responder == right.responder && left.depth == right.depth && left.key == right.key && left.answer == right.answer
      && left.rewrite == right.rewrite && left.notes == right.notes && left.errors.map { "\($0)" } == right.errors.map { "\($0)" }
  }

  /// Feeds what identifies the visit into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(responder)
    hasher.combine(depth)
    hasher.combine(key)
    hasher.combine(answer)
  }

  /// The visit as a line of text.
  public var description: String {
    let name = responder?.name ?? "a dead node"
    var text = "\(name): \(answer)"
    if let rewrite { text += " as \(rewrite.to.name)(\(rewrite.arguments.joined(separator: ", ")))" }
    if !errors.isEmpty { text += "; errors: \(errors.map { "\($0)" }.joined(separator: "; "))" }
    for note in notes { text += "; \(note)" }
    return text.escaped
  }
}

extension DispatchReport.Answer: CustomStringConvertible {
  /// The answer in words.
  public var description: String {
    switch self {
    case .passed: "passed"
    case .removed: "removed before its turn"
    case .ignored: "ignored"
    case .failed: "failed"
    case .handled: "handled"
    case .stopped(let scope): "handled, stopped the \(scope)"
    case .resent: "sent on"
    }
  }
}
