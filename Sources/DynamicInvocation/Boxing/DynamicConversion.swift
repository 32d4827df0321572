/// Conversions of values of any type to types that are known at run time only.
///
/// Numbers are converted by the initializers of the standard library's types. The initializers of any other type may
/// trap, as `init(exactly:)` of Foundation's `CGFloat` does, and are not called.
package enum DynamicConversion {
  /// Returns a value of a type, or nil if the argument does not convert to it.
  package static func convert<T>(_ argument: Any, to type: T.Type) -> T? {
    if let value = argument as? T { return value }
    let converted: Any?
    if let type = type as? any OptionalType.Type {
      converted = type.some(converting: argument)
    } else if let number = argument as? Int {
      converted = exact(number, type)
    } else if let number = argument as? Double {
      converted = rounded(number, type)
    } else {
      return nil
    }
    // Without a value there is no conversion: a cast of nil to an optional type would be a nil of that type.
    guard let value = converted else { return nil }
    return value as? T
  }

  /// Why a number does not convert to a type, although other numbers of its type do; nil for any other value.
  package static func code(_ argument: Any, _ type: Any.Type) -> InvocationError.Code? {
    if let type = type as? any OptionalType.Type { return code(argument, type.wrappedType) }
    func isFinite<N: BinaryFloatingPoint>(_ number: Int, _: N.Type) -> Bool { N(number).isFinite }
    if let number = argument as? Int {
      if type is any ScalarInteger.Type { return .outOfRange }
      if let type = standardNumber(type) { return isFinite(number, type) ? .inexact : .outOfRange }
    }
    return argument is Double && standardNumber(type) != nil ? .outOfRange : nil
  }

  /// A floating-point type of the standard library that has the values of a type; nil for any other type.
  private static func standardNumber(_ type: Any.Type) -> (any BinaryFloatingPoint.Type)? {
    if let type = type as? any ScalarFloatingPoint.Type { return type }
    if let standard = LongDouble.standardType, type == standard { return standard }
    guard isCoreGraphicsFloat(type) else { return nil }
    return coreGraphicsFloatIsDouble ? Double.self : Float.self
  }

  /// Whether a type is `CGFloat`: a frozen struct whose only field is a `Double`, or a `Float` on systems of 32 bits.
  private static func isCoreGraphicsFloat(_ type: Any.Type) -> Bool { coreGraphicsFloats.contains(_typeName(type, qualified: true)) }

  private static let coreGraphicsFloats: Set<String> = ["Foundation.CGFloat", "CoreFoundation.CGFloat", "CoreGraphics.CGFloat"]
  private static let coreGraphicsFloatIsDouble = MemoryLayout<Int>.size == 8

  private static func exact(_ number: Int, _ type: Any.Type) -> Any? {
    func integer<N: ScalarInteger>(_: N.Type) -> Any? { N(exactly: number) }
    func floatingPoint<N: BinaryFloatingPoint>(_: N.Type) -> Any? { N(exactly: number) }
    if let type = type as? any ScalarInteger.Type { return integer(type) }
    guard let standard = standardNumber(type), let value = floatingPoint(standard) else { return nil }
    return made(type, of: value)
  }

  private static func rounded(_ number: Double, _ type: Any.Type) -> Any? {
    func round<N: BinaryFloatingPoint>(_: N.Type) -> Any? {
      let value = N(number)
      return value.isInfinite && !number.isInfinite ? nil : value
    }
    guard let standard = standardNumber(type), let value = round(standard) else { return nil }
    return made(type, of: value)
  }

  /// A value of a type: the number itself, or a `CGFloat` with the bytes of the number.
  private static func made(_ type: Any.Type, of value: Any) -> Any? {
    guard isCoreGraphicsFloat(type) else { return value }
    func copy<T, N: BinaryFloatingPoint>(_: T.Type, _ number: N) -> Any? {
      MemoryLayout<T>.size == MemoryLayout<N>.size ? unsafe unsafeBitCast(number, to: T.self) : nil
    }
    guard let number = value as? any BinaryFloatingPoint else { return nil }
    return copy(type, number)
  }
}

extension OptionalType {
  /// An optional of a converted value, or nil if the value does not convert to the wrapped type.
  fileprivate static func some(converting argument: Any) -> Any? {
    func some<T>(_: T.Type) -> Any? { DynamicConversion.convert(argument, to: T.self).map { T?.some($0) as Any } }
    return _openExistential(wrappedType, do: some)
  }
}

/// The Swift type of a scalar's values, grouped by how it is converted.
package enum ScalarNumbers {
  case bool
  case integer(any ScalarInteger.Type)
  case floatingPoint(any ScalarFloatingPoint.Type)
  case longDouble
  /// Swift has no such type on this platform; an integer type represents its bits.
  case unavailable(bits: any ScalarInteger.Type)
}

extension TypeEncoding.Scalar {
  /// The Swift type of the values.
  package var numbers: ScalarNumbers {
    switch self {
    case .int8: .integer(Int8.self)
    case .uint8: .integer(UInt8.self)
    case .int16: .integer(Int16.self)
    case .uint16: .integer(UInt16.self)
    case .int32: .integer(Int32.self)
    case .uint32: .integer(UInt32.self)
    case .int64: .integer(Int64.self)
    case .uint64: .integer(UInt64.self)
    case .int128: .integer(Int128.self)
    case .uint128: .integer(UInt128.self)
    case .float16: .float16
    case .float: .floatingPoint(Float.self)
    case .double: .floatingPoint(Double.self)
    case .longDouble: .longDouble
    case .bool: .bool
    }
  }
}

/// The integer type of a scalar, and `Int` and `UInt`: the integer types of the standard library.
package protocol ScalarInteger: FixedWidthInteger, BitwiseCopyable, Codable, Sendable {
  /// Converts a box to the two words of the value, sign-extended or zero-extended.
  static func words(
    of box: BoxedValue, as scalar: TypeEncoding.Scalar, _ options: ConversionOptions
  ) throws(InvocationError) -> (low: UInt64, high: UInt64)

  /// Creates a box from a value in memory, which need not be aligned.
  static func box(at memory: UnsafeRawPointer) -> BoxedValue
}

// Requirements with a default, so that each type gets specialized code.
extension ScalarInteger {
  package static func words(
    of box: BoxedValue, as scalar: TypeEncoding.Scalar, _ options: ConversionOptions
  ) throws(InvocationError) -> (low: UInt64, high: UInt64) {
    let number: Self = try box.integer(scalar, options)
    return (UInt64(truncatingIfNeeded: number), UInt64(truncatingIfNeeded: Int128(truncatingIfNeeded: number) >> 64))
  }

  package static func box(at memory: UnsafeRawPointer) -> BoxedValue {
    let number = unsafe memory.loadUnaligned(as: Self.self)
    return switch (isSigned, bitWidth <= 64) {
    case (true, true): .int(Int(truncatingIfNeeded: number))
    case (false, true): .uint(UInt(truncatingIfNeeded: number))
    case (true, false): .int128(Int128(truncatingIfNeeded: number))
    case (false, false): .uint128(UInt128(truncatingIfNeeded: number))
    }
  }
}

/// The floating-point type of a scalar, of at most eight bytes.
package protocol ScalarFloatingPoint: BinaryFloatingPoint, LosslessStringConvertible, BitwiseCopyable, Sendable {
  /// The type that is used for it in records.
  associatedtype Recorded: BinaryFloatingPoint & Codable & Sendable

  /// Converts a box to the bits of the number, in the low bits of a word.
  static func word(
    of box: BoxedValue, as scalar: TypeEncoding.Scalar, _ options: ConversionOptions
  ) throws(InvocationError) -> UInt64

  /// Creates a box from a value in memory, which need not be aligned.
  static func box(at memory: UnsafeRawPointer) -> BoxedValue
}

extension ScalarFloatingPoint {
  package static func word(
    of box: BoxedValue, as scalar: TypeEncoding.Scalar, _ options: ConversionOptions
  ) throws(InvocationError) -> UInt64 {
    let number: Self = try box.floatingPoint(scalar, options)
    return number.word
  }

  package static func box(at memory: UnsafeRawPointer) -> BoxedValue {
    let number = unsafe memory.loadUnaligned(as: Self.self)
    // A type narrower than Float converts to Float exactly.
    return MemoryLayout<Self>.size <= 4 ? .float(Float(number)) : .double(Double(number))
  }
}

// As in the standard library, which has no Float16 on an Intel Mac. Each condition of the package is the same.
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: ScalarFloatingPoint {
    package typealias Recorded = Float
  }

  extension ScalarNumbers {
    fileprivate static var float16: ScalarNumbers { .floatingPoint(Float16.self) }
  }
#else
  extension ScalarNumbers {
    fileprivate static var float16: ScalarNumbers { .unavailable(bits: UInt16.self) }
  }
#endif

extension Float: ScalarFloatingPoint {
  package typealias Recorded = Float
}

extension Double: ScalarFloatingPoint {
  package typealias Recorded = Double
}
