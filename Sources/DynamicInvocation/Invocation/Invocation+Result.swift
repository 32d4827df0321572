extension Invocation {
  /// Whether there is a result: the invocation was invoked, or a result was set.
  public var hasReturnValue: Bool { core.state.hasResult }

  /// Returns the result as a value of its type.
  ///
  /// - Parameter type: The return type, or a wider number type: an `Int` takes each integer that fits.
  /// - Throws: `InvocationError` `noReturnValue` before there is a result, `typeMismatch`, `outOfRange` for a number that
  ///   does not fit an `Int`, and `nullNotAllowed` when the result is null and the type is not an optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable @inline(__always)
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    defer { keepAlive() }
    return try unsafe core.result(type, slots, count)
  }

  /// Returns an object result, or nil for null.
  ///
  /// - Throws: `InvocationError` `noReturnValue` before there is a result, and `typeMismatch` when the result is not
  ///   an object.
  /// - Complexity: O(1).
  public func objectReturnValue() throws(InvocationError) -> AnyObject? {
    defer { keepAlive() }
    return try core.objectResult()
  }

  /// Sets the result, for example in code that intercepts a call.
  ///
  /// - Parameter value: The value, of the return type. A literal adapts as for an argument.
  /// - Throws: `InvocationError` `typeMismatch`, and `outOfRange` and `inexact` for a literal that does not fit. A string
  ///   is rejected: a result does not own the memory of its C string.
  @inlinable
  public func setReturnValue<Value: EncodedValue>(_ value: Value) throws(InvocationError) {
    defer { keepAlive() }
    let slot = core.resultSlot
    guard Value.accepts(slot.kind), core.pointsRight(Value.self, core.count), !Value.copiesText else {
      guard let literal = Literal(value) else { throw core.mismatch(Value.self, .result) }
      return try core.setResult(literal)
    }
    _ = unsafe value.store(in: slot, of: core.frame, keeping: false)
    core.keepResult()
  }

  /// Sets an object result, and retains the object.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the return type is not an object.
  public func setReturnValue(_ object: AnyObject?) throws(InvocationError) {
    guard core.resultSlot.kind == .object else { throw core.mismatch(AnyObject.self, .result) }
    _ = unsafe ObjectReference.store(object, in: core.resultSlot, of: frame, keeping: false)
    core.keepResult()
  }

  /// Sets the result from the bytes at an address, as NSInvocation's `setReturnValue:` does.
  ///
  /// - Parameter bytes: The address of as many bytes as the return type has. An object is retained.
  public func setReturnValue(from bytes: UnsafeRawPointer) {
    unsafe core.resultSlot.write(from: bytes, to: frame)
    core.keepResult()
  }

  /// Copies the result's bytes to an address, as NSInvocation's `getReturnValue:` does.
  ///
  /// - Parameter bytes: The address of as many bytes as the return type has. An object is not retained for the caller.
  /// - Throws: `InvocationError` `noReturnValue`.
  public func getReturnValue(into bytes: UnsafeMutableRawPointer) throws(InvocationError) {
    defer { keepAlive() }
    guard hasReturnValue else { throw core.noResult() }
    unsafe core.resultSlot.read(from: frame, to: bytes)
  }
}

extension Invocation {
  /// Returns an independent invocation with the same arguments, the same result, and the same settings.
  ///
  /// Both invocations retain the objects that this one retains. C strings and arrays are copied again.
  ///
  /// - Complexity: O(bytes of the frame); allocates as a new invocation does.
  public func copy() -> Invocation {
    let copy = unsafe Invocation(methodSignature, retainsArguments: argumentsRetained)
    copy.implementation = implementation
    defer { withExtendedLifetime(self) { copy.keepAlive() } }
    core.copy(to: copy.core)
    return copy
  }
}

extension FrameCore {
  /// Copies the arguments and the result to another frame of the same plan.
  ///
  /// It retains the objects and copies the C strings and arrays that this one owns.
  func copy(to other: FrameCore) {
    unsafe other.frame.copyMemory(from: frame, byteCount: plan.blockSize)
    unsafe plan.prepare(other.frame)
    for index in 0..<count where isOwned(index) {
      other.markOwned(index, unsafe slots[index].retainOwned(in: other.frame))
    }
    other.state.setMask = state.setMask
    other.state.fastPathMask = state.fastPathMask
    other.state.capturesErrno = state.capturesErrno
    other.state.capturedErrno = state.capturedErrno
    guard state.hasResult else { return }
    other.keepResult()
    other.takeText(of: self)
  }
}
