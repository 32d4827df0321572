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
  /// The macro `@EventHandling` throws it. Its code is the code of the first error.
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

/// An error that a handler has thrown, with the handler; the code that sends the event unwraps the error and reports it.
struct ThrownError: Error {
  let error: any Error
  let handler: EventRegistration.Handler

  /// The event, the handler and the error in one line.
  func text(at node: DispatchReport.NodeIdentity?) -> String {
    "event '\(handler.key)'\(node.map { " at '\($0)'" } ?? ""), handler \(handler.nameInErrors) threw \(error.withType)".asLine
  }
}

extension Error {
  /// The description, after the type unless this is an error of this package or the description begins with the type.
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
