// A typed call without a frame, where all arguments and the result are words, or floating-point numbers, in registers.
extension ForeignFunction {
  /// Whether all arguments and the result are words in general registers.
  @inlinable @inline(__always)
  var isCalledWithWords: Bool { methodSignature.storage.plan.registerCall == .words }

  /// Whether all arguments and the result are numbers in vector registers.
  @inlinable @inline(__always)
  var isCalledWithFloats: Bool { methodSignature.storage.plan.registerCall == .floats }

  /// Returns the result that a register contains.
  ///
  /// The type is that of the signature.
  @inlinable @inline(__always)
  func result<Value: EncodedValue>(_ word: UInt64, as type: Value.Type) throws(InvocationError) -> Value {
    let slot = FrameSlot(wordOf: methodSignature.storage.plan.result.kind)
    let value = unsafe withUnsafePointer(to: word) { unsafe slot.value(as: type, of: UnsafeRawPointer($0)) }
    return try self.result(value)
  }
}

// Constants of each type, so that a call site contains only the calls that its types allow. The plan decides.
extension EncodedValue {
  /// Whether the value may be one word in a general register.
  ///
  /// An enum whose raw values are texts owns the copy of the text, which only a frame can free. Not `copiesText`, which
  /// compares types: that takes 27 instructions more in a call.
  @inlinable @inline(__always)
  static var mayBeWord: Bool { MemoryLayout<Self>.size <= 8 && !mayBeFloat && !(mayOwn && isLookedUp) }

  /// Whether the value is a number in a vector register.
  @inlinable @inline(__always)
  static var mayBeFloat: Bool { self == Double.self || self == Float.self }

  /// The word of a value in a register: an extended integer, a pointer, or the bits of a floating-point number.
  @inlinable @inline(__always)
  var registerWord: UInt64 {
    var word: UInt64 = 0
    unsafe withUnsafeMutablePointer(to: &word) {
      let isOwned = unsafe store(in: FrameSlot(wordOf: Self.valueKind), of: UnsafeMutableRawPointer($0), keeping: false)
      precondition(!isOwned, "a value of one word owns nothing that is not kept")
    }
    return word
  }
}
