import TypeEncodings

/// A constant that a macro or a variable has.
enum ConstantValue: Sendable {
  case operand(Operand)
  case string([UInt8])
}

/// Computes constant expressions: what operators make of their operands, and what literals are.
struct ConstantEvaluator: Sendable {
  let target: TargetABI
  /// Whether the value of the current expression is not needed, so that it may be undefined.
  var isUnevaluated = false
  /// Whether the value of a constant variable is computed, in which gcc and clang allow other constant variables.
  var isInInitializer = false
  /// The values of the variables that are declared with `constexpr` or as `const`.
  private(set) var variables: [Name: ConstantValue] = [:]
  /// The names of those that are declared with `constexpr`, which C allows in any constant expression.
  private var constexprNames: Set<Name> = []

  init(target: TargetABI) { self.target = target }

  // MARK: Variables

  /// Stores the value of a constant variable.
  mutating func setVariable(_ name: Name, _ value: ConstantValue, isConstexpr: Bool) {
    variables[name] = value
    if isConstexpr { constexprNames.insert(name) }
  }

  /// The number of a variable that may be used here, or nil.
  func variable(_ name: Name) -> Operand? {
    guard case .operand(let value)? = variables[name], isInInitializer || constexprNames.contains(name) else { return nil }
    return value
  }

  // MARK: Operators

  /// Returns the operand that a condition chooses, in the common type of both.
  static func conditional(_ condition: Operand, _ first: Operand, _ second: Operand) -> Operand {
    let chosen = condition.isZero ? second : first
    if case .integer(let left) = first, case .integer(let right) = second {
      let type = Integer.commonType(left.promoted, right.promoted)
      return .integer(Integer((condition.isZero ? right : left).value, bits: type.bits, isSigned: type.isSigned))
    }
    return Operand.commonFloatingType(first, second).map { chosen.rounded(to: $0) } ?? chosen
  }

  func result(of operation: Token, _ left: Operand, _ right: Operand) throws(SyntaxFailure) -> Operand {
    switch operation.punctuator {
    case .and: return .truth(!left.isZero && !right.isZero)
    case .or: return .truth(!left.isZero || !right.isZero)
    default: break
    }
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return try integerResult(of: operation, left.promoted, right.promoted)
    case (.address(let left), .address(let right)), (.address(let left), .integer(let right)), (.integer(let left), .address(let right)):
      switch operation.punctuator {
      case .equal: return .truth(left.value == right.value)
      case .notEqual: return .truth(left.value != right.value)
      default: throw SyntaxFailure("arithmetic with addresses is not a constant", at: operation)
      }
    default: return try floatingPointResult(of: operation, left, right)
    }
  }

  /// Computes in the common type of two operands, one or both floating-point numbers.
  ///
  /// A `double` has more than twice the bits of a `float`: a result that is rounded to the one and then to the other is the
  /// same as one that is rounded once.
  private func floatingPointResult(of operation: Token, _ left: Operand, _ right: Operand) throws(SyntaxFailure) -> Operand {
    guard let type = Operand.commonFloatingType(left, right), left.isNumber, right.isNumber else {
      throw SyntaxFailure("arithmetic with addresses is not a constant", at: operation)
    }
    if !isUnevaluated {
      // gcc computes with more precision than the type has, clang does not (FLT_EVAL_METHOD).
      guard type != .float16 else { throw SyntaxFailure("the result of arithmetic with _Float16 depends on the compiler", at: operation) }
      guard !type.isLongDouble else { throw SyntaxFailure("arithmetic with \(type.name) is not computed", at: operation) }
    }
    func number(_ value: Double) -> Operand { Operand.floatingPoint(value, .double).rounded(to: type) }
    let (left, right) = (left.rounded(to: type).double, right.rounded(to: type).double)
    switch operation.punctuator {
    case .plus: return number(left + right)
    case .minus: return number(left - right)
    case .star: return number(left * right)
    case .slash: return number(left / right)
    default:
      if let truth = Self.comparison(operation, left, right) { return truth }
      throw SyntaxFailure("\(operation.punctuator.quoted) has integer operands", at: operation)
    }
  }

  /// The result of a comparison of two numbers of a type; nil for another operator.
  private static func comparison<Number: Comparable>(_ operation: Token, _ left: Number, _ right: Number) -> Operand? {
    switch operation.punctuator {
    case .less: .truth(left < right)
    case .greater: .truth(left > right)
    case .lessOrEqual: .truth(left <= right)
    case .greaterOrEqual: .truth(left >= right)
    case .equal: .truth(left == right)
    case .notEqual: .truth(left != right)
    default: nil
    }
  }

  private func integerResult(of operation: Token, _ first: Integer, _ second: Integer) throws(SyntaxFailure) -> Operand {
    if operation.punctuator == .shiftLeft || operation.punctuator == .shiftRight {
      guard second.value >= 0, second.value < Int128(first.bits) else {
        if isUnevaluated { return .integer(first) }
        throw SyntaxFailure("a shift by \(second.value) bits is undefined", at: operation)
      }
      let amount = Int(second.value)
      let value = operation.punctuator == .shiftLeft ? first.value << amount : first.value >> amount
      return .integer(Integer(value, bits: first.bits, isSigned: first.isSigned))
    }
    let type = Integer.commonType(first, second)
    let left = Integer(first.value, bits: type.bits, isSigned: type.isSigned).value
    let right = Integer(second.value, bits: type.bits, isSigned: type.isSigned).value
    func integer(_ value: Int128) -> Operand { .integer(Integer(value, bits: type.bits, isSigned: type.isSigned)) }
    switch operation.punctuator {
    case .plus: return integer(left &+ right)
    case .minus: return integer(left &- right)
    case .star: return integer(left &* right)
    case .slash, .percent:
      guard right != 0 else {
        if isUnevaluated { return integer(0) }
        throw SyntaxFailure("a division by zero", at: operation)
      }
      let (quotient, remainder) = right == -1 ? (0 &- left, 0) : left.quotientAndRemainder(dividingBy: right)
      return integer(operation.punctuator == .slash ? quotient : remainder)
    case .bar: return integer(left | right)
    case .caret: return integer(left ^ right)
    case .ampersand: return integer(left & right)
    default:
      if let truth = Self.comparison(operation, left, right) { return truth }
      throw SyntaxFailure("expected an operator, found \(operation.punctuator.quoted)", at: operation)
    }
  }

  func prefixed(_ operation: Token, _ operand: Operand) throws(SyntaxFailure) -> Operand {
    switch (operation.punctuator, operand) {
    case (.exclamation, _): return .truth(operand.isZero)
    case (.plus, .integer(let value)): return .integer(value.promoted)
    case (.minus, .integer(let value)):
      return .integer(Integer(0 &- value.promoted.value, bits: value.promoted.bits, isSigned: value.promoted.isSigned))
    case (.tilde, .integer(let value)):
      return .integer(Integer(~value.promoted.value, bits: value.promoted.bits, isSigned: value.promoted.isSigned))
    case (.plus, .floatingPoint): return operand
    case (.minus, .floatingPoint(let value, let type)): return .floatingPoint(-value, type)
    default: throw SyntaxFailure("\(operation.punctuator.quoted) has no operand of this type", at: operation)
    }
  }

  func cast(_ operand: Operand, to type: QualifiedType, of types: TypeTable, at token: Token) throws(SyntaxFailure) -> Operand {
    let basic: Basic
    switch types.node(type) {
    case .basic(let target): basic = target
    case .enumeration(let index): basic = types.underlying(index)
    case .pointer, .block:
      switch operand {
      case .integer(let value), .address(let value): return .address(Integer(value.value, bits: 64, isSigned: false))
      case .floatingPoint: throw SyntaxFailure("a floating-point number is not an address", at: token)
      }
    default: throw SyntaxFailure("a constant is not cast to this type", at: token)
    }
    switch basic {
    case .void: throw SyntaxFailure("a constant is not void", at: token)
    case .float16, .float, .float32, .double, .float64, .float32x, .float64x, .longDouble: return operand.rounded(to: basic)
    case .bool: return .integer(Integer(operand.isZero ? 0 : 1, bits: 8, isSigned: false))
    default: break
    }
    let bits = 8 * basic.size(target)
    switch operand {
    case .integer(let value), .address(let value):
      return .integer(Integer(value.value, bits: bits, isSigned: basic.isSigned(target)))
    case .floatingPoint(let value, _):
      guard value.isFinite, let whole = Int128(exactly: value.rounded(.towardZero)) else {
        throw SyntaxFailure("the number does not fit \(basic.name)", at: token)
      }
      return .integer(Integer(whole, bits: bits, isSigned: basic.isSigned(target)))
    }
  }
}

extension ConstantEvaluator {
  // MARK: Literals

  /// Returns the value of a number token.
  ///
  /// Source: C11, sections 6.4.4.1 and 6.4.4.2.
  ///
  /// - Parameter isEvaluated: Whether a number is an error whose value depends on the compiler.
  func number(_ bytes: ArraySlice<UInt8>, at token: Token, isEvaluated: Bool) throws(SyntaxFailure) -> Operand {
    let text = String(decoding: bytes, as: UTF8.self).lowercased().replacingQuotes
    let isHexadecimal = text.hasPrefix("0x")
    if !isHexadecimal && text.utf8.contains(where: { $0 == 0x2E || $0 == 0x65 }) || isHexadecimal && text.utf8.contains(0x70) {
      let number = try floatingPoint(text, token)
      // gcc keeps more digits of a _Float16 than the type has, clang does not (FLT_EVAL_METHOD).
      guard !isEvaluated || number.isExact else { throw SyntaxFailure("the value of '\(text)' depends on the compiler", at: token) }
      guard !isEvaluated || isHeld(number.operand, text) else {
        throw SyntaxFailure("'\(text)' is outside of the range of a double", at: token)
      }
      return number.operand
    }
    if text.utf8.last == 0x66, !isHexadecimal { throw SyntaxFailure("'\(text)' is not a number", at: token) }
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
      guard UInt128(digits, radix: radix) != nil else { throw SyntaxFailure("'\(text)' is not a number", at: token) }
      throw SyntaxFailure("'\(text)' does not fit 64 bits", at: token)
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
  func numberType(_ bytes: ArraySlice<UInt8>, at token: Token) throws(SyntaxFailure) -> Basic {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    guard case .integer(let value) = try number(bytes, at: token, isEvaluated: false) else {
      guard let type = Self.floatingSuffix(text).type else { throw SyntaxFailure("the type of '\(text)' has no type encoding", at: token) }
      return type
    }
    if value.bits == 32 { return value.isSigned ? .int : .unsignedInt }
    let isLongLong = text.contains("ll")
    return value.isSigned ? (isLongLong ? .longLong : .long) : isLongLong ? .unsignedLongLong : .unsignedLong
  }

  /// The element type of a literal with a prefix, or nil without one.
  func elementType(_ literal: ArraySlice<UInt8>) -> Basic? {
    switch literal.first {
    case 0x4C: target.isWideCharacterSigned ? .int : .unsignedInt
    case 0x55: .unsignedInt
    case 0x75: literal[literal.startIndex + 1] == 0x38 ? .unsignedChar : .unsignedShort
    default: nil
    }
  }

  /// The number of elements of a string literal.
  func elementCount(_ literal: ArraySlice<UInt8>, at token: Token) throws(SyntaxFailure) -> Int {
    let bytes = try contents(literal, at: token)
    switch elementType(literal) {
    case .int, .unsignedInt: return String(decoding: bytes, as: UTF8.self).unicodeScalars.count
    case .unsignedShort: return String(decoding: bytes, as: UTF8.self).utf16.count
    default: return bytes.count
    }
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
    guard suffix.text != "bf16", let value = Double(digits) else { throw SyntaxFailure("'\(text)' is not a number", at: token) }
    // A type without an encoding is as wide as `long double` at least, or decimal: nothing is computed in it.
    let type = suffix.type ?? .longDouble
    // Not by way of a double, which would round twice.
    if type == .float || type == .float32 { return (.floatingPoint(Float(digits).map { Double($0) } ?? value, type), true) }
    let number = Operand.floatingPoint(value, .double).rounded(to: type)
    return (number, number.double == value)
  }

  /// Whether a number is finite, as in C, and is not near zero because a `double` has fewer exponents.
  private func isHeld(_ number: Operand, _ text: String) -> Bool {
    guard case .floatingPoint(let value, let type) = number, value.isFinite else { return false }
    guard type.isLongDouble, value.magnitude < .leastNormalMagnitude else { return true }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2).prefix { $0 != "p" } : text.prefix { $0 != "e" }
    return digits.utf8.allSatisfy { !SourceByte.isDigit($0) && !($0 >= 0x61 && $0 <= 0x66) || $0 == 0x30 }
  }

  /// Returns the value of a character constant, which has the type `int`.
  func character(_ literal: ArraySlice<UInt8>, at token: Token) throws(SyntaxFailure) -> Integer {
    let isWide = literal.first != SourceByte.apostrophe
    let bytes = try contents(literal, at: token)
    guard let first = bytes.first else { throw SyntaxFailure("a character constant is empty", at: token) }
    if isWide {
      let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
      return Integer(scalars.first.map { Int128($0.value) } ?? 0)
    }
    if bytes.count == 1 { return Integer(target.isCharSigned ? Int128(Int8(bitPattern: first)) : Int128(first)) }
    // Several characters, as gcc and clang combine them.
    return Integer(bytes.suffix(4).reduce(Int128(0)) { $0 << 8 | Int128($1) })
  }

  /// The bytes that the letters of escapes stand for: `\\n`, `\\t`, `\\r`, `\\a`, `\\b`, `\\f`, `\\v`, `\\e`.
  private static let escapes: [UInt8: UInt8] = [
    0x6E: 0x0A, 0x74: 0x09, 0x72: 0x0D, 0x61: 0x07, 0x62: 0x08, 0x66: 0x0C, 0x76: 0x0B, 0x65: 0x1B,
  ]

  /// Returns the bytes of a literal with its escapes replaced.
  ///
  /// Source: C11, section 6.4.4.4.
  func contents(_ literal: ArraySlice<UInt8>, at token: Token) throws(SyntaxFailure) -> [UInt8] {
    guard let first = literal.firstIndex(where: { $0 == SourceByte.quote || $0 == SourceByte.apostrophe }) else { return [] }
    var result: [UInt8] = []
    var rest = literal[(first + 1)...].dropLast()
    // The value of a number with too many digits is the value of its last ones.
    func number(_ most: Int, radix: UInt32) -> UInt32? {
      let digits = rest.prefix(most).prefix { Character(Unicode.Scalar($0)).hexDigitValue.map { $0 < radix } ?? false }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty else { return nil }
      return digits.reduce(0) { $0 &* radix &+ UInt32(Character(Unicode.Scalar($1)).hexDigitValue ?? 0) }
    }
    while let byte = rest.popFirst() {
      guard byte == SourceByte.backslash, let escape = rest.first else {
        result.append(byte)
        continue
      }
      if (0x30...0x37).contains(escape) {
        result.append(UInt8(truncatingIfNeeded: number(3, radix: 8) ?? 0))
        continue
      }
      rest = rest.dropFirst()
      switch escape {
      case 0x78, 0x75, 0x55:
        guard let value = number(escape == 0x78 ? .max : escape == 0x75 ? 4 : 8, radix: 16) else {
          throw SyntaxFailure("an escape needs hexadecimal digits", at: token)
        }
        if escape == 0x78 {
          result.append(UInt8(truncatingIfNeeded: value))
        } else if let scalar = Unicode.Scalar(value) {
          result += Array(String(scalar).utf8)
        }
      case SourceByte.newline: break
      default: result.append(Self.escapes[escape] ?? escape)
      }
    }
    return result
  }
}

extension String {
  /// The text without the digit separators of C23.
  fileprivate var replacingQuotes: String { utf8.contains(0x27) ? String(filter { $0 != "'" }) : self }
}

/// A value in a constant expression.
enum Operand: Sendable {
  case integer(Integer)
  /// A number, rounded to its type. A number of a wider type than `double` is the nearest `double`.
  case floatingPoint(Double, Basic)
  /// An integer that was cast to a pointer.
  case address(Integer)

  var isZero: Bool {
    switch self {
    case .integer(let value), .address(let value): value.isZero
    case .floatingPoint(let value, _): value == 0
    }
  }

  var double: Double {
    switch self {
    case .integer(let value), .address(let value): Double(value.value)
    case .floatingPoint(let value, _): value
    }
  }

  static func truth(_ value: Bool) -> Operand { .integer(Integer(value ? 1 : 0)) }

  // MARK: Floating-point types

  /// Whether this is no address.
  var isNumber: Bool { if case .address = self { false } else { true } }

  private var floatingType: Basic? { if case .floatingPoint(_, let type) = self { type } else { nil } }

  /// The floating-point type to which two operands are converted, or nil if neither has one.
  ///
  /// Source: C11, section 6.3.1.8.
  static func commonFloatingType(_ left: Operand, _ right: Operand) -> Basic? {
    if left.floatingType == nil, right.floatingType == nil { return nil }
    return Basic.common(left.floatingType ?? .int, right.floatingType ?? .int)
  }

  /// The number, rounded to a floating-point type.
  func rounded(to type: Basic) -> Operand {
    // An integer is not rounded to a double before.
    if case .integer(let value) = self, type == .float || type == .float32 { return .floatingPoint(Double(Float(value.value)), type) }
    return .floatingPoint(Self.round(double, to: type), type)
  }

  private static func round(_ value: Double, to type: Basic) -> Double {
    switch type {
    case .float, .float32: return Double(Float(value))
    case .float16:
      // There is no Float16 on each platform. A number has 11 bits, and the least exponent is -14.
      guard value.isFinite, value != 0 else { return value }
      let unit = Double(sign: .plus, exponent: max(value.exponent, -14) - 10, significand: 1)
      let rounded = (value / unit).rounded(.toNearestOrEven) * unit
      return rounded.magnitude > 65_504 ? value * .infinity : rounded
    default: return value
    }
  }
}

/// A value of a C integer type, as constant expressions compute with it.
struct Integer: Sendable, Hashable {
  var value: Int128
  /// 32, 64 or 128.
  var bits: Int
  var isSigned: Bool

  init(_ value: Int128, bits: Int = 32, isSigned: Bool = true) {
    self.bits = bits
    self.isSigned = isSigned
    self.value = Self.wrapped(value, bits: bits, isSigned: isSigned)
  }

  /// The value modulo 2^`bits`, in the range of the type.
  static func wrapped(_ value: Int128, bits: Int, isSigned: Bool) -> Int128 {
    guard bits < 128 else { return value }
    let low = value & ((Int128(1) << bits) - 1)
    return isSigned && low >> (bits - 1) != 0 ? low - (Int128(1) << bits) : low
  }

  var isZero: Bool { value == 0 }

  /// Converts two operands to a common type.
  ///
  /// Source: C11, section 6.3.1.8.
  static func commonType(_ left: Integer, _ right: Integer) -> (bits: Int, isSigned: Bool) {
    if left.bits == right.bits { return (left.bits, left.isSigned && right.isSigned) }
    let wider = left.bits > right.bits ? left : right
    return (wider.bits, wider.isSigned)
  }

  /// Promotes a type of fewer than 32 bits to `int`.
  ///
  /// Source: C11, section 6.3.1.1.
  var promoted: Integer { bits < 32 ? Integer(value, bits: 32, isSigned: true) : self }
}
