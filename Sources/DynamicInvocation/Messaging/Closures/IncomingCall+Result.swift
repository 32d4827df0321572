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

/// Where the result of an incoming call goes: into the frame, whose result registers the caller gets, or into memory that the caller has.
@usableFromInline
struct ResultPlace: Sendable {
  /// The slot in the frame; or in the caller's memory, where it begins at the start.
  @usableFromInline let slot: Slot
  /// The offset in the frame of the address of the caller's memory, or -1.
  @usableFromInline let addressOffset: Int

  init(_ plan: CallPlan) {
    let own = plan.incoming?.slot(plan.result) ?? plan.result
    addressOffset = plan.resultAddressOffset
    slot = addressOffset < 0 ? own : Slot(kind: own.kind, size: Int(own.size), offset: 0, storage: own.storage)
  }

  /// Calls a closure with the slot and the memory it lies in, to be written.
  @inlinable @inline(__always)
  func write(to frame: UnsafeMutableRawPointer, _ body: (Slot, UnsafeMutableRawPointer) -> Void) {
    if addressOffset < 0 {
      unsafe body(slot, frame)
    } else if slot.size & 7 == 0 {
      unsafe body(slot, callersMemory(of: frame))
    } else {
      unsafe writePadded(to: frame, body)
    }
  }

  /// The memory that the caller has for the result; the callee returns its address.
  ///
  /// Source: System V ABI for AMD64, section 3.2.3, "Returning of Values".
  @inlinable
  func callersMemory(of frame: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let address = unsafe frame.load(fromByteOffset: addressOffset, as: UInt.self)
    unsafe frame.storeBytes(of: address, as: UInt.self)
    return unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
  }

  /// A slot is written in whole words, which the caller's memory may not have.
  @usableFromInline
  func writePadded(to frame: UnsafeMutableRawPointer, _ body: (Slot, UnsafeMutableRawPointer) -> Void) {
    unsafe withUnsafeTemporaryAllocation(byteCount: slot.extent, alignment: 16) { words in
      let base = unsafe words.baseAddress.unsafelyUnwrapped
      unsafe body(slot, base)
      unsafe callersMemory(of: frame).copyMemory(from: base, byteCount: Int(slot.size))
    }
  }

  /// Gives the caller the result that an outgoing call of the same plan left in its frame.
  func copyResult(of plan: CallPlan, from outgoing: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    unsafe write(to: frame) { slot, memory in
      unsafe plan.result.withValue(in: outgoing) { unsafe slot.write(from: $0, to: memory) }
    }
  }

  /// Makes the result zero.
  func clear(in frame: UnsafeMutableRawPointer) {
    unsafe write(to: frame) { slot, memory in unsafe slot.clear(in: memory) }
  }
}
