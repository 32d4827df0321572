/// A call of a closure by C: its arguments, and the location of its result.
///
/// The closure's handler borrows it until the call returns. The type is noncopyable, so the call cannot be stored.
/// Indices and types are checked against the signature as for an ``Invocation``, with the same errors.
@safe
public struct IncomingCall: ~Copyable {
  /// Stays alive until the last running call has returned.
  @usableFromInline unowned(unsafe) let body: ClosureBody
  @usableFromInline let frame: UnsafeMutableRawPointer
  /// Whether the caller releases an object result.
  let returnsRetained: Bool

  /// Whether the result was set.
  public var hasReturnValue: Bool { isSet }

  @usableFromInline var isSet: Bool = false

  init(_ body: ClosureBody, _ frame: IncomingFrame, returnsRetained: Bool) {
    unsafe self.body = body
    unsafe self.frame = frame.memory
    self.returnsRetained = returnsRetained
  }

  /// The types of the call.
  public var methodSignature: MethodSignature { unsafe body.methodSignature }

  @inlinable var result: ResultPlace { unsafe body.result }

  /// The slot of an argument.
  @inlinable
  func slot(_ index: Int) throws(InvocationError) -> FrameSlot {
    guard index >= 0, index < (unsafe body.count) else { throw methodSignature.indexOutOfRange(index) }
    return unsafe body.slots[index]
  }
}

extension IncomingCall {
  @usableFromInline
  func isNull(_ index: Int, as type: Any.Type) -> InvocationError {
    unsafe body.slots[index].unreadable(in: frame, .index(index), as: type)
  }

  /// Returns an argument as a value of its type.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - type: The type of the argument, or of a wider number: an `Int` takes each integer that fits.
  /// - Throws: `InvocationError` `indexOutOfRange`, `typeMismatch`, `outOfRange` for a number that does not fit an `Int`,
  ///   and `nullNotAllowed` if the argument is null and the type is not an optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable
  public func argument<Value: EncodedValue>(at index: Int, as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    let slot = try slot(index)
    guard Value.accepts(slot.kind), Value.pointeeType == nil || methodSignature.storage.pointsRight(type, at: index) else {
      return try widerArgument(type, in: slot, at: index)
    }
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame)) else {
      throw isNull(index, as: type)
    }
    return value
  }

  /// Returns an argument that is a number of a narrower type, or throws the error for any other argument.
  @inline(never) @usableFromInline
  func widerArgument<Value: EncodedValue>(_ type: Value.Type, in slot: FrameSlot, at index: Int) throws(InvocationError) -> Value {
    guard WiderNumber(type, of: slot.kind) != nil else { throw methodSignature.mismatch(type, .index(index)) }
    return try unsafe slot.widerValue(as: type, of: frame, .index(index)).get()
  }

  /// Returns an argument that is an object, or nil for null.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, and `typeMismatch` if the argument is not an object.
  public func objectArgument(at index: Int) throws(InvocationError) -> AnyObject? {
    let slot = try slot(index)
    guard slot.kind == .object else { throw methodSignature.mismatch(AnyObject.self, .index(index)) }
    return unsafe ObjectReference.object(in: slot, of: frame)
  }

  /// Returns an argument as a boxed value.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`.
  public func boxedArgument(at index: Int) throws(InvocationError) -> BoxedValue {
    let slot = try slot(index)
    return unsafe BoxedValue(in: slot, of: frame, as: body.methodSignature.types.arguments[index])
  }

  /// Copies an argument's bytes to an address, as NSInvocation's `getArgument:atIndex:` does.
  ///
  /// - Parameters:
  ///   - bytes: The address of as many bytes as the size of the argument's type. An object is not retained.
  ///   - index: The index.
  /// - Throws: `InvocationError` `indexOutOfRange`.
  public func getArgument(into bytes: UnsafeMutableRawPointer, at index: Int) throws(InvocationError) {
    unsafe try slot(index).read(from: frame, to: bytes)
  }
}
