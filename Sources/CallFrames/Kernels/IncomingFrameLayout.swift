/// The layout of the frame of an incoming call, which a closure's entry fills with the register image.
///
/// The stack words stay in the caller's stack frame, at a fixed distance, and values passed by reference stay in the
/// caller's memory. In an outgoing frame both follow the registers. An incoming call can be copied to such a frame, so
/// that both kinds of frame can be read in the same way.
///
/// Source: AAPCS64, section 6.8.2, rule B.4.
package struct IncomingFrameLayout: Sendable {
  /// The size of the result registers, which come first.
  package let resultSize: Int
  /// The size of the register image, which the entry fills.
  package let registerSize: Int
  /// The size of the stack words.
  package let stackSize: Int
  /// The offset of the caller's stack words, above the registers that the entry saves.
  package let callerStack: Int
  /// The size of a frame in which the stack words and the values passed by reference follow the registers.
  package let size: Int
  /// The values passed by reference.
  package let references: [Reference]

  /// The arguments that share a stack word with others.
  package let moves: [Move]

  /// Whether a call must be copied to such a frame before its arguments are read.
  package let isGathered: Bool

  /// An argument that shares a stack word with others.
  package struct Move: Sendable, Hashable {
    /// The offset of its own word in a frame.
    package var word: Int
    /// The offset of its bytes in the stack words of a frame.
    package var packed: Int
    package var size: Int
  }

  /// A value passed by reference.
  package struct Reference: Sendable, Hashable {
    /// The offset of its address in such a frame.
    package var address: Int
    /// The offset of its copy in such a frame.
    package var copy: Int
    package var size: Int
  }

  /// Returns the slot of an argument that is read from the caller's frame, or of a result.
  ///
  /// If ``isGathered``, a call must be copied first with ``gather(from:to:)``.
  ///
  /// - Parameter slot: The slot in an outgoing frame.
  package func slot(_ slot: FrameSlot) -> FrameSlot {
    slot.moved { outgoing in
      if outgoing < registerSize { return outgoing }
      if outgoing < registerSize + stackSize { return outgoing - registerSize + callerStack }
      // The word for padding. A result with an eightbyte of padding occupies one register, so the word of the second
      // general register is free.
      return 8
    }
  }

  /// Copies the registers and the stack words to a frame in which they are adjacent.
  package func copy(from image: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    unsafe frame.copyMemory(from: image, byteCount: registerSize)
    if stackSize > 0 { unsafe (frame + registerSize).copyMemory(from: image + callerStack, byteCount: stackSize) }
  }

  /// Copies the registers, the stack words, the values passed by reference and the arguments that share a stack word.
  ///
  /// - Parameters:
  ///   - image: The register image that a closure entry filled.
  ///   - frame: At least ``size`` bytes.
  package func gather(from image: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    unsafe copy(from: image, to: frame)
    for reference in references {
      // The caller passes a separate copy for each call, at an address that is never null.
      let address = unsafe frame.load(fromByteOffset: reference.address, as: UnsafeRawPointer.self)
      unsafe (frame + reference.copy).copyMemory(from: address, byteCount: reference.size)
    }
    unsafe separate(in: frame)
  }

  /// Copies the arguments that share a stack word from the stack words of a frame to their own words.
  package func separate(in frame: UnsafeMutableRawPointer) {
    for move in moves {
      if move.size % 8 != 0 { unsafe frame.storeBytes(of: 0, toByteOffset: move.word + move.size / 8 * 8, as: UInt64.self) }
      unsafe (frame + move.word).copyMemory(from: frame + move.packed, byteCount: move.size)
    }
  }
}

/// Copying of an incoming call's frame to an outgoing one: both have the same register image.
extension CallPlan {
  /// Copies an incoming call's arguments to a frame for an outgoing call of the same plan.
  ///
  /// Narrow values are extended to whole words: a caller may leave the upper bits of a register or stack word
  /// undefined, but a callee may rely on them. Nothing that the arguments refer to is retained or copied.
  ///
  /// - Parameters:
  ///   - incoming: The frame of the incoming call, as a closure of unknown types receives it.
  ///   - frame: At least ``frameSize`` bytes.
  package func copyArguments(fromIncoming incoming: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    guard let image = self.incoming else { preconditionFailure("a call came in by another backend than the native one") }
    if !image.isGathered {
      unsafe image.copy(from: incoming, to: frame)
    } else {
      // The arguments were gathered when the call came in.
      unsafe frame.copyMemory(from: incoming, byteCount: image.size)
    }
    guard hasNarrowArguments else { return unsafe prepare(frame) }
    for index in 0..<count {
      let slot = unsafe slots[index]
      if slot.size < 8, slot.storage.isWord { unsafe slot.write(from: frame + Int(slot.offset), to: frame) }
    }
    unsafe prepare(frame)
  }
}
