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
  /// - Throws: `InvocationError` as registering a closure does, of the first registration that fails; the former ones are then cancelled.
  @discardableResult
  func registerEventHandlers(on proxy: EventProxy, options: HandlerOptions) throws(InvocationError) -> [EventRegistration]
}
