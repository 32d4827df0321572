internal import DynamicInvocation

/// The result of sending an event.
///
/// - Complexity: Three words. Rare details, such as errors and other keys, are stored on the heap.
public struct SendOutcome: Sendable, CustomStringConvertible {
  /// What few events have.
  private struct Details: Sendable {
    var errorCount: Int = 0
    var firstError: (any Error)?
    var routingError: RoutingError?
    var finalKey: EventKey?
    /// Whether a warning was logged for an error of a handler.
    var isLogged: Bool = false
  }

  private final class DetailsBox: Sendable {
    let details: Details

    init(_ details: Details) { self.details = details }
  }

  /// The number of nodes that handled the event.
  ///
  /// Nodes that resent it under another key are not counted. A node that handles it in the capture phase and again in the
  /// rest of the pass counts twice.
  public internal(set) var handledCount: Int = 0
  private var box: DetailsBox?
  /// The widest scope that a reply stopped; nil when no reply did.
  public private(set) var stopped: EventReply.StopScope?
  /// Whether no node was visited, because the name is empty and the rules ignore empty names.
  public internal(set) var wasIgnored: Bool = false

  /// Creates the outcome of an event that no node has handled.
  init() {}

  private var details: Details {
    get { box?.details ?? Details() }
    set { box = DetailsBox(newValue) }
  }

  /// Whether no node handled the event.
  ///
  /// A handler that threw an error has not handled it.
  public var isUnhandled: Bool { handledCount == 0 }

  /// Whether a node handled the event.
  public var isHandled: Bool { handledCount > 0 }

  /// The number of errors, of handlers and of routing.
  ///
  /// An error of a handler does not prevent the other handlers from being called.
  public var errorCount: Int { box?.details.errorCount ?? 0 }

  /// The first error: of a handler, or a ``SendOutcome/RoutingError``.
  public var firstError: (any Error)? { box?.details.firstError }

  /// The error of routing, if the pass ended because of one.
  public var routingError: RoutingError? { box?.details.routingError }

  /// The last key of the event, when a handler resent it.
  public var finalKey: EventKey? { box?.details.finalKey }

  /// How many nodes handled the event, the scope that was stopped, the last key, and the first error.
  public var description: String {
    if wasIgnored { return "ignored: the key is empty" }
    var parts = [isUnhandled ? "unhandled" : "handled by \(handledCount.counted("node"))"]
    if let stopped { parts.append("stopped the \(stopped)") }
    if let finalKey { parts.append("sent on as '\(finalKey)'") }
    if let firstError { parts.append((errorCount == 1 ? "1 error: " : "\(errorCount) errors, the first: ") + firstError.withType) }
    return parts.joined(separator: "; ").asLine
  }
}

extension SendOutcome {
  /// Whether a warning was logged for an error of a handler, so that none is needed for an event that no node handled.
  var isLogged: Bool { box?.details.isLogged ?? false }

  /// Notes an error of routing.
  mutating func note(_ error: RoutingError) { note(error, isLogged: false, routing: error) }

  /// Notes an error of routing, or of a handler; a handler's error may be the routing error of another event.
  private mutating func note(_ error: any Error, isLogged: Bool, routing: RoutingError? = nil) {
    var details = details
    if let routing { details.routingError = routing }
    details.errorCount += 1
    if details.firstError == nil { details.firstError = error }
    if isLogged { details.isLogged = true }
    self.details = details
  }

  /// Notes an error of a handler, and does with it what the rules say.
  ///
  /// - Returns: The error as the sender gets it.
  @discardableResult
  mutating func note(_ error: any Error, at node: DispatchReport.NodeIdentity?, _ rules: RoutingRules) -> any Error {
    var (error, isLogged) = (error, false)
    let isFatal = rules.handlerErrors == .fatal
    if var failure = error as? EventError {
      failure.node = node
      if isFatal { fatalError(EventLog.text(of: failure)) }
      EventLog.warn(failure)
      (error, isLogged) = (failure, true)
    } else if let thrown = error as? ThrownError {
      if isFatal { fatalError(thrown.text(at: node)) }
      isLogged = rules.handlerErrors == .told
      if isLogged { EventLog.warn(thrown, at: node) }
      error = thrown.error
    }
    note(error, isLogged: isLogged)
    return error
  }

  mutating func note(finalKey: EventKey) { details.finalKey = finalKey }

  mutating func note(stop scope: EventReply.StopScope) { stopped = max(stopped ?? scope, scope) }

  /// An error in the route of an event; the pass ends there.
  public enum RoutingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A key, and the node that handled the event under it, or resent the event under another key.
    public struct Step: Sendable, Hashable, CustomStringConvertible {
      /// The key.
      public let key: EventKey
      /// The name of the node; nil when the node was deallocated or belongs to another isolation domain, when its handlers
      /// had ended, and for the last step of a loop, where no node was visited.
      public let node: String?

      /// The key and the node.
      public var description: String { node.map { "\(key) at \($0.asName)" } ?? "\(key)" }
    }

    /// The path up is a cycle: the last node visited leads back to a node of the path. The value is that node's name.
    case cyclicPath(String)
    /// The event was resent under a key that it had left before. The steps are the keys with the nodes that resent the
    /// event; the last step is the repeated key.
    case resendLoop([Step])
    /// Handlers sent events nested deeper than ``RoutingRules/depthLimit``. The steps are the innermost events whose
    /// handlers are running; the last step is the refused send, with its sender.
    case depthExceeded(limit: Int, [Step])

    /// A description of the error.
    public var description: String {
      switch self {
      case .cyclicPath(let name): "the path comes back to \(name.asName)".asLine
      case .resendLoop(let steps): "the event was sent on in a loop: \(Self.text(steps))".asLine
      case .depthExceeded(let limit, let steps):
        ("handlers sent events within handlers' events, more than \(limit) deep: "
          + "\(steps.count <= limit ? "… → " : "")\(Self.text(steps))").asLine
      }
    }

    private static func text(_ steps: [Step]) -> String { steps.lazy.map(\.description).joinedInLine(separator: " → ") }
  }
}
