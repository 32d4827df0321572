public import DynamicInvocation

/// What a handler says of an event, and so where the event goes next.
public enum EventReply {
  /// The handler does not want the event: it goes on as if there were no handler.
  case ignored
  /// Handled; the rules of the pass say whether the event goes on.
  case handled
  /// Handled, and the event goes on.
  case handledAndContinue
  /// Handled, and the event ends in this scope.
  case handledAndStop(StopScope)
  /// Handled by sending the event on under another key, with other arguments; the old one ends here.
  case resend(EventKey, [BoxedValue])
}

extension EventReply {
  /// Creates the reply that a handler's options stand for.
  public init(_ reply: StandardReply) {
    self =
      switch reply {
      case .ignored: .ignored
      case .handled: .handled
      case .handledAndContinue: .handledAndContinue
      case .handledAndStop(let scope): .handledAndStop(scope)
      }
  }
}

/// How much of a pass a handler ends.
public enum StopScope: Int, Sendable, Comparable {
  /// The other handlers of the same node.
  case node
  /// The node and all below it: of a pass down, siblings still receive the event; a pass up has nothing below and ends.
  case subtree
  /// The whole pass.
  case pass

  /// Orders scopes by what they end.
  public static func < (left: StopScope, right: StopScope) -> Bool { left.rawValue < right.rawValue }
}

extension EventReply {
  /// The reply that a handler returned, or nil when its result is none.
  @inlinable @inline(__always)
  init?<Result>(of result: Result) {
    guard Result.self == EventReply.self else { return nil }
    self = unsafe unsafeBitCast(result, to: EventReply.self)
  }
}

extension EventReply {
  /// How much of the event's way a reply ends, to compare.
  var rank: Int {
    switch self {
    case .ignored: 0
    case .handledAndContinue: 1
    case .handled: 2
    case .handledAndStop(let scope): 3 + scope.rawValue
    case .resend: 6
    }
  }

  /// Whether the other handlers of the node are not called any more.
  @usableFromInline var endsNode: Bool { rank >= 3 }
}
