import DynamicInvocation
import Foundation

extension NSNumber {
  /// The number as a box of the same value.
  ///
  /// The code that `objCType` gives on Linux tells how the number is stored, not what it was made from: a small `UInt8` reports `i`, and `c` is both
  /// a Bool and an `Int8` of -128. It serves here only to choose the accessor that gives the value as it is.
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    // The two bools are single objects, in archives and JSON too; a number 1 is another object.
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
