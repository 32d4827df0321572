extension CallFrame {
  /// Calls an implementation with the arguments; any number of times.
  ///
  /// A method's nil target is not called: the result is zero.
  ///
  /// - Parameter implementation: The code, as for ``Invocation/invoke(using:)``.
  /// - Throws: ``InvocationError`` `argumentNotSet`, and `typeMismatch` when the implementation's types are known and not those of
  ///   ``methodSignature``, or it is a method of another class than the target's.
  /// - Complexity: The call; nothing is allocated.
  @inlinable
  public func invoke(using implementation: Implementation) throws(InvocationError) {
    guard unsafe state.pointee.firstSet == readyBits, implementation.isOpaque, hasTarget else {
      return try invokeCarefully(using: implementation)
    }
    unsafe kernel(frame, implementation.pointer, context)
    unsafe state.pointee.hasResult = true
  }

  /// Whether the call has a target, or needs none.
  @inlinable @inline(__always)
  var hasTarget: Bool {
    unsafe targetOffset < 0 || frame.load(fromByteOffset: targetOffset, as: UInt64.self) != 0
  }

  /// Calls after every check, and keeps what is to be kept.
  @usableFromInline
  func invokeCarefully(using implementation: Implementation) throws(InvocationError) {
    if unsafe state.pointee.firstSet == readyBits && implementation.isPlain(for: storage.takeUnretainedValue()), hasTarget {
      unsafe kernel(frame, implementation.pointer, context)
      unsafe state.pointee.hasResult = true
      return
    }
    if let index = (0..<count).first(where: { !isSet($0) }), hasTarget {
      throw named(methodSignature.notSet(index))
    }
    if hasTarget {
      try implementation.requireTypes(methodSignature, nil)
      if implementation.hasTargetType { try implementation.requireTarget(at: unsafe slots[0].word(of: frame), nil) }
    }
    releaseResult()
    unsafe state.pointee.hasResult = true
    guard hasTarget else { return unsafe plan.result.clear(in: frame) }
    withExtendedLifetime(implementation) { unsafe plan.call(implementation.pointer, frame: frame) }
    if implementation.returnsRetained, plan.result.kind == .object,
      let address = unsafe UnsafeRawPointer(bitPattern: UInt(plan.result.word(of: frame)))
    {
      unsafe state.pointee.ownedResult = Unmanaged.fromOpaque(address)
      unsafe state.pointee.mayOwn = true
    }
  }

  /// Returns the result as a value of its type.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one, `typeMismatch`, and `nullNotAllowed` when it is null and the type is no optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable @inline(__always)
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    let slot = unsafe slots[count]
    guard Value.accepts(slot.kind), unsafe Value.pointeeType == nil || FrameWriter.pointsRight(Value.self, count, storage) else {
      throw mismatch(Value.self, .result)
    }
    guard unsafe state.pointee.hasResult else { throw noResult() }
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame)) else { throw unreadable() }
    return value
  }

  @inline(never) @usableFromInline
  func noResult() -> InvocationError { named(methodSignature.noResult()) }

  @inline(never) @usableFromInline
  func unreadable() -> InvocationError { named(unsafe slots[count].unreadable(in: frame, .result)) }

  /// Returns a result that is an object, or nil for null.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one, and `typeMismatch` when the result is no object.
  public func objectReturnValue() throws(InvocationError) -> AnyObject? {
    guard plan.result.kind == .object else { throw mismatch(AnyObject.self, .result) }
    guard hasReturnValue else { throw noResult() }
    return unsafe ObjectReference.object(in: plan.result, of: frame)
  }

  /// Returns the result as a boxed value; null for void.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one.
  public func boxedReturnValue() throws(InvocationError) -> BoxedValue {
    guard hasReturnValue else { throw noResult() }
    return unsafe BoxedValue(in: plan.result, of: frame, as: methodSignature.returnType)
  }
}
