public import DynamicInvocation

/// A class that registers its own methods as handlers of events.
///
/// The macro `@EventHandling` writes the method.
public protocol EventHandling: AnyObject {
  /// Registers the methods of this object that handle events.
  ///
  /// - Parameters:
  ///   - proxy: Where to register them.
  ///   - options: How the object is held, the priority and the rest.
  /// - Returns: A registration for each method and key.
  /// - Throws: `InvocationError` as registering a closure does. All methods that can be registered then are, and the error tells of each that could
  ///   not; ``EventProxy/registrations(for:)`` finds the others.
  @discardableResult
  func registerEventHandlers(on proxy: EventProxy, options: HandlerOptions) throws(InvocationError) -> [EventRegistration]
}

extension InvocationError {
  /// Creates one error of several registrations that failed; that of a single one is itself.
  ///
  /// The macro `@EventHandling` throws it. The code is that of the first.
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
/// A warning of it goes to ``EventLog``, whatever the rules of the pass are.
///
/// The index counts as the handler's parameters do: 0 is the source.
public struct EventError: Error, CustomStringConvertible {
  /// The event.
  public let key: EventKey
  /// The handler.
  public let handler: HandlerDescription
  /// The node that the handler is of; nil when the event was sent to a proxy alone, or the node has died.
  public internal(set) var node: ResponderIdentity?
  /// What is wrong, with the index, the expected type and the value.
  public let reason: InvocationError

  /// The error in one line.
  public var description: String {
    "event '\(key)'\(node.map { " at '\($0)'" } ?? ""), handler \(handler.nameInErrors): \(reason)".escaped
  }
}

/// What kept a handler from being called, on its way to the proxy, which makes an ``EventError`` of it.
@usableFromInline
struct DeliveryFailure: Error {
  let reason: InvocationError
}

extension InvocationError.Code {
  /// A key that has a handler already.
  public static let duplicateHandler: InvocationError.Code = InvocationError.Code(rawValue: "duplicateHandler")
}
