internal import TypeEncodings

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

  /// Why a number does not convert to a type to which other numbers of its type do; nil for any other value.
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
