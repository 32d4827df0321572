import CFFIShim

extension LongDouble: LosslessStringConvertible {
  /// Creates a number from text, or nil if the whole text is not a number.
  ///
  /// Decimal and hexadecimal numbers, `inf`, `infinity` and `nan` are accepted in C syntax, always with a decimal
  /// point, whatever the locale. Digits beyond the precision are rounded. A number out of range is also nil.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public init?(_ text: String) {
    guard !text.utf8.contains(0) else { return nil }
    var isNumber = false
    unsafe self.init { address in isNumber = unsafe cffi_long_double_parse(text, address) }
    guard isNumber else { return nil }
  }
}

extension LongDouble: CustomStringConvertible {
  /// The shortest decimal text that reads back as the same number, such as `0.1` or `1e+4000`; `inf`, `-inf` or `nan`.
  public var description: String { DecimalText(scientificText).description }

  /// The number in the format of C's `%Le`, with the fewest digits that identify it.
  private var scientificText: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CFFI_LONG_DOUBLE_TEXT)) { text in
      guard let start = text.baseAddress else { return "" }
      let length = unsafe withAddress { unsafe cffi_long_double_format($0, start, text.count) }
      guard length > 0 else { preconditionFailure("the C library has no C locale") }
      return unsafe String(cString: start)
    }
  }
}

/// Converts scientific notation to the format of a Swift Double: plain unless the number is very large or very small.
private struct DecimalText: CustomStringConvertible {
  package let description: String

  package init(_ scientific: String) {
    let parts = scientific.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else {
      description = scientific
      return
    }
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let digits = String(parts[0].filter(\.isNumber))
    let zero: Character = "0"
    switch exponent {
    case -4..<0:
      description = sign + "0." + String(repeating: zero, count: -exponent - 1) + digits
    case 0..<20:
      // Every integer below 10^20 that fits the 64-bit precision of a long double is written out.
      let padded = digits + String(repeating: zero, count: max(0, exponent + 2 - digits.count))
      let point = padded.index(padded.startIndex, offsetBy: exponent + 1)
      description = sign + padded[..<point] + "." + padded[point...]
    default:
      let fraction = digits.dropFirst()
      let point = fraction.isEmpty ? "" : "."
      let mark = exponent < 0 ? "e-" : "e+"
      // At least two exponent digits, as Swift writes them.
      let magnitude = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
      description = sign + digits.prefix(1) + point + fraction + mark + magnitude
    }
  }
}
