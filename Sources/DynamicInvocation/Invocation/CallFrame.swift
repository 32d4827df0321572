/// The frame of one call, on the stack: an invocation without its object.
///
///     let sum = try signature.withFrame { frame in
///       try frame.setArgument(2, at: 0)
///       try frame.setArgument(boxed: value, at: 1)
///       try frame.invoke(using: implementation)
///       return try frame.returnValue(as: Int.self)
///     }
///
/// It is lent to a closure and ends when that returns; as a type that cannot be copied it cannot be kept. Indices, types and arguments never
/// set are checked as those of an ``Invocation`` are, with the same errors. C strings are copied, and objects retained unless it is told not
/// to, until the frame ends.
@safe
public struct CallFrame: ~Copyable {
  @usableFromInline let core: FrameCore
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let count: Int

  /// Begins a frame on the stack.
  ///
  /// - Parameters:
  ///   - signature: The types of the call.
  ///   - retainsObjects: Whether objects are retained.
  ///   - memory: ``stackSize`` bytes aligned to 16, not necessarily initialized.
  @inlinable @inline(__always)
  init(_ signature: MethodSignature.Storage, retainsObjects: Bool, in memory: UnsafeMutableRawPointer) {
    unsafe slots = signature.plan.slots
    count = signature.plan.count
    if signature.plan.blockSize <= CallFrame.stackSize - FrameCore.State.size && signature.plan.frameAlignment <= 16 {
      core = unsafe FrameCore(signature, retainsObjects: retainsObjects, copiesStrings: true, in: memory)
    } else {
      core = FrameCore(allocating: signature, retainsObjects: retainsObjects, copiesStrings: true)
    }
  }

  /// The bytes on the stack for a frame, its state and its bits; larger frames are allocated.
  @inlinable @inline(__always)
  static var stackSize: Int { 1024 }

  /// The types of the call.
  public var methodSignature: MethodSignature { core.methodSignature }

  /// Whether there is a result.
  public var hasReturnValue: Bool { core.state.hasResult }
}

extension CallFrame {
  /// Sets an argument from a value of its type.
  ///
  /// - Parameters:
  ///   - value: The value, of a Swift type that is that of the encoding, or a literal of it: an `Int` or a `Double` that fits.
  ///   - index: The index; of a method 0 is the target, 1 the selector.
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `typeMismatch`, `outOfRange`, `inexact`.
  /// - Complexity: O(bytes of the value). A string allocates its copy; nothing else allocates.
  @inlinable @inline(__always)
  public func setArgument<Value: EncodedValue>(_ value: Value, at index: Int) throws(InvocationError) {
    try unsafe core.set(value, at: index, slots, count)
  }

  /// Sets an argument to an object, a class, or null.
  ///
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `typeMismatch`, as ``Invocation/setArgument(_:at:)`` does.
  /// - Complexity: O(1).
  public func setArgument(_ object: AnyObject?, at index: Int) throws(InvocationError) { try core.set(object: object, at: index) }

  /// Sets an argument from a boxed value, converted to the argument's type.
  ///
  /// - Throws: ``InvocationError`` as ``Invocation/setArgument(boxed:at:options:)`` does. The argument then keeps what it had.
  /// - Complexity: O(bytes of the value). A string is copied.
  public func setArgument(boxed value: BoxedValue, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    try core.set(boxed: value, at: index, options)
  }

  /// Calls an implementation with the arguments; any number of times.
  ///
  /// A method's nil target is not called: the result is zero.
  ///
  /// - Parameter implementation: The code, as for ``Invocation/invoke(using:)``.
  /// - Throws: As ``Invocation/invoke(using:)``: ``InvocationError`` `argumentNotSet`, `typeMismatch`, and what the implementation throws if it is a
  ///   Swift closure.
  /// - Complexity: The call; nothing is allocated.
  @inlinable
  public func invoke(using implementation: Implementation) throws { try core.invoke(using: implementation) }

  /// Returns the result as a value of its type.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one, `typeMismatch`, and `nullNotAllowed` when it is null and the type is
  ///   no optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable @inline(__always)
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    try unsafe core.result(type, slots, count)
  }

  /// Returns a result that is an object, or nil for null.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one, and `typeMismatch` when the result is no object.
  public func objectReturnValue() throws(InvocationError) -> AnyObject? { try core.objectResult() }

  /// Returns the result as a boxed value; null for void.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one.
  public func boxedReturnValue() throws(InvocationError) -> BoxedValue { try core.boxedResult() }
}

extension MethodSignature {
  /// Lends a closure a frame on the stack, to make calls of these types; it keeps the objects that are set.
  ///
  /// - Parameter body: What sets the arguments, invokes, and reads the result.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  /// - Complexity: Nothing is allocated, save for copies of strings and for frames of more than a kilobyte.
  @inlinable
  public func withFrame<Result, Failure: Error>(_ body: (borrowing CallFrame) throws(Failure) -> Result) throws(Failure) -> Result {
    try unsafe withFrame(retainsArguments: true, body)
  }

  /// Lends a closure a frame on the stack, to make calls of these types.
  ///
  /// - Parameters:
  ///   - retainsArguments: Whether to keep objects as they are set. Without it the caller promises to keep them alive. Strings are copied in
  ///     either case.
  ///   - body: What sets the arguments, invokes, and reads the result.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  /// - Complexity: Nothing is allocated, save for copies of strings and for frames of more than a kilobyte.
  @unsafe @inlinable
  public func withFrame<Result, Failure: Error>(
    retainsArguments: Bool, _ body: (borrowing CallFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    // A size known at compile time makes room on the stack without a call of the runtime.
    let result = unsafe withUnsafeTemporaryAllocation(byteCount: CallFrame.stackSize, alignment: 16) {
      memory -> Swift.Result<Result, Failure> in
      let frame = unsafe CallFrame(storage, retainsObjects: retainsArguments, in: memory.baseAddress.unsafelyUnwrapped)
      defer { frame.core.end() }
      do throws(Failure) { return .success(try body(frame)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
