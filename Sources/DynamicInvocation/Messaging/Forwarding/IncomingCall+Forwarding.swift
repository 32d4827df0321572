extension IncomingCall {
  /// Passes the call on to other code of the same types, and returns its result to the caller.
  ///
  /// The arguments are passed unchanged: the registers and stack words are copied once. This is the fast path of
  /// forwarding. To inspect the call or to store it, create an invocation with ``makeInvocation(retainsArguments:)``.
  ///
  /// - Parameters:
  ///   - implementation: The code, as for ``Invocation/invoke(using:)``.
  ///   - target: The object to which a message is sent instead, or nil for the original target. It is kept alive until
  ///     the call returns.
  /// - Throws: `InvocationError` `typeMismatch` if a target is given and the call is not a message to an object, if
  ///   the implementation's types are known and not those of the call, or if the implementation is a method of another
  ///   class than the target's.
  /// - Complexity: O(bytes of the arguments), and the call; allocates only for frames of more than a kilobyte.
  public mutating func forward(to implementation: Implementation, target: AnyObject? = nil) throws(InvocationError) {
    if target != nil, !isMessageToObject { throw methodSignature.mismatch(AnyObject.self, .index(0)) }
    if !implementation.isOpaque { try require(implementation, target) }
    if isSet { clearResult() }
    let (incoming, result, returnsRetained) = unsafe (frame, result, returnsRetained)
    // The body of the closure retains the plan. A plan in a local variable would be retained and released.
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

  /// Throws unless the implementation accepts the types and the target, as far as its own are known.
  @inline(never)
  private func require(_ implementation: Implementation, _ target: AnyObject?) throws(InvocationError) {
    try unsafe implementation.requireTypes(body.methodSignature, nil)
    guard implementation.hasTargetType else { return }
    let given = target.map { UInt64(UInt(bitPattern: unsafe Unmanaged.passUnretained($0).toOpaque())) }
    let word = unsafe given ?? body.slots[0].word(of: frame)
    try unsafe implementation.requireTarget(at: word, MethodSelector.load(from: body.slots[1], of: UnsafeRawPointer(frame)))
  }

  @inline(__always)
  private static func pass(
    _ incoming: UnsafeMutableRawPointer, to implementation: Implementation, _ target: AnyObject?, _ plan: CallPlan, _ result: ResultPlace,
    _ returnsRetained: Bool, in memory: UnsafeMutableRawBufferPointer
  ) {
    let frame = unsafe memory.baseAddress.unsafelyUnwrapped
    unsafe plan.copyArguments(fromIncoming: incoming, to: frame)
    if let target { _ = unsafe ObjectReference.store(target, in: plan.slots[0], of: frame, keeping: false) }
    unsafe plan.call(implementation.pointer, frame: frame)
    withExtendedLifetime(target) {}
    withExtendedLifetime(implementation) {}
    if plan.result.kind == .object, implementation.returnsRetained != returnsRetained {
      // The caller's rule for who releases the object is different.
      if returnsRetained {
        _ = unsafe plan.result.retainReference(in: frame)
      } else {
        unsafe plan.result.releaseOwned(of: frame)
      }
    }
    unsafe result.copyResult(of: plan, from: frame, to: incoming)
  }

  /// Returns the call as an invocation, which can be changed, redirected, stored and invoked at any time.
  ///
  /// - Complexity: O(bytes of the arguments); allocates as a new invocation does, and a copy of each C string.
  public func makeInvocation() -> Invocation { unsafe makeInvocation(retainsArguments: true) }

  /// Returns the call as an invocation, which can be changed, redirected and invoked.
  ///
  /// - Parameter retainsArguments: Whether to retain the objects and copy the C strings. If false, the invocation must
  ///   not be used after the caller has released them, which may be as soon as this call returns.
  /// - Complexity: O(bytes of the arguments); allocates as a new invocation does, and a copy of each C string.
  @unsafe
  public func makeInvocation(retainsArguments: Bool) -> Invocation {
    let invocation = unsafe Invocation(methodSignature, retainsArguments: false)
    unsafe body.methodSignature.storage.plan.copyArguments(fromIncoming: frame, to: invocation.frame)
    for index in 0..<invocation.count { invocation.core.markSet(index) }
    if retainsArguments { invocation.retainArguments() }
    return invocation
  }

  /// Sets the result of the call to that of an invocation.
  ///
  /// A result of type `*` that is a part of a text of the invocation, which may free it before the caller reads it, is
  /// returned as the same part of the caller's text.
  ///
  /// - Throws: `InvocationError` `typeMismatch` if the invocation has other types, or if its result is a part of
  ///   a text that the caller does not have, for example of an argument that was replaced; `noReturnValue` if it has no
  ///   result.
  public mutating func setReturnValue(of invocation: Invocation) throws(InvocationError) {
    guard methodSignature.carries(invocation.methodSignature) else {
      throw InvocationError(
        .typeMismatch, "an invocation of '\(invocation.methodSignature)' has no result for '\(methodSignature)'", argument: .result)
    }
    guard invocation.hasReturnValue else { throw methodSignature.noResult() }
    if let argument = invocation.core.argumentOfResult {
      let text = try invocation.textOfResult(argument, in: unsafe body.slots[argument].word(of: frame))
      unsafe replaceResult { slot, memory in unsafe slot.write(word: text, to: memory) }
      return
    }
    unsafe replaceResult { slot, memory in
      unsafe invocation.slots[invocation.count].withValue(in: invocation.frame) { unsafe slot.write(from: $0, to: memory) }
    }
  }

  /// Whether the call is a message whose target is an object.
  private var isMessageToObject: Bool { unsafe body.methodSignature.isMethod && body.slots[0].kind == .object }
}

extension Invocation {
  /// Returns the result, a part of the text of an argument, as a part of the caller's text of that argument.
  ///
  /// - Parameters:
  ///   - argument: The index of the argument.
  ///   - text: The address of the caller's text.
  /// - Throws: `InvocationError` `typeMismatch` if the caller does not have the text.
  func textOfResult(_ argument: Int, in text: UInt64) throws(InvocationError) -> UInt64 {
    defer { keepAlive() }
    // A buffer for output is not necessarily a text.
    guard methodSignature.types.arguments[argument].qualifiers.isDisjoint(with: [.out, .inout]),
      let part = unsafe core.result(in: UnsafePointer(bitPattern: UInt(text)))
    else {
      throw InvocationError(.typeMismatch, "the invocation owns the text, and a result does not own the memory of a string")
        .placed(.result, methodSignature.returnType)
    }
    return part
  }
}
