import EventRouting

extension EventScript {
  /// How a handler is registered and what it does.
  struct Handler {
    enum Kind: CaseIterable {
      /// Takes boxes.
      case interceptor
      /// Types known to the compiler; returns a reply.
      case closure
      /// Types known to the compiler; returns nothing.
      case quietClosure
      /// A closure of a target.
      case targetClosure
      /// A method found by its selector, of a target made for it.
      case method
      /// An implementation with a target made for it.
      case implementation
      /// The message of an invocation, to a target made for it.
      case invocation
    }

    /// What a handler takes after the source.
    enum Parameters: CaseIterable {
      case none, int, int8, double, intDouble, text
    }

    /// Which sources a handler takes.
    enum SourceWish: CaseIterable {
      case any
      /// One of a class, or none.
      case special
      /// One of a class.
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
    var duplicates: DuplicatePolicy
    var direction: HandlerOptions.Direction
    /// The key under which it has declared to send the event on; it may do otherwise.
    var rewritesTo: String?
    var result: Result
    /// What it does before it replies.
    var actions: [Action]

    /// Whether its target is made for it.
    var hasOwnTarget: Bool {
      switch kind {
      case .method, .implementation, .invocation: true
      case .interceptor, .closure, .quietClosure, .targetClosure: false
      }
    }
    var hasTarget: Bool { hasOwnTarget || kind == .targetClosure }
    /// Whether the reply is that of its options.
    var isQuiet: Bool { hasOwnTarget || kind == .quietClosure }
  }

  enum Reply {
    case ignored
    case handled
    case goOn
    case stop(StopScope)
    case resend(String, [Argument])
  }

  enum Argument {
    case int(Int)
    case double(Double)
    case text(String)
    case null
  }
}
