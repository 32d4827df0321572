import Synchronization

/// How an event is routed: where it starts, when it continues, and what ends it.
///
/// Presets provide the rules of well-known patterns; modify one of them, or create your own. A handler may reply more
/// specifically than ``EventReply/handled``; then the reply decides, not the rules.
///
/// The nodes that a pass visits are determined when it starts. When a handler resends the event, a pass down determines
/// the nodes below the handler's node again; a pass up only looks up again which nodes of its path have handlers. Other
/// nodes and handlers added during the pass receive the next event, nodes removed during the pass are skipped, and each
/// node is visited at most once.
///
/// - Complexity: A pass allocates nothing when its path has at most 64 nodes, and one block beyond that. Reports,
///   resends and passes down through responders other than ``ResponderNode`` allocate. A pass down through
///   `ResponderNode`s visits only the branches that lead to nodes that handle the key.
public struct RoutingRules: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The direction of a pass.
  public enum Direction: String, Sendable, Hashable, Codable {
    /// From a node to the next one, up to the root.
    case up
    /// To all nodes below, each node before its children, and the children in order.
    case down
  }

  /// What happens to an event at a node that has no handler for it, and when no node handles it.
  public enum UnknownKey: String, Sendable, Hashable, Codable {
    /// It passes the node. When no node handled it, a warning is logged.
    case warns
    /// It passes the node. No warning is logged.
    case isSilent
    /// It passes the node, but ends at a node whose terminality is not passing. When no node handled it, a warning
    /// is logged.
    case endsAtTerminal
    /// It ends at a node that has a proxy. No warning is logged.
    case endsAtProxy
  }

  /// What happens to an event with an empty name.
  public enum EmptyKey: String, Sendable, Hashable, Codable {
    /// It is a name like any other.
    case isAllowed
    /// No node is visited.
    case isIgnored
  }

  /// What happens to an error that a handler throws; the outcome has the error in any case.
  public enum HandlerErrors: String, Sendable, Hashable, Codable {
    /// A warning is logged to ``EventLog``: most senders discard the outcome.
    case told
    /// Nothing: the sender reads the outcome.
    case kept
    /// The program ends with the text of the warning: for development and for tests, where an error must not go unseen.
    case fatal
  }

  /// The direction of the pass.
  public var direction: Direction
  /// Whether the sender itself is visited first.
  public var startsAtSender: Bool
  /// Whether an event continues when a handler replies ``EventReply/handled``.
  public var continuesWhenHandled: Bool
  /// What ends when a handler replies ``EventReply/handled`` and the event does not continue.
  public var stopScope: EventReply.StopScope
  /// What happens to an event at a node that has no handler for it.
  public var unknownKey: UnknownKey
  /// What happens to an event with an empty name.
  public var emptyKey: EmptyKey
  /// Whether a pass up ends before the first node that is a boundary.
  public var endsBeforeBoundary: Bool
  /// Whether a pass up begins with a capture phase, from the root down to the sender.
  ///
  /// The nodes that the pass will visit are visited in the opposite order first. Only handlers that were registered for
  /// ``HandlerOptions/Direction/capture`` are called in that phase, and they are called in no other. Their
  /// replies act as in the rest of the pass: a reply that stops the pass prevents later nodes from receiving the event. A node
  /// ends the capture phase only by a reply, not by its terminality. Passes down have no such phase.
  public var hasCapturePhase: Bool
  /// The depth limit, 0 for the default of the process, and two bits for ``handlerErrors``.
  ///
  /// They share a word, so that the rules are passed in two registers.
  private var limitAndErrors: Int32 = 0

  private enum CodingKeys: String, CodingKey {
    case direction, startsAtSender, continuesWhenHandled, stopScope, unknownKey, emptyKey, endsBeforeBoundary, hasCapturePhase
    case depthLimit, handlerErrors
  }

  /// Creates rules; by default they equal ``router``.
  public init(
    direction: Direction = .up, startsAtSender: Bool = true, continuesWhenHandled: Bool = false, stopScope: EventReply.StopScope = .pass,
    unknownKey: UnknownKey = .warns, emptyKey: EmptyKey = .isAllowed, endsBeforeBoundary: Bool = false, depthLimit: Int? = nil,
    hasCapturePhase: Bool = false, handlerErrors: HandlerErrors = .told
  ) {
    self.direction = direction
    self.startsAtSender = startsAtSender
    self.continuesWhenHandled = continuesWhenHandled
    self.stopScope = stopScope
    self.unknownKey = unknownKey
    self.emptyKey = emptyKey
    self.endsBeforeBoundary = endsBeforeBoundary
    self.hasCapturePhase = hasCapturePhase
    self.depthLimit = depthLimit
    self.handlerErrors = handlerErrors
  }

  /// What happens to an error that a handler throws.
  ///
  /// An error does not affect the route, and the outcome has it in any case. A handler that could not be called is
  /// logged also if errors are kept, and ends the program if they are ``HandlerErrors/fatal``. An error of an asynchronous handler
  /// that a synchronous send has started is always logged: the outcome does not have it, and the send has ended. A send to an
  /// ``EventProxy`` alone has no rules, and logs all errors.
  public var handlerErrors: HandlerErrors {
    get {
      switch limitAndErrors & Self.errorBits {
      case 0: .told
      case Self.keptBit: .kept
      default: .fatal
      }
    }
    set {
      let bits: Int32 =
        switch newValue {
        case .told: 0
        case .kept: Self.keptBit
        case .fatal: Self.errorBits
        }
      limitAndErrors = limitAndErrors & Self.largestLimit | bits
    }
  }

  private static var keptBit: Int32 { .min }
  private static var errorBits: Int32 { .min | 1 << 30 }
  private static var largestLimit: Int32 { 1 << 30 - 1 }

  /// The name of the preset, or the rules as they are written in code.
  public var description: String {
    let presets: [(RoutingRules, String)] = [
      (.router, "router"), (.strategy, "strategy"), (.busUp, "busUp"), (.busDown, "busDown"), (.componentEmit, "componentEmit"),
      (.componentBroadcast, "componentBroadcast"),
    ]
    if let preset = presets.first(where: { $0.0 == self }) { return preset.1 }
    return "RoutingRules(direction: \(direction), startsAtSender: \(startsAtSender), continuesWhenHandled: \(continuesWhenHandled), "
      + "stopScope: \(stopScope), unknownKey: \(unknownKey), emptyKey: \(emptyKey), endsBeforeBoundary: \(endsBeforeBoundary)"
      + (depthLimit.map { ", depthLimit: \($0)" } ?? "") + (hasCapturePhase ? ", hasCapturePhase: true" : "")
      + (handlerErrors == .told ? "" : ", handlerErrors: \(handlerErrors)") + ")"
  }
}

extension RoutingRules {
  /// Decodes rules; the depth limit is taken as ``depthLimit`` takes it, and 0 is the default of the process.
  ///
  /// Without a value for ``handlerErrors`` they are told.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let limit = try values.decode(Int32.self, forKey: .depthLimit)
    self.init(
      direction: try values.decode(Direction.self, forKey: .direction),
      startsAtSender: try values.decode(Bool.self, forKey: .startsAtSender),
      continuesWhenHandled: try values.decode(Bool.self, forKey: .continuesWhenHandled),
      stopScope: try values.decode(EventReply.StopScope.self, forKey: .stopScope),
      unknownKey: try values.decode(UnknownKey.self, forKey: .unknownKey),
      emptyKey: try values.decode(EmptyKey.self, forKey: .emptyKey),
      endsBeforeBoundary: try values.decode(Bool.self, forKey: .endsBeforeBoundary),
      depthLimit: limit == 0 ? nil : Int(limit),
      hasCapturePhase: try values.decode(Bool.self, forKey: .hasCapturePhase),
      handlerErrors: try values.decodeIfPresent(HandlerErrors.self, forKey: .handlerErrors) ?? .told)
  }

  /// Encodes the rules.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(direction, forKey: .direction)
    try values.encode(startsAtSender, forKey: .startsAtSender)
    try values.encode(continuesWhenHandled, forKey: .continuesWhenHandled)
    try values.encode(stopScope, forKey: .stopScope)
    try values.encode(unknownKey, forKey: .unknownKey)
    try values.encode(emptyKey, forKey: .emptyKey)
    try values.encode(endsBeforeBoundary, forKey: .endsBeforeBoundary)
    try values.encode(hasCapturePhase, forKey: .hasCapturePhase)
    try values.encode(Int32(depthLimit ?? 0), forKey: .depthLimit)
    try values.encode(handlerErrors, forKey: .handlerErrors)
  }
}

// Array literals are avoided here: without optimization, an array literal of an option set allocates.
extension RoutingRules {
  /// The flags that a walk up has to check when a node has no handler.
  var flagsToCheck: NodeFlags {
    let flags = endsUnhandled.union(.overridden).union(.external)
    return endsBeforeBoundary ? flags.union(.boundary) : flags
  }

  /// The flags of nodes at which an event ends if they do not handle it.
  var endsUnhandled: NodeFlags { unknownKey == .endsAtProxy ? endsIgnored.union(.hasProxy) : endsIgnored }

  /// The flags of nodes at which an event ends if their handlers ignore it.
  var endsIgnored: NodeFlags {
    if unknownKey == .endsAtTerminal { return NodeFlags.terminalAlways.union(.terminalForOwnKeys) }
    return direction == .up ? .terminalAlways : .none
  }

  /// The flags of nodes that an event does not pass if they handle it.
  var endsHandled: NodeFlags { direction == .up ? NodeFlags.terminalAlways.union(.terminalForOwnKeys) : .none }

  /// Whether a warning is logged for an event that no node handles.
  var warnsWhenUnhandled: Bool { unknownKey == .warns || unknownKey == .endsAtTerminal }

  private static let commonDepthLimit: Atomic<Int> = Atomic(64)

  /// The depth limit of rules that do not specify one: 64 unless set.
  ///
  /// It is bounded by the stack of the thread: 64 nested sends fit into 1 megabyte, also without optimization.
  ///
  /// A new value takes effect for all threads. Values less than 1 count as 1.
  public static var defaultDepthLimit: Int {
    get { commonDepthLimit.load(ordering: .relaxed) }
    set { commonDepthLimit.store(max(1, newValue), ordering: .relaxed) }
  }

  /// How many sends may be nested on a thread, including the one with these rules; nil for ``defaultDepthLimit``.
  ///
  /// A handler may send events, and so may the handlers of those events. A send that is nested deeper calls no handler:
  /// its outcome has the error ``SendOutcome/RoutingError/depthExceeded(limit:_:)``, which is also logged, and the
  /// handler that sent it continues, as does everything else. When the number of refused sends within one outermost
  /// event has reached the limit, all further sends within it are refused until that event visits its next node.
  /// Otherwise the number of sends by handlers that each send twice could reach 2 to the power of the limit. Sends of
  /// an asynchronous handler that a send has started count, too, until it suspends.
  ///
  /// Values less than 1 count as 1, with which no handler can send. Values greater than 1,073,741,823 count as that.
  /// Sends to an ``EventProxy`` alone are not counted.
  public var depthLimit: Int? {
    get { limitAndErrors & Self.largestLimit == 0 ? nil : Int(limitAndErrors & Self.largestLimit) }
    set { limitAndErrors = limitAndErrors & Self.errorBits | (newValue.map { min(Int32(clamping: max(1, $0)), Self.largestLimit) } ?? 0) }
  }

  /// The responder router: from the sender up to the first node that handles the event.
  ///
  /// A warning is logged for an event that no node handles. In the original pattern an assertion fails, in debug builds
  /// only.
  public static let router: RoutingRules = RoutingRules()

  /// The router with a table of strategies: the same as ``router``, without warnings for events that no node handles.
  ///
  /// An unknown name passes a node that has handlers for other names. In the original pattern it ends there;
  /// ``UnknownKey/endsAtProxy`` restores that.
  public static let strategy: RoutingRules = RoutingRules(unknownKey: .isSilent)

  /// The upward event bus: from the node after the sender up to the first boundary; continues after nodes that handle
  /// the event.
  public static let busUp: RoutingRules = RoutingRules(
    startsAtSender: false, continuesWhenHandled: true, unknownKey: .isSilent, emptyKey: .isIgnored, endsBeforeBoundary: true)

  /// The downward event bus: the sender and all nodes below it; continues after nodes that handle the event.
  public static let busDown: RoutingRules = RoutingRules(
    direction: .down, continuesWhenHandled: true, stopScope: .subtree, unknownKey: .isSilent, emptyKey: .isIgnored)

  /// A component's emit: from the parent up to the first node that handles the event.
  public static let componentEmit: RoutingRules = RoutingRules(startsAtSender: false, unknownKey: .isSilent)

  /// A component's broadcast: all nodes below the sender, except for those below a node that handles the event.
  public static let componentBroadcast: RoutingRules = RoutingRules(
    direction: .down, startsAtSender: false, stopScope: .subtree, unknownKey: .isSilent)
}
