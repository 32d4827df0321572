/// A C function, for example of a shared library, with its signature.
///
/// It is called like a Swift function.
///
///     let pow = try DynamicLibrary("libm.so.6").function("pow", types: "ddd")
///     let y: Double = try pow(2.0, 10.0)
///
/// Copies of the function keep the library loaded. A function may be called from any thread.
public struct ForeignFunction: Sendable {
  /// The code; it keeps its library loaded.
  public let implementation: Implementation

  /// The types of the arguments and the result.
  public let methodSignature: MethodSignature

  /// The symbol, if the function comes from a ``DynamicLibrary``; nil otherwise.
  ///
  /// Errors contain it.
  public var name: String? { implementation.symbolName }

  /// Creates a function from its code and its types.
  ///
  /// - Parameters:
  ///   - implementation: The code. If it was created from an address without types, they must match the code.
  ///   - methodSignature: The types of a plain function, or of a method with its target and selector.
  /// - Throws: `InvocationError` `typeMismatch` when the implementation's types are known and differ.
  @inlinable
  public init(_ implementation: Implementation, _ methodSignature: MethodSignature) throws(InvocationError) {
    if !implementation.isOpaque && !implementation.isPlain(for: methodSignature.storage) {
      try implementation.requireTypes(of: methodSignature)
    }
    self.implementation = implementation
    self.methodSignature = methodSignature
  }

  /// Returns an invocation of the function with no argument set.
  ///
  /// It retains objects and copies C strings when they are set.
  public func makeInvocation() -> Invocation { unsafe makeInvocation(retainsArguments: true) }

  /// Returns an invocation of the function with no argument set.
  ///
  /// - Parameter retainsArguments: Whether to retain objects and copy C strings, as for
  ///   ``Invocation/init(_:retainsArguments:)``.
  @unsafe
  public func makeInvocation(retainsArguments: Bool) -> Invocation {
    let invocation = unsafe Invocation(methodSignature, retainsArguments: retainsArguments)
    invocation.implementation = implementation
    return invocation
  }
}

extension ForeignFunction {
  /// Calls with arguments that a closure writes, and returns the result.
  @inlinable @inline(__always)
  func call<Result: CallResult>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    guard methodSignature.storage.plan.hasSmallFrame else { return try callInLargeFrame(count, returning: type, write) }
    try requireResult(type)
    var result: Swift.Result<Result, InvocationError>?
    try unsafe callInSmallFrame(count, write) { frame in result = unsafe type.result(of: methodSignature, from: frame) }
    // The result was read from the frame: otherwise the call would have thrown.
    return try unsafe self.result(result.unsafelyUnwrapped)
  }

  /// Calls with arguments that a closure writes, and discards the result.
  @inlinable @inline(__always)
  func call(_ count: Int, _ write: (inout FrameWriter) -> Void) throws(InvocationError) {
    guard methodSignature.storage.plan.hasSmallFrame else { return try callInLargeFrame(count, write) }
    try unsafe callInSmallFrame(count, write) { _ in }
  }

  /// Calls with arguments some of which are the addresses of variables, literals or of another type, and returns the
  /// result.
  ///
  /// Not inlined: more than a hundred overloads call it, and each would contain a copy of the call.
  @inline(never) @usableFromInline
  func callWithPlaces<Result: CallResult>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    try call(count, returning: type, write)
  }

  /// Calls with arguments some of which are the addresses of variables, literals or of another type, and discards the
  /// result.
  @inline(never) @usableFromInline
  func callWithPlaces(_ count: Int, _ write: (inout FrameWriter) -> Void) throws(InvocationError) {
    try call(count, write)
  }

  /// Builds a small frame on the stack, calls, and passes the frame to a closure that reads the result.
  @inlinable @inline(__always)
  func callInSmallFrame(
    _ count: Int, _ write: (inout FrameWriter) -> Void, _ read: (UnsafeRawPointer) -> Void
  ) throws(InvocationError) {
    guard methodSignature.storage.plan.count == count else { throw countMismatch(count) }
    // The size is a compile-time constant, so the stack memory is reserved without a check at run time.
    let failure = unsafe withUnsafeTemporaryAllocation(
      byteCount: CallPlan.smallFrame + 10 * MemoryLayout<FrameWriter.Note>.stride, alignment: 16
    ) { memory in
      unsafe call(in: memory.baseAddress.unsafelyUnwrapped, notes: memory.baseAddress.unsafelyUnwrapped + CallPlan.smallFrame, write, read)
    }
    if let failure = unsafe failure { throw unsafe error(failure) }
  }

  /// Calls with a frame of any size, and returns the result.
  @inline(never) @usableFromInline
  func callInLargeFrame<Result: CallResult>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    try requireResult(type)
    var result: Swift.Result<Result, InvocationError>?
    try unsafe callInLargeFrame(count, write) { frame in result = unsafe type.result(of: methodSignature, from: frame) }
    return try unsafe self.result(result.unsafelyUnwrapped)
  }

  /// Calls with a frame of any size, and discards the result.
  @inline(never) @usableFromInline
  func callInLargeFrame(_ count: Int, _ write: (inout FrameWriter) -> Void) throws(InvocationError) {
    try unsafe callInLargeFrame(count, write) { _ in }
  }

  /// Builds a frame of any size on the stack, calls, and passes the frame to a closure that reads the result.
  private func callInLargeFrame(
    _ count: Int, _ write: (inout FrameWriter) -> Void, _ read: (UnsafeRawPointer) -> Void
  ) throws(InvocationError) {
    let plan = methodSignature.storage.plan
    guard plan.count == count else { throw countMismatch(count) }
    let failure = unsafe withUnsafeTemporaryAllocation(
      byteCount: plan.frameSize + count * MemoryLayout<FrameWriter.Note>.stride, alignment: plan.frameAlignment
    ) { memory in
      unsafe call(in: memory.baseAddress.unsafelyUnwrapped, notes: memory.baseAddress.unsafelyUnwrapped + plan.frameSize, write, read)
    }
    if let failure = unsafe failure { throw unsafe error(failure) }
  }

  /// Calls with a frame.
  ///
  /// Returns an error in the form that ``error(_:)`` takes, or null.
  @inlinable @inline(__always)
  func call(
    in frame: UnsafeMutableRawPointer, notes: UnsafeMutableRawPointer, _ write: (inout FrameWriter) -> Void,
    _ read: (UnsafeRawPointer) -> Void
  ) -> UnsafeMutableRawPointer? {
    let plan = methodSignature.storage.plan
    var writer = unsafe FrameWriter(methodSignature, plan, frame, notes: notes)
    write(&writer)
    if writer.wrong != 0 || implementation.hasTargetType, let failure = unsafe self.failure(of: &writer) {
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

  /// Checks the noted arguments and the target.
  ///
  /// Returns the error, or null when the call can proceed.
  @inline(never) @usableFromInline
  func failure(of writer: inout FrameWriter) -> UnsafeMutableRawPointer? {
    if implementation.hasTargetType { checkTarget(&writer) } else { writer.repair() }
    return unsafe writer.failureBits
  }

  /// Converts the error that a writer has noted, and takes ownership of it.
  @inline(never) @usableFromInline
  func error(_ bits: UnsafeMutableRawPointer) -> InvocationError { named(unsafe InvocationError(retainedBits: bits)) }

  /// Notes an error unless the target that the writer has written is an instance of the class whose method the function
  /// is.
  func checkTarget(_ writer: inout FrameWriter) {
    writer.repair()
    guard !writer.hasFailed, methodSignature.isMethod else { return }
    do throws(InvocationError) {
      try implementation.requireTarget(at: unsafe writer.slots[0].word(of: writer.frame), nil)
    } catch {
      writer.fail(error, at: 0)
    }
  }
}
