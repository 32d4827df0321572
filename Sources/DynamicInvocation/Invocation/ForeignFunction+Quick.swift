// The fast path of a typed call: all types are compared first, so that the arguments are stored from registers, and no
// closure for the slow path takes their addresses.
extension ForeignFunction {
  /// Whether a call with a number of arguments needs no other check than those of the arguments' types.
  @inlinable @inline(__always)
  func isQuick(_ count: Int) -> Bool { methodSignature.storage.plan.smallFrameCount == count && !implementation.hasTargetType }

  /// Whether a call with a number of arguments needs no other check than those of the arguments' types, and its result
  /// is of a type.
  @inlinable @inline(__always)
  func isQuick<Result: EncodedValue>(_ count: Int, returning type: Result.Type) -> Bool {
    isQuick(count) && takes(type, at: count)
  }

  /// Returns whether an argument is of a type.
  ///
  /// The index must be in range.
  @inlinable @inline(__always)
  func takes<Value: EncodedValue>(_ type: Value.Type, at index: Int) -> Bool {
    methodSignature.storage.accepts(type, at: index)
  }

  /// Calls with arguments that a closure writes, and returns the result.
  ///
  /// The types are those of the signature.
  @inlinable @inline(__always)
  func callQuickly<Result: EncodedValue>(
    returning type: Result.Type, _ write: (inout StackArguments) -> Void
  ) throws(InvocationError) -> Result {
    let result = unsafe withQuickFrame(write) { frame in
      unsafe methodSignature.storage.plan.result.value(as: type, of: UnsafeRawPointer(frame))
    }
    return try self.result(result)
  }

  /// Calls with arguments that a closure writes, and discards the result.
  ///
  /// The types are those of the signature.
  @inlinable @inline(__always)
  func callQuickly(_ write: (inout StackArguments) -> Void) throws(InvocationError) { unsafe withQuickFrame(write) { _ in } }

  /// Builds a small frame on the stack, calls, and reads the result.
  @inlinable @inline(__always)
  func withQuickFrame<Value>(_ write: (inout StackArguments) -> Void, _ read: (UnsafeMutableRawPointer) -> Value) -> Value {
    // The size is a compile-time constant, so the stack memory is reserved without a check at run time.
    unsafe withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      var arguments = unsafe StackArguments(frame, methodSignature.storage.plan.slots)
      write(&arguments)
      unsafe methodSignature.storage.plan.prepare(frame)
      withExtendedLifetime(self) { unsafe methodSignature.storage.plan.call(implementation.pointer, frame: frame) }
      // Read first: the result may point into an argument.
      let value = unsafe read(frame)
      arguments.release()
      return value
    }
  }
}

/// Stores arguments whose types were compared in a frame on the stack.
@usableFromInline
@safe
struct StackArguments {
  @usableFromInline let frame: UnsafeMutableRawPointer
  @usableFromInline let slots: UnsafePointer<FrameSlot>
  /// A bit for each argument that the frame owns.
  @usableFromInline var owned: UInt64 = 0

  @inlinable @inline(__always)
  init(_ frame: UnsafeMutableRawPointer, _ slots: UnsafePointer<FrameSlot>) {
    unsafe self.frame = frame
    unsafe self.slots = slots
  }

  /// Stores an argument of the slot's type.
  @inlinable @inline(__always)
  mutating func write<Value: EncodedValue>(_ value: Value, at index: Int) {
    if unsafe value.store(in: slots[index], of: frame, keeping: false) { owned |= 1 &<< UInt64(truncatingIfNeeded: index) }
  }

  /// Releases what the frame owns.
  @inlinable @inline(__always)
  func release() {
    if owned != 0 { unsafe Self.release(frame, slots, owned) }
  }

  // The members are passed, so that the value itself need not be in memory.
  @inline(never) @usableFromInline
  static func release(_ frame: UnsafeRawPointer, _ slots: UnsafePointer<FrameSlot>, _ owned: UInt64) {
    var rest = owned
    while rest != 0 {
      unsafe slots[rest.trailingZeroBitCount].releaseOwned(of: frame)
      rest &= rest - 1
    }
  }
}
