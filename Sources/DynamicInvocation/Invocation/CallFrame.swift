/// The frame of one call, on the stack: an invocation without its object.
///
///     let sum = try signature.withFrame { frame in
///       try frame.setArgument(2, at: 0)
///       try frame.setArgument(boxed: value, at: 1)
///       try frame.invoke(using: implementation)
///       return try frame.returnValue(as: Int.self)
///     }
///
/// The frame is borrowed: it is valid until the closure returns, and it cannot be copied, so it cannot be stored.
/// Indices, types and unset arguments are checked with the rules and the errors of an
/// ``Invocation``. C strings are copied, and objects are retained unless that is turned off. The copies are freed and
/// the objects released when the closure returns.
@safe
public struct CallFrame: ~Copyable {
  @usableFromInline let core: FrameCore
  @usableFromInline let slots: UnsafePointer<FrameSlot>
  @usableFromInline let count: Int

  /// Creates a frame on the stack.
  ///
  /// - Parameters:
  ///   - signature: The types of the call.
  ///   - retainsObjects: Whether objects are retained.
  ///   - memory: ``FrameCore/smallBlock`` bytes aligned to 16, not necessarily initialized.
  @inlinable @inline(__always)
  init(_ signature: PlannedSignature, retainsObjects: Bool, in memory: UnsafeMutableRawPointer) {
    unsafe slots = signature.plan.slots
    count = signature.plan.count
    core = signature.fitsSmallBlock ? unsafe FrameCore(small: signature, in: memory) : unsafe FrameCore(signature, in: memory)
    core.state.retainsObjects = retainsObjects
  }

  /// The types of the call.
  public var methodSignature: MethodSignature { core.methodSignature }

  /// Whether there is a result.
  public var hasReturnValue: Bool { core.state.hasResult }

  /// The types of the frame: `frame of 'ddd'`.
  public var description: String { "frame of '\(methodSignature.types.shortText.escaped)'" }
}

extension CallFrame {
  /// Sets an argument from a value of its type; as `Invocation.setArgument(_:at:)` does.
  @inlinable @inline(__always)
  public func setArgument<Value: EncodedValue>(_ value: Value, at index: Int) throws(InvocationError) {
    try unsafe core.set(value, at: index, slots, count)
  }

  /// Sets an argument to an object, a class, or null, as an ``Invocation`` does.
  public func setArgument(_ object: AnyObject?, at index: Int) throws(InvocationError) { try core.set(object: object, at: index) }

  /// Sets an argument from a boxed value; see ``Invocation/setArgument(boxed:at:options:)``.
  public func setArgument(boxed value: BoxedValue, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    try core.set(boxed: value, at: index, options)
  }

  /// Calls an implementation with the arguments.
  ///
  /// It may be called any number of times. A method with a nil target is not called: the result is zero.
  ///
  /// - Parameter implementation: The code, as for ``Invocation/invoke(using:)``.
  /// - Throws: As ``Invocation/invoke(using:)``: `InvocationError` `argumentNotSet`, `typeMismatch`, and any error
  ///   that the implementation throws if it is a Swift closure.
  /// - Complexity: The call; nothing is allocated.
  @inlinable @inline(__always)
  public func invoke(using implementation: Implementation) throws { try core.invoke(using: implementation) }

  /// Returns the result as a value of its type; see ``Invocation/returnValue(as:)``.
  @inlinable @inline(__always)
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    try unsafe core.result(type, slots, count)
  }

  /// Returns an object result, or nil for null; see ``Invocation/objectReturnValue()``.
  public func objectReturnValue() throws(InvocationError) -> AnyObject? { try core.objectResult() }

  /// Returns the result as a boxed value; see ``Invocation/boxedReturnValue()``.
  public func boxedReturnValue() throws(InvocationError) -> BoxedValue { try core.boxedResult() }
}

extension MethodSignature {
  /// Calls a closure with a frame on the stack, to make calls of these types.
  ///
  /// The frame retains the objects that are set.
  ///
  /// - Parameter body: A closure that sets the arguments, invokes, and reads the result.
  /// - Returns: The return value of the closure.
  /// - Throws: Any error that the closure throws.
  /// - Complexity: Nothing is allocated, except copies of strings and frames larger than one kilobyte.
  @inlinable
  public func withFrame<Result, Failure: Error>(_ body: (borrowing CallFrame) throws(Failure) -> Result) throws(Failure) -> Result {
    try unsafe withFrame(retainsArguments: true, body)
  }

  /// Calls a closure with a frame on the stack as the other form does, and specifies who keeps objects alive.
  ///
  /// - Parameters:
  ///   - retainsArguments: Whether the frame retains objects when they are set. If false, the caller must keep them alive.
  ///     Strings are copied in either case.
  ///   - body: Uses the frame, which is valid until it returns.
  @unsafe @inlinable
  public func withFrame<Result, Failure: Error>(
    retainsArguments: Bool, _ body: (borrowing CallFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    // The size is a compile-time constant, so the stack memory is reserved without a call into the runtime.
    let result = unsafe withUnsafeTemporaryAllocation(byteCount: FrameCore.smallBlock, alignment: 16) {
      memory -> Swift.Result<Result, Failure> in
      let frame = unsafe CallFrame(storage, retainsObjects: retainsArguments, in: memory.baseAddress.unsafelyUnwrapped)
      defer { frame.core.end() }
      do throws(Failure) { return .success(try body(frame)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
