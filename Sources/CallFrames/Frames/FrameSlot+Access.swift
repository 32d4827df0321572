extension FrameSlot {
  /// Creates the slot of a pointer or an object that is stored at the base address.
  @inlinable @inline(__always)
  package init(wordOf kind: ValueKind) {
    self.kind = kind
    size = 8
    offset = 0
    second = 8
    storage = .unsigned
  }

  /// Creates a copy of a slot whose storage is known at compile time to be one run of bytes.
  @inlinable @inline(__always)
  package init(inOnePiece slot: FrameSlot) {
    kind = slot.kind
    size = slot.size
    offset = slot.offset
    second = slot.second
    storage = .bytes
  }

  /// Writes a whole word: an integer, a pointer, or a floating-point number in the low bits.
  @inlinable @inline(__always)
  package func write(word: UInt64, to frame: UnsafeMutableRawPointer) {
    unsafe frame.storeBytes(of: word, toByteOffset: Int(offset), as: UInt64.self)
  }

  /// Reads a whole word.
  @inlinable @inline(__always)
  package func word(of frame: UnsafeRawPointer) -> UInt64 {
    unsafe frame.load(fromByteOffset: Int(offset), as: UInt64.self)
  }

  /// Writes a struct or another value without references, in whole words where the call loads words.
  @inlinable @inline(__always)
  package func write<Value>(value: Value, to frame: UnsafeMutableRawPointer) {
    let length = MemoryLayout<Value>.size
    let isContiguous = storage == .bytes
    // The length is a compile-time constant for each type, so only one branch remains. A wide load after two narrow
    // stores would stall the call.
    if length == 8, isContiguous {
      unsafe write(word: unsafeBitCast(value, to: UInt64.self), to: frame)
    } else if length == 16, storage.isOneOrTwoRuns {
      let words = unsafe unsafeBitCast(value, to: (UInt64, UInt64).self)
      unsafe frame.storeBytes(of: words.0, toByteOffset: Int(offset), as: UInt64.self)
      unsafe frame.storeBytes(of: words.1, toByteOffset: isContiguous ? Int(offset) + 8 : Int(second), as: UInt64.self)
    } else if length == 24, isContiguous {
      let words = unsafe unsafeBitCast(value, to: (UInt64, UInt64, UInt64).self)
      let start = unsafe frame + Int(offset)
      unsafe start.storeBytes(of: words.0, as: UInt64.self)
      unsafe start.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
      unsafe start.storeBytes(of: words.2, toByteOffset: 16, as: UInt64.self)
    } else if length == 32, isContiguous {
      let words = unsafe unsafeBitCast(value, to: (UInt64, UInt64, UInt64, UInt64).self)
      let start = unsafe frame + Int(offset)
      unsafe start.storeBytes(of: words.0, as: UInt64.self)
      unsafe start.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
      unsafe start.storeBytes(of: words.2, toByteOffset: 16, as: UInt64.self)
      unsafe start.storeBytes(of: words.3, toByteOffset: 24, as: UInt64.self)
    } else if length > 16, length & 7 == 0, isContiguous {
      unsafe withUnsafeBytes(of: value) { bytes in
        unsafe (frame + Int(offset)).copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: length)
      }
    } else if length & 7 == 0 {
      unsafe write(apart: value, to: frame)
    } else {
      unsafe withUnsafeBytes(of: value) { unsafe write($0, to: frame) }
    }
  }

  /// Writes bytes, padded with zeros to whole words.
  @inlinable
  package func write(_ bytes: UnsafeRawBufferPointer, to frame: UnsafeMutableRawPointer) {
    let length = min(bytes.count, Int(size))
    if storage == .twoWords {
      // Copied to two words first, so that each word is written with one store.
      var words: (UInt64, UInt64) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &words) { words in
        unsafe words.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
      }
      unsafe frame.storeBytes(of: words.0, toByteOffset: Int(offset), as: UInt64.self)
      unsafe frame.storeBytes(of: words.1, toByteOffset: Int(second), as: UInt64.self)
      return
    }
    guard storage.isOneOrTwoRuns else { return unsafe writeMembers(bytes, to: frame) }
    let destination = unsafe frame + Int(offset)
    if length & 7 != 0 { unsafe destination.storeBytes(of: 0, toByteOffset: length & ~7, as: UInt64.self) }
    if let source = bytes.baseAddress { unsafe destination.copyMemory(from: source, byteCount: length) }
  }

  /// Writes a value from memory, extended to a whole word as its type requires.
  ///
  /// - Parameter value: The address of ``size`` bytes, not necessarily aligned.
  @inlinable
  package func write(from value: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    switch storage {
    case .nothing: return
    case .bytes, .twoWords, .homogeneous: unsafe write(UnsafeRawBufferPointer(start: value, count: Int(size)), to: frame)
    case .unsigned, .floating:
      let word: UInt64 =
        switch size {
        case 1: UInt64(unsafe value.load(as: UInt8.self))
        case 2: UInt64(unsafe value.loadUnaligned(as: UInt16.self))
        case 4: UInt64(unsafe value.loadUnaligned(as: UInt32.self))
        default: unsafe value.loadUnaligned(as: UInt64.self)
        }
      unsafe write(word: word, to: frame)
    case .signed:
      let word: Int64 =
        switch size {
        case 1: Int64(unsafe value.load(as: Int8.self))
        case 2: Int64(unsafe value.loadUnaligned(as: Int16.self))
        case 4: Int64(unsafe value.loadUnaligned(as: Int32.self))
        default: unsafe value.loadUnaligned(as: Int64.self)
        }
      unsafe write(word: UInt64(bitPattern: word), to: frame)
    }
  }

  /// Copies the bytes of the value from a frame to memory.
  package func read(from frame: UnsafeRawPointer, to value: UnsafeMutableRawPointer) {
    unsafe withValue(in: frame) { unsafe value.copyMemory(from: $0, byteCount: Int(size)) }
  }

  /// Calls a function with the address of the contiguous bytes of the value.
  ///
  /// The platforms are little-endian: a narrow number is stored in the first bytes of its word.
  @inlinable @inline(__always)
  package func withValue<Result>(in frame: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Result) -> Result {
    guard storage.isApart else { return unsafe body(frame + Int(offset)) }
    return unsafe withParts(in: frame, body)
  }

  /// Sets the value to zero.
  @usableFromInline
  package func clear(in frame: UnsafeMutableRawPointer) {
    switch storage {
    case .nothing: break
    case .twoWords:
      unsafe frame.storeBytes(of: 0, toByteOffset: Int(offset), as: UInt64.self)
      unsafe frame.storeBytes(of: 0, toByteOffset: Int(second), as: UInt64.self)
    case .homogeneous:
      let zeros: [UInt8] = Array(repeating: 0, count: Int(size))
      unsafe zeros.withUnsafeBytes { unsafe write($0, to: frame) }
    case .signed, .unsigned, .floating, .bytes: unsafe (frame + Int(offset)).initializeMemory(as: UInt8.self, repeating: 0, count: extent)
    }
  }
}

extension FrameSlot {
  /// Copies the value from one frame to another of the same plan.
  @inlinable @inline(__always)
  package func copy(from source: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    if storage.isWord {
      unsafe write(word: word(of: source), to: frame)
    } else {
      unsafe withValue(in: source) { unsafe write(from: $0, to: frame) }
    }
  }
}
