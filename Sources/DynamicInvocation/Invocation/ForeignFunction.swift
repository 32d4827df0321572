/// A function of a shared library, or any C function, with its signature: called like a Swift function.
///
///     let pow = try DynamicLibrary("libm.so.6").function("pow", types: "ddd")
///     let y: Double = try pow(2.0, 10.0)
///
/// A copy keeps the library loaded. A function may be called from any thread.
public struct ForeignFunction: Sendable {
  /// The code, which keeps its library alive.
  public let implementation: Implementation

  /// The types.
  public let methodSignature: MethodSignature

  /// The symbol of a function of a ``DynamicLibrary``, which its errors name; nil for any other.
  public var name: String? { implementation.symbolName }

  /// Creates a function from its code and its types.
  ///
  /// - Parameters:
  ///   - implementation: The code. Whoever made it of an address without saying its types has promised that these are them.
  ///   - methodSignature: The types of a plain function, or of a method with its target and selector.
  /// - Throws: ``InvocationError`` `typeMismatch` when the implementation's types are known and others.
  @inlinable
  public init(_ implementation: Implementation, _ methodSignature: MethodSignature) throws(InvocationError) {
    if !implementation.isOpaque && !implementation.isPlain(for: methodSignature.storage) {
      try implementation.requireTypes(of: methodSignature)
    }
    self.implementation = implementation
    self.methodSignature = methodSignature
  }

  /// Returns an invocation of the function, its arguments not set, which keeps them as they are set.
  public func makeInvocation() -> Invocation { unsafe makeInvocation(retainsArguments: true) }

  /// Returns an invocation of the function, its arguments not set.
  ///
  /// - Parameter retainsArguments: Whether to keep objects and copy C strings, as for ``Invocation/init(_:retainsArguments:)``.
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
  func call<Result: EncodedValue>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    guard methodSignature.storage.plan.hasSmallFrame else { return try callInLargeFrame(count, returning: type, write) }
    let slot = try resultSlot(of: type)
    var result: Swift.Result<Result, InvocationError>?
    try unsafe callInSmallFrame(count, write) { frame in result = unsafe slot.value(as: type, of: frame) }
    // The frame was lent: the call would have thrown otherwise.
    return try unsafe self.result(result.unsafelyUnwrapped)
  }

  /// Calls with arguments that a closure writes, and drops the result.
  @inlinable @inline(__always)
  func call(_ count: Int, _ write: (inout FrameWriter) -> Void) throws(InvocationError) {
    guard methodSignature.storage.plan.hasSmallFrame else { return try callInLargeFrame(count, write) }
    try unsafe callInSmallFrame(count, write) { _ in }
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

  /// Builds a small frame on the stack, calls, and lends the frame for reading the result.
  @inlinable @inline(__always)
  func callInSmallFrame(
    _ count: Int, _ write: (inout FrameWriter) -> Void, _ read: (UnsafeRawPointer) -> Void
  ) throws(InvocationError) {
    guard methodSignature.storage.plan.count == count else { throw countMismatch(count) }
    // A size known at compile time makes room on the stack without a decision at run time.
    let failure = unsafe withUnsafeTemporaryAllocation(
      byteCount: CallPlan.smallFrame + 10 * MemoryLayout<FrameWriter.Note>.stride, alignment: 16
    ) { memory in
      unsafe call(in: memory.baseAddress.unsafelyUnwrapped, notes: memory.baseAddress.unsafelyUnwrapped + CallPlan.smallFrame, write, read)
    }
    if let failure = unsafe failure { throw unsafe error(failure) }
  }

  /// Calls with a frame of any size, and returns the result.
  @inline(never) @usableFromInline
  func callInLargeFrame<Result: EncodedValue>(
    _ count: Int, returning type: Result.Type, _ write: (inout FrameWriter) -> Void
  ) throws(InvocationError) -> Result {
    let slot = try resultSlot(of: type)
    var result: Swift.Result<Result, InvocationError>?
    try unsafe callInLargeFrame(count, write) { frame in result = unsafe slot.value(as: type, of: frame) }
    return try unsafe self.result(result.unsafelyUnwrapped)
  }

  /// Calls with a frame of any size, and drops the result.
  @inline(never) @usableFromInline
  func callInLargeFrame(_ count: Int, _ write: (inout FrameWriter) -> Void) throws(InvocationError) {
    try unsafe callInLargeFrame(count, write) { _ in }
  }

  /// Builds a frame of any size on the stack, calls, and lends the frame for reading the result.
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

  /// Calls with a frame; returns an error as ``error(_:)`` takes it, or null.
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

  /// The error of an argument that the writer has noted, or of the target; null when the call may go on.
  @inline(never) @usableFromInline
  func failure(of writer: inout FrameWriter) -> UnsafeMutableRawPointer? {
    if implementation.hasTargetType { checkTarget(&writer) } else { writer.repair() }
    return unsafe writer.failureBits
  }

  /// The error that a writer has noted, which it has no more.
  @inline(never) @usableFromInline
  func error(_ bits: UnsafeMutableRawPointer) -> InvocationError { named(unsafe InvocationError(retainedBits: bits)) }

  /// Fails with the error of the target that the writer has written, unless it is of the class whose method the function is.
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
