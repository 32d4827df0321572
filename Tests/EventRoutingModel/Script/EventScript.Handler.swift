import EventRouting

extension EventScript {
  /// The registration of a handler and its behavior.
  struct Handler {
    enum Kind: CaseIterable {
      /// A closure that takes boxes.
      case interceptor
      /// A closure of static types that returns a reply.
      case closure
      /// A closure of static types that returns nothing.
      case quietClosure
      /// A closure with a target.
      case targetClosure
      /// A method found by its selector, with a target created for it.
      case method
      /// An implementation with a target created for it.
      case implementation
      /// The message of an invocation to a target created for it.
      case invocation
    }

    /// The parameters of a handler after the source.
    enum Parameters: CaseIterable {
      case none, int, int8, double, intDouble, text
    }

    /// The sources that a handler accepts.
    enum SourceWish: CaseIterable {
      case any
      /// An object of a class, or no source.
      case special
      /// An object of a class.
      case specialRequired
    }

    enum Result {
      case reply(Reply)
      case failure
    }

    var kind: Kind
    var key: String
    var parameters: Parameters
    var source: SourceWish
    var target: Int
    var holding: HandlerOptions.Holding
    var priority: Int
    var isOnce: Bool
    var duplicates: HandlerOptions.Duplicates
    var direction: HandlerOptions.Direction
    /// The key under which it declares to resend the event.
    ///
    /// Its actual reply may differ.
    var rewritesTo: String?
    /// Whether it is called for events that another handler has stopped.
    var seesStopped: Bool
    /// Whether it is asynchronous.
    var isAsynchronous: Bool
    /// Whether it refuses a synchronous send, if it is asynchronous; otherwise the send starts it.
    var refusesSynchronous: Bool
    var result: Result
    /// Whether a closure of static types returns an optional reply: nil if its options specify the reply.
    var returnsOptional: Bool
    /// The actions before the reply.
    var actions: [Action]

    /// Whether its target is created for it.
    var hasOwnTarget: Bool {
      switch kind {
      case .method, .implementation, .invocation: true
      case .interceptor, .closure, .quietClosure, .targetClosure: false
      }
    }
    var hasTarget: Bool { hasOwnTarget || kind == .targetClosure }
    /// Whether the reply is specified by its options.
    var isQuiet: Bool { hasOwnTarget || kind == .quietClosure }
  }

  enum Reply {
    case ignored
    case handled
    case goOn
    case stop(EventReply.StopScope)
    case resend(String, [Argument])
  }

  enum Argument {
    case int(Int)
    case double(Double)
    case text(String)
    case null
  }
}
