/// A written number of any length: in decimal digits as in JSON, or in hexadecimal ones as in C.
///
/// JSON has no hexadecimal numbers, so they are the content of a string.
struct WrittenNumber {
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
  /// The exact number as an integer.
  ///
  /// A hexadecimal number is an integer only if it is written as an integer.
  let whole: Whole

  /// Parses a number of the JSON grammar, or the digits of a 128-bit integer; returns nil for any other text.
  init?(decimal text: String) {
    var bytes = Array(text.utf8)[...]
    isNegative = Self.takeSign(of: &bytes)
    let mark = bytes.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
    let mantissa = bytes[..<(mark ?? bytes.endIndex)]
    let point = mantissa.firstIndex(of: UInt8(ascii: "."))
    let whole = mantissa[..<(point ?? mantissa.endIndex)]
    let fraction = point.map { mantissa[($0 + 1)...] } ?? []
    guard !whole.isEmpty, point == nil || !fraction.isEmpty, var power = mark.map({ Self.exponent(bytes[($0 + 1)...]) }) ?? 0 else {
      return nil
    }
    isIntegerLiteral = point == nil && mark == nil
    let digits = whole + fraction
    guard digits.allSatisfy({ Self.digit($0) != nil }) else { return nil }
    // Zeros count only before another digit, so that 1000e-3 is whole.
    let zero = UInt8(ascii: "0")
    let significant = digits.drop { $0 == zero }
    let zeros = significant.reversed().prefix { $0 == zero }.count
    power += zeros - fraction.count
    let count = significant.count - zeros
    if count == 0 {
      self.whole = .integer(magnitude: 0)
    } else if power < 0 {
      self.whole = .fraction
    } else {
      let text = count + power > 39 ? "" : String(decoding: significant.prefix(count), as: UTF8.self) + String(repeating: "0", count: power)
      self.whole = UInt128(text).map { .integer(magnitude: $0) } ?? .tooLarge
    }
  }

  /// Parses a number `0x1F` or `0x1.8p-3`; returns nil for any other text.
  init?(hexadecimal text: String) {
    var bytes = Array(text.utf8)[...]
    isNegative = Self.takeSign(of: &bytes)
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
    if bytes.popFirst() != nil, Self.exponent(bytes) == nil { return nil }
    whole = isIntegerLiteral ? magnitude.map { .integer(magnitude: $0) } ?? .tooLarge : .fraction
  }

  private static func takeSign(of bytes: inout ArraySlice<UInt8>) -> Bool {
    guard bytes.first == UInt8(ascii: "-") else { return false }
    bytes.removeFirst()
    return true
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : nil
  }

  private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int? {
    var bytes = bytes
    let isNegative = takeSign(of: &bytes)
    if !isNegative, bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    guard !bytes.isEmpty else { return nil }
    var value = 0
    for byte in bytes {
      guard let digit = digit(byte) else { return nil }
      // The bound is far larger than the length of any text, and small enough that the sum with that length does not
      // overflow.
      value = min(value * 10 + Int(digit), 1 << 48)
    }
    return isNegative ? -value : value
  }

  /// Whether a floating-point type with a precision represents the integer exactly: the range from its first to its
  /// last set bit has no more bits than that.
  func isExact(inBits precision: Int) -> Bool {
    guard case .integer(let magnitude) = whole else { return false }
    return magnitude == 0 || 128 - magnitude.leadingZeroBitCount - magnitude.trailingZeroBitCount <= precision
  }

  /// The number as an integer of a type, or nil if it is not whole or does not fit.
  func integer<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    guard case .integer(let magnitude) = whole else { return nil }
    guard isNegative, magnitude > 0 else { return Integer(exactly: magnitude) }
    // -(m - 1) - 1 computes the minimum value without an intermediate overflow.
    guard magnitude <= UInt128(Int128.max) + 1 else { return nil }
    return Integer(exactly: -Int128(magnitude - 1) - 1)
  }
}
