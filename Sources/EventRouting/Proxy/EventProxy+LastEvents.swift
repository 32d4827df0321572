internal import CallFrames
public import DynamicInvocation

// The last event of a key, for handlers that are registered later.

extension EventProxy {
  /// Keeps the last event of a key, for handlers that are registered later.
  ///
  ///     try session.proxy.keepLast("login.changed")
  ///     view.send("login.changed", arguments: [.string("ann")])
  ///     try session.proxy.register("login.changed", options: HandlerOptions(receivesLast: true)) {
  ///       (source: AnyObject?, name: String) in ...     // called at once with "ann"
  ///     }
  ///
  /// Each event of the key that reaches the proxy replaces the one before, also an event that nobody handles. It is kept
  /// before the handlers of the key are called. A handler with ``HandlerOptions/receivesLast`` receives it within its
  /// registration.
  ///
  /// The arguments are kept as boxes, which retain objects. The source is not retained: it is nil after it was deallocated.
  /// Some events are not kept; they have an error, and the event before stays. An argument that is a pointer or contains one has
  /// the error `unsupportedType`: the memory may be gone later. So has an object that is being deallocated. A value of more than
  /// 4,194,304 bytes has the error `limitExceeded`.
  ///
  /// - Parameter key: The event.
  /// - Returns: The registration, to stop keeping events and to forget the last one. A second call for a key returns the same
  ///   registration.
  /// - Complexity: One event is kept for each key. Each event of the key allocates its boxes.
  @discardableResult
  public func keepLast(_ key: EventKey) -> EventRegistration {
    if let registration = keeper(of: key)?.registration { return registration }
    let options = HandlerOptions(priority: .max, reply: .ignored, duplicates: .append)
    let registration = EventRegistration(key, .interceptor, target: nil, options, plan: nil, body: LastEventBody(), source: .any)
    insert(registration)
    return registration
  }

  /// The last event of a key, if the key's events are kept and there was one.
  ///
  /// - Complexity: Constant; O(*n*) for *n* interceptors of the key with the highest priority.
  public func last(_ key: EventKey) -> (source: AnyObject?, arguments: [BoxedValue])? {
    keeper(of: key)?.body.event.map { ($0.source, $0.arguments) }
  }

  /// Forgets the last event of a key; later ones are kept.
  public func forgetLast(_ key: EventKey) { keeper(of: key)?.body.event = nil }

  private func keeper(of key: EventKey) -> (registration: EventRegistration, body: LastEventBody)? {
    // The keeper has the highest priority: it is among the first handlers.
    var next = unsafe state.pointee.table[key.bits]
    while let record = unsafe next {
      let registration = unsafe record.pointee.registration.takeUnretainedValue()
      if let body = registration.body as? LastEventBody { return (registration, body) }
      guard registration.options.priority == .max, registration.isInterceptor else { return nil }
      unsafe next = record.pointee.next
    }
    return nil
  }

  /// Calls a handler that was just registered, with the last event of its key, if its options ask for that.
  func sendLast(to registration: EventRegistration) {
    guard registration.options.receivesLast, registration.proxy === self, let event = keeper(of: registration.key)?.body.event
    else { return }
    guard lastEventDepth < RoutingRules.defaultDepthLimit else {
      return EventLog.warn { "the last event of \"\(registration.key)\" was not delivered: its handlers register others, too deep".asLine }
    }
    lastEventDepth += 1
    defer { lastEventDepth -= 1 }
    let record = unsafe registration.record
    var run = unsafe HandlerRun(record, upTo: record.pointee.sequence, skipping: [], isAwaited: false)
    unsafe state.pointee.depth += 1
    defer { endRun() }
    // The caller holds the target, so it is alive.
    guard let handler = next(&run) else { return }
    let source = event.source
    do {
      try prepare(handler, source)
      end(handler, try KeptPayload(event.arguments).deliver(to: handler, source: source), &run)
    } catch {
      end(handler, error, &run)
    }
    _ = logFailures(run.answer)
  }
}

extension EventRegistration {
  /// Whether it may be a duplicate of another handler: it was registered for its key by a caller, and is no part of the proxy.
  var isPeer: Bool { template == nil && !(body is LastEventBody) }
}

/// The code of an interceptor that keeps the last event.
@safe
private final class LastEventBody: HandlerBody {
  final class Event {
    private let weakSource: WeakObject?
    let arguments: [BoxedValue]

    init(_ source: AnyObject?, _ arguments: [BoxedValue]) {
      weakSource = source.map { WeakObject($0) }
      self.arguments = arguments
    }

    var source: AnyObject? { unsafe weakSource?.retain()?.takeRetainedValue() }
  }

  @safe @exclusivity(unchecked)
  var event: Event?

  init() {
    super.init(ObjectIdentifier(LastEventBody.self), []) { _, _, _ in preconditionFailure("an interceptor has no frame") }
  }

  override func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    for (index, box) in boxed.enumerated() {
      guard let (code, reason, encoding) = Self.refusal(of: box) else { continue }
      throw InvocationError(
        code, "the event is not kept as the last one of its key: \(reason)", argument: .index(index + 1), encoding: encoding)
    }
    let former = event
    event = Event(source, boxed)
    // Last: objects that are released with the event may send events.
    withExtendedLifetime(former) {}
    return .ignored
  }

  /// The maximum number of bytes of a value that is kept.
  private static let mostBytes = 1 << 22

  /// The reason why a box is not kept, with the encoding of its value; nil if the box is kept.
  private static func refusal(of box: BoxedValue) -> (InvocationError.Code, reason: String, encoding: String)? {
    let pointing = "the memory that it points to may be gone later"
    switch box {
    case .pointer: return (.unsupportedType, pointing, "^v")
    case .object(let object): return isDeallocating(object) ? (.unsupportedType, "the object is being deallocated", "@") : nil
    case .value(let bytes):
      let encoding = bytes.encoding
      if encoding.mayPoint { return (.unsupportedType, pointing, encoding.description) }
      return encoding.size ?? 0 > mostBytes ? (.limitExceeded, "it has more than \(mostBytes) bytes", encoding.description) : nil
    default: return nil
    }
  }
}

extension TypeEncoding {
  /// Whether a value of the type may contain a pointer or a reference.
  fileprivate var mayPoint: Bool {
    switch kind {
    case .scalar, .complex, .vector, .bitField: false
    case .array(_, let element): element.mayPoint
    case .structure(let record), .union(let record): record.fields?.contains { $0.type.mayPoint } ?? true
    default: true
    }
  }
}
