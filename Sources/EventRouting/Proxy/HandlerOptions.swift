public import DynamicInvocation

/// How a handler is registered.
///
///     let options = HandlerOptions(priority: 1, isOnce: true)
///     try proxy.register("row.tapped", target: controller, selector: "tapped(_:index:)", options: options)
public struct HandlerOptions: Sendable, CustomStringConvertible {
  /// How a handler references its target.
  public enum Holding: Sendable, Hashable {
    /// The target is not retained; the handler is removed when an event finds the target deallocated.
    ///
    /// Each call retains the target and releases it, which takes about ten nanoseconds, while the rest of the call
    /// takes five to fifteen. The target stays alive until its handler returns, and may be released on any thread. The
    /// memory of a deallocated target stays allocated, without anything it held, until an event, a later registration
    /// for the key, or ``EventProxy/removeDeadHandlers()`` finds it deallocated.
    case weak
    /// The handler retains its target.
    case strong
    /// The target is neither retained nor tracked. The caller must ensure that it outlives the registration. As fast as
    /// strong.
    @unsafe case unretained
  }

  /// The direction of the events that a handler receives.
  public enum Direction: Sendable, Hashable {
    /// Both directions.
    case both
    /// Passes up, from the nodes below.
    case up
    /// Passes down, from the nodes above.
    case down
    /// The capture phase of passes up, from the root to the sender; see ``RoutingRules/hasCapturePhase``.
    case capture
  }

  /// What a synchronous send does with an asynchronous handler.
  ///
  /// The handler's reply cannot be known before the send returns.
  public enum SynchronousSend: Sendable, Hashable {
    /// The send starts the handler as a task, on the actor on which it was registered, and does not wait for it.
    ///
    /// The handler runs up to its first suspension before the next handler is called. The send takes the reply from the
    /// options. If the handler throws an error, or returns a reply that differs from the options, that is logged to ``EventLog``. A
    /// handler that was registered outside of an actor cannot be started, and is refused.
    case starts
    /// The handler is not called, and the outcome has an ``EventError`` with the code `asynchronousHandler`.
    case isRefused
  }

  /// How the target is referenced.
  public var holding: Holding = .weak
  /// The priority among the handlers of the key: higher ones are called first, equal ones in the order of registration.
  public var priority: Int = 0
  /// Whether the handler is removed after its first call.
  public var isOnce: Bool = false
  /// The reply of a handler whose result is nil or not an ``EventReply``.
  ///
  /// Traps when it is set to ``EventReply/resend(_:_:)``: the arguments of a resend may be any objects, and all threads may
  /// share options. A handler that resends the event returns that reply; ``rewritesTo`` declares it.
  public var reply: EventReply {
    get { EventReply(plainReply) }
    set { plainReply = PlainReply(newValue) }
  }
  /// The reply as a handler stores it.
  private(set) var plainReply: PlainReply = .handled
  /// What to do when the key has a handler already.
  public var duplicates: Duplicates = .error
  /// The direction of the events that the handler receives; passes in the other direction ignore the handler.
  ///
  /// Handlers of a key that share no direction are not duplicates of each other. A send to the proxy itself has no
  /// direction, and calls all handlers. A handler can read the direction of its event from ``EventContext/current``.
  public var direction: Direction = .both
  /// The key under which the handler resends the event, if that is known: the key of its ``EventReply/resend(_:_:)``.
  ///
  /// Dry runs follow it, and pictures show it. If the handler replies otherwise, the report of the send notes it, and
  /// the actual reply takes effect.
  public var rewritesTo: EventKey?
  /// Whether the handler is also called for an event that another handler has stopped, at the same node or at an earlier one.
  ///
  /// The event visits the nodes after the stop as if their handlers ignored it, and calls only handlers with this option. Their
  /// replies to such an event have no effect. ``EventContext/isStopped`` tells them that the event was stopped.
  ///
  /// - Complexity: Without such a handler in the process, a stop only loads a counter.
  public var seesStopped: Bool = false
  /// Whether registration calls the handler at once with the last event of its key, if the proxy keeps that event: see
  /// ``EventProxy/keepLast(_:)``.
  ///
  /// An error of this call is logged, and the handler's reply has no effect. An asynchronous handler is started as by a
  /// synchronous send. A handler with ``isOnce`` is removed after this call.
  public var receivesLast: Bool = false
  /// What a synchronous send does with the handler, if it is asynchronous.
  ///
  /// Starting is the default: most events come from synchronous code, and most asynchronous handlers only begin work.
  /// Refuse the handler where the sender needs the reply, or must know that the handler has finished.
  public var synchronousSend: SynchronousSend = .starts

  /// Creates options.
  public init(
    holding: Holding = .weak, priority: Int = 0, isOnce: Bool = false, reply: EventReply = .handled,
    duplicates: Duplicates = .error, direction: Direction = .both, rewritesTo: EventKey? = nil, seesStopped: Bool = false,
    receivesLast: Bool = false, synchronousSend: SynchronousSend = .starts
  ) {
    self.holding = holding
    self.priority = priority
    self.isOnce = isOnce
    plainReply = PlainReply(reply)
    self.duplicates = duplicates
    self.direction = direction
    self.rewritesTo = rewritesTo
    self.seesStopped = seesStopped
    self.receivesLast = receivesLast
    self.synchronousSend = synchronousSend
  }

  /// The options as they are written in code.
  public var description: String {
    var text = "HandlerOptions(holding: \(holding), priority: \(priority), isOnce: \(isOnce), reply: \(reply), duplicates: \(duplicates)"
    if direction != .both { text += ", direction: \(direction)" }
    if let rewritesTo { text += ", rewritesTo: \(rewritesTo)" }
    if seesStopped { text += ", seesStopped: true" }
    if receivesLast { text += ", receivesLast: true" }
    if synchronousSend != .starts { text += ", synchronousSend: \(synchronousSend)" }
    return text.asLine + ")"
  }
}

extension HandlerOptions {
  /// What to do when a handler is registered for a key that has one already.
  ///
  /// A handler whose target was deallocated does not count, nor does one that runs for its only time. Handlers and
  /// interceptors do not count as duplicates of each other, nor do handlers that share no ``HandlerOptions/direction``.
  public enum Duplicates: Sendable, Hashable {
    /// Throw `InvocationError` `duplicateHandler`.
    case error
    /// Remove the handlers that the key has.
    case replace
    /// Keep the handlers that the key has, and discard the new one: the returned registration is not active.
    case keepFirst
    /// Keep them all.
    ///
    /// - Complexity: Constant on average, if no handler of the key has a lower priority; otherwise O(log *n*) for *n*
    ///   of them.
    case append
  }
}

/// The reply of a handler to an event, which determines where the event goes next.
public enum EventReply: CustomStringConvertible {
  /// The handler ignores the event: it continues as if there were no handler.
  case ignored
  /// Handled; the rules of the pass determine whether the event continues.
  case handled
  /// Handled, and the event continues.
  case handledAndContinue
  /// Handled, and the event ends in this scope.
  case handledAndStop(StopScope)
  /// Handled by resending the event under another key, with other arguments; the original event ends here.
  case resend(EventKey, [BoxedValue])

  /// The reply as it is written in code; a resend with its key and arguments.
  public var description: String {
    switch self {
    case .ignored: "ignored"
    case .handled: "handled"
    case .handledAndContinue: "handledAndContinue"
    case .handledAndStop(let scope): "handledAndStop(\(scope))"
    case .resend(let key, let arguments): "resend(\((["\(key)"] + BoxedValue.descriptions(of: arguments)).joined(separator: ", ")))".asLine
    }
  }
}

extension EventReply {
  /// How much of a pass a handler ends.
  public enum StopScope: Int, Sendable, Comparable, Codable {
    /// The other handlers of the same node.
    case node
    /// The node and all nodes below it. In a pass down, siblings still receive the event; a pass up ends.
    case subtree
    /// The whole pass.
    case pass

    /// Orders scopes by how much they end.
    public static func < (left: StopScope, right: StopScope) -> Bool { left.rawValue < right.rawValue }
  }

  /// The reply that a handler returned, an ``EventReply`` or an optional of it; nil when its result is nil or of another
  /// type.
  ///
  /// A result of another type is the answer for a sender that asks.
  @inlinable @inline(__always)
  init?<Result>(of result: @autoclosure () throws -> Result) rethrows {
    // Types are compared, which is decided when the registration is compiled: a cast would be made for each event.
    if Result.self == EventReply.self {
      self = unsafe unsafeBitCast(try result(), to: EventReply.self)
    } else if Result.self == EventReply?.self {
      guard let reply = unsafe unsafeBitCast(try result(), to: EventReply?.self) else { return nil }
      self = reply
    } else if Result.self == Void.self {
      _ = try result()
      return nil
    } else {
      // Taken before the code runs: an event that the code sends is not what was asked.
      let asking = unsafe Asking.take()
      let result = try result()
      if let asking = unsafe asking { unsafe asking.pointee.answer(result) }
      return nil
    }
  }

  /// How much of the event's route a reply ends, for comparison.
  var rank: Int {
    switch self {
    case .ignored: 0
    case .handledAndContinue: 1
    case .handled: 2
    case .handledAndStop(let scope): 3 + scope.rawValue
    case .resend: 6
    }
  }

  /// Whether the other handlers of the node are no longer called.
  @usableFromInline var endsNode: Bool { rank >= 3 }
}
