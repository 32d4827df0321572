/// Bytes as text, with two hexadecimal digits for each byte.
package enum HexadecimalText {
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return text
  }

  /// Reads the bytes of a text, which must have exactly the size of the destination.
  ///
  /// - Throws: `InvocationError` `countMismatch` for a wrong number of digits, `typeMismatch` for a character that is
  ///   not a hexadecimal digit.
  package static func read(_ text: String, into bytes: Slice<UnsafeMutableRawBufferPointer>) throws(InvocationError) {
    let digits = Array(text.utf8)
    guard digits.count == (unsafe 2 * bytes.count) else {
      throw InvocationError(.countMismatch, unsafe "\(digits.count) hexadecimal digits for \(bytes.count) bytes")
    }
    var offset = 0
    while offset < digits.count {
      guard let high = value(digits[offset]), let low = value(digits[offset + 1]) else {
        throw InvocationError(.typeMismatch, "a digit is none of hexadecimal numbers")
      }
      unsafe bytes.base[bytes.startIndex + offset / 2] = high << 4 | low
      offset += 2
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
