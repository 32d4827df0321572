/// A value in a constant expression.
enum Operand: Sendable {
  case integer(Integer)
  /// A number, as it is rounded to its type. One of a wider type than `double` is the nearest `double`.
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
