import DynamicInvocation

extension ValueReader {
  /// Writes a number or a Boolean value.
  func read(
    _ value: JSONValue, as scalar: TypeEncoding.Scalar, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    switch scalar {
    case .bool:
      guard case .bool(let isTrue) = value else { throw mismatch(value, "true or false", type) }
      memory.storeBytes(of: isTrue ? 1 : 0, as: UInt8.self)
    case .int8: memory.storeBytes(of: try integer(value, Int8.self, type), as: Int8.self)
    case .uint8: memory.storeBytes(of: try integer(value, UInt8.self, type), as: UInt8.self)
    case .int16: memory.storeBytes(of: try integer(value, Int16.self, type), as: Int16.self)
    case .uint16: memory.storeBytes(of: try integer(value, UInt16.self, type), as: UInt16.self)
    case .int32: memory.storeBytes(of: try integer(value, Int32.self, type), as: Int32.self)
    case .uint32: memory.storeBytes(of: try integer(value, UInt32.self, type), as: UInt32.self)
    case .int64: memory.storeBytes(of: try integer(value, Int64.self, type), as: Int64.self)
    case .uint64: memory.storeBytes(of: try integer(value, UInt64.self, type), as: UInt64.self)
    case .int128: memory.storeBytes(of: try integer(value, Int128.self, type, orText: true), as: Int128.self)
    case .uint128: memory.storeBytes(of: try integer(value, UInt128.self, type, orText: true), as: UInt128.self)
    case .float16:
      #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
        throw failure(.unsupportedType, "this platform has no such number", type)
      #else
        memory.storeBytes(of: try floating(value, Float16.self, type, precision: 11), as: Float16.self)
      #endif
    case .float: memory.storeBytes(of: try floating(value, Float.self, type, precision: 24), as: Float.self)
    case .double: memory.storeBytes(of: try floating(value, Double.self, type, precision: 53), as: Double.self)
    case .longDouble: memory.storeBytes(of: try longDouble(value, type), as: LongDouble.self)
    }
  }

  // MARK: Integers

  /// Reads a whole number in range.
  ///
  /// `1.0` and `1e3` are whole numbers, and so is the string `"0x1F"`.
  ///
  /// - Parameter orText: Whether to accept a string of decimal digits.
  func integer<Integer: FixedWidthInteger>(
    _ value: JSONValue, _ integer: Integer.Type, _ type: TypeEncoding, orText: Bool = false
  ) throws(InvocationError) -> Integer {
    guard let (number, isNegative) = Self.whole(value, orText: orText) else {
      throw mismatch(value, orText ? "a whole number, or a string of one" : "a whole number", type)
    }
    switch number {
    case .fraction: throw failure(.inexact, "\(value.summary) is not a whole number", type)
    case .tooLarge: throw failure(.outOfRange, "\(value.summary) does not fit", type)
    case .integer(let magnitude):
      guard let integer: Integer = Self.signed(magnitude, isNegative: isNegative) else {
        throw failure(.outOfRange, "\(value.summary) does not fit", type)
      }
      return integer
    }
  }

  private static func whole(_ value: JSONValue, orText: Bool) -> (number: DecimalNumber.Whole, isNegative: Bool)? {
    switch value {
    case .number(let text): return DecimalNumber(text).map { ($0.whole, $0.isNegative) }
    case .string(let text):
      if let number = HexadecimalNumber(text) { return (number.whole, number.isNegative) }
      return orText ? DecimalNumber(text).map { ($0.whole, $0.isNegative) } : nil
    default: return nil
    }
  }

  private static func signed<Integer: FixedWidthInteger>(_ magnitude: UInt128, isNegative: Bool) -> Integer? {
    guard isNegative, magnitude > 0 else { return Integer(exactly: magnitude) }
    // -(m - 1) - 1 computes the minimum value without an intermediate overflow.
    guard magnitude <= UInt128(Int128.max) + 1 else { return nil }
    return Integer(exactly: -Int128(magnitude - 1) - 1)
  }

  // MARK: Floating point

  /// Reads the floating-point number nearest to a decimal one.
  ///
  /// An integer literal must be representable exactly, as in the rest of the engine.
  func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: JSONValue, _ number: Number.Type, _ type: TypeEncoding, precision: Int
  ) throws(InvocationError) -> Number {
    switch value {
    case .string("nan"): return Number.nan
    case .string("inf"): return Number.infinity
    case .string("-inf"): return -Number.infinity
    case .string(let text):
      guard let hexadecimal = HexadecimalNumber(text) else { break }
      try requireExact(hexadecimal, precision, value, type)
      guard let number = Number(text), number.isFinite else { throw failure(.outOfRange, "\(value.summary) does not fit", type) }
      return number
    case .number(let text):
      try requireExact(text, precision, value, type)
      // Parse in the type's own precision: parsing as a wider type would round twice.
      guard let number = Number(text), number.isFinite else { throw failure(.outOfRange, "\(value.summary) does not fit", type) }
      return number
    default: break
    }
    throw mismatch(value, "a number, \"nan\", \"inf\", \"-inf\" or \"0x...\"", type)
  }

  private func longDouble(_ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> LongDouble {
    switch value {
    case .string(let text):
      if let hexadecimal = HexadecimalNumber(text) { try requireExact(hexadecimal, Self.longDoublePrecision, value, type) }
      if let number = LongDouble(text), text.first.map({ !$0.isWhitespace }) ?? false { return number }
      if DecimalNumber(text) != nil { throw failure(.outOfRange, "\(value.summary) does not fit", type) }
    case .number(let text):
      try requireExact(text, Self.longDoublePrecision, value, type)
      guard let number = LongDouble(text) else { throw failure(.outOfRange, "\(value.summary) does not fit", type) }
      return number
    default: break
    }
    throw mismatch(value, "a number or a string of one", type)
  }

  #if arch(x86_64) && !os(Windows) && !os(Android)
    private static let longDoublePrecision = 64
  #elseif canImport(Darwin) || os(Windows)
    private static let longDoublePrecision = 53
  #else
    private static let longDoublePrecision = 113
  #endif

  private func requireExact(
    _ text: String, _ precision: Int, _ value: JSONValue, _ type: TypeEncoding
  ) throws(InvocationError) {
    // Integers of up to six digits are exact in every format except the 16-bit one.
    if precision > 11, text.utf8.count <= 6 { return }
    guard let number = DecimalNumber(text), number.isIntegerLiteral, !number.isExact(inBits: precision) else { return }
    throw failure(.inexact, "\(value.summary) is not held exactly; write \(value.summary).0 to round it", type)
  }

  /// Applies the rule for decimal numbers: an integer must be exact, and a number with a point or an exponent is
  /// rounded to the nearest.
  private func requireExact(
    _ number: HexadecimalNumber, _ precision: Int, _ value: JSONValue, _ type: TypeEncoding
  ) throws(InvocationError) {
    guard number.isIntegerLiteral, !number.isExact(inBits: precision) else { return }
    throw failure(.inexact, "\(value.summary) is not held exactly; write it with p0 at its end to round it", type)
  }
}
