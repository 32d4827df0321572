extension Implementation {
  /// Returns code that forwards messages of the given types: Objective-C's `_objc_msgForward`.
  ///
  /// Pass it to C code that takes a function pointer, or add it to a ``MethodTable`` in place of a method, so that the
  /// message is passed to ``Forwarding/forwardInvocation(_:)`` instead. When it is called with a target and a selector,
  /// it begins with ``Forwarding/forwardingTarget(for:)`` and never checks for methods of the target's own class. For a
  /// null target the result is zero.
  ///
  /// The caller must release an object result (+1). ``Invocation/invoke()`` throws the errors of forwarding. C code
  /// cannot receive an error, so the program traps.
  ///
  /// - Parameter methodSignature: The types of a method, whose first arguments are an object and a selector.
  /// - Throws: `InvocationError` `typeMismatch` for the types of a function, `unsupportedType` if closures are not
  ///   available for these types, `limitExceeded` if the system provides no more memory.
  /// - Complexity: Creates one closure for each signature, which is kept for the life of the process. A call allocates
  ///   nothing if the object has a forwarding target, and an invocation otherwise.
  public static func forwarding(_ methodSignature: MethodSignature) throws(InvocationError) -> Implementation {
    let closure = try ForwardingEntries.shared.closure(methodSignature)
    return unsafe Implementation(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: true,
      keeping: ForwardingClosure(closure))
  }
}

/// The owner of an implementation that forwards; it accepts a target of any class.
final class ForwardingClosure: Sendable {
  let closure: Closure

  init(_ closure: Closure) { self.closure = closure }
}

/// The closures that forward, one for each signature.
private final class ForwardingEntries: Sendable {
  static let shared = ForwardingEntries()

  private let closures: Locked<[MethodSignature: Closure]> = Locked([:], atFork: .forwarding)

  func closure(_ methodSignature: MethodSignature) throws(InvocationError) -> Closure {
    guard methodSignature.isMethod, unsafe methodSignature.storage.plan.slots[0].kind == .object else {
      throw InvocationError(.typeMismatch, "only a message to an object can be forwarded", encoding: "\(methodSignature)")
    }
    return try closures.withLock { closures throws(InvocationError) in
      if let closure = closures[methodSignature] { return closure }
      // On the backend of closures, whatever the backend of the given signature.
      let types = try MethodSignature(methodSignature.types, fixedArgumentCount: methodSignature.fixedArgumentCount)
      let closure = try Closure(types) { frame, body in
        let place = ErrorPlace.take()
        var call = IncomingCall(body, frame, returnsRetained: true)
        do { try call.forwardMessage() } catch {
          call.clearResult()
          body.fail(error, place, frame)
        }
      }
      closures[methodSignature] = closure
      return closure
    }
  }
}

extension IncomingCall {
  /// Forwards a message to an object by the object's forwarding methods.
  fileprivate mutating func forwardMessage() throws {
    let signature = methodSignature
    guard let receiver = unsafe ObjectReference.object(in: body.slots[0], of: frame) else {
      clearResult()
      isSet = true
      return
    }
    guard let selector = unsafe MethodSelector.load(from: body.slots[1], of: UnsafeRawPointer(frame)) else {
      throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1))
    }
    var found: (implementation: Implementation, target: AnyObject)?
    let last = unsafe try ForwardingChain.follow(from: receiver, nil, selector, signature) { object in
      found = try selector.implementation(of: object, signature).map { ($0, object) }
      return found != nil
    }
    if let found {
      try unsafe ActiveForwarding.run(.passUnretained(receiver), selector, sent: nil, forwarded: nil) {
        try forwardRethrowing(to: found.implementation, found.target)
      }
    } else if let last = unsafe last {
      let invocation = makeInvocation()
      unsafe invocation.target = last.receiver
      try unsafe ActiveForwarding.run(
        .passUnretained(last.receiver), selector, sent: nil, forwarded: Unmanaged.passUnretained(invocation).toOpaque()
      ) {
        try unsafe last.forwarder._withUnsafeGuaranteedRef { try unsafe $0.forward(invocation, by: last.receiver) }
      }
      if invocation.hasReturnValue { return try setReturnValue(of: invocation) }
      clearResult()
      isSet = true
    }
  }

  /// Forwards to code that may be a throwing Swift closure, and throws its error.
  private mutating func forwardRethrowing(to implementation: Implementation, _ target: AnyObject) throws {
    guard implementation.mayThrow else { return try forward(to: implementation, target: target) }
    var refusal: InvocationError?
    try ErrorPlace.rethrow {
      do throws(InvocationError) { try forward(to: implementation, target: target) } catch { refusal = error }
    }
    if let refusal { throw refusal }
  }
}

extension MethodSelector {
  /// Returns the implementation that an object has itself, without forwarding.
  ///
  /// - Throws: `InvocationError` `typeMismatch` if it has other types, and what resolving throws.
  fileprivate func implementation(of object: AnyObject, _ methodSignature: MethodSignature) throws -> Implementation? {
    let implementation = try MethodTable.implementation(of: object, for: self)
    if let own = implementation?.methodSignature { try methodSignature.require(own, of: type(of: object), self) }
    return implementation
  }
}
