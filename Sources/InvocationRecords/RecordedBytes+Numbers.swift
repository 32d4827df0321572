import DynamicInvocation

/// Encoding and decoding of numbers, without loss of precision.
extension RecordedBytes {
  static func encode(
    _ bytes: UnsafeRawBufferPointer, _ scalar: TypeEncoding.Scalar, to container: inout any UnkeyedEncodingContainer
  ) throws {
    func load<Value: BitwiseCopyable>(_: Value.Type) -> Value { unsafe bytes.loadUnaligned(as: Value.self) }
    func encode<Integer: ScalarInteger>(integer: Integer.Type) throws {
      // Decoders have no integer types of more than 64 bits, so these are strings.
      if Integer.bitWidth > 64 { try container.encode("\(load(integer))") } else { try container.encode(load(integer)) }
    }
    func encode<Number: ScalarFloatingPoint>(floatingPoint: Number.Type) throws {
      let value = load(floatingPoint)
      try container.encode(RecordedNumber(Number.Recorded(value), bits: value.word, standard: Number.nan.word))
    }
    switch scalar.numbers {
    case .bool: try container.encode(load(UInt8.self) != 0)
    case .integer(let type): try encode(integer: type)
    case .floatingPoint(let type): try encode(floatingPoint: type)
    case .longDouble: try container.encode(load(LongDouble.self).description)
    case .unavailable: throw InvocationError(.unsupportedType, "this platform has no such number")
    }
  }

  static func decode(
    from container: inout any UnkeyedDecodingContainer, _ scalar: TypeEncoding.Scalar, into bytes: UnsafeMutableRawBufferPointer
  ) throws {
    func store(_ value: some BitwiseCopyable) { unsafe bytes.storeBytes(of: value, as: type(of: value)) }
    func decode<Integer: ScalarInteger>(integer: Integer.Type) throws {
      switch Integer.bitWidth {
      case 65...: store(try text(from: &container, integer))
      case 64: store(try container.decode(integer))
      default: store(try Self.integer(from: &container, integer))
      }
    }
    func decode<Number: ScalarFloatingPoint>(floatingPoint: Number.Type) throws {
      switch try container.decode(RecordedNumber<Number.Recorded>.self) {
      case .number(let number):
        guard let value = Number(exactly: number) else { throw InvocationError(.inexact, "\(number) is not held exactly") }
        store(value)
      case .text(let text): store(try special(text, floatingPoint))
      }
    }
    switch scalar.numbers {
    case .bool: store(try container.decode(Bool.self) ? 1 as UInt8 : 0)
    case .integer(let type): try decode(integer: type)
    case .floatingPoint(let type): try decode(floatingPoint: type)
    case .longDouble: store(try text(from: &container, LongDouble.self))
    case .unavailable: throw InvocationError(.unsupportedType, "this platform has no such number")
    }
  }

  private static func integer<Value: FixedWidthInteger>(
    from container: inout any UnkeyedDecodingContainer, _: Value.Type
  ) throws -> Value {
    let number = try container.decode(Int64.self)
    guard let value = Value(exactly: number) else { throw InvocationError(.outOfRange, "\(number) does not fit") }
    return value
  }

  private static func text<Value: LosslessStringConvertible>(
    from container: inout any UnkeyedDecodingContainer, _: Value.Type
  ) throws -> Value {
    let text = try container.decode(String.self)
    guard let value = Value(text) else { throw InvocationError(.outOfRange, "'\(text.prefix(60))' is no number of the type") }
    return value
  }

  /// Returns the number that a text represents: an infinity or a NaN.
  private static func special<Number: ScalarFloatingPoint>(_ text: String, _: Number.Type) throws(InvocationError) -> Number {
    switch text {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    default:
      let mark = "nan:"
      if text.hasPrefix(mark), let word = UInt64(text.dropFirst(mark.count), radix: 16), case let number = Number(word: word),
        number.isNaN, number.word == word
      {
        return number
      }
      throw InvocationError(.typeMismatch, "'\(text.prefix(60))' is not a number, 'nan', 'inf' or '-inf'")
    }
  }
}

/// A floating-point number, encoded as a number, or as text if it is infinite or NaN.
enum RecordedNumber<Value: BinaryFloatingPoint & Codable & Sendable>: Codable, Sendable {
  case number(Value)
  case text(String)

  /// - Parameters:
  ///   - value: The value.
  ///   - bits: Its bits, which are preserved for a NaN.
  ///   - standard: The bits of the default NaN.
  init(_ value: Value, bits: UInt64, standard: UInt64) {
    if value.isFinite {
      self = .number(value)
    } else if value.isNaN {
      self = .text(bits == standard ? "nan" : "nan:" + String(bits, radix: 16))
    } else {
      self = .text(value < 0 ? "-inf" : "inf")
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
      return
    }
    let value = try container.decode(Value.self)
    guard value.isFinite else { throw InvocationError(.outOfRange, "the number does not fit") }
    self = .number(value)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}

/// Encoding and decoding of bit-fields as integers.
extension TypeEncoding.BitField {
  /// The range of numbers that the bits can hold.
  private var bounds: ClosedRange<Int128> {
    let size = Int128(1) << Int128(min(width, 126))
    return container.isSigned ? -(size / 2)...(size / 2 - 1) : 0...(size - 1)
  }

  func encode(
    _ bits: Range<Int>, of bytes: UnsafeRawBufferPointer, to parts: inout any UnkeyedEncodingContainer
  ) throws {
    var number: Int128 = 0
    // Bits are counted from the least significant bit of the first byte, as on all little-endian platforms.
    for bit in bits where unsafe bytes[bit >> 3] >> UInt8(bit & 7) & 1 != 0 { number |= 1 << Int128(bit - bits.lowerBound) }
    if number > bounds.upperBound { number -= 2 * (bounds.upperBound + 1) }
    if container == .bool {
      try parts.encode(number != 0)
    } else if let small = Int64(exactly: number) {
      try parts.encode(small)
    } else if let large = UInt64(exactly: number) {
      try parts.encode(large)
    } else {
      throw InvocationError(.unsupportedType, "a bit-field of more than 64 bits")
    }
  }

  func decode(
    from parts: inout any UnkeyedDecodingContainer, _ bits: Range<Int>, into bytes: UnsafeMutableRawBufferPointer
  ) throws {
    let number: Int128
    if container == .bool {
      number = try parts.decode(Bool.self) ? 1 : 0
    } else if container.isSigned {
      number = Int128(try parts.decode(Int64.self))
    } else {
      number = Int128(try parts.decode(UInt64.self))
    }
    guard bounds.contains(number) else {
      throw InvocationError(.outOfRange, "\(number) does not fit \(width) bits, \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    let pattern = UInt128(truncatingIfNeeded: number)
    for bit in bits where pattern >> UInt128(bit - bits.lowerBound) & 1 != 0 { unsafe bytes[bit >> 3] |= 1 << UInt8(bit & 7) }
  }
}
