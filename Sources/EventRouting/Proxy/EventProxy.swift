public import DynamicInvocation

/// The handlers of one node: what is called for each key.
///
/// A proxy belongs to the isolation domain in which it was made; the compiler checks it.
public final class EventProxy {
  private var handlers: [EventKey: [EventRegistration]] = [:]

  /// The nodes whose index has the keys.
  var nodes: [NodeRecord] = []

  /// Creates a proxy without handlers.
  public init() {}

  /// Whether a handler would be called for a key.
  public func handles(_ key: EventKey) -> Bool { handlers[key] != nil }

  /// Registers a closure that sees an event whole.
  @discardableResult
  public func intercept(
    _ key: EventKey, _ body: @escaping (_ source: AnyObject?, _ key: EventKey, _ arguments: [BoxedValue]) throws -> EventReply
  ) throws(InvocationError) -> EventRegistration {
    let registration = EventRegistration(key, self, body)
    let isNew = handlers[key] == nil
    handlers[key, default: []].append(registration)
    if isNew { tellNodes(key, isAdded: true) }
    return registration
  }

  /// Removes the handlers of a key.
  public func removeHandlers(for key: EventKey) {
    guard let removed = handlers.removeValue(forKey: key) else { return }
    for registration in removed { registration.isActive = false }
    tellNodes(key, isAdded: false)
  }

  /// Whether there are handlers for a key, even if none of them would be called.
  func hasHandlers(for key: EventKey) -> Bool { handlers[key] != nil }

  /// The keys that have handlers.
  public var keys: [EventKey] { Array(handlers.keys) }

  /// Calls the handlers of a key, in order.
  @usableFromInline
  func run<Payload: EventPayload>(_ key: EventKey, source: AnyObject?, _ payload: borrowing Payload) -> NodeAnswer {
    var answer = NodeAnswer()
    guard let list = handlers[key] else { return answer }
    let arguments = payload.boxed
    for index in list.indices where list[index].isActive {
      answer.calls += 1
      call(list[index], source, arguments, &answer)
    }
    return answer
  }
}

private func call(_ registration: EventRegistration, _ source: AnyObject?, _ arguments: [BoxedValue], _ answer: inout NodeAnswer) {
  do { answer.reply = try registration.body(source, registration.key, arguments) } catch { answer.errors.append(error) }
}

/// A handler in a proxy.
public final class EventRegistration {
  let key: EventKey
  let body: (AnyObject?, EventKey, [BoxedValue]) throws -> EventReply
  weak var proxy: EventProxy?
  var isActive: Bool = true

  init(_ key: EventKey, _ proxy: EventProxy, _ body: @escaping (AnyObject?, EventKey, [BoxedValue]) throws -> EventReply) {
    self.key = key
    self.proxy = proxy
    self.body = body
  }

  /// Removes the handler.
  public func cancel() { proxy?.removeHandlers(for: key) }
}
