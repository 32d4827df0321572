internal import CallFrames

// Calls without a frame. `Generated/SwiftCallPlan+Words.swift` contains the calls for each number of arguments.

extension SwiftCallPlan {
  /// How a typed call passes the arguments.
  @usableFromInline
  enum Form {
    /// In a frame, by a kernel.
    case frame
    /// As words in general registers, without self.
    case words
    /// An object as self, and words in general registers.
    case method
  }

  /// Whether a value of a type fills one word or a power of two of its bytes, so that it can be converted to a word.
  ///
  /// A constant to the optimizer, which then removes the calls with words for other types.
  @inlinable @inline(__always)
  static func isWord<Value>(_: Value.Type) -> Bool {
    let size = MemoryLayout<Value>.size
    return size == 8 || size == 4 || size == 2 || size == 1
  }

  /// Whether a result of a type can be converted from a word.
  @inlinable @inline(__always)
  static func isWordResult<Value>(_ type: Value.Type) -> Bool { isWord(type) || MemoryLayout<Value>.size == 0 }

  /// The bytes of a value as a word.
  ///
  /// The word does not keep an object alive.
  @inlinable @inline(__always)
  static func word<Value>(_ value: Value) -> UInt {
    switch MemoryLayout<Value>.size {
    case 8: unsafe unsafeBitCast(value, to: UInt.self)
    case 4: UInt(unsafe unsafeBitCast(value, to: UInt32.self))
    case 2: UInt(unsafe unsafeBitCast(value, to: UInt16.self))
    default: UInt(unsafe unsafeBitCast(value, to: UInt8.self))
    }
  }

  /// The value whose bytes a function has returned in a word.
  @inlinable @inline(__always)
  func result<Value>(_ word: UInt, as type: Value.Type) -> Value {
    // The other bits of a register with a narrow value are not defined.
    let word = type == Bool.self ? word & 1 : word
    guard _isPOD(type) else {
      // The value is moved: a bit cast would copy it.
      var word = word
      return unsafe withUnsafeMutableBytes(of: &word) { unsafe $0.assumingMemoryBound(to: type).baseAddress.unsafelyUnwrapped.move() }
    }
    switch MemoryLayout<Value>.size {
    case 8: return unsafe unsafeBitCast(word, to: type)
    case 4: return unsafe unsafeBitCast(UInt32(truncatingIfNeeded: word), to: type)
    case 2: return unsafe unsafeBitCast(UInt16(truncatingIfNeeded: word), to: type)
    case 1: return unsafe unsafeBitCast(UInt8(truncatingIfNeeded: word), to: type)
    default: return unsafe unsafeBitCast((), to: type)
    }
  }

  /// Destroys the result in a word.
  @inlinable @inline(__always)
  func discardWord(_ word: UInt) {
    if destroysWord { destroyWord(word) }
  }

  /// Destroys a result that is not trivial.
  @usableFromInline
  func destroyWord(_ word: UInt) {
    var word = word
    unsafe withUnsafeMutableBytes(of: &word) { unsafe result.destroy($0.baseAddress.unsafelyUnwrapped) }
  }

  /// The code of a method for the object whose address is a word.
  @inlinable @inline(__always)
  func code(for object: UInt) -> UnsafeRawPointer {
    guard methodOffset != 0 else { return unsafe address }
    // The address of an object is not null. Its first word is the metadata of its class.
    let metadata = unsafe UnsafeRawPointer(bitPattern: object).unsafelyUnwrapped.load(as: UnsafeRawPointer.self)
    return unsafe metadata.load(fromByteOffset: methodOffset, as: UnsafeRawPointer.self)
  }
}

extension SwiftCallPlanner {
  /// How a typed call passes the arguments.
  var form: SwiftCallPlan.Form {
    guard addresses.isEmpty, selfConstant == nil, typedError == nil, returnsWord else { return .frame }
    let isMethod = slots.first?.offset == SwiftKernel.selfWord
    let arguments = slots.dropFirst(isMethod ? 1 : 0)
    // Six registers on each processor; a method has its object and its code in two of them.
    guard arguments.count <= (isMethod ? 4 : 6) else { return .frame }
    for (register, slot) in arguments.enumerated() {
      guard slot.offset == kernel.argumentOffset(of: .general(register)), [1, 2, 4, 8].contains(Self.size(slot)) else { return .frame }
    }
    return isMethod ? .method : .words
  }

  /// The size of what the caller passes.
  private static func size(_ slot: SwiftArgumentSlot) -> Int { slot.type.size }

  /// Whether the result is one word or less in the first general register.
  private var returnsWord: Bool {
    guard [0, 1, 2, 4, 8].contains(result.size) else { return false }
    if result.type == Bool.self { return resultParts.map(\.source) == [kernel.resultOffset(of: .general(0))] && resultMoves.isEmpty }
    return !collectsResult && (result.size == 0 || resultOffset == kernel.resultOffset(of: .general(0)))
  }
}
