import DynamicInvocation
import Foundation

extension NSValue {
  /// The value as a box: geometry by Foundation's typed accessors, a scalar or an array by its bytes.
  ///
  /// - Throws: `typeMismatch` for a reference, which the value does not own.
  func boxed() throws(InvocationError) -> BoxedValue {
    let text = unsafe String(cString: objCType)
    switch text {
    case "{CGPoint=dd}": return .point(Point(pointValue))
    case "{CGSize=dd}": return .size(Size(sizeValue))
    case "{CGRect={CGPoint=dd}{CGSize=dd}}": return .rect(Rect(rectValue))
    case "{NSEdgeInsets=dddd}": return .insets(EdgeInsets(edgeInsetsValue))
    case "{_NSRange=QQ}": return try rangeValue.boxed([])
    default: return try boxed(as: TypeEncoding(text), text)
    }
  }

  private func boxed(as encoding: TypeEncoding, _ text: String) throws(InvocationError) -> BoxedValue {
    switch encoding.kind {
    case .scalar, .complex, .vector, .structure, .union, .array: break
    default: throw InvocationError(.typeMismatch, "an NSValue does not own what it refers to", encoding: text)
    }
    // Foundation on Linux makes values of scalars and of their arrays only; their sizes are those of Apple's dialect, `l` with four bytes. It is not
    // asked for the size: the question ends the process for an array.
    guard let size = encoding.size else { throw InvocationError(.typeMismatch, "an NSValue without a size", encoding: text) }
    var bytes = [UInt8](repeating: 0, count: size)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      if let address = buffer.baseAddress { unsafe getValue(address) }
    }
    guard case .scalar = encoding.kind else { return .value(try EncodedBytes(encoding, bytes: bytes)) }
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe BoxedValue(reading: $0, as: encoding) } ?? .null
    }
  }
}

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
