/// How an event travels: where it starts, when it goes on, what ends it.
///
/// Presets give the rules of five well-known patterns; change one of them, or make your own. Handlers may always say more than ``EventReply/handled``,
/// and then they, not the rules, decide.
///
/// Whom a pass asks is fixed when it sets out, and again when a handler sends the event on under another key: nodes and handlers added on the way wait
/// for the next event, nodes removed on the way are skipped, and each node is asked at most once.
///
/// - Complexity: A pass allocates nothing when no more than 64 nodes are on its way, and one block beyond that; reports, re-sends and, downward,
///   responders other than ``ResponderNode`` allocate. A pass down to `ResponderNode`s visits only the ways to those that handle the key.
public struct RoutingRules: Sendable, Hashable {
  /// The way of a pass.
  public enum Direction: Sendable, Hashable {
    /// From a node to its next, and so on to the root.
    case up
    /// To every node below, a node before its children and those in order.
    case down
  }

  /// What becomes of an event at a node that has no handler for it, and when nobody handles it.
  public enum UnknownKey: Sendable, Hashable {
    /// It passes; when nobody handled it, a warning tells.
    case warns
    /// It passes; nothing is said.
    case isSilent
    /// It passes, but ends at a node that is terminal in any way; when nobody handled it, a warning tells.
    case endsAtTerminal
    /// It ends at a node that has a proxy, and nothing is said.
    case endsAtProxy
  }

  /// What becomes of an event with an empty name.
  public enum EmptyKey: Sendable, Hashable {
    /// It is a name like any other.
    case isAllowed
    /// Nobody is asked.
    case isIgnored
  }

  /// The way of the pass.
  public var direction: Direction
  /// Whether the sender itself is asked first.
  public var startsAtSender: Bool
  /// Whether an event goes on when a handler answers just ``EventReply/handled``.
  public var continuesWhenHandled: Bool
  /// What ends when a handler answers just ``EventReply/handled`` and the event does not go on.
  public var stopScope: StopScope
  /// What becomes of an event that a node has no handler for.
  public var unknownKey: UnknownKey
  /// What becomes of an event with an empty name.
  public var emptyKey: EmptyKey
  /// Whether a pass up ends before the first node that is a boundary.
  public var endsBeforeBoundary: Bool
  /// The depth limit, 0 for the default of the process.
  var ownDepthLimit: Int32 = 0

  /// Creates rules; the defaults are those of ``router``.
  public init(
    direction: Direction = .up, startsAtSender: Bool = true, continuesWhenHandled: Bool = false, stopScope: StopScope = .pass,
    unknownKey: UnknownKey = .warns, emptyKey: EmptyKey = .isAllowed, endsBeforeBoundary: Bool = false, depthLimit: Int? = nil
  ) {
    self.direction = direction
    self.startsAtSender = startsAtSender
    self.continuesWhenHandled = continuesWhenHandled
    self.stopScope = stopScope
    self.unknownKey = unknownKey
    self.emptyKey = emptyKey
    self.endsBeforeBoundary = endsBeforeBoundary
    self.depthLimit = depthLimit
  }
}
