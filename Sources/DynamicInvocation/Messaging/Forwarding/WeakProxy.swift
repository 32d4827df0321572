/// An object that passes messages on to another object, which it does not retain: for a timer, a delegate or a registration
/// that would keep its owner alive.
///
///     timer.target = WeakProxy(page)
///
/// When the object is gone, a message to the proxy throws an error, or has no effect and a result of zero, as a message to
/// nil does. A message that runs keeps the object alive until it returns.
public final class WeakProxy: Forwarding, CustomStringConvertible {
  /// The object, or nil when it is gone.
  public private(set) weak var target: AnyObject?
  private let type: AnyClass
  private let isQuiet: Bool

  /// Creates a proxy of an object.
  ///
  /// - Parameters:
  ///   - target: The object, which is not retained.
  ///   - isQuiet: Whether messages have no effect when the object is gone, instead of an error.
  public init(_ target: AnyObject, isQuiet: Bool = false) {
    self.target = target
    self.isQuiet = isQuiet
    type = Swift.type(of: target)
  }

  /// Returns the object.
  public func forwardingTarget(for selector: MethodSelector) -> AnyObject? { target }

  /// Returns the types of a method of the object's class.
  public func methodSignature(for selector: MethodSelector) -> MethodSignature? {
    target.flatMap { MethodSignature(of: selector, to: $0) } ?? MethodTable.of(type).methodSignature(for: selector)
  }

  /// Has no effect, or throws the error that the object is gone.
  ///
  /// - Throws: `InvocationError` `unrecognizedSelector` unless the proxy is quiet.
  public func forwardInvocation(_ invocation: Invocation) throws {
    if isQuiet { return }
    throw InvocationError(.unrecognizedSelector, "the \(type) that '\(invocation.selector?.name ?? "unset")' was for is gone")
  }

  /// The class of the object: `WeakProxy to Page`, `WeakProxy to Page, which is gone`.
  public var description: String { "WeakProxy to \(type)\(target == nil ? ", which is gone" : "")" }
}
