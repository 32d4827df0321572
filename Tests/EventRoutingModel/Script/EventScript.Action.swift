import EventRouting

extension EventScript {
  /// An action on the tree or a send, by the script or by a handler.
  enum Action {
    case send(Send)
    case dryRun(Send)
    /// An event to a single proxy.
    case ask(proxy: Int, key: String, arguments: [Argument], isAwaited: Bool)
    case register(handler: Int, proxy: Int)
    case cancel(Int)
    case block(Int)
    case unblock(Int)
    case token(Int)
    case endToken(Int)
    case removeHandlers(proxy: Int, key: String)
    case removeAllHandlers(proxy: Int)
    case removeDeadHandlers(proxy: Int)
    case detach(Int)
    case attach(Int, to: Int, at: Int?)
    /// Adds a node to the children of an object that is not its next responder.
    case addGuest(Int, to: Int)
    case makeNode(below: Int)
    case setOverride(Int, Int?)
    case setTerminality(Int, RoutingRules.Terminality)
    case setBoundary(Int, Bool)
    case setProxy(Int, Int?)
    case dropNode(Int)
    case dropTarget(Int)
    case dropProxy(Int)
  }

  struct Send {
    enum Way: CaseIterable {
      case boxed, typed, report
    }

    enum Source {
      case sender
      case none
      case object(Int)
    }

    var node: Int
    var key: String
    var arguments: [Argument]
    var rules: RoutingRules
    var way: Way
    var source: Source
    /// Whether it waits for asynchronous handlers, where it is sent by code that may wait.
    var isAwaited: Bool

    /// Whether there is a typed form of these arguments, whose source is the sender.
    var isTyped: Bool {
      guard way == .typed, case .sender = source else { return false }
      return switch arguments.count {
      case 0: true
      case 1: if case .int = arguments[0] { true } else { false }
      case 2: if case .int = arguments[0], case .double = arguments[1] { true } else { false }
      default: false
      }
    }
  }
}
