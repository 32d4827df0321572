extension BoxedValue {
  /// The result of converting a boxed value to a type.
  package enum Converted {
    /// A word for a slot; the value is in its low bytes.
    case word(UInt64)
    /// Two words of a 128-bit number or a `long double`.
    case words(UInt64, UInt64)
    /// Bytes in memory.
    case bytes([UInt8])
    /// A string to copy as a C string.
    case text(String)
    /// An object to store a reference to.
    case object(AnyObject)
  }

  /// Converts the value to a type, as the signature requires; errors do not name an argument yet.
  func converted(to type: TypeEncoding, _ options: ConversionOptions) throws(InvocationError) -> Converted {
    if case .value(let value) = self, let scalar = try value.scalar { return try scalar.converted(to: type, options) }
    switch type.kind {
    case .scalar(let scalar): return try converted(to: scalar, options)
    case .cString, .atom:
      guard case .string(let text) = self else { return .word(try address("a text or a pointer")) }
      try requireNoNull(in: text)
      return .text(text)
    case .object:
      if case .object(let object) = self { return .object(object) }
      guard isNull else { throw mismatch("an object") }
      return .word(0)
    case .classObject:
      if case .type(let type) = self { return .word(ClassReference.word(type)) }
      guard isNull else { throw mismatch("a class") }
      return .word(0)
    case .selector:
      switch self {
      case .selector(let selector): return .word(UInt64(unsafe UInt(bitPattern: selector.pointer)))
      case .string(let name):
        try requireNoNull(in: name)
        return .word(UInt64(unsafe UInt(bitPattern: MethodSelector(name).pointer)))
      case .null: return .word(0)
      default: throw mismatch("a selector")
      }
    case .pointer, .block, .array: return .word(try address())
    case .structure, .union, .complex, .vector: return .bytes(try aggregate(of: type))
    case .void, .unknown, .bitField: throw mismatch("a value of this type")
    }
  }

  private func converted(to scalar: TypeEncoding.Scalar, _ options: ConversionOptions) throws(InvocationError) -> Converted {
    switch scalar.numbers {
    case .bool: return .word(try truth(options) ? 1 : 0)
    case .integer(let type):
      let words = try type.words(of: self, as: scalar, options)
      return type.bitWidth > 64 ? .words(words.low, words.high) : .word(words.low)
    case .floatingPoint(let type): return .word(try type.word(of: self, as: scalar, options))
    case .longDouble:
      let number = try longDouble(options)
      // One word or two, as the platform says.
      var words: (UInt64, UInt64) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &words) { unsafe $0.storeBytes(of: number, as: LongDouble.self) }
      return .words(words.0, words.1)
    case .unavailable: throw InvocationError(.unsupportedType, "Swift has no \(scalar.swiftName) on this platform")
    }
  }

  private func address(_ wanted: String = "a pointer") throws(InvocationError) -> UInt64 {
    switch self {
    case .pointer(let pointer): return UInt64(UInt(bitPattern: pointer))
    case .null: return 0
    default: throw mismatch(wanted)
    }
  }

  private func requireNoNull(in text: String) throws(InvocationError) {
    guard text.utf8.contains(0) else { return }
    throw InvocationError(.typeMismatch, "\(text.debugDescription) contains a null character, which would end the C string")
  }

  /// Returns the bytes of a struct with the layout of the type.
  private func aggregate(of type: TypeEncoding) throws(InvocationError) -> [UInt8] {
    if case .value(let value) = self, value.encoding.valueKind == type.valueKind {
      // The value was read from a call, so the objects it refers to may have been deallocated.
      try value.encoding.requireNoReferences()
      // C may have written any byte as a bool.
      return value.encoding.normalized(value.bytes)
    }
    let bytes = unsafe withGeometry { geometry, bytes in geometry.valueKind == type.valueKind ? unsafe Array(bytes) : nil }
    guard let bytes = bytes ?? nil else { throw mismatch("a value of this layout") }
    return bytes
  }

  private func mismatch(_ wanted: String) -> InvocationError {
    InvocationError(isNull ? .nullNotAllowed : .typeMismatch, isNull ? "null is not \(wanted)" : "\(typeName) \(self) is not \(wanted)")
  }

  /// Writes the value to memory, converted to a type, as a member of a struct or an element of a buffer.
  ///
  /// - Parameters:
  ///   - memory: The address of as many bytes as the type has; it need not be aligned.
  ///   - type: The type. A string is rejected, since nothing would own its copy. A bit-field is rejected, since it has
  ///     no address.
  ///   - options: The conversion options.
  /// - Throws: `InvocationError` as setting an argument does, without an argument.
  public func write(
    to memory: UnsafeMutableRawPointer, as type: TypeEncoding, options: ConversionOptions = []
  ) throws(InvocationError) {
    // As an argument an array is a pointer; in memory it is its elements.
    let converted = if case .array = type.kind { Converted.bytes(try aggregate(of: type)) } else { try converted(to: type, options) }
    switch converted {
    case .word(let word):
      unsafe withUnsafeBytes(of: word) { bytes in
        unsafe memory.copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: min(type.size ?? 0, 8))
      }
    case .words(let low, let high):
      unsafe memory.storeBytes(of: low, as: UInt64.self)
      if type.size == 16 { unsafe memory.storeBytes(of: high, toByteOffset: 8, as: UInt64.self) }
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBytes { source in
        if let address = source.baseAddress { unsafe memory.copyMemory(from: address, byteCount: source.count) }
      }
    case .text:
      throw InvocationError(
        .typeMismatch, "a text in memory has no owner: keep a buffer of characters alive, and set its address, a pointer",
        encoding: type.description)
    case .object(let object):
      unsafe memory.storeBytes(of: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), as: UInt.self)
    }
  }

  /// Writes the value to a slot of a frame.
  ///
  /// Returns whether the frame then owns what the slot refers to.
  package func store(
    in slot: FrameSlot, of frame: UnsafeMutableRawPointer, as type: TypeEncoding, options: ConversionOptions, keeping: Bool
  ) throws(InvocationError) -> Bool {
    unsafe try converted(to: type, options).store(in: slot, of: frame, keeping: keeping)
  }
}

extension BoxedValue.Converted {
  /// Writes the value to a slot of a frame.
  ///
  /// Returns whether the frame then owns what the slot refers to.
  func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    switch self {
    case .word(let word):
      unsafe slot.write(word: word, to: frame)
      return false
    case .words(let low, let high):
      unsafe slot.write(word: low, to: frame)
      unsafe frame.storeBytes(of: high, toByteOffset: Int(slot.offset) + 8, as: UInt64.self)
      return false
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBytes { unsafe slot.write($0, to: frame) }
      return false
    case .text(let text): return unsafe text.store(in: slot, of: frame, keeping: keeping)
    case .object(let object): return unsafe ObjectReference.store(object, in: slot, of: frame, keeping: keeping)
    }
  }
}

/// Options for converting a boxed value to the parameter's type.
public struct ConversionOptions: OptionSet, Sendable {
  /// One bit for each option.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Converts between numbers as NSNumber does, without an error.
  ///
  /// Integers wrap, fractions are truncated, and precision is lost. A bool becomes 0 or 1, and any number other than 0
  /// becomes true.
  ///
  /// A floating-point number that is NaN or outside the range of a signed 64-bit integer becomes the smallest such
  /// integer, whose low bits are used for narrower types. For an unsigned 64-bit type it is converted through 128 bits
  /// and wraps: 1e20 becomes 1e20 modulo 2 to the power of 64. NSNumber on Linux gives the same results, with two
  /// exceptions. For an unsigned 64-bit type the fraction of a negative number is truncated here as well, where
  /// NSNumber rounds down. Every number other than 0 is true here, where NSNumber converts 0.5 to false.
  public static let truncating: ConversionOptions = ConversionOptions(rawValue: 1)
}

extension ConversionOptions: CustomStringConvertible {
  /// The names of the options: `[truncating]`.
  public var description: String { text([(.truncating, "truncating")]) }
}
