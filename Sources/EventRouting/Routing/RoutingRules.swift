import Synchronization

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

// Array literals are avoided here: without optimization, one of an option set allocates.
extension RoutingRules {
  /// The flags that a walk up has to look at when a node has no handler.
  var attention: NodeFlags {
    let flags = endsUnhandled.union(.overridden).union(.external)
    return endsBeforeBoundary ? flags.union(.boundary) : flags
  }

  /// The flags of nodes at which an event ends that they do not handle.
  var endsUnhandled: NodeFlags { unknownKey == .endsAtProxy ? endsIgnored.union(.hasProxy) : endsIgnored }

  /// The flags of nodes at which an event ends that their handlers do not want.
  var endsIgnored: NodeFlags {
    if unknownKey == .endsAtTerminal { return NodeFlags.terminalAlways.union(.terminalForOwnKeys) }
    return direction == .up ? .terminalAlways : .none
  }

  /// The flags of nodes beyond which an event never goes that they handle.
  var endsHandled: NodeFlags { direction == .up ? NodeFlags.terminalAlways.union(.terminalForOwnKeys) : .none }

  /// Whether an event that nobody handles is worth a warning.
  var warnsWhenUnhandled: Bool { unknownKey == .warns || unknownKey == .endsAtTerminal }
}

extension RoutingRules {
  private static let commonDepthLimit: Atomic<Int> = Atomic(64)

  /// How many events may be sent within each other, for rules that do not say: 64 unless set.
  ///
  /// The stack of the thread bounds it: 64 fit into 1 megabyte, without optimization too.
  ///
  /// It counts for all threads from when it is set. Less than 1 counts as 1.
  public static var defaultDepthLimit: Int {
    get { commonDepthLimit.load(ordering: .relaxed) }
    set { commonDepthLimit.store(max(1, newValue), ordering: .relaxed) }
  }

  /// How many events may be sent within each other on a thread, with the one sent by these rules; nil for ``defaultDepthLimit``.
  ///
  /// A handler may send events, whose handlers may, and so on. A send that is nested deeper calls nobody: its outcome has the error
  /// ``RoutingError/depthExceeded(limit:_:)``, which is logged too, and everything else goes on, the handler that sent it first of all. When that has
  /// happened as often as the limit within one event that no handler sent, further sends within it are refused until it comes to its next node: handlers
  /// that each send twice would else go on almost for ever.
  ///
  /// Less than 1 counts as 1, with which no handler can send; more than 2,147,483,647 counts as that. Sends to an ``EventProxy`` alone are not counted.
  public var depthLimit: Int? {
    get { ownDepthLimit == 0 ? nil : Int(ownDepthLimit) }
    set { ownDepthLimit = newValue.map { Int32(clamping: max(1, $0)) } ?? 0 }
  }
}

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
