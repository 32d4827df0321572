public import DynamicInvocation

/// A class that registers its own methods as event handlers.
///
/// The macro `@EventHandling` generates the conformance's method.
public protocol EventHandling: AnyObject {
  /// Registers the methods of this object that handle events.
  ///
  /// - Parameters:
  ///   - proxy: The proxy to register them with.
  ///   - options: How the object is held, the priority and other options.
  /// - Returns: A registration for each method and key.
  /// - Throws: `InvocationError` as for the registration of a closure. The error describes each method that could not
  ///   be registered. All other methods are registered; ``EventProxy/registrations(for:)`` returns their registrations.
  @discardableResult
  func registerEventHandlers(on proxy: EventProxy, options: HandlerOptions) throws(InvocationError) -> [EventRegistration]
}

extension InvocationError {
  /// Creates one error from several failed registrations; for a single one, its own error.
  ///
  /// The macro `@EventHandling` throws it. The code is that of the first error.
  public init(notRegistered errors: [InvocationError]) {
    guard errors.count > 1, let first = errors.first else {
      self = errors.first ?? InvocationError(.typeMismatch, "no handler was registered")
      return
    }
    self.init(first.code, "\(errors.count) handlers were not registered: \(errors.map(\.reason).joined(separator: "; "))")
  }
}

/// The error of an event that a handler could not be called with.
///
///     event 'row.tapped' at 'cell', handler tapped(_:index:) of Controller: argument 1 (s, Int16): 70000 does not fit
///
/// A warning is logged to ``EventLog``, whatever the rules of the pass are.
///
/// The argument index counts like the handler's parameters: 0 is the source.
public struct EventError: Error, CustomStringConvertible {
  /// The event.
  public let key: EventKey
  /// The handler.
  public let handler: EventRegistration.Handler
  /// The node of the handler; nil when the event was sent to a proxy alone, or the node was deallocated.
  public internal(set) var node: DispatchReport.NodeIdentity?
  /// The reason, with the index, the expected type and the value.
  public let reason: InvocationError

  /// The error in one line.
  public var description: String {
    "event '\(key)'\(node.map { " at '\($0)'" } ?? ""), handler \(handler.nameInErrors): \(reason)".asLine
  }
}

/// An error that a handler has thrown, with the handler; what sends the event takes the error out and tells of it.
struct ThrownError: Error {
  let error: any Error
  let handler: EventRegistration.Handler

  /// The event, the handler and the error in one line.
  func text(at node: DispatchReport.NodeIdentity?) -> String {
    "event '\(handler.key)'\(node.map { " at '\($0)'" } ?? ""), handler \(handler.nameInErrors) threw \(error.withType)".asLine
  }
}

extension Error {
  /// The description; with the type, unless it is an error of this package or the description begins with the type.
  var withType: String {
    if self is InvocationError || self is EventError || self is SendOutcome.RoutingError { return "\(self)" }
    let (type, text) = ("\(type(of: self))", "\(self)")
    return text.hasPrefix(type) ? text : "\(type): \(text)"
  }
}

/// The reason why a handler could not be called; the proxy converts it to an ``EventError``.
@usableFromInline
struct DeliveryFailure: Error {
  let reason: InvocationError
}

extension InvocationError.Code {
  /// The code for a key that has a handler already.
  public static let duplicateHandler: InvocationError.Code = InvocationError.Code(rawValue: "duplicateHandler")
  /// The code for an asynchronous handler that a synchronous send does not start.
  public static let asynchronousHandler: InvocationError.Code = InvocationError.Code(rawValue: "asynchronousHandler")
  /// The code for an asynchronous handler that has not returned at the deadline of the send.
  public static let deadlineExceeded: InvocationError.Code = InvocationError.Code(rawValue: "deadlineExceeded")
}

// MARK: - Declaring

/// The replies that handlers have declared, for dry runs and reports.
extension EventProxy {
  /// A key under which a handler has declared to resend the event, with its index among the handlers that would be
  /// called.
  struct DeclaredRewrite {
    let place: Int
    let key: EventKey
  }

  /// The combined reply of the handlers of a key that would be called, according to their options.
  ///
  /// - Parameter recorder: That of a dry run, which knows what to assume of interceptors.
  func declaredAnswer(to key: EventKey, skipping: HandlerFlags, _ recorder: ReportRecorder?) -> Answer {
    var answer = Answer()
    forEachCallable(key, upTo: .max, skipping: skipping) { registration in
      var reply = registration.options.declaredReply
      if registration.isUndecided, let recorder {
        recorder.hasUndecided = true
        if recorder.ignoresUndecided { reply = .ignored }
      }
      answer.add(reply)
      return !reply.endsNode
    }
    return answer
  }

  /// The rewrites declared by the handlers of a key that would be called.
  func declaredRewrites(of key: EventKey, upTo last: UInt, skipping: HandlerFlags) -> [DeclaredRewrite] {
    var rewrites: [DeclaredRewrite] = []
    var place = 0
    forEachCallable(key, upTo: last, skipping: skipping) { registration in
      if let next = registration.options.rewritesTo { rewrites.append(DeclaredRewrite(place: place, key: next)) }
      place += 1
      return true
    }
    return rewrites
  }

  /// Whether an event would call an asynchronous handler of a key.
  func isAsynchronous(_ key: EventKey, upTo last: UInt, skipping: HandlerFlags) -> Bool {
    var isAsynchronous = false
    forEachCallable(key, upTo: last, skipping: skipping) { registration in
      if registration.isAsynchronous { isAsynchronous = true }
      return !isAsynchronous
    }
    return isAsynchronous
  }

  /// Calls `body` with the handlers of a key that an event would call, until it returns false.
  private func forEachCallable(_ key: EventKey, upTo last: UInt, skipping: HandlerFlags, _ body: (EventRegistration) -> Bool) {
    // A target that another thread releases may be deallocated here, and remove handlers.
    unsafe state.pointee.depth += 1
    defer { endRun() }
    var next = unsafe state.pointee.first(key.bits)
    while let record = unsafe next {
      if unsafe record.pointee.sequence <= last, unsafe record.pointee.isCallable(skipping: skipping) {
        guard body(unsafe record.pointee.registration.takeUnretainedValue()) else { return }
      }
      unsafe next = record.pointee.next
    }
  }
}

extension HandlerOptions {
  /// The reply of the handler according to its options.
  fileprivate var declaredReply: EventReply { rewritesTo.map { .resend($0, []) } ?? reply }
}

extension EventRegistration {
  /// Whether it is an interceptor that decides for each event: its options do not specify the reply.
  fileprivate var isUndecided: Bool { isInterceptor && options.rewritesTo == nil }
}

extension EventProxy.Answer {
  /// Descriptions of how handlers deviated from what they had declared.
  func deviations(from declared: [EventProxy.DeclaredRewrite]) -> [String] {
    // It is not known which handler an error belongs to; the error itself is reported.
    guard !declared.isEmpty, errors.isEmpty else { return [] }
    return declared.compactMap { rewrite in
      guard rewrite.place < calls else { return nil }
      // The handler that resent the event was the last one called.
      guard rewrite.place == calls - 1, case .resend(let next, _) = reply else {
        return "a handler did not send the event on as \(rewrite.key.name), as declared"
      }
      return next == rewrite.key ? nil : "a handler sent the event on as \(next.name), not as \(rewrite.key.name), as declared"
    }
  }
}
