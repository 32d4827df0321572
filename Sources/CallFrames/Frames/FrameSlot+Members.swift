extension FrameSlot.Storage {
  /// Whether the value is a number or a pointer in one word.
  @inlinable
  package var isWord: Bool { rawValue <= FrameSlot.Storage.floating.rawValue }

  /// Whether the value is one run of bytes or two words.
  @inlinable
  package var isOneOrTwoRuns: Bool {
    switch self {
    case .signed, .unsigned, .floating, .bytes, .twoWords: true
    case .homogeneous, .nothing: false
    }
  }

  /// Whether the bytes of the value are not contiguous in the frame.
  @inlinable
  package var isApart: Bool {
    switch self {
    case .signed, .unsigned, .floating, .bytes: false
    case .twoWords, .homogeneous, .nothing: true
    }
  }
}

// Access to the members of a homogeneous aggregate, each of which is in its own register.
extension FrameSlot {
  package var memberSize: Int { Int(second & 0xFFFF) }
  package var memberStride: Int { Int(second >> 16) }

  /// Writes a value whose words are not adjacent.
  ///
  /// Never inlined, so that the fast path does not need the value in memory.
  @inlinable @inline(never)
  package func write<Value>(apart value: Value, to frame: UnsafeMutableRawPointer) {
    unsafe withUnsafeBytes(of: value) { unsafe write($0, to: frame) }
  }

  /// Writes each member to whole words, padded with zeros.
  ///
  /// Does nothing for a value without bytes.
  @usableFromInline
  package func writeMembers(_ bytes: UnsafeRawBufferPointer, to frame: UnsafeMutableRawPointer) {
    guard storage == .homogeneous else { return }
    let length = min(bytes.count, Int(size))
    for (index, start) in stride(from: 0, to: length, by: memberSize).enumerated() {
      // Copied to two words first, so that each word is written with one store.
      var words: (UInt64, UInt64) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &words) { words in
        unsafe words.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + memberSize, length)]))
      }
      let member = Int(offset) + index * memberStride
      unsafe frame.storeBytes(of: words.0, toByteOffset: member, as: UInt64.self)
      if memberSize > 8 { unsafe frame.storeBytes(of: words.1, toByteOffset: member + 8, as: UInt64.self) }
    }
  }

  /// Calls a function with a contiguous copy of a value whose parts are not adjacent.
  ///
  /// Never inlined, so that the fast path does not need the value in memory.
  @inlinable @inline(never)
  package func withParts<Result>(in frame: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Result) -> Result {
    // The maximum size of a homogeneous aggregate: four members of 16 bytes.
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { parts in
      let memory = unsafe parts.baseAddress.unsafelyUnwrapped
      if storage == .twoWords {
        unsafe memory.storeBytes(of: frame.load(fromByteOffset: Int(offset), as: UInt64.self), as: UInt64.self)
        unsafe memory.storeBytes(of: frame.load(fromByteOffset: Int(second), as: UInt64.self), toByteOffset: 8, as: UInt64.self)
      } else {
        unsafe readMembers(from: frame, to: memory)
      }
      return unsafe body(UnsafeRawPointer(memory))
    }
  }

  /// Copies the members to contiguous memory.
  ///
  /// Does nothing for a value without bytes.
  @usableFromInline
  package func readMembers(from frame: UnsafeRawPointer, to memory: UnsafeMutableRawPointer) {
    guard storage == .homogeneous else { return }
    for (index, start) in stride(from: 0, to: Int(size), by: memberSize).enumerated() {
      unsafe (memory + start).copyMemory(from: frame + Int(offset) + index * memberStride, byteCount: memberSize)
    }
  }
}
