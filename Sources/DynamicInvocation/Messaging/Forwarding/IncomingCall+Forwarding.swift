extension IncomingCall {
  /// Passes the call on to other code of the same types, and its result back to the caller.
  ///
  /// The arguments go as they came: one copy of the registers and stack words. This is the quick way of forwarding; to look at the call or to keep it,
  /// make an invocation of it with ``makeInvocation(retainsArguments:)``.
  ///
  /// - Parameters:
  ///   - implementation: The code, as for ``Invocation/invoke(using:)``.
  ///   - target: The object that a message goes to instead, or nil for the one that it was sent to. It lives until the call returns.
  /// - Throws: ``InvocationError`` `typeMismatch` for a target when the call is no message to an object, and when the implementation's types are
  ///   known and not those of the call, or it is a method of another class than the target's.
  /// - Complexity: O(bytes of the arguments), and the call; nothing is allocated, save for frames of more than a kilobyte.
  public mutating func forward(to implementation: Implementation, target: AnyObject? = nil) throws(InvocationError) {
    if target != nil, !isMessageToObject { throw methodSignature.mismatch(AnyObject.self, .index(0)) }
    if !implementation.isOpaque { try require(implementation, target) }
    if isSet { clearResult() }
    let (incoming, result, returnsRetained) = unsafe (frame, result, returnsRetained)
    // The body of the closure holds the plan; a plan held in a variable would be retained and released.
    unsafe Unmanaged.passUnretained(body.methodSignature.storage.plan)._withUnsafeGuaranteedRef { plan in
      if plan.hasSmallFrame {
        unsafe withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) { memory in
          unsafe Self.pass(incoming, to: implementation, target, plan, result, returnsRetained, in: memory)
        }
      } else {
        unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) { memory in
          unsafe Self.pass(incoming, to: implementation, target, plan, result, returnsRetained, in: memory)
        }
      }
    }
    isSet = true
  }

  /// Throws unless the types and the target are the implementation's, as far as they are known.
  @inline(never)
  private func require(_ implementation: Implementation, _ target: AnyObject?) throws(InvocationError) {
    try unsafe implementation.requireTypes(body.methodSignature, nil)
    guard implementation.hasTargetType else { return }
    let given = target.map { UInt64(UInt(bitPattern: unsafe Unmanaged.passUnretained($0).toOpaque())) }
    let word = unsafe given ?? body.slots[0].word(of: frame)
    try unsafe implementation.requireTarget(at: word, Selector.load(from: body.slots[1], of: UnsafeRawPointer(frame)))
  }

  @inline(__always)
  private static func pass(
    _ incoming: UnsafeMutableRawPointer, to implementation: Implementation, _ target: AnyObject?, _ plan: CallPlan, _ result: ResultPlace,
    _ returnsRetained: Bool, in memory: UnsafeMutableRawBufferPointer
  ) {
    let frame = unsafe memory.baseAddress.unsafelyUnwrapped
    unsafe plan.copyArguments(from: IncomingFrame(memory: incoming), to: frame)
    if let target { _ = unsafe ObjectReference.store(target, in: plan.slots[0], of: frame, keeping: false) }
    unsafe plan.call(implementation.pointer, frame: frame)
    withExtendedLifetime(target) {}
    withExtendedLifetime(implementation) {}
    if plan.result.kind == .object, implementation.returnsRetained != returnsRetained {
      // The caller has its own rule of who releases the object.
      if returnsRetained {
        _ = unsafe ObjectReference.retain(in: plan.result, of: frame)
      } else {
        unsafe plan.result.releaseOwned(of: frame)
      }
    }
    unsafe result.copyResult(of: plan, from: frame, to: incoming)
  }

  /// Returns the call as an invocation, which can be changed, redirected, kept and invoked at any time.
  ///
  /// - Complexity: O(bytes of the arguments); allocates as a new invocation does, and a copy of each C string.
  public func makeInvocation() -> Invocation { unsafe makeInvocation(retainsArguments: true) }

  /// Returns the call as an invocation, which can be changed, redirected and invoked.
  ///
  /// - Parameter retainsArguments: Whether to keep the objects and copy the C strings. Without it they live no longer than the caller keeps them,
  ///   which need not be longer than this call: nobody may use the invocation afterwards.
  /// - Complexity: O(bytes of the arguments); allocates as a new invocation does, and a copy of each C string.
  @unsafe
  public func makeInvocation(retainsArguments: Bool) -> Invocation {
    let invocation = unsafe Invocation(methodSignature, retainsArguments: false)
    unsafe body.methodSignature.storage.plan.copyArguments(from: IncomingFrame(memory: frame), to: invocation.frame)
    for index in 0..<invocation.count { invocation.core.markSet(index) }
    if retainsArguments { invocation.retainArguments() }
    return invocation
  }

  /// Gives the caller the result of an invocation.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch` when the invocation's signature is another, and `noReturnValue` when it has no result.
  public mutating func setReturnValue(of invocation: Invocation) throws(InvocationError) {
    guard invocation.methodSignature == methodSignature else {
      throw InvocationError(
        .typeMismatch, "an invocation of '\(invocation.methodSignature)' has no result for '\(methodSignature)'", argument: .result)
    }
    guard invocation.hasReturnValue else { throw methodSignature.noResult() }
    unsafe replaceResult { slot, memory in
      unsafe invocation.slots[invocation.count].withValue(in: invocation.frame) { unsafe slot.write(from: $0, to: memory) }
    }
  }

  /// Whether argument 0 is an object that a message goes to.
  private var isMessageToObject: Bool { unsafe body.methodSignature.isMethod && body.slots[0].kind == .object }
}
