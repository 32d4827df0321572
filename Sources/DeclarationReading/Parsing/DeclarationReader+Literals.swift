import TypeEncodings

extension DeclarationReader {
  /// Returns the value of a number token.
  ///
  /// Source: C11, sections 6.4.4.1 and 6.4.4.2.
  ///
  /// - Parameter isEvaluated: Whether a number is an error whose value depends on the compiler.
  func number(_ token: Token, isEvaluated: Bool) throws(SyntaxFailure) -> Operand {
    let text = String(decoding: source[Int(token.offset)..<Int(token.end)], as: UTF8.self).lowercased().replacingQuotes
    let isHexadecimal = text.hasPrefix("0x")
    if !isHexadecimal && text.utf8.contains(where: { $0 == 0x2E || $0 == 0x65 }) || isHexadecimal && text.utf8.contains(0x70) {
      let number = try floatingPoint(text, token)
      // gcc keeps more digits of a _Float16 than the type has, clang does not (FLT_EVAL_METHOD).
      guard !isEvaluated || number.isExact else { throw failure("the value of '\(text)' depends on the compiler", at: token) }
      guard !isEvaluated || isHeld(number.operand, text) else { throw failure("'\(text)' is outside of the range of a double", at: token) }
      return number.operand
    }
    if text.utf8.last == 0x66, !isHexadecimal { throw failure("'\(text)' is not a number", at: token) }
    var digits = Substring(text)
    let suffix = digits.reversed().prefix { "ulzi".contains($0) }
    digits = digits.dropLast(suffix.count)
    let radix: Int
    if isHexadecimal {
      (digits, radix) = (digits.dropFirst(2), 16)
    } else if digits.hasPrefix("0b") {
      (digits, radix) = (digits.dropFirst(2), 2)
    } else {
      radix = digits.hasPrefix("0") ? 8 : 10
    }
    guard let magnitude = UInt64(digits, radix: radix) else {
      guard UInt128(digits, radix: radix) != nil else { throw failure("'\(text)' is not a number", at: token) }
      throw failure("'\(text)' does not fit 64 bits", at: token)
    }
    let isUnsigned = suffix.contains("u")
    let isLong = suffix.contains("l") || suffix.contains("z")
    // The first of the types in which the value fits; only numbers that are not decimal become unsigned by themselves.
    let value = Int128(magnitude)
    if !isLong {
      if !isUnsigned, magnitude <= UInt64(Int32.max) { return .integer(Integer(value)) }
      if isUnsigned || radix != 10, magnitude <= UInt64(UInt32.max) { return .integer(Integer(value, bits: 32, isSigned: false)) }
    }
    if !isUnsigned, magnitude <= UInt64(Int64.max) { return .integer(Integer(value, bits: 64)) }
    return .integer(Integer(value, bits: 64, isSigned: false))
  }

  /// Returns the type of a number token.
  ///
  /// Source: C11, sections 6.4.4.1 and 6.4.4.2.
  func numberType(_ token: Token) throws(SyntaxFailure) -> Basic {
    let text = String(decoding: source[Int(token.offset)..<Int(token.end)], as: UTF8.self).lowercased()
    guard case .integer(let value) = try number(token, isEvaluated: false) else {
      guard let type = Self.floatingSuffix(text).type else { throw failure("the type of '\(text)' has no type encoding", at: token) }
      return type
    }
    if value.bits == 32 { return value.isSigned ? .int : .unsignedInt }
    let isLongLong = text.contains("ll")
    return value.isSigned ? (isLongLong ? .longLong : .long) : isLongLong ? .unsignedLongLong : .unsignedLong
  }

  /// The suffix of a floating-point number and the type that it states, or nil for one without an encoding.
  private static func floatingSuffix(_ text: String) -> (text: String, type: Basic?) {
    // In a hexadecimal number the digit f precedes the exponent.
    let suffixes: [(text: String, type: Basic?)] = [
      ("f128", nil), ("bf16", nil), ("f16", .float16), ("f32", .float32), ("f64", .float64), ("f32x", .float32x), ("f64x", .float64x),
      ("dd", nil), ("df", nil), ("dl", nil), ("q", nil), ("w", nil), ("l", .longDouble), ("f", .float),
    ]
    return suffixes.first { text.hasSuffix($0.text) } ?? ("", .double)
  }

  /// Returns the value, and whether each compiler gives it.
  private func floatingPoint(_ text: String, _ token: Token) throws(SyntaxFailure) -> (operand: Operand, isExact: Bool) {
    let suffix = Self.floatingSuffix(text)
    var digits = text.dropLast(suffix.text.utf8.count)
    if digits.hasSuffix(".") { digits += "0" }
    if let dot = digits.firstIndex(of: "."), digits.index(after: dot) < digits.endIndex, "ep".contains(digits[digits.index(after: dot)]) {
      digits.insert("0", at: digits.index(after: dot))
    }
    if digits.hasPrefix(".") { digits = "0" + digits }
    if digits.hasPrefix("0x.") { digits = "0x0" + digits.dropFirst(2) }
    guard suffix.text != "bf16", let value = Double(digits) else { throw failure("'\(text)' is not a number", at: token) }
    // A type without an encoding is as wide as `long double` at least, or decimal: nothing is computed in it.
    let type = suffix.type ?? .longDouble
    // Not by way of a double, which would round twice.
    if type == .float || type == .float32 { return (.floatingPoint(Float(digits).map { Double($0) } ?? value, type), true) }
    let number = Operand.floatingPoint(value, .double).rounded(to: type)
    return (number, number.double == value)
  }

  /// Whether a number is finite, as it is in C, and is not near zero because a `double` has fewer exponents.
  private func isHeld(_ number: Operand, _ text: String) -> Bool {
    guard case .floatingPoint(let value, let type) = number, value.isFinite else { return false }
    guard type.isLongDouble, value.magnitude < .leastNormalMagnitude else { return true }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2).prefix { $0 != "p" } : text.prefix { $0 != "e" }
    return digits.utf8.allSatisfy { !SourceByte.isDigit($0) && !($0 >= 0x61 && $0 <= 0x66) || $0 == 0x30 }
  }

  /// Returns the value of a character constant, which has the type `int`.
  func character(_ token: Token) throws(SyntaxFailure) -> Integer {
    let isWide = source[Int(token.offset)] != SourceByte.apostrophe
    let bytes = try contents(token)
    guard let first = bytes.first else { throw failure("a character constant is empty", at: token) }
    if isWide {
      let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
      return Integer(scalars.first.map { Int128($0.value) } ?? 0)
    }
    if bytes.count == 1 { return Integer(target.isCharSigned ? Int128(Int8(bitPattern: first)) : Int128(first)) }
    // Several characters, as gcc and clang combine them.
    return Integer(bytes.suffix(4).reduce(Int128(0)) { $0 << 8 | Int128($1) })
  }

  /// Returns the bytes of a string literal.
  func string(_ token: Token) throws(SyntaxFailure) -> [UInt8] { try contents(token) }

  /// Returns the bytes of a literal with its escapes replaced.
  ///
  /// Source: C11, section 6.4.4.4.
  private func contents(_ token: Token) throws(SyntaxFailure) -> [UInt8] {
    let bytes = source[Int(token.offset)..<Int(token.end)]
    guard let open = bytes.firstIndex(where: { $0 == SourceByte.quote || $0 == SourceByte.apostrophe }) else { return [] }
    var result: [UInt8] = []
    var index = open + 1
    let end = Int(token.end) - 1
    while index < end {
      let byte = source[index]
      index += 1
      guard byte == SourceByte.backslash, index < end else {
        result.append(byte)
        continue
      }
      let escape = source[index]
      index += 1
      switch escape {
      case 0x6E: result.append(0x0A)
      case 0x74: result.append(0x09)
      case 0x72: result.append(0x0D)
      case 0x61: result.append(0x07)
      case 0x62: result.append(0x08)
      case 0x66: result.append(0x0C)
      case 0x76: result.append(0x0B)
      case 0x65: result.append(0x1B)
      case 0x78, 0x75, 0x55:
        var value: UInt32 = 0
        let longest = escape == 0x78 ? end : min(end, index + (escape == 0x75 ? 4 : 8))
        let first = index
        while index < longest, let digit = hexadecimalDigit(source[index]) {
          value = value << 4 | UInt32(digit)
          index += 1
        }
        guard index > first else { throw failure("an escape needs hexadecimal digits", at: token) }
        if escape == 0x78 {
          result.append(UInt8(truncatingIfNeeded: value))
        } else if let scalar = Unicode.Scalar(value) {
          result += Array(String(scalar).utf8)
        }
      case 0x30...0x37:
        var value = UInt32(escape - 0x30)
        var count = 1
        while count < 3, index < end, (0x30...0x37).contains(source[index]) {
          value = value << 3 | UInt32(source[index] - 0x30)
          index += 1
          count += 1
        }
        result.append(UInt8(truncatingIfNeeded: value))
      case SourceByte.newline: break
      default: result.append(escape)
      }
    }
    return result
  }

  private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}

extension String {
  /// The text without the digit separators of C23.
  fileprivate var replacingQuotes: String { utf8.contains(0x27) ? String(filter { $0 != "'" }) : self }
}
