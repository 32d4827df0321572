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
