extension Invocation {
  /// Whether there is a result: the invocation was invoked, or a result was set.
  public var hasReturnValue: Bool { hasResult }

  /// Returns the result as a value of its type.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one, `typeMismatch`, and `nullNotAllowed` when it is null and the type is no optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable @inline(__always)
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    defer { keepAlive() }
    let slot = resultSlot
    guard Value.accepts(slot.kind), Value.pointeeType == nil || pointsRight(Value.self, count) else { throw mismatch(Value.self, .result) }
    guard hasResult else { throw noResult() }
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame)) else { throw isNull(.result) }
    return value
  }

  /// Returns a result that is an object, or nil for null.
  ///
  /// - Throws: ``InvocationError`` `noReturnValue` before there is one, and `typeMismatch` when the result is no object.
  /// - Complexity: O(1).
  public func objectReturnValue() throws(InvocationError) -> AnyObject? {
    defer { keepAlive() }
    guard resultSlot.kind == .object else { throw mismatch(AnyObject.self, .result) }
    guard hasResult else { throw noResult() }
    return unsafe ObjectReference.object(in: resultSlot, of: frame)
  }

  /// Sets the result, as one who intercepts a call does.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch`. A string is refused: a result does not own the memory of its C string.
  @inlinable
  public func setReturnValue<Value: EncodedValue>(_ value: Value) throws(InvocationError) {
    let slot = resultSlot
    guard Value.accepts(slot.kind), Value.pointeeType == nil || pointsRight(Value.self, count), Value.self != String.self,
      Value.self != String?.self
    else {
      throw mismatch(Value.self, .result)
    }
    _ = unsafe value.store(in: slot, of: frame, keeping: false)
    keepResult()
  }

  /// Sets a result that is an object, which is kept.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch` when the result is no object.
  public func setReturnValue(_ object: AnyObject?) throws(InvocationError) {
    guard resultSlot.kind == .object else { throw mismatch(AnyObject.self, .result) }
    _ = unsafe ObjectReference.store(object, in: resultSlot, of: frame, keeping: false)
    keepResult()
  }

  /// Sets the result from the bytes at an address, as NSInvocation's `setReturnValue:` does.
  ///
  /// - Parameter bytes: The address of as many bytes as the return type has. An object is kept.
  public func setReturnValue(from bytes: UnsafeRawPointer) {
    unsafe resultSlot.write(from: bytes, to: frame)
    keepResult()
  }

  /// Copies the result's bytes to an address, as NSInvocation's `getReturnValue:` does.
  ///
  /// - Parameter bytes: The address of as many bytes as the return type has. An object is not retained for the caller.
  /// - Throws: ``InvocationError`` `noReturnValue`.
  public func getReturnValue(into bytes: UnsafeMutableRawPointer) throws(InvocationError) {
    defer { keepAlive() }
    guard hasResult else { throw noResult() }
    unsafe resultSlot.read(from: frame, to: bytes)
  }

  @usableFromInline
  func noResult() -> InvocationError {
    named(methodSignature.noResult())
  }

  /// There is a result now; keeps the object that it refers to, if it is one, in place of the former one.
  ///
  /// - Parameter isRetained: Whether the object came retained for the caller.
  @usableFromInline
  func keepResult(isRetained: Bool = false) {
    hasResult = true
    guard resultSlot.kind == .object else { return }
    // Assigning retains the new object before it releases the old one: they may be the same.
    resultOwner = unsafe UnsafeRawPointer(bitPattern: UInt(resultSlot.word(of: frame))).map { address in
      let object = unsafe Unmanaged<AnyObject>.fromOpaque(address)
      return unsafe isRetained ? object.takeRetainedValue() : object.takeUnretainedValue()
    }
  }

  /// Forgets the result, and releases the object that it refers to.
  func releaseResult() {
    hasResult = false
    if resultOwner != nil { resultOwner = nil }
  }
}
