/// What the handlers of one node made of an event.
public struct NodeAnswer {
  /// How many handlers were called.
  public var calls: Int
  /// The replies taken together: ignored when every handler ignored the event, and otherwise the one that ends the most.
  ///
  /// A handler that fails has no reply. A resend comes alone: it ends the node's handlers.
  public var reply: EventReply
  /// What went wrong, an ``EventError`` where a handler could not be called, and else what the handler threw.
  ///
  /// One handler's error keeps no other from being called.
  public var errors: [any Error]

  /// Creates the answer of a node without a handler for the event.
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

  /// Takes a further reply into account.
  @usableFromInline
  mutating func add(_ reply: EventReply) {
    calls += 1
    if reply.rank > self.reply.rank { self.reply = reply }
  }
}
