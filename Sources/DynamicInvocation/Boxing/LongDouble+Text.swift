import CFFIShim

extension LongDouble: LosslessStringConvertible {
  /// Creates the number that a text stands for, or nil when the text as a whole is no number.
  ///
  /// Decimal and hexadecimal numbers, `inf`, `infinity` and `nan` are understood as C writes them, always with a point, whatever the
  /// locale. Digits beyond the precision round. Nil, too, for a number beyond the range.
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

  /// The number as C's `%Le` has it, with as few digits as will do.
  private var scientificText: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CFFI_LONG_DOUBLE_TEXT)) { text in
      guard let start = text.baseAddress else { return "" }
      let length = unsafe withAddress { unsafe cffi_long_double_format($0, start, text.count) }
      guard length > 0 else { preconditionFailure("the C library has no C locale") }
      return unsafe String(cString: start)
    }
  }
}

/// Writes a number in scientific notation the way Swift writes a Double: plainly unless it is very large or very small.
private struct DecimalText: CustomStringConvertible {
  let description: String

  init(_ scientific: String) {
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
      // Every integer below 10^20 that long double's 64 bits hold is written out.
      let padded = digits + String(repeating: zero, count: max(0, exponent + 2 - digits.count))
      let point = padded.index(padded.startIndex, offsetBy: exponent + 1)
      description = sign + padded[..<point] + "." + padded[point...]
    default:
      let fraction = digits.dropFirst()
      let point = fraction.isEmpty ? "" : "."
      let mark = exponent < 0 ? "e-" : "e+"
      // At least two exponent digits, as Swift has them.
      let magnitude = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
      description = sign + digits.prefix(1) + point + fraction + mark + magnitude
    }
  }
}
