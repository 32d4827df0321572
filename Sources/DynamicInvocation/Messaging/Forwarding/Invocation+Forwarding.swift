internal import CFFIShim

/// A message that the target's class has no method for.
extension Invocation {
  /// Forwards the quick way: to an object of the class that the target's class forwarded to the last time; says whether it did.
  ///
  /// The target lives as long as that of any message: whoever sends it keeps it.
  func forwardsQuickly() throws -> Bool {
    guard core.state.setMask == core.state.fastPathMask, let forwarder = unsafe methodCache.forwarder,
      let method = unsafe methodCache.method,
      methodCache.epoch == MethodTable.epoch
    else { return false }
    // Argument 0 of what was cached is an object.
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(slots[0].word(of: frame))) else { return false }
    let target = unsafe Unmanaged<AnyObject>.fromOpaque(address)
    let selector = unsafe method._withUnsafeGuaranteedRef { $0.selector }
    guard unsafe target._withUnsafeGuaranteedRef({ ObjectIdentifier(type(of: $0)) == methodCache.forwarderType }),
      unsafe slots[1].word(of: frame) == UInt64(UInt(bitPattern: selector.pointer))
    else { return false }
    // What is cached stays alive: it is not replaced while a call that relies on it is running.
    core.beginCall()
    let next = unsafe forwarder._withUnsafeGuaranteedRef { forwarder in
      unsafe target._withUnsafeGuaranteedRef { forwarder.target(of: $0, for: selector) }
    }
    guard let next, ObjectIdentifier(type(of: next)) == methodCache.type, unsafe Unmanaged.passUnretained(next).toOpaque() != address else {
      core.endCall()
      // Asked once: the answer goes on.
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

  /// Sends the message on, as the target says.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - answer: What its forwarder has said already, if it was asked.
  ///   - epoch: The age of the tables when its class was found to have no method.
  /// - Throws: ``InvocationError`` as ``ForwardingChain/follow(from:_:_:_:_:)`` does, and what whoever gets the message throws.
  func forward(_ target: AnyObject, answer: ForwardingChain.Answer? = nil, epoch: Int) throws {
    guard let selector else { throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1)) }
    if let last = unsafe try ForwardingChain.follow(from: target, answer, selector, methodSignature, { try send(to: $0) }) {
      try unsafe forward(to: last.receiver, last.forwarder, selector)
    } else if let forwarder = unsafe MethodTable.of(type(of: target)).forwarder,
      unsafe !forwarder._withUnsafeGuaranteedRef({ $0.isInvocable })
    {
      // One who is asked for each message, and may answer it, is not passed over the next time.
      unsafe methodCache.keep(forwarder, of: type(of: target), selector, epoch)
    }
  }

  /// Calls the implementation that an object has for the selector, with the object as target; says whether there is one.
  private func send(to object: AnyObject) throws -> Bool {
    guard let implementation = try implementation(of: object) else { return false }
    try withExtendedLifetime(implementation) {
      try unsafe call(implementation.pointer, mayThrow: implementation.mayThrow, isRetained: implementation.returnsRetained, on: object)
    }
    return true
  }

  /// Calls code with another target, which this invocation never gets to see: the callee may use it.
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
    // Not as one block: that loads wide over words just written, which waits for them.
    let words = plan.argumentWords
    unsafe cffi_copy_words(copy + 8 * words.lowerBound, frame + 8 * words.lowerBound, words.count)
    unsafe slots[0].write(word: UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())), to: copy)
    if plan.resultAddressOffset >= 0 {
      // A result in memory is written where this invocation has it.
      unsafe copy.storeBytes(
        of: frame.load(fromByteOffset: plan.resultAddressOffset, as: UInt.self), toByteOffset: plan.resultAddressOffset, as: UInt.self)
    }
    unsafe core.execute(code, in: copy)
    if plan.resultAddressOffset < 0 { unsafe slots[count].copy(from: copy, to: frame) }
  }

  /// Gives an object the message as an invocation, and takes its result.
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
    // Up to here: the new owner of an object result takes it from the old one.
    withExtendedLifetime(invocation) {}
  }
}
