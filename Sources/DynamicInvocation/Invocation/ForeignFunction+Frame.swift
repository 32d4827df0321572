extension ForeignFunction {
  /// Calls with arguments that a closure writes, and returns the result.
  @inlinable @inline(__always)
  func call<Result: EncodedValue>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    let slot = try resultSlot(of: type)
    var result: Swift.Result<Result, InvocationError>?
    try unsafe call(count, write) { frame in result = unsafe slot.value(as: type, of: frame) }
    // The frame was lent: the call would have thrown otherwise.
    return try unsafe self.result(result.unsafelyUnwrapped)
  }

  /// Calls with arguments that a closure writes, and drops the result.
  @inlinable @inline(__always)
  func call(_ count: Int, _ write: (inout FrameWriter) -> Void) throws(InvocationError) {
    try unsafe call(count, write) { _ in }
  }

  /// Calls with arguments some of which are the addresses of variables, and returns the result.
  ///
  /// Not inlined: more than a hundred overloads call it, and each of them would hold a copy of the call.
  @inline(never) @usableFromInline
  func callWithPlaces<Result: EncodedValue>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    try call(count, returning: type, write)
  }

  /// Calls with arguments some of which are the addresses of variables, and drops the result.
  @inline(never) @usableFromInline
  func callWithPlaces(_ count: Int, _ write: (inout FrameWriter) -> Void) throws(InvocationError) {
    try call(count, write)
  }

  /// Builds a frame on the stack, calls, and lends the frame for reading the result.
  @inlinable @inline(__always)
  func call(
    _ count: Int, _ write: (inout FrameWriter) -> Void, _ read: (UnsafeRawPointer) -> Void
  ) throws(InvocationError) {
    let plan = methodSignature.storage.plan
    guard plan.count == count else { throw countMismatch(count) }
    let failure: UnsafeMutableRawPointer? = unsafe withUnsafeTemporaryAllocation(
      byteCount: plan.frameSize, alignment: plan.frameAlignment
    ) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      var writer = unsafe FrameWriter(methodSignature, plan, frame)
      write(&writer)
      if implementation.hasTargetType { checkTarget(&writer) }
      if let failure = unsafe writer.failureBits {
        writer.release()
        return unsafe failure
      }
      unsafe plan.prepare(frame)
      withExtendedLifetime(self) { unsafe plan.call(implementation.pointer, frame: frame) }
      // Read first: the result may point into an argument.
      unsafe read(UnsafeRawPointer(frame))
      writer.release()
      return nil
    }
    if let failure = unsafe failure { throw unsafe error(failure) }
  }

  /// The error that a writer has noted.
  @inline(never) @usableFromInline
  func error(_ bits: UnsafeMutableRawPointer) -> InvocationError { named(unsafe InvocationError(retainedBits: bits)) }

  /// Fails with the error of the target that the writer has written, unless it is of the class whose method the function is.
  @inline(never) @usableFromInline
  func checkTarget(_ writer: inout FrameWriter) {
    guard !writer.hasFailed, methodSignature.isMethod else { return }
    do throws(InvocationError) {
      try implementation.requireTarget(at: unsafe writer.slots[0].word(of: writer.frame), nil)
    } catch {
      writer.fail(error)
    }
  }
}
