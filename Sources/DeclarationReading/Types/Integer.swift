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
