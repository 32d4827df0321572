/// A convention with native kernels.
package protocol NativeConvention: CallingConvention {
  /// Chooses the kernel for a call.
  func kernel(for layout: CallLayout) -> NativeKernel

  /// What the kernel is given for the stack of a call.
  func context(_ stack: NativeStack) -> NativeContext
}

/// What a call puts on the stack: the stack words of a frame.
package struct NativeStack: Sendable, Hashable {
  /// The bytes, whole words.
  var size: Int
  /// The alignment, at least 16.
  var alignment: Int
  /// The values passed by reference: the offset in the frame of the word that is the address, and where the copy begins in the stack words.
  var addresses: [Address] = []

  /// The address of a copy.
  struct Address: Sendable, Hashable {
    var word: Int
    var target: Int
  }
}

/// What a native kernel is given besides the frame and the implementation.
package enum NativeContext: Sendable, Hashable {
  /// A number in place of an address.
  case word(UInt)
  /// The address of these words.
  case words([UInt32])
}

extension CallLayout {
  /// Whether some value fills more than eight bytes of a vector register.
  var fillsVectorRegisters: Bool {
    for piece in arguments.flatMap(\.pieces) + result.pieces {
      if case .vector = piece.location, piece.size > 8 { return true }
    }
    return false
  }
}
