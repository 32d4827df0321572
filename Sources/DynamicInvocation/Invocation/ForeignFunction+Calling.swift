extension ForeignFunction {
  /// Calls the function and returns its result.
  ///
  /// A string is copied for the time of the call. An object is passed and returned as `Unmanaged`, with no change to its reference count.
  ///
  /// - Parameters:
  ///   - arguments: One value for each argument, of its type.
  ///   - type: The type of the result; mostly it follows from the context.
  /// - Throws: ``InvocationError`` `countMismatch`, `typeMismatch`, and `nullNotAllowed` when the result is null and its type is no optional.
  /// - Complexity: The call. Nothing is allocated, save for strings and for frames of more than a kilobyte.
  @inlinable
  public func callAsFunction<each Argument: EncodedValue, Result: EncodedValue>(
    _ arguments: repeat each Argument, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try check(repeat (each Argument).self)
    try checkTarget(repeat each arguments)
    let slot = methodSignature.storage.plan.result
    guard Result.accepts(slot.kind) else { throw methodSignature.mismatch(Result.self, .result) }
    return try unsafe perform(repeat each arguments, errno: nil) { frame in unsafe slot.value(as: type, of: frame) }.get()
  }

  /// Calls the function and drops its result, if it has one.
  ///
  /// - Throws: ``InvocationError`` `countMismatch`, `typeMismatch`.
  /// - Complexity: The call. Nothing is allocated, save for strings and for frames of more than a kilobyte.
  @inlinable
  public func callAsFunction<each Argument: EncodedValue>(_ arguments: repeat each Argument) throws(InvocationError) {
    try check(repeat (each Argument).self)
    try checkTarget(repeat each arguments)
    unsafe perform(repeat each arguments, errno: nil) { _ in }
  }

  /// Calls the function and returns its result together with the `errno` it left.
  ///
  /// `errno` is cleared before the call and read at once after it, before anything else can change it.
  ///
  /// - Throws: ``InvocationError`` `countMismatch`, `typeMismatch`, and `nullNotAllowed` when the result is null and its type is no optional.
  @inlinable
  public func capturingErrno<each Argument: EncodedValue, Result: EncodedValue>(
    _ arguments: repeat each Argument, as type: Result.Type = Result.self
  ) throws(InvocationError) -> (result: Result, errno: CInt) {
    try check(repeat (each Argument).self)
    try checkTarget(repeat each arguments)
    let slot = methodSignature.storage.plan.result
    guard Result.accepts(slot.kind) else { throw methodSignature.mismatch(Result.self, .result) }
    var code: CInt = 0
    let result = unsafe perform(repeat each arguments, errno: &code) { frame in unsafe slot.value(as: type, of: frame) }
    return (try result.get(), code)
  }

  /// Compares the number and the types of the arguments with the signature's.
  @inlinable
  func check<each Argument: EncodedValue>(_ types: repeat (each Argument).Type) throws(InvocationError) {
    let plan = methodSignature.storage.plan
    var index = 0
    for type in repeat each types {
      guard index < plan.count else { break }
      guard type.accepts(unsafe plan.slots[index].kind) else { throw methodSignature.mismatch(type, .index(index)) }
      index += 1
    }
    var given = 0
    for _ in repeat each types { given += 1 }
    guard given == plan.count else { throw countMismatch(given) }
  }

  /// Builds a frame on the stack from checked arguments, calls, and reads the result.
  @inlinable
  func perform<each Argument: EncodedValue, Result>(
    _ arguments: repeat each Argument, errno: UnsafeMutablePointer<CInt>?, read: (UnsafeRawPointer) -> Result
  ) -> Result {
    let plan = methodSignature.storage.plan
    return unsafe withUnsafeTemporaryAllocation(byteCount: plan.blockSize, alignment: plan.frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      var ownsAny = false
      var index = 0
      for argument in repeat each arguments {
        let owns = unsafe argument.store(in: plan.slots[index], of: frame, keeping: false)
        if owns {
          if !ownsAny { unsafe plan.clearBits(in: frame) }
          ownsAny = true
          unsafe plan.markOwned(index, in: frame)
        }
        index += 1
      }
      unsafe plan.prepare(frame)
      withExtendedLifetime(self) {
        if let errno = unsafe errno {
          unsafe errno.pointee = plan.callCapturingErrno(implementation.pointer, frame: frame)
        } else {
          unsafe plan.call(implementation.pointer, frame: frame)
        }
      }
      // Read first: the result may point into an argument.
      let result = unsafe read(UnsafeRawPointer(frame))
      if ownsAny { unsafe plan.releaseOwned(in: frame) }
      return result
    }
  }

  @usableFromInline
  func countMismatch(_ given: Int) -> InvocationError {
    InvocationError(
      .countMismatch, "\(given) arguments given, the signature '\(methodSignature)' takes \(methodSignature.numberOfArguments)")
  }
}
