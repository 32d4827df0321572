extension IncomingCall {
  /// Sets the result.
  ///
  /// An object passed as `Unmanaged` is retained for the caller if the closure returns its objects retained.
  ///
  /// - Parameter value: The value, of the return type. A literal adapts as for an argument.
  /// - Throws: `InvocationError` `typeMismatch`, and `outOfRange` and `inexact` for a literal that does not fit. A string
  ///   is refused, because nothing would free the copy of its text.
  @inlinable
  public mutating func setReturnValue<Value: EncodedValue>(_ value: Value) throws(InvocationError) {
    let result = result
    guard Value.accepts(result.slot.kind),
      Value.pointeeType == nil || methodSignature.storage.pointsRight(Value.self, at: methodSignature.numberOfArguments),
      !Value.copiesText
    else {
      guard let literal = Literal(value) else { throw methodSignature.mismatch(Value.self, .result) }
      return try setResult(literal)
    }
    if result.slot.kind != .object {
      unsafe body.answer(value, in: frame)
      isSet = true
      return
    }
    unsafe replaceResult { slot, memory in _ = unsafe value.store(in: slot, of: memory, keeping: false) }
  }

  /// Sets the result to a literal, converted to the return type.
  @inline(never) @usableFromInline
  mutating func setResult(_ literal: Literal) throws(InvocationError) {
    let converted = try methodSignature.literal(literal, at: methodSignature.numberOfArguments)
    unsafe replaceResult { slot, memory in _ = unsafe converted.store(in: slot, of: memory, keeping: false) }
  }

  /// Sets an object result, which may be null.
  ///
  /// - Throws: `InvocationError` `typeMismatch` if the return type is not an object.
  public mutating func setReturnValue(_ object: AnyObject?) throws(InvocationError) {
    guard result.slot.kind == .object else { throw methodSignature.mismatch(AnyObject.self, .result) }
    unsafe replaceResult { slot, memory in _ = unsafe ObjectReference.store(object, in: slot, of: memory, keeping: false) }
  }

  /// Sets the result from a boxed value, converted to the return type.
  ///
  /// - Throws: `InvocationError` as setting an argument of an invocation does, and `typeMismatch` for a string. The
  ///   result is unchanged after an error.
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
  /// - Parameter bytes: The address of as many bytes as the size of the return type. It need not be aligned.
  public mutating func setReturnValue(from bytes: UnsafeRawPointer) {
    unsafe replaceResult { slot, memory in unsafe slot.write(from: bytes, to: memory) }
  }

  /// Writes the result.
  ///
  /// A new object is retained before the former one is released, because they may be the same.
  @usableFromInline
  mutating func replaceResult(_ write: (FrameSlot, UnsafeMutableRawPointer) -> Void) {
    let former = formerObject
    unsafe result.write(to: frame, write)
    isSet = true
    if returnsRetained, result.slot.kind == .object { _ = unsafe result.slot.retainReference(in: frame) }
    if let former { result.slot.releaseOwned(word: former) }
  }

  /// The former object result if the caller would release it, or nil.
  private var formerObject: UInt64? {
    hasReturnValue && returnsRetained && result.slot.kind == .object ? unsafe result.slot.word(of: frame) : nil
  }

  /// Sets the result to zero, and releases a former object result.
  mutating func clearResult() {
    let former = formerObject
    unsafe result.clear(in: frame)
    isSet = false
    if let former { result.slot.releaseOwned(word: former) }
  }
}

/// The location of the result of an incoming call: in the frame, whose result registers are returned to the caller, or
/// in memory of the caller.
@usableFromInline
struct ResultPlace: Sendable {
  /// The slot in the frame, or in the caller's memory, where its offset is 0.
  @usableFromInline let slot: FrameSlot
  /// The offset in the frame at which the address of the caller's memory is stored, or -1.
  @usableFromInline let addressOffset: Int

  init(_ plan: CallPlan) {
    let own = plan.incoming?.slot(plan.result) ?? plan.result
    addressOffset = plan.resultAddressOffset
    slot = addressOffset < 0 ? own : FrameSlot(kind: own.kind, size: Int(own.size), offset: 0, storage: own.storage)
  }

  /// Calls a closure with the slot and its base address, to write the result.
  @inlinable @inline(__always)
  func write(to frame: UnsafeMutableRawPointer, _ body: (FrameSlot, UnsafeMutableRawPointer) -> Void) {
    if addressOffset < 0 {
      unsafe body(slot, frame)
    } else if slot.size & 7 == 0 {
      unsafe body(slot, callersMemory(of: frame))
    } else {
      unsafe writePadded(to: frame, body)
    }
  }

  /// Returns the caller's memory for the result, and stores its address in the frame as the value of the result
  /// register, because the callee must return it.
  ///
  /// Source: System V ABI for AMD64, section 3.2.3, "Returning of Values".
  @inlinable
  func callersMemory(of frame: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let address = unsafe frame.load(fromByteOffset: addressOffset, as: UInt.self)
    unsafe frame.storeBytes(of: address, as: UInt.self)
    return unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Writes through a temporary buffer: a slot is written in whole words, and the caller's memory may be smaller.
  @usableFromInline
  func writePadded(to frame: UnsafeMutableRawPointer, _ body: (FrameSlot, UnsafeMutableRawPointer) -> Void) {
    unsafe withUnsafeTemporaryAllocation(byteCount: slot.extent, alignment: 16) { words in
      let base = unsafe words.baseAddress.unsafelyUnwrapped
      unsafe body(slot, base)
      unsafe callersMemory(of: frame).copyMemory(from: base, byteCount: Int(slot.size))
    }
  }

  /// Copies the result of an outgoing call of the same plan to the caller.
  func copyResult(of plan: CallPlan, from outgoing: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    if slot.storage == .nothing { return }
    if addressOffset < 0, slot.size == 8, slot.storage.isWord {
      unsafe slot.write(word: plan.result.word(of: outgoing), to: frame)
    } else if addressOffset >= 0, slot.storage == .bytes {
      // In the outgoing frame a result in memory is one run of bytes, as in the caller's memory.
      unsafe callersMemory(of: frame).copyMemory(from: outgoing + Int(plan.result.offset), byteCount: Int(slot.size))
    } else {
      unsafe plan.result.withValue(in: outgoing) { value in
        unsafe write(to: frame) { slot, memory in unsafe slot.write(from: value, to: memory) }
      }
    }
  }

  /// Sets the result to zero.
  func clear(in frame: UnsafeMutableRawPointer) {
    unsafe write(to: frame) { slot, memory in unsafe slot.clear(in: memory) }
  }
}
