import TypeEncodings

/// An expression that was read: its type, and its value if that is a constant.
struct Operand: Sendable {
  enum Value: Sendable {
    case integer(Int128)
    /// A number, rounded to its type. A number of a wider type than `double` is the nearest `double`.
    case floatingPoint(Double)
    /// An integer that was cast to a pointer.
    case address(UInt64)
    /// The bytes of a string literal.
    case text([UInt8])
    /// The reason for which the value is not known. It is an error only where the value is needed.
    case unknown(SyntaxFailure)

    /// The value, or nil if it is not known.
    var known: Value? { if case .unknown = self { nil } else { self } }
  }

  let type: QualifiedType
  let value: Value

  init(_ type: QualifiedType, _ value: Value) { (self.type, self.value) = (type, value) }

  /// Creates an operand whose value is computed; it is not known if the computation fails.
  init(_ type: QualifiedType, _ compute: () throws(SyntaxFailure) -> Value) {
    self.type = type
    do throws(SyntaxFailure) { value = try compute() } catch { value = .unknown(error) }
  }

  static func truth(_ value: Bool) -> Operand { Operand(QualifiedType(.int), .integer(value ? 1 : 0)) }

  /// Whether the value is zero.
  ///
  /// - Throws: The reason for which the value is not known.
  var isZero: Bool {
    get throws(SyntaxFailure) {
      switch value {
      case .integer(let value): return value == 0
      case .floatingPoint(let value): return value == 0
      case .address(let value): return value == 0
      case .text: return false
      case .unknown(let failure): throw failure
      }
    }
  }
}

/// What operators make of operands.
///
/// Source: C11, section 6.5.
extension TypeTable {
  // MARK: Operators

  /// Returns the result of a binary operator.
  func result(of operation: Token, _ left: Operand, _ right: Operand) throws(SyntaxFailure) -> Operand {
    let type = try self.type(of: operation, value(left.type), value(right.type))
    return Operand(type) { () throws(SyntaxFailure) in
      switch operation.punctuator {
      case .and: return .integer(try left.isZero ? 0 : right.isZero ? 0 : 1)
      case .or: return .integer(try left.isZero ? (right.isZero ? 0 : 1) : 1)
      default: break
      }
      switch (left.value, right.value) {
      case (.unknown(let failure), _), (_, .unknown(let failure)): throw failure
      case (.integer(let one), .integer(let other)):
        guard let first = basic(left.type), let second = basic(right.type) else { break }
        let isShift = [.shiftLeft, .shiftRight].contains(operation.punctuator)
        if isShift { return try shifted(one, other, Basic.common(first, first), operation) }
        return try integer(operation, one, other, Basic.common(first, second))
      case (.address(let one), .address(let other)): return try comparison(operation, of: one, other)
      case (.address(let one), .integer(let other)): return try comparison(operation, of: one, UInt64(truncatingIfNeeded: other))
      case (.integer(let one), .address(let other)): return try comparison(operation, of: UInt64(truncatingIfNeeded: one), other)
      case (.text, _), (_, .text), (.address, _), (_, .address): break
      case (.floatingPoint, _), (_, .floatingPoint): return try floatingPoint(operation, left, right)
      }
      throw SyntaxFailure("arithmetic with addresses is not a constant", at: operation)
    }
  }

  private func comparison(_ operation: Token, of left: UInt64, _ right: UInt64) throws(SyntaxFailure) -> Operand.Value {
    guard [.equal, .notEqual].contains(operation.punctuator) else {
      throw SyntaxFailure("arithmetic with addresses is not a constant", at: operation)
    }
    return .integer((left == right) == (operation.punctuator == .equal) ? 1 : 0)
  }

  /// The result of a comparison of two numbers of a type; nil for another operator.
  private func comparison<Number: Comparable>(_ operation: Token, _ left: Number, _ right: Number) -> Operand.Value? {
    let isTrue: Bool
    switch operation.punctuator {
    case .less: isTrue = left < right
    case .greater: isTrue = left > right
    case .lessOrEqual: isTrue = left <= right
    case .greaterOrEqual: isTrue = left >= right
    case .equal: isTrue = left == right
    case .notEqual: isTrue = left != right
    default: return nil
    }
    return .integer(isTrue ? 1 : 0)
  }

  /// Computes in the common type of two operands, one or both floating-point numbers.
  ///
  /// A `double` has more than twice the bits of a `float`. So a result that is rounded to `double` and then to `float`
  /// is the same as one that is rounded once.
  private func floatingPoint(_ operation: Token, _ first: Operand, _ second: Operand) throws(SyntaxFailure) -> Operand.Value {
    let common = QualifiedType(Basic.common(basic(first.type) ?? .double, basic(second.type) ?? .double))
    let type = basic(common) ?? .double
    // gcc computes with more precision than the type has, clang does not (FLT_EVAL_METHOD).
    guard type != .float16 else { throw SyntaxFailure("the result of arithmetic with _Float16 depends on the compiler", at: operation) }
    guard !type.isLongDouble, case .floatingPoint(let left) = cast(first, to: common, at: operation).value,
      case .floatingPoint(let right) = cast(second, to: common, at: operation).value
    else { throw SyntaxFailure("arithmetic with \(type.name) is not computed", at: operation) }
    switch operation.punctuator {
    case .plus: return .floatingPoint(type.rounded(left + right))
    case .minus: return .floatingPoint(type.rounded(left - right))
    case .star: return .floatingPoint(type.rounded(left * right))
    case .slash: return .floatingPoint(type.rounded(left / right))
    default:
      if let truth = comparison(operation, left, right) { return truth }
      throw SyntaxFailure("\(operation.punctuator.quoted) has integer operands", at: operation)
    }
  }

  private func shifted(_ value: Int128, _ count: Int128, _ type: Basic, _ operation: Token) throws(SyntaxFailure) -> Operand.Value {
    guard count >= 0, count < Int128(8 * type.size(target)) else {
      throw SyntaxFailure("a shift by \(count) bits is undefined", at: operation)
    }
    return .integer(type.wrapped(operation.punctuator == .shiftLeft ? value << count : value >> count, target))
  }

  private func integer(_ operation: Token, _ first: Int128, _ second: Int128, _ type: Basic) throws(SyntaxFailure) -> Operand.Value {
    let (left, right) = (type.wrapped(first, target), type.wrapped(second, target))
    guard type != .unsignedInt128 || left >= 0 && right >= 0 else {
      throw SyntaxFailure("arithmetic beyond the greatest __int128 is not computed", at: operation)
    }
    let result: Int128
    switch operation.punctuator {
    case .plus: result = left &+ right
    case .minus: result = left &- right
    case .star: result = left &* right
    case .slash, .percent:
      guard right != 0 else { throw SyntaxFailure("a division by zero", at: operation) }
      let (quotient, remainder) = right == -1 ? (0 &- left, 0) : left.quotientAndRemainder(dividingBy: right)
      result = operation.punctuator == .slash ? quotient : remainder
    case .bar: result = left | right
    case .caret: result = left ^ right
    case .ampersand: result = left & right
    default:
      if let truth = comparison(operation, left, right) { return truth }
      throw SyntaxFailure("expected an operator, found \(operation.punctuator.quoted)", at: operation)
    }
    return .integer(type.wrapped(result, target))
  }

  /// Returns the result of an operator before an operand.
  func prefixed(_ operation: Token, _ operand: Operand) throws(SyntaxFailure) -> Operand {
    func unknown(_ type: QualifiedType) -> Operand {
      Operand(type, .unknown(SyntaxFailure("an object and its address are not constants", at: operation)))
    }
    switch operation.punctuator {
    case .exclamation: return Operand(QualifiedType(.int)) { () throws(SyntaxFailure) in .integer(try operand.isZero ? 1 : 0) }
    case .star: return unknown(try pointee(operand.type, operation))
    case .ampersand: return unknown(QualifiedType(id: try derived(.pointer(operand.type), at: operation)))
    default: break
    }
    let type = try arithmetic(value(operand.type), value(operand.type), operation)
    return Operand(type) { () throws(SyntaxFailure) in
      switch (operation.punctuator, operand.value) {
      case (_, .unknown(let failure)): throw failure
      case (.plus, .integer), (.plus, .floatingPoint): return operand.value
      case (.minus, .integer(let value)): return .integer((basic(type) ?? .int).wrapped(0 &- value, target))
      case (.tilde, .integer(let value)): return .integer((basic(type) ?? .int).wrapped(~value, target))
      case (.minus, .floatingPoint(let value)): return .floatingPoint(-value)
      default: throw SyntaxFailure("\(operation.punctuator.quoted) has no operand of this type", at: operation)
      }
    }
  }

  /// Returns the operand that a condition chooses, in the common type of both.
  func conditional(
    _ condition: Operand, _ first: Operand, _ second: Operand, _ start: Token
  ) throws(SyntaxFailure) -> Operand {
    let type = try conditionalType(value(first.type), value(second.type), start)
    do throws(SyntaxFailure) {
      return cast(try condition.isZero ? second : first, to: type, at: start)
    } catch {
      return Operand(type, .unknown(error))
    }
  }

  /// Returns an operand that is converted to a type.
  func cast(_ operand: Operand, to type: QualifiedType, at token: Token) -> Operand {
    Operand(QualifiedType(id: type.id)) { () throws(SyntaxFailure) in
      if case .unknown(let failure) = operand.value { throw failure }
      guard let basic = basic(type) else {
        switch (node(type), operand.value) {
        case (.pointer, .integer(let value)), (.block, .integer(let value)): return .address(UInt64(truncatingIfNeeded: value))
        case (.pointer, .address), (.block, .address): return operand.value
        default: throw SyntaxFailure("this constant is not converted to this type", at: token)
        }
      }
      switch operand.value {
      case _ where basic == .void: throw SyntaxFailure("a constant is not void", at: token)
      case _ where basic == .bool: return .integer(try operand.isZero ? 0 : 1)
      case .integer(let value) where basic.isInteger: return .integer(basic.wrapped(value, target))
      case .address(let value) where basic.isInteger: return .integer(basic.wrapped(Int128(value), target))
      case .floatingPoint(let value) where basic.isInteger:
        guard value.isFinite, let whole = Int128(exactly: value.rounded(.towardZero)), basic.represents(whole, target) else {
          throw SyntaxFailure("the number does not fit \(basic.name)", at: token)
        }
        return .integer(whole)
      // Not by way of a double, which would round twice.
      case .integer(let value) where basic == .float || basic == .float32: return .floatingPoint(Double(Float(value)))
      case .integer(let value): return .floatingPoint(basic.rounded(Double(value)))
      case .floatingPoint(let value): return .floatingPoint(basic.rounded(value))
      default: throw SyntaxFailure("an address is not a number", at: token)
      }
    }
  }

  // MARK: Types

  /// The arithmetic type of a value, or void; nil for another type.
  func basic(_ type: QualifiedType) -> Basic? {
    switch node(type) {
    case .basic(let basic): basic
    case .enumeration(let index): underlying(index)
    default: nil
    }
  }

  /// The type that a pointer points to, or the element type of an array.
  func pointee(_ type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    switch node(type) {
    case .pointer(let target), .array(let target, _): return target
    case .function: return type
    default: throw SyntaxFailure("the operand is not a pointer", at: start)
    }
  }

  /// The type of the value of an expression: without qualifiers, and a pointer for an array or a function.
  func value(_ type: QualifiedType) -> QualifiedType { QualifiedType(id: decayed(type).id) }

  private func type(of operation: Token, _ left: QualifiedType, _ right: QualifiedType) throws(SyntaxFailure) -> QualifiedType {
    if case .vector = node(left) { return left }
    switch operation.punctuator {
    case .and, .or, .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual: return QualifiedType(.int)
    case .shiftLeft, .shiftRight: return try arithmetic(left, left, operation)
    case .plus, .minus:
      switch (node(left), node(right)) {
      case (.pointer, .pointer) where operation.punctuator == .minus: return QualifiedType(.long)
      case (.pointer, _): return left
      case (_, .pointer) where operation.punctuator == .plus: return right
      default: return try arithmetic(left, right, operation)
      }
    default: return try arithmetic(left, right, operation)
    }
  }

  private func conditionalType(
    _ first: QualifiedType, _ second: QualifiedType, _ start: Token
  ) throws(SyntaxFailure) -> QualifiedType {
    switch (node(first), node(second)) {
    // A null pointer constant does not decide the type; nor does `void *` beside another pointer.
    case (.pointer(let target), .pointer): if case .basic(.void) = node(target) { return second } else { return first }
    case (.pointer, _): return first
    case (_, .pointer): return second
    case (.record, .record), (.basic(.void), .basic(.void)): return first
    default: return try arithmetic(first, second, start)
    }
  }

  /// The common type of two arithmetic types.
  ///
  /// Source: C11, section 6.3.1.8.
  private func arithmetic(_ left: QualifiedType, _ right: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    func part(_ type: QualifiedType) throws(SyntaxFailure) -> (basic: Basic, isComplex: Bool) {
      if case .complex(let basic) = node(type) { return (basic, true) }
      guard let basic = basic(type), basic != .void else { throw SyntaxFailure("the type of this expression is not computed", at: start) }
      return (basic, false)
    }
    let (one, other) = (try part(left), try part(right))
    let common = Basic.common(one.basic, other.basic)
    return one.isComplex || other.isComplex ? QualifiedType(id: add(.complex(common))) : QualifiedType(common)
  }
}
