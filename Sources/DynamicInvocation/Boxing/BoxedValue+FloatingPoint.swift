extension BoxedValue {
  /// Converts to a floating-point type of at most eight bytes; its bits.
  func floatingBits(_ scalar: TypeEncoding.Scalar, _ options: ConversionOptions) throws(InvocationError) -> UInt64 {
    switch scalar {
    case .double: return try floating(Double.self, scalar, options).bitPattern
    case .float: return UInt64(try floating(Float.self, scalar, options).bitPattern)
    case .float16:
      #if os(macOS) && arch(x86_64)
        throw InvocationError(.unsupportedType, "Swift has no Float16 on this platform")
      #else
        return UInt64(try floating(Float16.self, scalar, options).bitPattern)
      #endif
    default: throw mismatch(scalar)
    }
  }

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
    case .bool: return LongDouble(try floating(Double.self, .longDouble, options))
    default: throw mismatch(.longDouble)
    }
  }

  private func exact(
    _ value: LongDouble, _ options: ConversionOptions, _ isExact: (LongDouble) -> Bool
  ) throws(InvocationError) -> LongDouble {
    guard options.contains(.truncating) || isExact(value) else { throw inexact }
    return value
  }

  private func floating<Number: BinaryFloatingPoint>(
    _ type: Number.Type, _ scalar: TypeEncoding.Scalar, _ options: ConversionOptions
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
