/// A number in hexadecimal digits as C writes it, `0x1F` or `0x1.8p-3`: JSON has none, so that it is the content of a string.
struct HexadecimalNumber {
  let isNegative: Bool
  /// Whether it is written without a point and without an exponent.
  let isIntegerLiteral: Bool
  /// The digits as an integer, the point left out; nil when they are more than 128 bits.
  private let magnitude: UInt128?

  /// Reads a number; nil for any other text.
  init?(_ text: String) {
    var bytes = Array(text.utf8)[...]
    isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes.removeFirst() }
    guard bytes.popFirst() == UInt8(ascii: "0"), let mark = bytes.popFirst(), mark | 0x20 == UInt8(ascii: "x") else { return nil }
    var magnitude: UInt128? = 0
    var digits = 0
    var hasPoint = false
    while let byte = bytes.first, byte | 0x20 != UInt8(ascii: "p") {
      bytes.removeFirst()
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        continue
      }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      digits += 1
      magnitude = magnitude.flatMap { $0 >> 124 == 0 ? $0 << 4 | UInt128(digit) : nil }
    }
    guard digits > 0 else { return nil }
    isIntegerLiteral = !hasPoint && bytes.isEmpty
    if bytes.popFirst() != nil {
      if bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
      guard !bytes.isEmpty, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    }
    self.magnitude = magnitude
  }

  /// What the number is as an integer: only one that is written as an integer is taken for it.
  var whole: DecimalNumber.Whole {
    guard isIntegerLiteral else { return .fraction }
    return magnitude.map { .integer(magnitude: $0) } ?? .tooLarge
  }

  /// Whether a floating-point type of a precision holds the integer: no more bits lie between the first and the last that are set.
  func isExact(inBits precision: Int) -> Bool {
    guard let magnitude else { return false }
    return magnitude == 0 || 128 - magnitude.leadingZeroBitCount - magnitude.trailingZeroBitCount <= precision
  }
}
