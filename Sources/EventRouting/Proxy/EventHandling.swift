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
