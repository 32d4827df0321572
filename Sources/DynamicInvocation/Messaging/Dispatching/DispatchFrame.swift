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

  init(_ memory: UnsafeMutableRawPointer, _ plan: CallPlan, capturesErrno: Bool) {
    unsafe self.memory = memory
    unsafe self.plan = .passUnretained(plan)
    self.capturesErrno = capturesErrno
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

  /// The result as a boxed value.
  func boxedResult(as type: TypeEncoding) -> BoxedValue { unsafe BoxedValue(in: result, of: memory, as: type) }

  /// Sets the result to zero.
  func clearResult() { unsafe result.clear(in: memory) }
}
