public import DynamicInvocation

/// The reply of a handler to an event, which determines where the event goes next.
public enum EventReply {
  /// The handler ignores the event: it continues as if there were no handler.
  case ignored
  /// Handled; the rules of the pass determine whether the event continues.
  case handled
  /// Handled, and the event continues.
  case handledAndContinue
  /// Handled, and the event ends in this scope.
  case handledAndStop(StopScope)
  /// Handled by resending the event under another key, with other arguments; the original event ends here.
  case resend(EventKey, [BoxedValue])
}

extension EventReply {
  /// How much of a pass a handler ends.
  public enum StopScope: Int, Sendable, Comparable, Codable {
    /// The other handlers of the same node.
    case node
    /// The node and all nodes below it. In a pass down, siblings still receive the event; a pass up ends.
    case subtree
    /// The whole pass.
    case pass

    /// Orders scopes by how much they end.
    public static func < (left: StopScope, right: StopScope) -> Bool { left.rawValue < right.rawValue }
  }
}

extension EventReply {
  /// The reply that a handler returned, an ``EventReply`` or an optional of it; nil when its result is nil or of another
  /// type.
  @inlinable @inline(__always)
  init?<Result>(of result: Result) {
    // Comparisons of types, which are decided when the registration is compiled: a cast would be made for each event.
    if Result.self == EventReply.self {
      self = unsafe unsafeBitCast(result, to: EventReply.self)
    } else if Result.self == EventReply?.self, let reply = unsafe unsafeBitCast(result, to: EventReply?.self) {
      self = reply
    } else {
      return nil
    }
  }
}

extension EventReply {
  /// How much of the event's route a reply ends, for comparison.
  var rank: Int {
    switch self {
    case .ignored: 0
    case .handledAndContinue: 1
    case .handled: 2
    case .handledAndStop(let scope): 3 + scope.rawValue
    case .resend: 6
    }
  }

  /// Whether the other handlers of the node are no longer called.
  @usableFromInline var endsNode: Bool { rank >= 3 }
}
