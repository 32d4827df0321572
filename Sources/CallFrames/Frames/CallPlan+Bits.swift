// The bit sets after a frame: the arguments that the frame owns and must release, and the arguments that are set.
extension CallPlan {
  /// Whether the frame owns the object or memory that an argument refers to.
  ///
  /// The index must be in range.
  @inlinable
  package func isOwned(_ index: Int, in frame: UnsafeRawPointer) -> Bool { unsafe bit(index, at: ownedBitsOffset, in: frame) }

  /// Marks an argument as owned, or as not owned.
  @inlinable
  package func markOwned(_ index: Int, _ isOwned: Bool = true, in frame: UnsafeMutableRawPointer) {
    unsafe mark(index, isOwned, at: ownedBitsOffset, in: frame)
  }

  /// Initializes the bit sets of a new frame: no argument is owned, and no argument from index ``firstCount`` on is
  /// set.
  @usableFromInline
  package func clearBits(in frame: UnsafeMutableRawPointer) {
    unsafe (frame + frameSize).initializeMemory(as: UInt8.self, repeating: 0, count: blockSize - frameSize)
  }

  /// Releases the object or memory of each owned argument.
  @usableFromInline
  package func releaseOwned(in frame: UnsafeRawPointer) {
    for word in 0..<stateWords {
      var bits = unsafe frame.load(fromByteOffset: ownedBitsOffset + 8 * word, as: UInt64.self)
      while bits != 0 {
        unsafe slots[64 * word + bits.trailingZeroBitCount].releaseOwned(of: frame)
        bits &= bits - 1
      }
    }
  }

  /// Whether an argument from index ``firstCount`` on is set.
  ///
  /// The index must be in range.
  package func isSet(_ index: Int, in frame: UnsafeRawPointer) -> Bool { unsafe bit(index, at: setBitsOffset, in: frame) }

  /// Marks an argument from index ``firstCount`` on as set, or as not set.
  package func markSet(_ index: Int, _ isSet: Bool = true, in frame: UnsafeMutableRawPointer) {
    unsafe mark(index, isSet, at: setBitsOffset, in: frame)
  }

  @inlinable
  package func bit(_ index: Int, at offset: Int, in frame: UnsafeRawPointer) -> Bool {
    unsafe frame.load(fromByteOffset: offset + 8 * (index >> 6), as: UInt64.self) >> UInt64(index & 63) & 1 != 0
  }

  @inlinable
  package func mark(_ index: Int, _ isMarked: Bool, at offset: Int, in frame: UnsafeMutableRawPointer) {
    let mask: UInt64 = 1 << UInt64(index & 63)
    let word = unsafe frame + offset + 8 * (index >> 6)
    let bits = unsafe word.load(as: UInt64.self)
    unsafe word.storeBytes(of: isMarked ? bits | mask : bits & ~mask, as: UInt64.self)
  }
}
