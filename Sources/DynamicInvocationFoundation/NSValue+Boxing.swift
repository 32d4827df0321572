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
