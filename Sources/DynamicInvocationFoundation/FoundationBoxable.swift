public import DynamicInvocation
public import Foundation

/// A Swift type whose values can be boxed.
///
/// This is a conformance rather than a cast to each type because on Linux a cast from `Any` converts between numbers
/// and objects.
protocol FoundationBoxable {
  /// Returns the value as a box.
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue
}

/// A type that only wraps another value.
protocol AnyWrapper {
  /// The wrapped value, or nil if there is no value.
  var wrapped: Any? { get }
}

extension Optional: AnyWrapper {
  var wrapped: Any? { self }
}

extension AnyHashable: AnyWrapper {
  var wrapped: Any? { base }
}

extension Decimal: FoundationBoxable {}

extension BoxedValue: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { self }
}

extension EncodedBytes: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .value(self) }
}

extension String: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .string(self) }
}

extension DynamicInvocation.MethodSelector: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .selector(self) }
}

extension Unmanaged: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { unsafe .object(takeUnretainedValue()) }
}

extension Bool: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .bool(self) }
}

extension Float: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .float(self) }
}

extension Double: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .double(self) }
}

extension LongDouble: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .longDouble(self) }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: FoundationBoxable {
    func boxed(_ options: ConversionOptions) -> BoxedValue { .float(Float(self)) }
  }
#endif

#if arch(x86_64) && !os(Windows) && !os(Android)
  extension Swift.Float80: FoundationBoxable {
    func boxed(_ options: ConversionOptions) -> BoxedValue { .longDouble(LongDouble(self)) }
  }
#endif

// MARK: - Decimal

extension Decimal {
  /// Returns a box of the same value: an integer if the number is whole, otherwise a double-precision number if it is
  /// exact.
  ///
  /// - Throws: `inexact` for a number that neither represents, unless the options allow rounding.
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    if isNaN { return .double(.nan) }
    // The format limits the significand to 128 bits.
    guard let digits = UInt128(significand.magnitude.description) else { return .double(NSDecimalNumber(decimal: self).doubleValue) }
    let isNegative = sign == .minus
    if let whole = Self.whole(digits, exponent) {
      if !isNegative {
        if let value = Int(exactly: whole) { return .int(value) }
        if let value = UInt(exactly: whole) { return .uint(value) }
        if let value = Int128(exactly: whole) { return .int128(value) }
        return .uint128(whole)
      }
      if whole <= Int128.min.magnitude {
        let value = Int128(truncatingIfNeeded: 0 &- whole)
        return Int(exactly: value).map { .int($0) } ?? .int128(value)
      }
    }
    if let value = Self.double(digits, exponent) { return .double(isNegative ? -value : value) }
    guard options.contains(.truncating) else {
      throw InvocationError(.inexact, "\(self) is neither a whole number of 128 bits nor a Double")
    }
    return .double(NSDecimalNumber(decimal: self).doubleValue)
  }

  /// Returns `digits` times ten to the power of `exponent`, or nil if it is not a 128-bit integer.
  private static func whole(_ digits: UInt128, _ exponent: Int) -> UInt128? {
    var value = digits
    for _ in 0..<abs(exponent) where value != 0 {
      if exponent > 0 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        value = product
      } else {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 10)
        guard remainder == 0 else { return nil }
        value = quotient
      }
    }
    return value
  }

  /// Returns `digits` times ten to the power of `exponent`, or nil if double precision does not represent it.
  ///
  /// Ten is five times two, and only the factors of five need bits of the significand.
  private static func double(_ digits: UInt128, _ exponent: Int) -> Double? {
    guard digits != 0 else { return 0 }
    var value = digits
    var power = exponent
    for _ in 0..<abs(exponent) {
      // Factors of two only change the exponent.
      power += value.trailingZeroBitCount
      value >>= UInt128(value.trailingZeroBitCount)
      if exponent > 0 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 5)
        guard !overflow else { return nil }
        value = product
      } else {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 5)
        guard remainder == 0 else { return nil }
        value = quotient
      }
    }
    return Double(exactly: value).map { Double(sign: .plus, exponent: power, significand: $0) }
  }
}

// MARK: - NSRange

extension Geometry.IndexRange {
  /// Creates the same range from Foundation's struct, whose members are signed; nil if one is negative.
  public init?(_ range: NSRange) {
    guard let location = UInt64(exactly: range.location), let length = UInt64(exactly: range.length) else { return nil }
    self.init(location: location, length: length)
  }

  /// Creates the same range from a Swift range; nil if its lower bound is negative.
  public init?(_ range: Range<Int>) {
    guard let location = UInt64(exactly: range.lowerBound) else { return nil }
    self.init(location: location, length: UInt64(range.count))
  }
}

extension NSRange {
  /// Creates the same range from the engine's struct, whose members are unsigned; nil if one exceeds `Int.max`.
  public init?(_ range: Geometry.IndexRange) {
    guard let location = Int(exactly: range.location), let length = Int(exactly: range.length) else { return nil }
    self.init(location: location, length: length)
  }
}

extension Range: FoundationBoxable where Bound == Int {
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    guard let range = Geometry.IndexRange(self) else { throw InvocationError(.outOfRange, "the range \(self) is negative") }
    return .range(range)
  }
}

// MARK: - NSValue

extension NSValue {
  /// Returns the value as a box: geometry through Foundation's typed accessors, a scalar or an array through its bytes.
  ///
  /// - Throws: `typeMismatch` for a reference, because the value does not own it.
  func boxed() throws(InvocationError) -> BoxedValue {
    let text = unsafe String(cString: objCType)
    if text == "{_NSRange=QQ}" { return try rangeValue.boxed([]) }
    #if !canImport(Darwin)
      // Foundation on Linux ends the process when the bytes of a struct are asked for.
      switch text {
      case "{CGPoint=dd}": return .point(Geometry.Point(pointValue))
      case "{CGSize=dd}": return .size(Geometry.Size(sizeValue))
      case "{CGRect={CGPoint=dd}{CGSize=dd}}": return .rect(Geometry.Rect(rectValue))
      case "{NSEdgeInsets=dddd}": return .insets(Geometry.EdgeInsets(edgeInsetsValue))
      default: break
      }
    #endif
    return try boxed(as: TypeEncoding(text), text)
  }

  private func boxed(as encoding: TypeEncoding, _ text: String) throws(InvocationError) -> BoxedValue {
    switch encoding.kind {
    case .scalar, .complex, .vector, .structure, .union, .array: break
    default: throw InvocationError(.typeMismatch, "an NSValue does not own what it refers to", encoding: text)
    }
    // Foundation on Linux creates values of scalars and arrays of scalars only, with the sizes of Apple's dialect: `l`
    // has four bytes. The size is not requested from Foundation, because for an array that ends the process.
    guard let size = encoding.size else { throw InvocationError(.typeMismatch, "an NSValue without a size", encoding: text) }
    var bytes = [UInt8](repeating: 0, count: size)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      if let address = buffer.baseAddress { unsafe getValue(address) }
    }
    let box: BoxedValue = unsafe bytes.withUnsafeBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe BoxedValue(reading: $0, as: encoding) } ?? .null
    }
    if case .value = box { return .value(try EncodedBytes(encoding, bytes: bytes)) }
    return box
  }
}

extension NSNumber {
  /// Returns the number as a box of the same value.
  ///
  /// On Linux, `objCType` states how the number is stored, not the type that it was created from: a small `UInt8`
  /// reports `i`, and `c` is reported both for a Bool and for an `Int8` of -128. Here it only selects the accessor that
  /// returns the value without loss.
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    // The two Booleans are singletons, also when read from archives and JSON. A number 1 is a different object.
    if self === Self.yes { return .bool(true) }
    if self === Self.no { return .bool(false) }
    if let decimal = self as? NSDecimalNumber { return try decimal.decimalValue.boxed(options) }
    switch unsafe UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "Q"), UInt8(ascii: "L"), UInt8(ascii: "I"), UInt8(ascii: "S"), UInt8(ascii: "C"):
      return Int(exactly: uint64Value).map { .int($0) } ?? .uint(UInt(uint64Value))
    case UInt8(ascii: "f"): return .float(floatValue)
    case UInt8(ascii: "d"): return .double(doubleValue)
    case UInt8(ascii: "B"): return .bool(boolValue)
    case UInt8(ascii: "c"), UInt8(ascii: "s"), UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "q"): return .int(Int(int64Value))
    case let code:
      throw InvocationError(.typeMismatch, "\(type(of: self)) \(self) has an unknown type '\(Character(Unicode.Scalar(code)))'")
    }
  }

  private static let yes = NSNumber(value: true)
  private static let no = NSNumber(value: false)
}
