extension IncomingCall {
  /// Sets the result.
  ///
  /// An object given as `Unmanaged` is retained for the caller, if the closure returns its objects retained.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch`. A string is refused: nobody would free the copy of its text.
  @inlinable
  public mutating func setReturnValue<Value: EncodedValue>(_ value: Value) throws(InvocationError) {
    let result = result
    guard Value.accepts(result.slot.kind),
      Value.pointeeType == nil || methodSignature.storage.pointsRight(Value.self, at: methodSignature.numberOfArguments),
      Value.self != String.self, Value.self != String?.self
    else {
      throw methodSignature.mismatch(Value.self, .result)
    }
    if result.slot.kind != .object {
      unsafe body.answer(value, in: frame)
      isSet = true
      return
    }
    unsafe replaceResult { slot, memory in _ = unsafe value.store(in: slot, of: memory, keeping: false) }
  }

  /// Sets a result that is an object, or null.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch` when the result is no object.
  public mutating func setReturnValue(_ object: AnyObject?) throws(InvocationError) {
    guard result.slot.kind == .object else { throw methodSignature.mismatch(AnyObject.self, .result) }
    unsafe replaceResult { slot, memory in _ = unsafe ObjectReference.store(object, in: slot, of: memory, keeping: false) }
  }

  /// Sets the result from a boxed value, converted to the return type.
  ///
  /// - Throws: ``InvocationError`` as setting an argument of an invocation does, and `typeMismatch` for a string. The result then stays
  ///   what it was.
  public mutating func setReturnValue(boxed value: BoxedValue, options: ConversionOptions = []) throws(InvocationError) {
    let type = methodSignature.returnType
    if case .string = value, result.slot.kind == .cString {
      throw InvocationError(.typeMismatch, "a result does not own the memory of a string").placed(.result, type)
    }
    let converted: BoxedValue.Converted
    do { converted = try value.converted(to: type, options) } catch { throw error.placed(.result, type) }
    unsafe replaceResult { slot, memory in _ = unsafe converted.store(in: slot, of: memory, keeping: false) }
  }

  /// Sets the result from the bytes at an address, as NSInvocation's `setReturnValue:` does.
  ///
  /// - Parameter bytes: The address of as many bytes as the return type has; it need not be aligned.
  public mutating func setReturnValue(from bytes: UnsafeRawPointer) {
    unsafe replaceResult { slot, memory in unsafe slot.write(from: bytes, to: memory) }
  }

  /// Writes the result; an object is retained before the former one is released, as they may be the same.
  @usableFromInline
  mutating func replaceResult(_ write: (Slot, UnsafeMutableRawPointer) -> Void) {
    let former = formerObject
    unsafe result.write(to: frame, write)
    isSet = true
    if returnsRetained, result.slot.kind == .object { _ = unsafe ObjectReference.retain(in: result.slot, of: frame) }
    if let former { result.slot.releaseOwned(word: former) }
  }

  /// The word of an object result that the caller would release.
  private var formerObject: UInt64? {
    hasReturnValue && returnsRetained && result.slot.kind == .object ? unsafe result.slot.word(of: frame) : nil
  }

  /// Makes the result zero, whatever it was.
  mutating func clearResult() {
    let former = formerObject
    unsafe result.clear(in: frame)
    isSet = false
    if let former { result.slot.releaseOwned(word: former) }
  }
}
