internal import DynamicInvocation

/// What became of an event.
///
/// - Complexity: Three words. What is rare, errors and other keys, lies on the heap.
public struct SendOutcome: Sendable {
  /// What few events have.
  private final class Details: Sendable {
    let errorCount: Int
    let firstError: (any Error)?
    let routingError: RoutingError?
    let finalKey: EventKey?

    init(errorCount: Int, firstError: (any Error)?, routingError: RoutingError?, finalKey: EventKey?) {
      self.errorCount = errorCount
      self.firstError = firstError
      self.routingError = routingError
      self.finalKey = finalKey
    }
  }

  /// How many nodes handled it; those that sent it on under another key do not count.
  public internal(set) var handledCount: Int = 0
  private var details: Details?
  /// The widest scope that an answer ended, nil when none did.
  public private(set) var stopped: StopScope?
  /// Whether nobody was asked, because the name is empty and the rules ignore that.
  public internal(set) var wasIgnored: Bool = false

  /// Creates the outcome of an event that met nobody.
  init() {}

  /// Whether nobody handled it.
  public var isUnhandled: Bool { handledCount == 0 }

  /// How many errors there were: of handlers, which keep no other from being called, and of the way.
  public var errorCount: Int { details?.errorCount ?? 0 }

  /// The first error: of a handler, or a ``RoutingError``.
  public var firstError: (any Error)? { details?.firstError }

  /// What was wrong with the way, if the pass ended for that.
  public var routingError: RoutingError? { details?.routingError }

  /// The key it had in the end, when a handler sent it on under another one.
  public var finalKey: EventKey? { details?.finalKey }
}

extension SendOutcome {
  mutating func note(_ error: any Error) {
    details = Details(
      errorCount: errorCount + 1, firstError: firstError ?? error, routingError: error as? RoutingError ?? routingError, finalKey: finalKey)
  }

  mutating func note(finalKey: EventKey) {
    details = Details(errorCount: errorCount, firstError: firstError, routingError: routingError, finalKey: finalKey)
  }

  mutating func note(stop scope: StopScope) { stopped = max(stopped ?? scope, scope) }
}

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
