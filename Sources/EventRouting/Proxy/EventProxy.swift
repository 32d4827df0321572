/// The handlers of one node: what is called for each key.
///
/// A proxy belongs to the isolation domain in which it was made; the compiler checks it.
public final class EventProxy {
  private var handlers: [EventKey: [(AnyObject?, any EventPayload) throws -> EventReply]] = [:]

  /// Creates a proxy without handlers.
  public init() {}

  /// Whether a handler would be called for a key.
  public func handles(_ key: EventKey) -> Bool { handlers[key] != nil }

  /// Adds a handler.
  public func register(_ key: EventKey, _ handler: @escaping (AnyObject?, any EventPayload) throws -> EventReply) {
    handlers[key, default: []].append(handler)
  }

  /// Calls the handlers of a key, in order.
  func run<Payload: EventPayload>(_ key: EventKey, source: AnyObject?, _ payload: borrowing Payload) -> NodeAnswer {
    var answer = NodeAnswer()
    for handler in handlers[key] ?? [] {
      answer.calls += 1
      do { answer.reply = try handler(source, copy payload) } catch { answer.errors.append(error) }
    }
    return answer
  }
}
