internal import DynamicInvocation

/// What is wrong with the way of an event; the pass ends there.
public enum RoutingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A key, and the node at which it was handled or left.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// The key.
    public let key: EventKey
    /// The name of the node; nil when it has died, and at the end of a loop, where no node was asked any more.
    public let node: String?

    /// Creates a step.
    public init(key: EventKey, node: String?) {
      self.key = key
      self.node = node
    }

    /// The key and the node.
    public var description: String { node.map { "\(key.name) at \($0)" } ?? key.name }
  }

  /// The next of the last node asked is a node of the path, of this name.
  case cyclicPath(String)
  /// The event was sent on under a key that it had left before: the keys with the nodes that sent the event on, and last the key that it came back to.
  case resendLoop([Step])
  /// Handlers sent events within handlers' events deeper than ``RoutingRules/depthLimit``: the innermost ones whose handlers are running, and last the
  /// send that was refused, at its sender.
  case depthExceeded(limit: Int, [Step])

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .cyclicPath(let name): "the path comes back to \(name)".escaped
    case .resendLoop(let steps): "the event was sent on in a loop: \(Self.text(steps))".escaped
    case .depthExceeded(let limit, let steps):
      "handlers sent events within handlers' events, more than \(limit) deep: ".escaped
        + "\(steps.count <= limit ? "… → " : "")\(Self.text(steps))".escaped
    }
  }

  private static func text(_ steps: [Step]) -> String { steps.map(\.description).joined(separator: " → ") }
}
