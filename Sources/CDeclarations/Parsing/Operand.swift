/// A value in a constant expression.
enum Operand: Sendable {
  case integer(Integer)
  case floatingPoint(Double)
  /// An integer that was cast to a pointer.
  case address(Integer)

  var isZero: Bool {
    switch self {
    case .integer(let value), .address(let value): value.isZero
    case .floatingPoint(let value): value == 0
    }
  }

  var double: Double {
    switch self {
    case .integer(let value), .address(let value): Double(value.value)
    case .floatingPoint(let value): value
    }
  }

  static func truth(_ value: Bool) -> Operand { .integer(Integer(value ? 1 : 0)) }
}
