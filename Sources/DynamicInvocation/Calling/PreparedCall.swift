/// What a signature's plan says of its frames and its call, for a module of this package that builds frames of its own.
///
/// It holds only while something keeps the signature.
@safe
package struct PreparedCall {
  /// The slot of each argument, and behind them that of the result.
  package let slots: UnsafePointer<Slot>
  /// The number of arguments.
  package let count: Int
  /// The bytes of a frame.
  package let frameSize: Int
  /// The alignment of a frame.
  package let frameAlignment: Int
  /// The offset of the word that tells the callee where to put a result in memory, or -1.
  package let resultAddressOffset: Int
  /// The code that calls an implementation with the arguments in a frame.
  package let kernel: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> Void
  /// What the kernel is given besides the frame and the implementation.
  package let context: UnsafeRawPointer?

  /// Copies what the plan of a signature says.
  package init(_ methodSignature: MethodSignature) {
    let plan = methodSignature.storage.plan
    unsafe slots = plan.slots
    count = plan.count
    frameSize = plan.frameSize
    frameAlignment = plan.frameAlignment
    resultAddressOffset = plan.resultAddressOffset
    unsafe kernel = plan.kernel
    unsafe context = plan.context
  }

  /// The slot of the result.
  package var result: Slot { unsafe slots[count] }
}
