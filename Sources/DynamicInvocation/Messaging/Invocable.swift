/// An object that returns the implementation of each selector itself.
///
/// ``Invocation/invoke()`` asks its target for the implementation. An implementation takes the target and the selector
/// as its first two arguments. Messages are sent from any thread, so a conformance cannot be isolated to an actor.
public protocol Invocable: AnyObject, SendableMetatype {
  /// Returns the implementation of a selector, or nil if the object does not respond to it.
  func implementation(for selector: MethodSelector) -> Implementation?
}
