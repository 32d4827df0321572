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
