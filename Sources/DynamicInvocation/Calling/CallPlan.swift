/// What is worked out once for a signature, so that a call only moves bytes: the slots of a frame, its size, and the lane that calls.
///
/// A frame is one block of memory: the result first, then what the lane lays out for the arguments.
@usableFromInline
@safe
final class CallPlan: @unchecked Sendable {
  // Sendable by hand: the slots are written once, in the initializer.

  /// The slot of each argument.
  @usableFromInline let slots: UnsafePointer<Slot>
  /// The number of arguments.
  @usableFromInline let count: Int
  /// The slot of the result.
  @usableFromInline let result: Slot
  /// The bytes of a frame, a multiple of 16.
  ///
  /// A frame is aligned to 16 bytes.
  @usableFromInline let frameSize: Int
  /// The lane that carries the call out.
  let lane: LibFFILane

  init(arguments: [Slot], result: Slot, frameSize: Int, lane: LibFFILane) {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: max(1, arguments.count))
    unsafe slots.initialize(from: arguments, count: arguments.count)
    unsafe self.slots = UnsafePointer(slots)
    count = arguments.count
    self.result = result
    self.frameSize = frameSize
    self.lane = lane
  }

  deinit {
    unsafe slots.deallocate()
  }

  /// The 64-bit words of a set that has a bit for each argument.
  @usableFromInline var stateWords: Int { (count + 63) / 64 }

  /// The offset after the frame of the bits that tell which arguments are set.
  @usableFromInline var setBitsOffset: Int { frameSize }

  /// The offset of the bits that tell which arguments the frame must release.
  @usableFromInline var ownedBitsOffset: Int { frameSize + 8 * stateWords }

  /// The bytes of a frame with those bits behind it.
  @usableFromInline var blockSize: Int { frameSize + 16 * stateWords }

  /// Calls an implementation with a frame whose arguments are all set; the result is left in the frame.
  ///
  /// - Parameter errno: Receives the callee's `errno`, when given.
  @usableFromInline
  func call(
    _ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer, errno: UnsafeMutablePointer<CInt>? = nil
  ) {
    unsafe lane.call(implementation, frame: frame, result: frame + Int(result.offset), errno: errno)
  }
}

extension CallPlan {
  /// The most bytes a frame may have.
  static let largestFrame = 1 << 28

  /// The most bytes that a call may put on the stack.
  ///
  /// libffi copies a large struct twice, and a thread may have a stack of few megabytes.
  static let largestStack = 1 << 20
}
