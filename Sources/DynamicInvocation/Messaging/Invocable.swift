/// An object that messages can be sent to: it knows the implementation of each selector.
///
/// ``Invocation/invoke()`` asks its target. An implementation takes the target and the selector as its first two arguments.
public protocol Invocable: AnyObject {
  /// Returns the implementation of a selector, or nil when the object does not respond to it.
  func implementation(for selector: Selector) -> Implementation?
}
