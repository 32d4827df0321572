extension EventProxy {
  /// The combined result of the handlers of one node for an event.
  public struct Answer {
    /// The number of handlers that were called, without those that were called after another one had stopped the event.
    public var calls: Int
    /// The combined reply: ignored when every handler ignored the event, and otherwise the reply that ends the most.
    ///
    /// A handler that fails has no reply. A resend is the last reply: it ends the node's handlers.
    public var reply: EventReply
    /// The errors: an ``EventError`` for a handler that could not be called, otherwise the error that the handler threw.
    ///
    /// An error of one handler does not prevent the others from being called.
    public var errors: [any Error]

    /// Creates the result of a node without a handler for the event.
    @inlinable
    public init() { self.init(calls: 0, reply: .ignored, errors: []) }

    @inlinable
    init(calls: Int, reply: EventReply, errors: [any Error]) {
      self.calls = calls
      self.reply = reply
      self.errors = errors
    }

    /// Whether no handler was called, and none failed.
    public var isUnhandled: Bool { calls == 0 && errors.isEmpty }

    /// Combines a further reply with the result.
    @usableFromInline
    mutating func add(_ reply: EventReply) {
      calls += 1
      if reply.rank > self.reply.rank { self.reply = reply }
    }

    /// Combines the reply of a handler with the result; returns whether it ends the node's handlers.
    ///
    /// - Parameter reply: Nil for a handler that returned none, and so replies what it was registered with.
    @inlinable @inline(__always)
    mutating func add(_ reply: consuming EventReply?, of record: UnsafeMutablePointer<HandlerRecord>) -> Bool {
      if reply == nil, unsafe record.pointee.reply == .handled {
        calls &+= 1
        switch self.reply {
        case .ignored, .handledAndContinue: self.reply = .handled
        case .handled, .handledAndStop, .resend: break
        }
        return false
      }
      return addOther(unsafe reply ?? record.otherReply)
    }

    @usableFromInline @inline(never)
    mutating func addOther(_ reply: EventReply) -> Bool {
      add(reply)
      return reply.endsNode
    }
  }
}
