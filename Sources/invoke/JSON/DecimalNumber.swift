/// A number in decimal digits, of any length: a JSON number, or the text of a 128-bit integer.
struct DecimalNumber {
  /// A number interpreted as an integer.
  enum Whole {
    case integer(magnitude: UInt128)
    /// The number has a fraction.
    case fraction
    /// The magnitude has more than 128 bits.
    case tooLarge
  }

  let isNegative: Bool
  /// Whether the number is written without a point and without an exponent.
  let isIntegerLiteral: Bool
  /// The values of the digits without leading and trailing zeros; empty for zero.
  private let digits: [UInt8]
  /// The power of ten of the last digit, clamped to bounds beyond which no text makes a difference.
  private let exponent: Int

  /// Parses a number of the JSON grammar; returns nil for any other text.
  init?(_ text: String) {
    var bytes = Array(text.utf8)[...]
    isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes.removeFirst() }
    let mark = bytes.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
    let mantissa = bytes[..<(mark ?? bytes.endIndex)]
    var power = 0
    if let mark {
      guard let written = Self.exponent(bytes[(mark + 1)...]) else { return nil }
      power = written
    }
    let point = mantissa.firstIndex(of: UInt8(ascii: "."))
    let whole = mantissa[..<(point ?? mantissa.endIndex)]
    let fraction = point.map { mantissa[($0 + 1)...] } ?? []
    guard !whole.isEmpty, point == nil || !fraction.isEmpty else { return nil }
    isIntegerLiteral = point == nil && mark == nil

    var digits: [UInt8] = []
    for byte in whole + fraction {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      let digit = byte - UInt8(ascii: "0")
      if !digits.isEmpty || digit != 0 { digits.append(digit) }
    }
    power -= fraction.count
    while digits.last == 0 {
      digits.removeLast()
      power += 1
    }
    self.digits = digits
    exponent = digits.isEmpty ? 0 : power
  }

  private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int? {
    var bytes = bytes
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    guard !bytes.isEmpty else { return nil }
    var value = 0
    for byte in bytes {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      // The bound is far larger than the length of any text, and small enough that the sum with that length does not
      // overflow.
      value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1 << 48)
    }
    return isNegative ? -value : value
  }

  /// The exact number as an integer.
  var whole: Whole {
    if digits.isEmpty { return .integer(magnitude: 0) }
    if exponent < 0 { return .fraction }
    // 2 to the power of 128 has 39 digits.
    guard digits.count + exponent <= 39 else { return .tooLarge }
    var magnitude: UInt128 = 0
    for digit in digits + [UInt8](repeating: 0, count: exponent) {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt128(digit))
      if overflow || carry { return .tooLarge }
      magnitude = sum
    }
    return .integer(magnitude: magnitude)
  }

  /// Whether a floating-point type with a precision represents the integer exactly: the range from its first to its
  /// last set bit has no more bits than that.
  func isExact(inBits precision: Int) -> Bool {
    guard case .integer(let magnitude) = whole else { return false }
    return magnitude == 0 || 128 - magnitude.leadingZeroBitCount - magnitude.trailingZeroBitCount <= precision
  }
}

/// A number in hexadecimal digits as in C, `0x1F` or `0x1.8p-3`.
///
/// JSON has no such numbers, so it is the content of a string.
struct HexadecimalNumber {
  let isNegative: Bool
  /// Whether the number is written without a point and without an exponent.
  let isIntegerLiteral: Bool
  /// The digits as an integer, ignoring the point; nil if it has more than 128 bits.
  private let magnitude: UInt128?

  /// Parses a number; returns nil for any other text.
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

  /// The number as an integer.
  ///
  /// Only a number that is written as an integer is accepted as one.
  var whole: DecimalNumber.Whole {
    guard isIntegerLiteral else { return .fraction }
    return magnitude.map { .integer(magnitude: $0) } ?? .tooLarge
  }

  /// Whether a floating-point type with a precision represents the integer exactly: the range from its first to its
  /// last set bit has no more bits than that.
  func isExact(inBits precision: Int) -> Bool {
    guard let magnitude else { return false }
    return magnitude == 0 || 128 - magnitude.leadingZeroBitCount - magnitude.trailingZeroBitCount <= precision
  }
}
