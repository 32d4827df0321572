import DynamicInvocation
import Foundation

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
