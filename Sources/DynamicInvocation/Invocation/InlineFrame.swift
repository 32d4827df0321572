/// The memory of a small frame, a part of the invocation's object, so that making one is one allocation.
///
/// It holds a register image, about ten words of stack arguments and result memory, and the bits of ownership. It is declared with
/// the alignment of words: Swift allocates an object with a member of 16 bytes' alignment by the slow way of the C library.
struct InlineFrame {
  private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  private var words: (Words, Words, Words, Words, Words) = (
    (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)
  )

  /// Whether a frame of a plan fits, with the bits after it.
  static func hasRoom(for plan: CallPlan) -> Bool {
    // The frame begins where the state with its padding ends, in an invocation's object as in any block.
    let padding = FrameCore.State.size - MemoryLayout<FrameCore.State>.stride
    return plan.blockSize <= MemoryLayout<InlineFrame>.size - padding && plan.frameAlignment <= MemoryLayout<InlineFrame>.alignment
  }
}
