extension Slot.Storage {
  /// Whether the bytes are one run, or two words.
  @inlinable
  var isOneOrTwoRuns: Bool {
    switch self {
    case .signed, .unsigned, .floating, .bytes, .split: true
    case .scattered, .nothing: false
    }
  }

  /// Whether the value cannot be lent where it lies.
  @inlinable
  var isApart: Bool {
    switch self {
    case .signed, .unsigned, .floating, .bytes: false
    case .split, .scattered, .nothing: true
    }
  }
}

/// The members of a homogeneous aggregate: each lies in a register of its own.
extension Slot {
  private var memberSize: Int { Int(second & 0xFFFF) }
  private var memberStride: Int { Int(second >> 16) }

  /// Writes a value whose words do not lie one after the other.
  ///
  /// Never inlined: where the common way is, the value then need not be in memory.
  @inlinable @inline(never)
  func write<Value>(apart value: Value, to frame: UnsafeMutableRawPointer) {
    unsafe withUnsafeBytes(of: value) { unsafe write($0, to: frame) }
  }

  /// Writes the members, each as whole words that are zero behind it; of a value without bytes, nothing.
  @usableFromInline
  func writeMembers(_ bytes: UnsafeRawBufferPointer, to frame: UnsafeMutableRawPointer) {
    guard storage == .scattered else { return }
    let length = min(bytes.count, Int(size))
    for (index, start) in stride(from: 0, to: length, by: memberSize).enumerated() {
      // Gathered first, so that each word is written whole.
      var words: (UInt64, UInt64) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &words) { words in
        unsafe words.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + memberSize, length)]))
      }
      let member = Int(offset) + index * memberStride
      unsafe frame.storeBytes(of: words.0, toByteOffset: member, as: UInt64.self)
      if memberSize > 8 { unsafe frame.storeBytes(of: words.1, toByteOffset: member + 8, as: UInt64.self) }
    }
  }

  /// Lends a value whose parts do not lie one after the other.
  ///
  /// Never inlined: where the common way is, the value then need not be in memory.
  @inlinable @inline(never)
  func withParts<Result>(in frame: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Result) -> Result {
    // The most bytes of a homogeneous aggregate: four members of sixteen.
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { parts in
      let memory = unsafe parts.baseAddress.unsafelyUnwrapped
      if storage == .split {
        unsafe memory.storeBytes(of: frame.load(fromByteOffset: Int(offset), as: UInt64.self), as: UInt64.self)
        unsafe memory.storeBytes(of: frame.load(fromByteOffset: Int(second), as: UInt64.self), toByteOffset: 8, as: UInt64.self)
      } else {
        unsafe readMembers(from: frame, to: memory)
      }
      return unsafe body(UnsafeRawPointer(memory))
    }
  }

  /// Gathers the members; of a value without bytes, nothing.
  @usableFromInline
  func readMembers(from frame: UnsafeRawPointer, to memory: UnsafeMutableRawPointer) {
    guard storage == .scattered else { return }
    for (index, start) in stride(from: 0, to: Int(size), by: memberSize).enumerated() {
      unsafe (memory + start).copyMemory(from: frame + Int(offset) + index * memberStride, byteCount: memberSize)
    }
  }
}
