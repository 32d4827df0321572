extension ForeignFunction {
  /// Calls with arguments that a closure writes, and returns the result.
  @inlinable @inline(__always)
  func call<Result: EncodedValue>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    let slot = methodSignature.storage.plan.result
    guard Result.accepts(slot.kind) else { throw methodSignature.mismatch(type, .result) }
    var result: Swift.Result<Result, InvocationError>?
    try unsafe call(count, write) { frame in result = unsafe slot.value(as: type, of: frame) }
    // The frame was lent: the call would have thrown otherwise.
    return try unsafe result.unsafelyUnwrapped.get()
  }

  /// Calls with arguments that a closure writes, and drops the result.
  @inlinable @inline(__always)
  func call(_ count: Int, _ write: (inout FrameWriter) -> Void) throws(InvocationError) {
    try unsafe call(count, write) { _ in }
  }

  /// Builds a frame on the stack, calls, and lends the frame for reading the result.
  @inlinable @inline(__always)
  func call(
    _ count: Int, _ write: (inout FrameWriter) -> Void, _ read: (UnsafeRawPointer) -> Void
  ) throws(InvocationError) {
    let plan = methodSignature.storage.plan
    guard plan.count == count else { throw countMismatch(count) }
    let wrong: (index: Int, type: Any.Type)? = unsafe withUnsafeTemporaryAllocation(
      byteCount: plan.frameSize, alignment: plan.frameAlignment
    ) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      var writer = unsafe FrameWriter(plan.slots, frame)
      write(&writer)
      if writer.wrong >= 0 {
        writer.release()
        return (writer.wrong, writer.wrongType)
      }
      unsafe plan.prepare(frame)
      withExtendedLifetime(self) { unsafe plan.call(implementation.pointer, frame: frame) }
      // Read first: the result may point into an argument.
      unsafe read(UnsafeRawPointer(frame))
      writer.release()
      return nil
    }
    if let wrong { throw methodSignature.mismatch(wrong.type, .index(wrong.index)) }
  }
}
