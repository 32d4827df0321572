extension RoutingRules: CustomStringConvertible {
  /// The name of the preset, or the rules as they are written in code.
  public var description: String {
    let presets: [(RoutingRules, String)] = [
      (.router, "router"), (.strategy, "strategy"), (.busUp, "busUp"), (.busDown, "busDown"), (.componentEmit, "componentEmit"),
      (.componentBroadcast, "componentBroadcast"),
    ]
    if let preset = presets.first(where: { $0.0 == self }) { return preset.1 }
    return "RoutingRules(direction: \(direction), startsAtSender: \(startsAtSender), continuesWhenHandled: \(continuesWhenHandled), "
      + "stopScope: \(stopScope), unknownKey: \(unknownKey), emptyKey: \(emptyKey), endsBeforeBoundary: \(endsBeforeBoundary)"
      + (depthLimit.map { ", depthLimit: \($0)" } ?? "") + ")"
  }
}

extension RoutingRules.Direction: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .up: "up"
    case .down: "down"
    }
  }
}

extension RoutingRules.UnknownKey: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .warns: "warns"
    case .isSilent: "isSilent"
    case .endsAtTerminal: "endsAtTerminal"
    case .endsAtProxy: "endsAtProxy"
    }
  }
}

extension RoutingRules.EmptyKey: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .isAllowed: "isAllowed"
    case .isIgnored: "isIgnored"
    }
  }
}
