extension RoutingRules {
  /// The responder router: from the sender up to the first node that handles the event.
  ///
  /// An event that nobody handles is reported and logged; the original asserted, in debug builds only.
  public static let router: RoutingRules = RoutingRules()

  /// The router with a table of strategies: as ``router``, and silent about an event that nobody handles.
  ///
  /// An unknown name passes a node that has handlers for others; in the original it ended there. ``UnknownKey/endsAtProxy`` gives that back.
  public static let strategy: RoutingRules = RoutingRules(unknownKey: .isSilent)

  /// The event bus upward: from the sender's next to the first boundary, past those that handle the event.
  public static let busUp: RoutingRules = RoutingRules(
    startsAtSender: false, continuesWhenHandled: true, unknownKey: .isSilent, emptyKey: .isIgnored, endsBeforeBoundary: true)

  /// The event bus downward: the sender and all below it, past those that handle the event.
  public static let busDown: RoutingRules = RoutingRules(
    direction: .down, continuesWhenHandled: true, stopScope: .subtree, unknownKey: .isSilent, emptyKey: .isIgnored)

  /// A component's emit: from the parent up to the first node that handles the event.
  public static let componentEmit: RoutingRules = RoutingRules(startsAtSender: false, unknownKey: .isSilent)

  /// A component's broadcast: all below the sender, but nothing below a node that handles the event.
  public static let componentBroadcast: RoutingRules = RoutingRules(
    direction: .down, startsAtSender: false, stopScope: .subtree, unknownKey: .isSilent)
}
