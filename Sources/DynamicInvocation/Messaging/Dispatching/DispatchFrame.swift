/// A frame for calling implementers one after the other.
///
/// The target is set to each of them in turn; the frame has the result of the last call.
@safe
struct DispatchFrame {
  /// The memory of the frame, with all arguments except the target.
  let memory: UnsafeMutableRawPointer
  /// The plan of the call, which the owner of the frame retains.
  private let plan: Unmanaged<CallPlan>
  /// Whether a call stores the callee's `errno`.
  let capturesErrno: Bool
  /// The address of the invocation that was sent to the dispatcher.
  let sent: UnsafeRawPointer

  init(_ memory: UnsafeMutableRawPointer, _ plan: CallPlan, capturesErrno: Bool, sent: UnsafeRawPointer) {
    unsafe self.memory = memory
    unsafe self.plan = .passUnretained(plan)
    self.capturesErrno = capturesErrno
    unsafe self.sent = sent
  }

  /// The slot of the result.
  var result: FrameSlot { unsafe plan._withUnsafeGuaranteedRef { $0.result } }

  /// Sets the target.
  func setTarget(_ object: Unmanaged<AnyObject>) {
    unsafe plan._withUnsafeGuaranteedRef { plan in
      unsafe memory.storeBytes(of: UInt(bitPattern: object.toOpaque()), toByteOffset: plan.targetOffset, as: UInt.self)
    }
  }

  /// Calls code with the arguments.
  ///
  /// - Returns: The callee's `errno`, if it is captured.
  func call(_ code: UnsafeRawPointer, mayThrow: Bool) throws -> CInt {
    guard mayThrow else { return unsafe call(code) }
    var errno: CInt = 0
    try ErrorPlace.rethrow { errno = unsafe call(code) }
    return errno
  }

  private func call(_ code: UnsafeRawPointer) -> CInt {
    unsafe plan._withUnsafeGuaranteedRef { plan in
      if capturesErrno { return unsafe plan.callCapturingErrno(code, frame: memory) }
      unsafe plan.call(code, frame: memory)
      return 0
    }
  }

  /// Returns an invocation of the call, for the duration of the call: the sender keeps the arguments alive.
  ///
  /// - Parameter methodSignature: The types of the protocol's method, which the frame carries.
  func makeInvocation(_ methodSignature: MethodSignature) -> Invocation {
    let invocation = unsafe Invocation(methodSignature, retainsArguments: false)
    for index in 0..<invocation.count {
      unsafe invocation.slots[index].copy(from: memory, to: invocation.frame)
      invocation.core.markSet(index)
    }
    // An object that the message is passed to may store the invocation that it gets.
    invocation.core.state.forwardsRetained = true
    invocation.capturesErrno = capturesErrno
    return invocation
  }

  /// Takes over the result of an invocation; an object is retained for the caller.
  ///
  /// - Throws: `InvocationError` `typeMismatch` for a C string that the invocation owns and the sender does not have.
  func takeResult(of invocation: Invocation) throws(InvocationError) {
    defer { invocation.keepAlive() }
    guard invocation.hasReturnValue else { return clearResult() }
    let slot = result
    if let argument = invocation.core.argumentOfResult {
      let text = try invocation.textOfResult(argument, in: unsafe invocation.slots[argument].word(of: memory))
      return unsafe slot.write(word: text, to: memory)
    }
    unsafe slot.copy(from: invocation.frame, to: memory)
    if slot.kind == .object { _ = unsafe slot.retainReference(in: memory) }
  }

  /// The result as a boxed value.
  func boxedResult(as type: TypeEncoding) -> BoxedValue { unsafe BoxedValue(in: result, of: memory, as: type) }

  /// Sets the result to zero.
  func clearResult() { unsafe result.clear(in: memory) }
}
