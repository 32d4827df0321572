/// The frame of an incoming call as a closure's entry fills it: the image of the registers.
///
/// The stack words stay where the caller has them, at a fixed distance, and values that the caller passes by reference stay where it has
/// those. An outgoing frame holds both behind the registers. An incoming one can be made to, so that both are read in the same way.
///
/// Source: AAPCS64, section 6.8.2, rule B.4.
package struct IncomingImage: Sendable {
  /// The bytes of the result registers, which come first.
  package let resultSize: Int
  /// The bytes that the entry fills.
  package let registerSize: Int
  /// The bytes of the stack words.
  package let stackSize: Int
  /// The offset of the stack words, above what the entry saves.
  package let callerStack: Int
  /// The bytes of a frame with the stack words, and the values passed by reference, behind the registers.
  package let size: Int
  /// The values passed by reference.
  package let references: [Reference]

  /// A value passed by reference.
  package struct Reference: Sendable, Hashable {
    /// The offset of its address in a frame with all behind the registers.
    package var address: Int
    /// The offset of its copy.
    package var copy: Int
    package var size: Int
  }

  /// The slot of an argument that is read where the caller has it, or of a result; a reference is gathered first.
  ///
  /// - Parameter slot: The slot in an outgoing frame.
  func slot(_ slot: Slot) -> Slot {
    slot.moved { outgoing in
      if outgoing < registerSize { return outgoing }
      if outgoing < registerSize + stackSize { return outgoing - registerSize + callerStack }
      // The word for padding. A result that has any fills one register, so the second general one is free for it.
      return 8
    }
  }

  /// Copies the registers and the stack words to a frame that holds them one behind the other.
  package func copy(from image: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    unsafe frame.copyMemory(from: image, byteCount: registerSize)
    if stackSize > 0 { unsafe (frame + registerSize).copyMemory(from: image + callerStack, byteCount: stackSize) }
  }

  /// Copies an image, the stack words and the values that both refer to.
  ///
  /// - Parameters:
  ///   - image: What an entry filled.
  ///   - frame: At least ``size`` bytes.
  package func gather(from image: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    unsafe copy(from: image, to: frame)
    for reference in references {
      // A caller has a copy of its own for each call, at an address that is never null.
      let address = unsafe frame.load(fromByteOffset: reference.address, as: UnsafeRawPointer.self)
      unsafe (frame + reference.copy).copyMemory(from: address, byteCount: reference.size)
    }
  }
}
