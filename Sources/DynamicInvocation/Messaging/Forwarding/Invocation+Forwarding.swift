/// A message that the target's class has no method for.
extension Invocation {
  /// Forwards on the fast path: to an object of the same class to which the target's class forwarded the last time.
  ///
  /// Returns whether it did.
  ///
  /// The sender keeps the target alive, as for any message.
  func forwardsQuickly() throws -> Bool {
    guard core.state.setMask == core.state.fastPathMask, let forwarder = unsafe methodCache.forwarder,
      let method = unsafe methodCache.method,
      methodCache.epoch == MethodTable.epoch
    else { return false }
    // Argument 0 of the cached method is an object.
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(slots[0].word(of: frame))) else { return false }
    let target = unsafe Unmanaged<AnyObject>.fromOpaque(address)
    let selector = unsafe method._withUnsafeGuaranteedRef { $0.selector }
    guard unsafe target._withUnsafeGuaranteedRef({ ObjectIdentifier(type(of: $0)) == methodCache.forwarderType }),
      unsafe slots[1].word(of: frame) == UInt64(UInt(bitPattern: selector.pointer))
    else { return false }
    // The cached method stays alive: it is not replaced while a call that uses it is running.
    core.beginCall()
    let next = unsafe forwarder._withUnsafeGuaranteedRef { forwarder in
      unsafe target._withUnsafeGuaranteedRef { forwarder.target(of: $0, for: selector) }
    }
    guard let next, ObjectIdentifier(type(of: next)) == methodCache.type, unsafe Unmanaged.passUnretained(next).toOpaque() != address else {
      core.endCall()
      // The forwarder is asked only once, so its answer is passed on.
      let answer = unsafe ForwardingChain.Answer(forwarder: forwarder, target: next)
      try unsafe forward(target.takeUnretainedValue(), answer: answer, epoch: methodCache.epoch)
      return true
    }
    defer { core.endCall() }
    let code = unsafe method._withUnsafeGuaranteedRef { unsafe $0.code }
    if methodCache.mayThrow {
      core.state.hasResult = false
      try ErrorPlace.rethrow { unsafe call(code, on: next) }
    } else {
      unsafe call(code, on: next)
    }
    core.state.hasResult = true
    return true
  }

  /// Forwards the message by the target's forwarding methods.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - answer: The answer of its forwarder, if it was asked already.
  ///   - epoch: The epoch of the tables at which its class was found to have no method.
  /// - Throws: `InvocationError` as ``ForwardingChain/follow(from:_:_:_:_:)`` does, and what the final receiver
  ///   throws.
  func forward(_ target: AnyObject, answer: ForwardingChain.Answer? = nil, epoch: Int) throws {
    guard let selector else { throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1)) }
    if let last = unsafe try ForwardingChain.follow(from: target, answer, selector, methodSignature, { try send(to: $0) }) {
      try unsafe forward(to: last.receiver, last.forwarder, selector)
    } else if let forwarder = unsafe MethodTable.of(type(of: target)).forwarder,
      unsafe !forwarder._withUnsafeGuaranteedRef({ $0.isInvocable })
    {
      // An `Invocable` target must be asked for each message, because it may have an implementation: it is not cached.
      unsafe methodCache.keep(forwarder, of: type(of: target), selector, epoch)
    }
  }

  /// Calls the implementation that an object has for the selector, with the object as the target.
  ///
  /// Returns whether there is one.
  private func send(to object: AnyObject) throws -> Bool {
    guard let implementation = try implementation(of: object) else { return false }
    try withExtendedLifetime(implementation) {
      try unsafe call(implementation.pointer, mayThrow: implementation.mayThrow, isRetained: implementation.returnsRetained, on: object)
    }
    return true
  }

  /// Calls code with another target.
  ///
  /// This invocation's own target is not changed: the callee may use the invocation.
  private func call(_ code: UnsafeRawPointer, mayThrow: Bool, isRetained: Bool, on object: AnyObject) throws {
    core.releaseResult()
    try core.withRunningCall(mayThrow: mayThrow) { unsafe call(code, on: object) }
    core.keepResult(isRetained: isRetained)
  }

  private func call(_ code: UnsafeRawPointer, on object: AnyObject) {
    if plan.hasSmallFrame {
      unsafe withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) { unsafe call(code, on: object, copy: $0) }
    } else {
      unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) {
        unsafe call(code, on: object, copy: $0)
      }
    }
  }

  @inline(__always)
  private func call(_ code: UnsafeRawPointer, on object: AnyObject, copy memory: UnsafeMutableRawBufferPointer) {
    defer { withExtendedLifetime((self, object)) {} }
    let copy = unsafe memory.baseAddress.unsafelyUnwrapped
    unsafe core.copyArguments(to: copy)
    unsafe slots[0].write(word: UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())), to: copy)
    if plan.resultAddressOffset >= 0 {
      // A result in memory is written to this invocation's own memory for it.
      unsafe copy.storeBytes(
        of: frame.load(fromByteOffset: plan.resultAddressOffset, as: UInt.self), toByteOffset: plan.resultAddressOffset, as: UInt.self)
    }
    unsafe core.execute(code, in: copy)
    if plan.resultAddressOffset < 0 { unsafe slots[count].copy(from: copy, to: frame) }
  }

  /// Passes the message to an object as an invocation, and takes over its result.
  private func forward(to receiver: AnyObject, _ forwarder: Unmanaged<Forwarder>, _ selector: Selector) throws {
    core.releaseResult()
    let invocation = copy()
    invocation.target = receiver
    try ActiveForwarding.run(receiver, selector, sent: self, forwarded: invocation) {
      try unsafe forwarder._withUnsafeGuaranteedRef { try $0.forward(invocation, by: receiver) }
    }
    if capturesErrno { capturedErrno = invocation.capturedErrno }
    guard invocation.hasReturnValue else { return core.setZeroResult() }
    unsafe invocation.slots[count].withValue(in: invocation.frame) { unsafe setReturnValue(from: $0) }
    // The invocation must live until here: it owns an object result until this invocation has retained it.
    withExtendedLifetime(invocation) {}
  }
}
