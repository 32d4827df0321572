/// How a handler is registered.
///
///     try proxy.register("row.tapped", target: controller, selector: "tapped(_:index:)", options: HandlerOptions(priority: 1, isOnce: true))
public struct HandlerOptions: Sendable {
  /// How a target is held.
  public enum Holding: Sendable, Hashable {
    /// The handler ends with its target, and is removed when an event finds it dead.
    ///
    /// Each call retains the target and releases it, which takes about ten nanoseconds where the rest takes five to fifteen. The target lives
    /// until its handler returns, and may be released on any thread. When it has ended its memory stays, though nothing that it held, until an
    /// event or a registration for the key finds it dead, or ``EventProxy/removeDeadHandlers()`` does.
    case weak
    /// The handler keeps its target.
    case strong
    /// The target is neither kept nor watched: whoever registers promises that it outlives the registration. The quickest, beside strong.
    @unsafe case unretained
  }

  /// From which way events come to a handler.
  public enum Direction: Sendable, Hashable {
    /// Any.
    case both
    /// Passes up, from the nodes below.
    case up
    /// Passes down, from the nodes above.
    case down
  }

  /// How the target is held.
  public var holding: Holding = .weak
  /// The place among the handlers of the key: higher ones are called first, equal ones in the order of registration.
  public var priority: Int = 0
  /// Whether the handler is removed after its first call.
  public var isOnce: Bool = false
  /// What a handler replies that returns no ``EventReply``.
  public var reply: StandardReply = .handled
  /// What to do when the key has a handler already.
  public var duplicates: DuplicatePolicy = .error
  /// From which way events come to the handler; passes the other way go by as if it were not there.
  ///
  /// A send to the proxy itself has no direction, and calls all handlers. ``EventContext/current`` tells a handler which way its event goes.
  public var direction: Direction = .both
  /// The key under which the handler sends the event on, if that is known: what it answers with ``EventReply/resend(_:_:)``.
  ///
  /// Dry runs follow it, and pictures show it. A handler that answers otherwise is told in the report of the send, and what it answers counts.
  public var rewritesTo: EventKey?

  /// Creates options.
  public init(
    holding: Holding = .weak, priority: Int = 0, isOnce: Bool = false, reply: StandardReply = .handled,
    duplicates: DuplicatePolicy = .error, direction: Direction = .both, rewritesTo: EventKey? = nil
  ) {
    self.holding = holding
    self.priority = priority
    self.isOnce = isOnce
    self.reply = reply
    self.duplicates = duplicates
    self.direction = direction
    self.rewritesTo = rewritesTo
  }
}

/// What a handler replies that returns no ``EventReply``: the replies that carry no arguments, so that options can be shared between threads.
public enum StandardReply: Sendable, Hashable {
  /// See ``EventReply/ignored``.
  case ignored
  /// See ``EventReply/handled``.
  case handled
  /// See ``EventReply/handledAndContinue``.
  case handledAndContinue
  /// See ``EventReply/handledAndStop(_:)``.
  case handledAndStop(StopScope)
}

/// What to do when a handler is registered for a key that has one already.
///
/// A handler whose target is dead does not count, nor does one that runs for its only time. Handlers and interceptors stand beside each other: neither
/// counts for the other.
public enum DuplicatePolicy: Sendable, Hashable {
  /// Throw `InvocationError` `duplicateHandler`.
  case error
  /// Remove the former handlers.
  case replace
  /// Keep the former handlers and drop the new one: what is returned is not active.
  case keepFirst
  /// Keep them all.
  case append
}
