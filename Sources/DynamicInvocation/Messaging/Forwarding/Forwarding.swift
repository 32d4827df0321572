/// An object that forwards the messages that its class has no method for, as subclasses of NSObject may.
///
/// ``Invocation/invoke()`` tries these steps, in this order, until one of them handles the message:
///
/// 1. The ``MethodTable`` of the target's class has the method.
/// 2. ``resolveMethod(for:)`` returns that it has now added the method to a table.
/// 3. The target, if it is ``Invocable``, has an implementation.
/// 4. ``forwardingTarget(for:)`` returns another object, and the message is sent to that object as if it had been the
///    target. This is the fast path: the arguments are copied once, and nothing is allocated.
/// 5. ``methodSignature(for:)`` returns the types: ``forwardInvocation(_:)`` receives the message as a new
///    ``Invocation``, which it may change, redirect, store or replay. The sender receives its result, or the error that
///    is thrown.
/// 6. The sender receives the error `unrecognizedSelector`.
///
/// Each step has a default implementation that does not handle the message, so a class implements only those that it
/// needs.
///
///     extension Window: Forwarding {
///       func forwardingTarget(for selector: MethodSelector) -> AnyObject? { controller }
///     }
///
/// Messages are sent from any thread, so a conformance cannot be isolated to an actor.
///
/// Source of the order: NSObject's `resolveInstanceMethod:`, `forwardingTargetForSelector:`,
/// `methodSignatureForSelector:`, `forwardInvocation:` and `doesNotRecognizeSelector:`.
public protocol Forwarding: AnyObject, SendableMetatype {
  /// Adds the method of a selector to the ``MethodTable`` of the class, if it can. The default adds no method.
  ///
  /// It may be called again for a selector for which it added no method, and by several threads at once: use
  /// ``MethodTable/replace(_:_:)``.
  ///
  /// - Returns: Whether the class may have the method now.
  /// - Throws: The reason why the method cannot be added. The sender of the message receives the error.
  static func resolveMethod(for selector: MethodSelector) throws -> Bool

  /// Returns the object to which a message is sent instead, or nil if there is none. The default returns nil.
  ///
  /// It is called for each message. The object is kept alive until the message returns, even if nothing else retains
  /// it. If it returns the receiver itself, the message throws an error.
  func forwardingTarget(for selector: MethodSelector) -> AnyObject?

  /// Returns the types of a message that ``forwardInvocation(_:)`` handles, or nil for a message that it does not
  /// handle. The default returns nil.
  ///
  /// They must be the types of the sender's invocation; the names of structs are ignored.
  func methodSignature(for selector: MethodSelector) -> MethodSignature?

  /// Handles a message as an invocation.
  ///
  /// The default throws `unrecognizedSelector`. When the function returns, the sender receives the invocation's result.
  /// If the invocation has no result, the sender receives zero, as from a message to nil. Invoking the same invocation
  /// on the object itself, or on an object that sends it back, is an error.
  ///
  /// - Parameter invocation: The message, as a new invocation. It retains its arguments, unless the sender's invocation
  ///   does not. If nothing retains it when the function returns, the sender may use the object again for its next
  ///   message: a weak reference may then find that message.
  /// - Throws: Any error; the sender's ``Invocation/invoke()`` throws it.
  func forwardInvocation(_ invocation: Invocation) throws
}

extension Forwarding {
  /// False: no method was added.
  public static func resolveMethod(for selector: MethodSelector) throws -> Bool { false }

  /// Nil: there is no other target.
  public func forwardingTarget(for selector: MethodSelector) -> AnyObject? { nil }

  /// Nil: the message is not handled as an invocation.
  public func methodSignature(for selector: MethodSelector) -> MethodSignature? { nil }

  /// Throws `unrecognizedSelector`: the object does not respond to the selector.
  public func forwardInvocation(_ invocation: Invocation) throws {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else {
      throw InvocationError(.unrecognizedSelector, "the invocation has no selector")
    }
    throw MethodTable.unrecognized(selector, by: self)
  }
}

/// An object that stands for another object, which need not exist yet: NSProxy for Swift.
///
/// It has no methods of its own, so every message to it is forwarded. By default it passes each message on to its
/// ``target``. A subclass overrides ``forwardInvocation(_:)`` to inspect the messages, change them, send them to
/// another object or store them.
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
/// A subclass that only passes messages on should override ``forwardingTarget(for:)``, which is faster.
open class InvocationProxy: Forwarding, CustomStringConvertible {
  /// The object that the proxy stands for; the proxy retains it.
  ///
  /// Nil if it is not set.
  public var target: AnyObject? {
    get { held }
    set { held = newValue }
  }

  // The run-time check of exclusive access costs as much as a call. It would never find a violation: the property is
  // never passed inout.
  @safe @exclusivity(unchecked)
  private var held: AnyObject?

  /// Creates a proxy for an object, or for an object that is set later.
  public init(target: AnyObject? = nil) { held = target }

  deinit {
    // A loop, as a long chain of proxies would need the stack for as many nested deinitializers.
    var next = held
    held = nil
    while isKnownUniquelyReferenced(&next), let proxy = next as? InvocationProxy {
      next = proxy.held
      proxy.held = nil
    }
  }

  /// Adds no method; see ``Forwarding/resolveMethod(for:)``.
  open class func resolveMethod(for selector: MethodSelector) throws -> Bool { false }

  /// Returns nil, so that messages are handled as invocations; see ``Forwarding/forwardingTarget(for:)``.
  open func forwardingTarget(for selector: MethodSelector) -> AnyObject? { nil }

  /// Returns the types that the target specifies, or nil if there is no target; see
  /// ``Forwarding/methodSignature(for:)``.
  open func methodSignature(for selector: MethodSelector) -> MethodSignature? {
    held.flatMap { MethodSignature(of: selector, to: $0) }
  }

  /// Invokes the invocation with the target; see ``Forwarding/forwardInvocation(_:)``.
  ///
  /// - Throws: `InvocationError` `unrecognizedSelector` if there is no target, and what the target throws.
  open func forwardInvocation(_ invocation: Invocation) throws {
    guard let target = held else {
      throw InvocationError(.unrecognizedSelector, "\(type(of: self)) has no target for '\(invocation.selector?.name ?? "unset")'")
    }
    try invocation.invoke(with: target)
  }

  /// The classes of the proxy and of its target: `InvocationProxy to Document`.
  open var description: String { "\(type(of: self)) to \(target.map { "\(type(of: $0))" } ?? "nil")" }
}
