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
      if implementation.hasTargetType { checkTarget(&writer) }
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
    if let wrong { throw wrongArgument(wrong.index, wrong.type) }
  }

  /// Marks the target as wrong that the writer has written, unless it is of the class whose method the function is.
  @usableFromInline
  func checkTarget(_ writer: inout FrameWriter) {
    guard writer.wrong < 0, methodSignature.isMethod else { return }
    let word = unsafe writer.slots[0].word(of: writer.frame)
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(word)) else { return }
    let type: AnyClass = unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef { Swift.type(of: $0) }
    do throws(InvocationError) { try implementation.requireTarget(type, nil) } catch {
      writer.wrong = 0
      writer.wrongType = type
    }
  }

  /// Throws unless the first argument is of the class whose method the function is, if it is one.
  @inlinable
  func checkTarget<each Argument: EncodedValue>(_ arguments: repeat each Argument) throws(InvocationError) {
    guard implementation.hasTargetType else { return }
    for argument in repeat each arguments {
      var word: UInt64 = 0
      unsafe withUnsafeMutableBytes(of: &word) { bytes in
        _ = unsafe argument.store(in: Slot(wordOf: .object), of: bytes.baseAddress.unsafelyUnwrapped, keeping: false)
      }
      return try implementation.requireTarget(at: word, nil)
    }
  }

  /// The error of an argument of a wrong type, or of a target of a wrong class.
  @usableFromInline
  func wrongArgument(_ index: Int, _ type: Any.Type) -> InvocationError {
    if index == 0, let found = type as? AnyClass {
      do throws(InvocationError) { try implementation.requireTarget(found, nil) } catch { return error }
    }
    return methodSignature.mismatch(type, .index(index))
  }
}
