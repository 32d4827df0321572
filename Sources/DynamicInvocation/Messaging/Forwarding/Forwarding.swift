/// An object that sends on the messages which its class has no method for, as subclasses of NSObject may.
///
/// ``Invocation/invoke()`` goes these steps, in this order, until one of them answers:
///
/// 1. The ``MethodTable`` of the target's class has the method.
/// 2. ``resolveMethod(for:)`` says that it has added the method to a table now.
/// 3. The target, if it is ``Invocable``, has an implementation.
/// 4. ``forwardingTarget(for:)`` names another object, to which the message goes as if it had been sent there. This is the fast way: the
///    arguments are copied once, and nothing is allocated.
/// 5. ``methodSignature(for:)`` knows the types: ``forwardInvocation(_:)`` gets the message as an ``Invocation`` of its own, to be changed,
///    redirected, kept or replayed. Its result goes to the sender, and so does the error that is thrown.
/// 6. The sender gets the error `unrecognizedSelector`.
///
/// Each step has a default that does not answer, so a class implements those that it needs.
///
///     extension Window: Forwarding {
///       func forwardingTarget(for selector: Selector) -> AnyObject? { controller }
///     }
///
/// Source of the order: NSObject's `resolveInstanceMethod:`, `forwardingTargetForSelector:`, `methodSignatureForSelector:`,
/// `forwardInvocation:` and `doesNotRecognizeSelector:`.
public protocol Forwarding: AnyObject {
  /// Adds the method of a selector to the ``MethodTable`` of the class, when it can; the default adds none.
  ///
  /// It may be asked again for a selector that it had no method for, and by several threads at a time: use ``MethodTable/replace(_:_:)``.
  ///
  /// - Returns: Whether the class may have the method now.
  /// - Throws: What keeps the method from being added; the sender of the message gets it.
  static func resolveMethod(for selector: Selector) throws -> Bool

  /// Returns the object that a message goes to instead, or nil for none, the default.
  ///
  /// It is asked for each message. The object lives until the message is answered, even if nobody else keeps it. To return the object
  /// itself is an error of the message.
  func forwardingTarget(for selector: Selector) -> AnyObject?

  /// Returns the types of a message that ``forwardInvocation(_:)`` takes, or nil, the default, for one that it does not.
  ///
  /// They must be those of the sender's invocation; the names of structs do not count.
  func methodSignature(for selector: Selector) -> MethodSignature?

  /// Does with a message what the object likes.
  ///
  /// The default throws `unrecognizedSelector`. When it returns, the invocation's result is given to the sender; without one the sender
  /// gets zero, as from a message to nil. To invoke the same invocation on the object itself, or on one that sends it back, is an error.
  ///
  /// - Parameter invocation: The message, an invocation of its own. It keeps its arguments, unless the sender's invocation does not.
  /// - Throws: Anything; the sender's ``Invocation/invoke()`` throws it.
  func forwardInvocation(_ invocation: Invocation) throws
}

extension Forwarding {
  /// False: no method was added.
  public static func resolveMethod(for selector: Selector) throws -> Bool { false }

  /// Nil: the message goes nowhere else.
  public func forwardingTarget(for selector: Selector) -> AnyObject? { nil }

  /// Nil: the message is not taken as an invocation.
  public func methodSignature(for selector: Selector) -> MethodSignature? { nil }

  /// Throws that the object does not respond to the selector.
  public func forwardInvocation(_ invocation: Invocation) throws {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else {
      throw InvocationError(.unrecognizedSelector, "the invocation has no selector")
    }
    throw MethodTable.of(type(of: self)).unrecognized(selector)
  }
}

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
