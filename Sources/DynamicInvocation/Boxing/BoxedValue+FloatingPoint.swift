extension BoxedValue {
  /// Converts to C's `long double`.
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

  /// Converts to the floating-point type of a scalar.
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
