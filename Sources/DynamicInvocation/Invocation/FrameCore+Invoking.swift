// MARK: Calling

extension FrameCore {
  /// Calls an implementation with the arguments.
  ///
  /// A method with a nil target is not called, and the result is then zero.
  @inlinable @inline(__always)
  func invoke(using implementation: Implementation) throws {
    // The fast path: all arguments set, a target, and a result that is not reference-counted. Only the call remains.
    if state.setMask == state.fastPathMask, implementation.isOpaque, hasTarget {
      if state.mayOwn {
        unsafe callKeepingArguments(implementation.pointer)
      } else {
        unsafe kernel(frame, implementation.pointer, context)
      }
      state.hasResult = true
    } else {
      try invokeWithChecks(using: implementation)
    }
  }

  @inline(never) @usableFromInline
  func invokeWithChecks(using implementation: Implementation) throws {
    if unsafe state.setMask == state.fastPathMask && implementation.isPlain(for: state.signature.takeUnretainedValue()),
      hasTarget, !state.mayOwn
    {
      unsafe kernel(frame, implementation.pointer, context)
      state.hasResult = true
      return
    }
    guard hasTarget else { return setZeroResult() }
    try requireArguments()
    try performWithChecks(implementation)
  }

  /// Throws unless the types and the target match the implementation, as far as both are known.
  @inline(__always)
  func require(_ implementation: Implementation) throws(InvocationError) {
    try implementation.requireTypes(methodSignature, selector)
    // The implementation is a method, so argument 0 is an object.
    if implementation.hasTargetType { try implementation.requireTarget(at: unsafe slots[0].word(of: frame), selector) }
  }

  /// Checks the types and the target, then calls the code.
  ///
  /// All arguments are set.
  func performWithChecks(_ implementation: Implementation) throws {
    try require(implementation)
    try perform(implementation)
  }

  /// Calls the code, whose types and target were checked.
  ///
  /// All arguments are set.
  func perform(_ implementation: Implementation) throws {
    try withRunningCall(mayThrow: implementation.mayThrow, isRetained: implementation.returnsRetained) { execute(implementation) }
  }

  /// Calls the code, and keeps it alive even if the callee drops the last other reference to it.
  func execute(_ implementation: Implementation) {
    defer { withExtendedLifetime(implementation) {} }
    unsafe execute(implementation.pointer, in: frame)
  }
}

// MARK: The result

extension FrameCore {
  /// Returns the result as a value of its type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - slots: The slots of the plan, already loaded by the caller.
  ///   - count: The number of arguments.
  @inlinable @inline(__always)
  func result<Value: EncodedValue>(_ type: Value.Type, _ slots: UnsafePointer<FrameSlot>, _ count: Int) throws(InvocationError) -> Value {
    let slot = unsafe slots[count]
    guard unsafe isOfType(type, count, slots), state.hasResult else { return try widerResult(type) }
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame)) else { throw unreadable(.result, as: type) }
    return value
  }

  /// Returns a result that is a number of a narrower type or bytes that are read as a text, or throws the error for a result
  /// of another type or a missing one.
  ///
  /// Specialized, so that it returns the value in registers, and the callers need no memory for it.
  @inlinable @inline(never)
  func widerResult<Value: EncodedValue>(_ type: Value.Type) throws(InvocationError) -> Value {
    guard type.isResult(of: methodSignature) else { throw named(methodSignature.resultMismatch(type)) }
    guard state.hasResult else { throw noResult() }
    if methodSignature.returnsText(type) {
      guard let value = unsafe Value.load(from: resultSlot, of: UnsafeRawPointer(frame)) else { throw unreadable(.result, as: type) }
      return value
    }
    do { return try unsafe resultSlot.widerValue(as: type, of: frame, .result).get() } catch { throw named(error) }
  }

  /// Sets the result to a literal, converted to the return type.
  @inline(never) @usableFromInline
  func setResult(_ literal: Literal) throws(InvocationError) {
    do { unsafe try methodSignature.adapt(literal, at: count, of: frame) } catch { throw named(error) }
    keepResult()
  }

  /// Returns a result that is an object, or nil for null.
  func objectResult() throws(InvocationError) -> AnyObject? {
    guard resultSlot.kind == .object else { throw mismatch(AnyObject.self, .result) }
    guard state.hasResult else { throw noResult() }
    return unsafe ObjectReference.object(in: resultSlot, of: frame)
  }

  /// Returns the result as a boxed value; a void result is returned as null.
  func boxedResult() throws(InvocationError) -> BoxedValue {
    guard state.hasResult else { throw noResult() }
    return unsafe BoxedValue(in: resultSlot, of: frame, as: methodSignature.returnType)
  }
}
