/// What the handlers of one node made of an event.
public struct NodeAnswer {
  /// How many handlers were called.
  public var calls: Int = 0
  /// The replies taken together: ignored when every handler ignored the event, and otherwise the one that ends the most.
  public var reply: EventReply = .ignored
  /// The errors that handlers threw; one handler's error keeps no other from being called.
  public var errors: [any Error] = []

  /// Creates the answer of a node without a handler for the event.
  public init() {}
}
