/// The offset of an argument or of the result in a frame, and how its value is stored there.
///
/// The backend that plans a call determines the offset. All other code only reads the slot.
@frozen
public struct FrameSlot: Sendable, CustomStringConvertible {
  /// How a value is stored in a frame, in the form that the call loads.
  @usableFromInline
  package enum Storage: UInt8, Sendable {
    // The order makes each test on a hot path a single comparison.

    /// A signed integer of at most eight bytes, sign-extended to a whole word.
    case signed
    /// An unsigned integer, a bool or a pointer, zero-extended to a whole word.
    case unsigned
    /// A floating-point number of at most eight bytes in a word whose other bytes are zero.
    case floating
    /// The unchanged bytes, padded with zeros to whole words.
    case bytes
    /// Two words that are not adjacent: the first eight bytes are at ``FrameSlot/offset``, the others at ``FrameSlot/second``.
    case twoWords
    /// The members of a homogeneous aggregate, each in its own vector register.
    ///
    /// The low half of ``FrameSlot/second`` is the size of a member, the high half the distance between two members.
    case homogeneous
    /// No bytes: void, or an empty struct.
    case nothing
  }

  /// The kind of the value, which typed access compares with the kind of the Swift type.
  public let kind: ValueKind

  /// The size of the value in bytes.
  @usableFromInline package let size: UInt32

  /// The offset of the value from the start of the frame.
  public let offset: UInt32

  /// The offset of the second word for ``Storage/twoWords``, and the size and distance of the members for
  /// ``Storage/homogeneous``.
  @usableFromInline package let second: UInt32

  /// How the value is stored.
  @usableFromInline package let storage: Storage

  package init(kind: ValueKind, size: Int, offset: Int, second: Int = 0, storage: Storage) {
    self.kind = kind
    self.size = UInt32(size)
    self.offset = UInt32(offset)
    self.second = UInt32(second)
    self.storage = storage
  }

  /// Creates the slot of a value from the locations of its pieces.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - passed: The kind, size and alignment of the type as it is passed.
  ///   - pieces: The pieces of the value.
  ///   - unused: The offset of a word for an eightbyte that contains only padding and is not passed.
  ///   - offset: Returns the offset of a location in the frame.
  init(_ type: TypeEncoding, _ passed: Passed, _ pieces: [CallLayout.Piece], unused: Int, offset: (CallLayout.Location) -> Int) {
    guard !pieces.isEmpty else {
      self.init(kind: passed.kind, size: passed.size, offset: unused, storage: .nothing)
      return
    }
    let storage = Self.storage(of: type)
    if let members = Self.homogeneousMembers(pieces, offset: offset) {
      self.init(
        kind: passed.kind, size: passed.size, offset: offset(pieces[0].location), second: members.size | members.stride << 16,
        storage: .homogeneous)
      return
    }
    let first = pieces.first { $0.offset == 0 }.map { offset($0.location) } ?? unused
    // A piece may hold more than eight bytes: a stack area, a whole vector register, a long double.
    let isWhole = passed.size <= 8 || pieces[0].offset == 0 && pieces[0].size > 8
    let second = isWhole ? first + 8 : pieces.first { $0.offset == 8 }.map { offset($0.location) } ?? unused
    if second == first + 8 {
      self.init(kind: passed.kind, size: passed.size, offset: first, storage: storage)
    } else {
      self.init(kind: passed.kind, size: passed.size, offset: first, second: second, storage: .twoWords)
    }
  }

  /// The size of the members of a homogeneous aggregate and the distance between their registers.
  ///
  /// Returns nil if one run of bytes or two words can describe the value.
  private static func homogeneousMembers(_ pieces: [CallLayout.Piece], offset: (CallLayout.Location) -> Int) -> (size: Int, stride: Int)? {
    guard pieces.count > 1, pieces.count > 2 || pieces[0].size < 8, case .vector = pieces[0].location else { return nil }
    let stride = offset(pieces[1].location) - offset(pieces[0].location)
    return stride == pieces[0].size ? nil : (pieces[0].size, stride)
  }

  private init(_ slot: FrameSlot, offset: UInt32, second: UInt32, storage: Storage) {
    kind = slot.kind
    size = slot.size
    self.offset = offset
    self.second = second
    self.storage = storage
  }

  /// Returns the slot in a frame with other offsets, which a closure computes.
  func moved(_ place: (Int) -> Int) -> FrameSlot {
    // For a homogeneous aggregate the second field is not an offset.
    let second = storage == .homogeneous ? second : UInt32(place(Int(second)))
    return FrameSlot(self, offset: UInt32(place(Int(offset))), second: second, storage: storage)
  }

  /// Returns the slot of the value stored as one run of bytes.
  package func gathered(at offset: Int) -> FrameSlot {
    FrameSlot(self, offset: UInt32(offset), second: UInt32(offset + 8), storage: .bytes)
  }

  /// The size of the value in a frame, rounded up to whole words.
  package var extent: Int { Int(size).roundedUp(to: 8) }

  /// The kind, the size and the offset in the frame: `d, 8 bytes at 16, floating`.
  public var description: String { "\(kind), " + Int(size).counted("byte") + " at \(offset), \(storage)" }
}

extension FrameSlot {
  /// The type of an argument as it is passed: an array becomes a pointer to its first element.
  struct Passed {
    var kind: ValueKind
    var size: Int
    var alignment: Int

    init(_ type: TypeEncoding) {
      if case .array = type.kind {
        (kind, size, alignment) = (.pointer, 8, 8)
      } else {
        (kind, size, alignment) = (type.valueKind, type.size ?? 0, type.alignment ?? 1)
      }
    }
  }

  /// Returns how a type is stored if its value is one run of bytes.
  package static func storage(of type: TypeEncoding) -> Storage {
    switch type.kind {
    case .void, .unknown, .bitField: .nothing
    case .scalar(let scalar) where scalar.size > 8: .bytes
    case .scalar(let scalar):
      switch scalar.traits.format {
      case .signedInteger: .signed
      case .unsignedInteger, .bool: .unsigned
      case .floatingPoint: .floating
      case .longDouble: .bytes
      }
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer: .unsigned
    // An array argument is a pointer.
    case .array: .unsigned
    case .complex, .vector, .structure, .union: type.size == 0 ? .nothing : .bytes
    }
  }
}

// MARK: - Access

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

// MARK: - Members

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

// Access to the members of a homogeneous aggregate. Each is in its own register.
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
