import TypeEncodings

extension DeclarationReader {
  /// Reads a constant expression with an integer value.
  mutating func integerExpression() throws(SyntaxFailure) -> Integer {
    let start = token
    guard case .integer(let value) = try expression() else { throw failure("the expression is not an integer", at: start) }
    return value
  }

  /// Reads a constant expression: everything but assignments, commas and calls.
  mutating func expression() throws(SyntaxFailure) -> Operand {
    try enter()
    // Also after a failure, which is no error in every context.
    let saved = isUnevaluated
    defer {
      isUnevaluated = saved
      leave()
    }
    let condition = try binary()
    return isNext(.question) ? try conditional(condition) : condition
  }

  private mutating func conditional(_ condition: Operand) throws(SyntaxFailure) -> Operand {
    let saved = isUnevaluated
    try advance()
    // GNU: an omitted second operand is the first.
    if try take(.colon) { return Self.conditional(condition, condition, try expression()) }
    isUnevaluated = saved || condition.isZero
    let first = try expression()
    try expect(.colon, "':'")
    isUnevaluated = saved || !condition.isZero
    return Self.conditional(condition, first, try expression())
  }

  /// Returns the operand that a condition chooses, in the common type of both.
  private static func conditional(_ condition: Operand, _ first: Operand, _ second: Operand) -> Operand {
    let chosen = condition.isZero ? second : first
    if case .integer(let left) = first, case .integer(let right) = second {
      let type = Integer.commonType(left.promoted, right.promoted)
      return .integer(Integer((condition.isZero ? right : left).value, bits: type.bits, isSigned: type.isSigned))
    }
    return Operand.commonFloatingType(first, second).map { chosen.rounded(to: $0) } ?? chosen
  }

  /// The precedence of a binary operator, or nil for another token.
  func precedence(_ token: Token) -> Int? {
    guard token.kind == .punctuator else { return nil }
    switch token.punctuator {
    case .or: return 1
    case .and: return 2
    case .bar: return 3
    case .caret: return 4
    case .ampersand: return 5
    case .equal, .notEqual: return 6
    case .less, .greater, .lessOrEqual, .greaterOrEqual: return 7
    case .shiftLeft, .shiftRight: return 8
    case .plus, .minus: return 9
    case .star, .slash, .percent: return 10
    default: return nil
    }
  }

  /// A binary operator whose right operand is not complete.
  private struct Waiting {
    var left: Operand
    var operation: Token
    var precedence: Int
    /// Whether the value of the expression that contains it is not needed.
    var isUnevaluated: Bool
  }

  /// Reads operands and the binary operators between them.
  private mutating func binary() throws(SyntaxFailure) -> Operand {
    var waiting: [Waiting] = []
    while true {
      var value = try unary()
      let precedence = precedence(token) ?? 0
      while let last = waiting.last, last.precedence >= precedence {
        waiting.removeLast()
        isUnevaluated = last.isUnevaluated
        value = try result(of: last.operation, last.left, value)
      }
      guard precedence > 0 else { return value }
      waiting.append(Waiting(left: value, operation: token, precedence: precedence, isUnevaluated: isUnevaluated))
      if isNext(.and), value.isZero { isUnevaluated = true }
      if isNext(.or), !value.isZero { isUnevaluated = true }
      try advance()
    }
  }

  private func result(of operation: Token, _ left: Operand, _ right: Operand) throws(SyntaxFailure) -> Operand {
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
      default: throw failure("arithmetic with addresses is not a constant", at: operation)
      }
    default: return try floatingPointResult(of: operation, left, right)
    }
  }

  /// Computes in the common type of two operands of which one is a floating-point number.
  ///
  /// A `double` has more than twice the bits of a `float`: a result that is rounded to the one and then to the other is the
  /// same as one that is rounded once.
  private func floatingPointResult(of operation: Token, _ left: Operand, _ right: Operand) throws(SyntaxFailure) -> Operand {
    guard let type = Operand.commonFloatingType(left, right), left.isNumber, right.isNumber else {
      throw failure("arithmetic with addresses is not a constant", at: operation)
    }
    if !isUnevaluated {
      // gcc computes with more precision than the type has, clang does not (FLT_EVAL_METHOD).
      guard type != .float16 else { throw failure("the result of arithmetic with _Float16 depends on the compiler", at: operation) }
      guard !type.isLongDouble else { throw failure("arithmetic with \(type.name) is not computed", at: operation) }
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
      throw failure("\(text(operation)) has integer operands", at: operation)
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
        throw failure("a shift by \(second.value) bits is undefined", at: operation)
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
        throw failure("a division by zero", at: operation)
      }
      let (quotient, remainder) = right == -1 ? (0 &- left, 0) : left.quotientAndRemainder(dividingBy: right)
      return integer(operation.punctuator == .slash ? quotient : remainder)
    case .bar: return integer(left | right)
    case .caret: return integer(left ^ right)
    case .ampersand: return integer(left & right)
    default:
      if let truth = Self.comparison(operation, left, right) { return truth }
      throw failure("expected an operator, found \(text(operation))", at: operation)
    }
  }

  // MARK: Operands

  /// An operator before an operand: a punctuator, or a cast.
  struct Prefix {
    var token: Token
    /// The type of a cast.
    var type: QualifiedType?
  }

  mutating func unary() throws(SyntaxFailure) -> Operand {
    try enter()
    defer { leave() }
    var prefixes: [Prefix] = []
    while let prefix = try self.prefix([.plus, .minus, .tilde, .exclamation]) {
      if prefix.type != nil, isNext(.openBrace) { throw failure("a compound literal is not a constant") }
      prefixes.append(prefix)
      if prefixes.count > Self.deepest { throw tooDeep() }
    }
    let operand: Operand
    if try take(.openParenthesis) {
      operand = try expression()
      try expect(.closeParenthesis, "')'")
    } else {
      operand = try primary()
    }
    return prefixes.isEmpty ? operand : try apply(prefixes, to: operand)
  }

  /// Reads one of some punctuators, a type in parentheses, or `__extension__`; nil if none of them is next.
  mutating func prefix(_ punctuators: [Punctuator]) throws(SyntaxFailure) -> Prefix? {
    while isNext(.extensionKeyword) { try advance() }
    guard token.kind == .punctuator else { return nil }
    var prefix = Prefix(token: token)
    if isNext(.openParenthesis) {
      guard try beginsTypeName(following) else { return nil }
      try advance()
      prefix.type = try typeName()
      try expect(.closeParenthesis, "')'")
    } else {
      guard punctuators.contains(token.punctuator) else { return nil }
      try advance()
    }
    return prefix
  }

  private func apply(_ prefixes: [Prefix], to operand: Operand) throws(SyntaxFailure) -> Operand {
    var result = operand
    for prefix in prefixes.reversed() {
      if let type = prefix.type { result = try cast(result, to: type, prefix.token) } else { result = try prefixed(prefix.token, result) }
    }
    return result
  }

  private mutating func primary() throws(SyntaxFailure) -> Operand {
    let start = token
    switch token.kind {
    case .number:
      try advance()
      return try number(start, isEvaluated: !isUnevaluated)
    case .character:
      try advance()
      return .integer(try character(start))
    case .keyword: return try keywordOperand()
    case .name: return try namedOperand()
    case .string, .punctuator, .pragma, .end: throw expected("a constant expression")
    }
  }

  private func prefixed(_ operation: Token, _ operand: Operand) throws(SyntaxFailure) -> Operand {
    switch (operation.punctuator, operand) {
    case (.exclamation, _): return .truth(operand.isZero)
    case (.plus, .integer(let value)): return .integer(value.promoted)
    case (.minus, .integer(let value)):
      return .integer(Integer(0 &- value.promoted.value, bits: value.promoted.bits, isSigned: value.promoted.isSigned))
    case (.tilde, .integer(let value)):
      return .integer(Integer(~value.promoted.value, bits: value.promoted.bits, isSigned: value.promoted.isSigned))
    case (.plus, .floatingPoint): return operand
    case (.minus, .floatingPoint(let value, let type)): return .floatingPoint(-value, type)
    default: throw failure("\(text(operation)) has no operand of this type", at: operation)
    }
  }

  func cast(_ operand: Operand, to type: QualifiedType, _ token: Token) throws(SyntaxFailure) -> Operand {
    let basic: Basic
    switch node(type) {
    case .basic(let target): basic = target
    case .enumeration(let index): basic = enumerations[Int(index)].underlying ?? .int
    case .pointer, .block:
      switch operand {
      case .integer(let value), .address(let value): return .address(Integer(value.value, bits: 64, isSigned: false))
      case .floatingPoint: throw failure("a floating-point number is not an address", at: token)
      }
    default: throw failure("a constant is not cast to this type", at: token)
    }
    switch basic {
    case .void: throw failure("a constant is not void", at: token)
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
        throw failure("the number does not fit \(basic.name)", at: token)
      }
      return .integer(Integer(whole, bits: bits, isSigned: basic.isSigned(target)))
    }
  }
}
