/// An object that stands for another, which need not exist yet: NSProxy for Swift.
///
/// It has no methods of its own, so every message to it is forwarded. As it is, it passes each message on to its ``target``; a subclass
/// overrides ``forwardInvocation(_:)`` to look at the messages, to change them, to send them elsewhere or to keep them.
///
///     final class Logging: InvocationProxy {
///       override func forwardInvocation(_ invocation: Invocation) throws {
///         print(invocation)
///         try super.forwardInvocation(invocation)
///       }
///     }
///
///     let proxy = Logging(target: controller)
///     let message = try Invocation(target: proxy, selector: "area(_:in:)")
///
/// A subclass that only passes messages on should do so by ``forwardingTarget(for:)``, which is the quicker way.
open class InvocationProxy: Forwarding, CustomStringConvertible {
  /// The object that the proxy stands for, which it keeps; nil as long as there is none.
  public var target: AnyObject?

  /// Creates a proxy, for an object or for one that will be set later.
  public init(target: AnyObject? = nil) { self.target = target }

  /// Adds no method; see ``Forwarding/resolveMethod(for:)``.
  open class func resolveMethod(for selector: Selector) throws -> Bool { false }

  /// Returns nil, so that messages come as invocations; see ``Forwarding/forwardingTarget(for:)``.
  open func forwardingTarget(for selector: Selector) -> AnyObject? { nil }

  /// Returns the types that the target says, or nil without one; see ``Forwarding/methodSignature(for:)``.
  open func methodSignature(for selector: Selector) -> MethodSignature? {
    target.flatMap { MethodSignature(of: selector, to: $0) }
  }

  /// Invokes the invocation with the target; see ``Forwarding/forwardInvocation(_:)``.
  ///
  /// - Throws: ``InvocationError`` `unrecognizedSelector` without a target, and what the target throws.
  open func forwardInvocation(_ invocation: Invocation) throws {
    guard let target else {
      throw InvocationError(.unrecognizedSelector, "\(type(of: self)) has no target for '\(invocation.selector?.name ?? "unset")'")
    }
    try invocation.invoke(with: target)
  }

  /// The class of the proxy and that of its target: `InvocationProxy to Document`.
  open var description: String { "\(type(of: self)) to \(target.map { "\(type(of: $0))" } ?? "nil")" }
}
