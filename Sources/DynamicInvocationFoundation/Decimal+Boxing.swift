import DynamicInvocation
import Foundation

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
