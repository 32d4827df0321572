internal import DynamicInvocation

/// What is wrong with the way of an event; the pass ends there.
public enum RoutingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The next of the last node asked is a node of the path, of this name.
  case cyclicPath(String)
  /// The event was sent on under a key that it had left before; the keys in order, the last one twice among them.
  case resendLoop([EventKey])

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .cyclicPath(let name): "the path comes back to \(name)".visible
    case .resendLoop(let keys): "the event was sent on in a loop: \(keys.map(\.name).joined(separator: " → "))".visible
    }
  }
}
