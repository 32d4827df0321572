import TypeEncodings

/// The types and the values of literals.
extension TypeTable {
  // MARK: Numbers

  /// Returns the number that a token states.
  ///
  /// Source: C11, sections 6.4.4.1 and 6.4.4.2.
  func number(_ bytes: ArraySlice<UInt8>, at token: Token) throws(SyntaxFailure) -> Operand {
    let text = String(decoding: bytes, as: UTF8.self).lowercased().replacingQuotes
    let isHexadecimal = text.hasPrefix("0x")
    if !isHexadecimal && text.utf8.contains(where: { $0 == 0x2E || $0 == 0x65 }) || isHexadecimal && text.utf8.contains(0x70) {
      return try floatingPoint(text, token)
    }
    if text.utf8.last == 0x66, !isHexadecimal { throw SyntaxFailure("'\(text)' is not a number", at: token) }
    var digits = Substring(text)
    let suffix = digits.reversed().prefix { "ulz".contains($0) }
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
      guard UInt128(digits, radix: radix) != nil else { throw SyntaxFailure("'\(text)' is not a number", at: token) }
      throw SyntaxFailure("'\(text)' does not fit 64 bits", at: token)
    }
    // The first of the types in which the value fits; only a number that is not decimal becomes unsigned without a suffix.
    let isUnsigned = suffix.contains("u")
    let length = suffix.count { $0 == "l" || $0 == "z" }
    let types: [Basic] = length > 1 ? [.longLong, .unsignedLongLong] : [.int, .unsignedInt, .long, .unsignedLong]
    let type = types.dropFirst(length == 1 ? 2 : 0).first { type in
      type.represents(Int128(magnitude), target) && (type.isSigned(target) ? !isUnsigned : isUnsigned || radix != 10)
    }
    return Operand(QualifiedType(type ?? (length > 1 ? .unsignedLongLong : .unsignedLong)), .integer(Int128(magnitude)))
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

  private func floatingPoint(_ text: String, _ token: Token) throws(SyntaxFailure) -> Operand {
    let suffix = Self.floatingSuffix(text)
    var digits = text.dropLast(suffix.text.utf8.count)
    if digits.hasSuffix(".") { digits += "0" }
    if let dot = digits.firstIndex(of: "."), digits.index(after: dot) < digits.endIndex, "ep".contains(digits[digits.index(after: dot)]) {
      digits.insert("0", at: digits.index(after: dot))
    }
    if digits.hasPrefix(".") { digits = "0" + digits }
    if digits.hasPrefix("0x.") { digits = "0x0" + digits.dropFirst(2) }
    guard suffix.text != "bf16", let nearest = Double(digits) else { throw SyntaxFailure("'\(text)' is not a number", at: token) }
    // A type without an encoding is as wide as `long double` at least, or decimal: nothing is computed in it.
    let basic = suffix.type ?? .longDouble
    let type = suffix.type.map { QualifiedType($0) } ?? unsupported("the type of '\(text)' has no type encoding", size: nil)
    // Not by way of a double, which would round twice.
    let value = basic == .float || basic == .float32 ? Float(digits).map { Double($0) } ?? nearest : basic.rounded(nearest)
    return Operand(type) { () throws(SyntaxFailure) in
      // gcc keeps more digits of a _Float16 than the type has, clang does not (FLT_EVAL_METHOD).
      guard basic != .float16 || value == nearest else { throw SyntaxFailure("the value of '\(text)' depends on the compiler", at: token) }
      guard isHeld(value, basic, text) else { throw SyntaxFailure("'\(text)' is outside of the range of a double", at: token) }
      return .floatingPoint(value)
    }
  }

  /// Whether a number is finite, as in C, and is not near zero because a `double` has fewer exponents.
  private func isHeld(_ value: Double, _ type: Basic, _ text: String) -> Bool {
    guard value.isFinite else { return false }
    guard type.isLongDouble, value.magnitude < .leastNormalMagnitude else { return true }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2).prefix { $0 != "p" } : text.prefix { $0 != "e" }
    return digits.utf8.allSatisfy { !SourceByte.isDigit($0) && !($0 >= 0x61 && $0 <= 0x66) || $0 == 0x30 }
  }

  // MARK: Characters and strings

  /// The type of the elements of a literal with a prefix, or nil without one.
  ///
  /// Source: C11, sections 6.4.4.4 and 6.4.5.
  func elementType(_ literal: ArraySlice<UInt8>) -> Basic? {
    switch literal.first {
    case 0x4C: target.isWideCharacterSigned ? .int : .unsignedInt
    case 0x55: .unsignedInt
    case 0x75: literal[literal.startIndex + 1] != 0x38 ? .unsignedShort : isC23 ? .unsignedChar : .char
    default: nil
    }
  }

  /// Returns the value of a character constant.
  func character(_ literal: ArraySlice<UInt8>, at token: Token) throws(SyntaxFailure) -> Operand {
    let type = elementType(literal)
    let elements = try elements(of: literal, as: type ?? .char, at: token)
    guard let first = elements.first else { throw SyntaxFailure("a character constant is empty", at: token) }
    guard let type else {
      // One character has the sign of `char`. Several are an `int`, as gcc and clang combine them.
      let value = elements.count == 1 ? Basic.char.wrapped(Int128(first), target) : elements.suffix(4).reduce(0) { $0 << 8 | Int128($1) }
      return Operand(QualifiedType(.int), .integer(Basic.int.wrapped(value, target)))
    }
    guard elements.count == 1 else { throw SyntaxFailure("the character constant does not fit \(type.name)", at: token) }
    return Operand(QualifiedType(type), .integer(type.wrapped(Int128(first), target)))
  }

  /// Returns the value of adjacent string literals; a prefix counts for all of them.
  func string(_ literals: [(bytes: ArraySlice<UInt8>, token: Token)]) throws(SyntaxFailure) -> Operand {
    let element = literals.lazy.compactMap { self.elementType($0.bytes) }.first ?? .char
    var elements: [UInt32] = []
    for literal in literals { elements += try self.elements(of: literal.bytes, as: element, at: literal.token) }
    let count = elements.count
    let type = element == .char ? text(of: count) : QualifiedType(id: add(.array(QualifiedType(element), count: count + 1)))
    return Operand(type) { () throws(SyntaxFailure) in
      guard element.size(target) == 1 else { throw SyntaxFailure("the literal is wide", at: literals[0].token) }
      return .text(elements.map { UInt8(truncatingIfNeeded: $0) })
    }
  }

  /// The bytes that the letters of escapes stand for: `\\n`, `\\t`, `\\r`, `\\a`, `\\b`, `\\f`, `\\v`, `\\e`.
  private static let escapes: [UInt8: UInt8] = [
    0x6E: 0x0A, 0x74: 0x09, 0x72: 0x0D, 0x61: 0x07, 0x62: 0x08, 0x66: 0x0C, 0x76: 0x0B, 0x65: 0x1B,
  ]

  /// Returns the elements of a literal of a type: its characters in UTF-8, UTF-16 or UTF-32, and numbers as they are.
  private func elements(of literal: ArraySlice<UInt8>, as type: Basic, at token: Token) throws(SyntaxFailure) -> [UInt32] {
    guard let first = literal.firstIndex(where: { $0 == SourceByte.quote || $0 == SourceByte.apostrophe }) else { return [] }
    let size = type.size(target)
    var result: [UInt32] = []
    var rest = literal[(first + 1)...].dropLast()
    func append(_ scalar: Unicode.Scalar) {
      switch size {
      case 1: result += String(scalar).utf8.map { UInt32($0) }
      case 2: result += String(scalar).utf16.map { UInt32($0) }
      default: result.append(scalar.value)
      }
    }
    // The value of a number with too many digits is the value of its last digits.
    func number(_ most: Int, radix: UInt32) throws(SyntaxFailure) -> UInt32 {
      let digits = rest.prefix(most).prefix { Character(Unicode.Scalar($0)).hexDigitValue.map { $0 < radix } ?? false }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty else { throw SyntaxFailure("an escape needs hexadecimal digits", at: token) }
      return digits.reduce(0) { $0 &* radix &+ UInt32(Character(Unicode.Scalar($1)).hexDigitValue ?? 0) }
    }
    func appendNumber(_ value: UInt32) { result.append(size == 4 ? value : value & (1 << (8 * UInt32(size)) - 1)) }
    while !rest.isEmpty {
      let plain = rest.prefix { $0 != SourceByte.backslash }
      rest = rest.dropFirst(plain.count)
      if size == 1 { result += plain.map { UInt32($0) } } else { String(decoding: plain, as: UTF8.self).unicodeScalars.forEach(append) }
      guard rest.popFirst() != nil, let escape = rest.first else { continue }
      if (0x30...0x37).contains(escape) {
        appendNumber(try number(3, radix: 8))
        continue
      }
      rest = rest.dropFirst()
      switch escape {
      case 0x78: appendNumber(try number(.max, radix: 16))
      case 0x75, 0x55:
        guard let scalar = Unicode.Scalar(try number(escape == 0x75 ? 4 : 8, radix: 16)) else {
          throw SyntaxFailure("an escape is no character", at: token)
        }
        append(scalar)
      case SourceByte.newline: break
      default: result.append(UInt32(Self.escapes[escape] ?? escape))
      }
    }
    return result
  }
}

extension Basic {
  /// The number of a floating-point type that is nearest to a value.
  func rounded(_ value: Double) -> Double {
    switch self {
    case .float, .float32: return Double(Float(value))
    case .float16:
      // Not every platform has Float16. A number has 11 bits, and the least exponent is -14.
      guard value.isFinite, value != 0 else { return value }
      let unit = Double(sign: .plus, exponent: max(value.exponent, -14) - 10, significand: 1)
      let rounded = (value / unit).rounded(.toNearestOrEven) * unit
      return rounded.magnitude > 65_504 ? value * .infinity : rounded
    default: return value
    }
  }
}

extension String {
  /// The text without the digit separators of C23.
  fileprivate var replacingQuotes: String { utf8.contains(0x27) ? String(filter { $0 != "'" }) : self }
}
