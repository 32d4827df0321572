extension Implementation {
  /// Returns the code that forwards messages of some types: Objective-C's `_objc_msgForward`.
  ///
  /// It is there for C code that wants a function pointer, and to be added to a ``MethodTable`` in place of a method, so that the message
  /// goes to ``Forwarding/forwardInvocation(_:)`` instead. Called with a target and a selector, it begins with
  /// ``Forwarding/forwardingTarget(for:)`` and never looks at the methods of the target's own class. A null target gives a result of zero.
  ///
  /// An object that it returns is the caller's to release (+1). An error comes out of ``Invocation/invoke()``; C code cannot take one, so
  /// the program ends.
  ///
  /// - Parameter methodSignature: The types: those of a method, whose first arguments are an object and a selector.
  /// - Throws: ``InvocationError`` `typeMismatch` for the types of a function, `unsupportedType` where closures cannot be made,
  ///   `limitExceeded` when the system gives no more memory.
  /// - Complexity: One closure for each signature, made once and kept for the life of the process. A call allocates nothing when the object
  ///   names a forwarding target, and an invocation otherwise.
  public static func forwarding(_ methodSignature: MethodSignature) throws(InvocationError) -> Implementation {
    let closure = try ForwardingEntries.shared.closure(methodSignature)
    return unsafe Implementation(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: true,
      keeping: ForwardingClosure(closure))
  }
}

/// What an implementation keeps alive that forwards, whatever the class of its target.
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
      // On the backend of closures, whatever the backend of the one who asks.
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
  /// Forwards a message to an object, as the object says.
  fileprivate mutating func forwardMessage() throws {
    let signature = methodSignature
    guard let receiver = unsafe ObjectReference.object(in: body.slots[0], of: frame) else {
      clearResult()
      isSet = true
      return
    }
    guard let selector = unsafe Selector.load(from: body.slots[1], of: UnsafeRawPointer(frame)) else {
      throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1))
    }
    var found: (implementation: Implementation, target: AnyObject)?
    let last = unsafe try ForwardingChain.follow(from: receiver, nil, selector, signature) { object in
      found = try selector.implementation(of: object, signature).map { ($0, object) }
      return found != nil
    }
    if let found {
      try ActiveForwarding.run(receiver, selector, sent: nil, forwarded: nil) {
        try forwardRethrowing(to: found.implementation, found.target)
      }
    } else if let last = unsafe last {
      let invocation = makeInvocation()
      unsafe invocation.target = last.receiver
      try unsafe ActiveForwarding.run(last.receiver, selector, sent: nil, forwarded: invocation) {
        try unsafe last.forwarder._withUnsafeGuaranteedRef { try unsafe $0.forward(invocation, by: last.receiver) }
      }
      if invocation.hasReturnValue { return try setReturnValue(of: invocation) }
      clearResult()
      isSet = true
    }
  }

  /// Forwards to code that may be a Swift closure which throws.
  private mutating func forwardRethrowing(to implementation: Implementation, _ target: AnyObject) throws {
    guard implementation.mayThrow else { return try forward(to: implementation, target: target) }
    var refusal: InvocationError?
    try ErrorPlace.rethrow {
      do throws(InvocationError) { try forward(to: implementation, target: target) } catch { refusal = error }
    }
    if let refusal { throw refusal }
  }
}

extension Selector {
  /// The implementation that an object has by itself.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch` when it has other types, and what resolving throws.
  fileprivate func implementation(of object: AnyObject, _ methodSignature: MethodSignature) throws -> Implementation? {
    let implementation = try MethodTable.implementation(of: object, for: self)
    if let own = implementation?.methodSignature { try methodSignature.require(own, of: type(of: object), self) }
    return implementation
  }
}
