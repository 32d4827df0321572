extension BoxedValue {
  /// Converts the value to the integer type of a scalar.
  func integer<Number: FixedWidthInteger>(
    _ scalar: TypeEncoding.Scalar, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    switch self {
    case .int(let value): return try fit(value, options)
    case .uint(let value): return try fit(value, options)
    case .int128(let value): return try fit(value, options)
    case .uint128(let value): return try fit(value, options)
    case .float(let value): return try fit(Double(value), options)
    case .double(let value): return try fit(value, options)
    case .longDouble(let value):
      if let exact = Int64(exactly: value) { return try fit(exact, options) }
      if options.contains(.truncating) {
        if !Number.isSigned, let exact = UInt64(exactly: value) { return try fit(exact, options) }
        return Self.cut(value.doubleValue)
      }
      return try fit(value)
    case .bool(let value):
      // Objective-C's BOOL is a character type on some platforms.
      guard options.contains(.truncating) || Number.bitWidth == 8 else { throw mismatch(scalar) }
      return value ? 1 : 0
    default: throw mismatch(scalar)
    }
  }

  private func fit<Value: BinaryInteger, Number: FixedWidthInteger>(
    _ value: Value, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    if options.contains(.truncating) { return Number(truncatingIfNeeded: value) }
    guard let number = Number(exactly: value) else { throw InvocationError(.outOfRange, "\(value) does not fit") }
    return number
  }

  private func fit<Number: FixedWidthInteger>(_ value: Double, _ options: ConversionOptions) throws(InvocationError) -> Number {
    if options.contains(.truncating) { return Self.cut(value) }
    if let number = Number(exactly: value) { return number }
    guard value.isFinite, value.rounded() == value else {
      throw InvocationError(.inexact, "\(value) is not a whole number")
    }
    throw InvocationError(.outOfRange, "\(value) does not fit")
  }

  private func fit<Number: FixedWidthInteger>(_ value: LongDouble) throws(InvocationError) -> Number {
    if let exact = Int128(exactly: value) { return try fit(exact, []) }
    if let exact = UInt128(exactly: value) { return try fit(exact, []) }
    // No format has the precision for a fraction of a number this large.
    let isLarge = value >= LongDouble(0x1p127) || value <= LongDouble(-0x1p127)
    let isFinite = value < LongDouble(Double.infinity) && value > LongDouble(-Double.infinity)
    guard isLarge, isFinite else { throw InvocationError(.inexact, "\(value) is not a whole number") }
    throw InvocationError(.outOfRange, "\(value) does not fit")
  }

  /// Truncates the fraction as NSNumber does on Linux.
  ///
  /// The result has the low bits of a signed 64-bit integer, or of a 128-bit one for wider and unsigned 64-bit types.
  private static func cut<Number: FixedWidthInteger>(_ value: Double) -> Number {
    let whole = value.rounded(.towardZero)
    if let number = Number(exactly: whole) { return number }
    if let word = Int64(exactly: whole) { return Number(truncatingIfNeeded: word) }
    guard !value.isNaN, Number.bitWidth > 64 || Number.bitWidth == 64 && !Number.isSigned else {
      return Number(truncatingIfNeeded: Int64.min)
    }
    if let words = Int128(exactly: whole) { return Number(truncatingIfNeeded: words) }
    return Number(truncatingIfNeeded: value < 0 ? Int128.min : Int128.max)
  }

  /// Converts the value to a bool.
  func truth(_ options: ConversionOptions) throws(InvocationError) -> Bool {
    switch self {
    case .bool(let value): return value
    case _ where options.contains(.truncating):
      switch self {
      case .int(let value): return value != 0
      case .uint(let value): return value != 0
      case .int128(let value): return value != 0
      case .uint128(let value): return value != 0
      case .float(let value): return value != 0
      case .double(let value): return value != 0
      case .longDouble(let value): return value != LongDouble()
      default: throw mismatch(.bool)
      }
    default: throw mismatch(.bool)
    }
  }

  /// Returns the error for a value that cannot be converted to a number of this type.
  func mismatch(_ scalar: TypeEncoding.Scalar) -> InvocationError {
    InvocationError(
      isNull ? .nullNotAllowed : .typeMismatch, isNull ? "null is no \(scalar.swiftName)" : "\(typeName) \(self) is no \(scalar.swiftName)")
  }

  /// Whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension BoxedValue {
  /// Converts the value to C's `long double`.
  func longDouble(_ options: ConversionOptions) throws(InvocationError) -> LongDouble {
    switch self {
    case .longDouble(let value): return value
    case .double(let value): return LongDouble(value)
    case .float(let value): return LongDouble(Double(value))
    case .int(let value): return try exact(LongDouble(value), options) { Int64(exactly: $0) == Int64(value) }
    case .uint(let value): return try exact(LongDouble(UInt64(value)), options) { UInt64(exactly: $0) == UInt64(value) }
    case .int128(let value): return try exact(LongDouble(value), options) { Int128(exactly: $0) == value }
    case .uint128(let value): return try exact(LongDouble(value), options) { UInt128(exactly: $0) == value }
    case .bool: return LongDouble(try floatingPoint(.longDouble, options) as Double)
    default: throw mismatch(.longDouble)
    }
  }

  private func exact(
    _ value: LongDouble, _ options: ConversionOptions, _ isExact: (LongDouble) -> Bool
  ) throws(InvocationError) -> LongDouble {
    guard options.contains(.truncating) || isExact(value) else { throw inexact }
    return value
  }

  /// Converts the value to the floating-point type of a scalar.
  func floatingPoint<Number: BinaryFloatingPoint>(
    _ scalar: TypeEncoding.Scalar, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    switch self {
    case .double(let value): return try narrow(value, options)
    case .float(let value): return try narrow(value, options)
    case .longDouble(let value):
      if let exact = Double(exactly: value) { return try narrow(exact, options) }
      guard options.contains(.truncating) || value != value else { throw inexact }
      return Number(value.doubleValue)
    case .int(let value): return try narrow(integer: value, options)
    case .uint(let value): return try narrow(integer: value, options)
    case .int128(let value): return try narrow(integer: value, options)
    case .uint128(let value): return try narrow(integer: value, options)
    case .bool(let value) where options.contains(.truncating): return value ? 1 : 0
    default: throw mismatch(scalar)
    }
  }

  private func narrow<Value: BinaryFloatingPoint, Number: BinaryFloatingPoint>(
    _ value: Value, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    if let number = Number(exactly: value) { return number }
    guard options.contains(.truncating) || value.isNaN else { throw inexact }
    return Number(value)
  }

  private func narrow<Value: BinaryInteger, Number: BinaryFloatingPoint>(
    integer value: Value, _ options: ConversionOptions
  ) throws(InvocationError) -> Number {
    if let number = Number(exactly: value) { return number }
    guard options.contains(.truncating) else { throw inexact }
    return Number(value)
  }

  private var inexact: InvocationError { InvocationError(.inexact, "\(self) has no exact value of this type") }
}
