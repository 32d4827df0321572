import TypeEncodings

/// Constant expressions, whose values are computed as they are read.
extension Parser {
  /// Reads a constant expression with an integer value.
  func integerExpression() throws(SyntaxFailure) -> Integer {
    let start = tokens.current
    guard case .integer(let value) = try expression() else { throw tokens.failure("the expression is not an integer", at: start) }
    return value
  }

  /// Reads a constant expression: everything but assignments, commas and calls.
  func expression() throws(SyntaxFailure) -> Operand {
    try tokens.enter()
    // Also after a failure, which is no error in every context.
    let saved = evaluator.isUnevaluated
    defer {
      evaluator.isUnevaluated = saved
      tokens.leave()
    }
    let condition = try binary()
    return tokens.isNext(.question) ? try conditional(condition) : condition
  }

  private func conditional(_ condition: Operand) throws(SyntaxFailure) -> Operand {
    let saved = evaluator.isUnevaluated
    tokens.advance()
    // GNU: an omitted second operand is the first.
    if tokens.take(.colon) { return ConstantEvaluator.conditional(condition, condition, try expression()) }
    evaluator.isUnevaluated = saved || condition.isZero
    let first = try expression()
    try tokens.expect(.colon, "':'")
    evaluator.isUnevaluated = saved || !condition.isZero
    return ConstantEvaluator.conditional(condition, first, try expression())
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
  private func binary() throws(SyntaxFailure) -> Operand {
    var waiting: [Waiting] = []
    while true {
      var value = try unary()
      let precedence = tokens.current.precedence ?? 0
      while let last = waiting.last, last.precedence >= precedence {
        waiting.removeLast()
        evaluator.isUnevaluated = last.isUnevaluated
        value = try evaluator.result(of: last.operation, last.left, value)
      }
      guard precedence > 0 else { return value }
      waiting.append(Waiting(left: value, operation: tokens.current, precedence: precedence, isUnevaluated: evaluator.isUnevaluated))
      if tokens.isNext(.and), value.isZero { evaluator.isUnevaluated = true }
      if tokens.isNext(.or), !value.isZero { evaluator.isUnevaluated = true }
      tokens.advance()
    }
  }

  // MARK: Operands

  /// An operator before an operand: a punctuator, or a cast.
  struct Prefix {
    var token: Token
    /// The type of a cast.
    var type: QualifiedType?
  }

  func unary() throws(SyntaxFailure) -> Operand {
    try tokens.enter()
    defer { tokens.leave() }
    var prefixes: [Prefix] = []
    while let prefix = try self.prefix([.plus, .minus, .tilde, .exclamation]) {
      if prefix.type != nil, tokens.isNext(.openBrace) { throw tokens.failure("a compound literal is not a constant") }
      prefixes.append(prefix)
      if prefixes.count > TokenReader.deepest { throw tokens.tooDeep() }
    }
    let operand: Operand
    if tokens.take(.openParenthesis) {
      operand = try expression()
      try tokens.expect(.closeParenthesis, "')'")
    } else {
      operand = try primary()
    }
    return prefixes.isEmpty ? operand : try apply(prefixes, to: operand)
  }

  /// Reads one of some punctuators, a type in parentheses, or `__extension__`; nil if none of them is next.
  func prefix(_ punctuators: [Punctuator]) throws(SyntaxFailure) -> Prefix? {
    while tokens.isNext(.extensionKeyword) { tokens.advance() }
    guard tokens.current.kind == .punctuator else { return nil }
    var prefix = Prefix(token: tokens.current)
    if tokens.isNext(.openParenthesis) {
      guard beginsTypeName(tokens.following) else { return nil }
      tokens.advance()
      prefix.type = try typeName()
      try tokens.expect(.closeParenthesis, "')'")
    } else {
      guard punctuators.contains(tokens.current.punctuator) else { return nil }
      tokens.advance()
    }
    return prefix
  }

  private func apply(_ prefixes: [Prefix], to operand: Operand) throws(SyntaxFailure) -> Operand {
    var result = operand
    for prefix in prefixes.reversed() {
      if let type = prefix.type {
        result = try evaluator.cast(result, to: type, of: types, at: prefix.token)
      } else {
        result = try evaluator.prefixed(prefix.token, result)
      }
    }
    return result
  }

  private func primary() throws(SyntaxFailure) -> Operand {
    let start = tokens.current
    switch tokens.current.kind {
    case .number:
      tokens.advance()
      return try evaluator.number(tokens.bytes(start), at: start, isEvaluated: !evaluator.isUnevaluated)
    case .character:
      tokens.advance()
      return .integer(try evaluator.character(tokens.bytes(start), at: start))
    case .keyword: return try keywordOperand()
    case .name: return try namedOperand()
    case .string, .punctuator, .end: throw tokens.expected("a constant expression")
    }
  }

  // MARK: Keywords

  /// Reads `sizeof`, `_Alignof`, `offsetof` and `_Generic`.
  func keywordOperand() throws(SyntaxFailure) -> Operand {
    let start = tokens.current
    switch tokens.current.keyword {
    case .sizeOf, .alignOf:
      tokens.advance()
      if tokens.isNext(.openParenthesis), beginsTypeName(tokens.following) {
        let saved = tokens.position
        tokens.advance()
        let type = try typeName()
        try tokens.expect(.closeParenthesis, "')'")
        guard tokens.isNext(.openBrace) else { return try size(of: type, start) }
        // A compound literal, which suffixes may follow.
        tokens.position = saved
      }
      return try size(of: try unaryType(), start)
    case .offsetOf:
      tokens.advance()
      try tokens.expect(.openParenthesis, "'('")
      let type = try typeName()
      try tokens.expect(.comma, "','")
      let offset = try offset(in: type, start)
      try tokens.expect(.closeParenthesis, "')'")
      return .integer(Integer(Int128(offset), bits: 64, isSigned: false))
    case .generic: return try genericSelection { () throws(SyntaxFailure) in try expression() }
    default: throw tokens.expected("a constant expression")
    }
  }

  private func size(of type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> Operand {
    var layout = types.layout(of: type)
    // GNU: sizeof(void) and the size of a function are 1.
    switch types.node(type) {
    case .basic(.void), .function: layout = TypeEncoding.Layout(size: 1, alignment: 1)
    case .array(let element, nil) where start.keyword == .alignOf: layout = types.layout(of: element)
    default: break
    }
    guard let layout else { throw tokens.failure("an incomplete type has no size", at: start) }
    return .integer(Integer(Int128(start.keyword == .sizeOf ? layout.size : layout.alignment), bits: 64, isSigned: false))
  }

  private func offset(in type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> Int {
    var type = type
    var bits = 0
    // An index may be greater than the number of elements. Neither product nor sum overflows.
    func add(_ more: Int128) throws(SyntaxFailure) {
      guard more / 8 + Int128(bits) / 8 <= Int128(TypeTable.largestSize) else {
        throw tokens.failure("the offset is greater than \(TypeTable.largestSize)", at: start, code: .limitExceeded)
      }
      bits += Int(more)
    }
    while true {
      guard case .record(let index) = types.node(type) else { throw tokens.failure("only a struct or union has members") }
      guard tokens.current.kind == .name else { throw tokens.expected("a member") }
      let name = tokens.current.name
      guard let found = types.member(name, of: index) else {
        throw tokens.failure("\(types.recordName(index)) has no member '\(types.names.text(name))'")
      }
      guard !found.isBitField else { throw tokens.failure("'\(types.names.text(name))' is a bit-field, which has no offset in bytes") }
      try add(Int128(found.bit))
      type = found.type
      tokens.advance()
      while tokens.take(.openBracket) {
        guard case .array(let element, _) = types.node(type), let layout = types.layout(of: element) else {
          throw tokens.failure("only an array has elements")
        }
        let value = try integerExpression().value
        guard value >= 0, value <= Int128(TypeTable.largestSize) else { throw tokens.failure("an element \(value) does not exist") }
        try add(Int128(8 * layout.size) * value)
        type = element
        try tokens.expect(.closeBracket, "']'")
      }
      guard tokens.take(.dot) else { return bits / 8 }
    }
  }

  /// Reads `_Generic(expression, type: selected, default: other)`, and then the selected expression alone.
  ///
  /// Source: C11, section 6.5.1.1.
  func genericSelection<Result>(
    _ read: () throws(SyntaxFailure) -> Result
  ) throws(SyntaxFailure) -> Result {
    try tokens.enter()
    defer { tokens.leave() }
    let start = tokens.current
    tokens.advance()
    try tokens.expect(.openParenthesis, "'('")
    let type = types.value(try assignmentType())
    var selected: Int?
    var fallback: Int?
    while tokens.take(.comma) {
      if tokens.current.kind == .keyword, tokens.current.keyword == .statement, tokens.text(tokens.current) == "'default'" {
        tokens.advance()
        try tokens.expect(.colon, "':'")
        fallback = tokens.position
      } else {
        let candidate = try typeName()
        try tokens.expect(.colon, "':'")
        if selected == nil, try types.isCompatible(candidate, type, at: tokens.current) { selected = tokens.position }
      }
      try tokens.skip(to: [.comma, .closeParenthesis], "')'")
    }
    guard tokens.isNext(.closeParenthesis) else { throw tokens.expected("',' or ')'") }
    let end = tokens.position
    guard let chosen = selected ?? fallback else { throw tokens.failure("no type of the selection is that of the expression", at: start) }
    tokens.position = chosen
    let result = try read()
    guard tokens.isNext(.comma) || tokens.isNext(.closeParenthesis) else { throw tokens.expected("',' or ')'") }
    tokens.position = end
    tokens.advance()
    return result
  }

  // MARK: Names

  /// Reads an enumerator, a constant variable or the call of a built-in function.
  func namedOperand() throws(SyntaxFailure) -> Operand {
    let name = tokens.current
    if let symbol = symbols[name.name] {
      if symbol.kind == .enumerator {
        tokens.advance()
        return .integer(symbol.value)
      }
      if let value = evaluator.variable(name.name) {
        tokens.advance()
        return value
      }
    }
    let word = types.names.text(name.name)
    switch word {
    case "true" where symbols[name.name] == nil, "false" where symbols[name.name] == nil:
      tokens.advance()
      return .truth(word == "true")
    case "nullptr" where symbols[name.name] == nil:
      tokens.advance()
      return .address(Integer(0, bits: 64, isSigned: false))
    case "__builtin_constant_p":
      tokens.advance()
      return .truth(try isConstant())
    case "__builtin_types_compatible_p":
      tokens.advance()
      try tokens.expect(.openParenthesis, "'('")
      let first = try typeName()
      try tokens.expect(.comma, "','")
      let second = try typeName()
      try tokens.expect(.closeParenthesis, "')'")
      return .truth(try types.isCompatible(first, second, ignoringQualifiers: true, at: tokens.current))
    case "__builtin_choose_expr", "__builtin_expect":
      tokens.advance()
      return try chosenOperand(isExpectation: word == "__builtin_expect")
    case "__builtin_inf", "__builtin_huge_val", "__builtin_nan": return try notFinite(word, .double)
    case "__builtin_inff", "__builtin_huge_valf", "__builtin_nanf": return try notFinite(word, .float)
    case "__builtin_infl", "__builtin_huge_vall", "__builtin_nanl": return try notFinite(word, .longDouble)
    default: throw tokens.failure("'\(word)' is not a constant", at: name)
    }
  }

  /// Reads the call of a built-in function that returns infinity, or no number.
  private func notFinite(_ word: String, _ type: Basic) throws(SyntaxFailure) -> Operand {
    tokens.advance()
    try tokens.skipParentheses()
    return .floatingPoint(word.hasPrefix("__builtin_nan") ? .nan : .infinity, type)
  }

  /// Reads a parenthesized expression, and returns whether it is a constant.
  private func isConstant() throws(SyntaxFailure) -> Bool {
    try tokens.enter()
    defer { tokens.leave() }
    let start = tokens.position
    var isConstant = false
    do throws(SyntaxFailure) {
      try tokens.expect(.openParenthesis, "'('")
      _ = try expression()
      isConstant = tokens.isNext(.closeParenthesis)
    } catch {
      guard error.code != .limitExceeded else { throw error }
    }
    tokens.position = start
    try tokens.skipParentheses()
    return isConstant
  }

  /// Reads the arguments of a built-in function, and returns the value of the first, or of the one that the first chooses.
  private func chosenOperand(isExpectation: Bool) throws(SyntaxFailure) -> Operand {
    try tokens.enter()
    defer { tokens.leave() }
    try tokens.expect(.openParenthesis, "'('")
    var result = try expression()
    if !isExpectation {
      try tokens.expect(.comma, "','")
      if result.isZero {
        try tokens.skip(to: [.comma, .closeParenthesis], "')'")
        try tokens.expect(.comma, "','")
      }
      result = try expression()
    }
    while tokens.take(.comma) { try tokens.skip(to: [.comma, .closeParenthesis], "')'") }
    try tokens.expect(.closeParenthesis, "')'")
    return result
  }
}

/// The types of expressions that are not evaluated: the operands of `sizeof`, `typeof` and `_Generic`.
///
/// Source: C11, section 6.5.
extension Parser {
  /// Reads an expression, and returns its type.
  func expressionType() throws(SyntaxFailure) -> QualifiedType {
    var type = try assignmentType()
    while tokens.take(.comma) { type = types.value(try assignmentType()) }
    return type
  }

  /// Reads an expression without a comma, and returns its type.
  func assignmentType() throws(SyntaxFailure) -> QualifiedType {
    try tokens.enter()
    defer { tokens.leave() }
    let start = tokens.current
    let type = try binaryType()
    if tokens.take(.equals) {
      _ = try assignmentType()
      return types.value(type)
    }
    return tokens.isNext(.question) ? try conditionalType(type, start) : type
  }

  private func conditionalType(_ type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    tokens.advance()
    // GNU: an omitted second operand is the first.
    let first = tokens.isNext(.colon) ? type : try expressionType()
    try tokens.expect(.colon, "':'")
    let second = try assignmentType()
    return try types.conditionalType(types.value(first), types.value(second), start)
  }

  private func binaryType() throws(SyntaxFailure) -> QualifiedType {
    // The operators whose right operand is not complete, with their left operands.
    var waiting: [(left: QualifiedType, operation: Token, precedence: Int)] = []
    while true {
      var right = try unaryType()
      let precedence = tokens.current.precedence ?? 0
      while let last = waiting.last, last.precedence >= precedence {
        waiting.removeLast()
        right = try types.type(of: last.operation, types.value(last.left), types.value(right))
      }
      guard precedence > 0 else { return right }
      waiting.append((right, tokens.current, precedence))
      tokens.advance()
    }
  }

  /// Reads an operand with its prefixes and suffixes, and returns its type.
  func unaryType() throws(SyntaxFailure) -> QualifiedType {
    try tokens.enter()
    defer { tokens.leave() }
    var prefixes: [Prefix] = []
    var type: QualifiedType?
    while let prefix = try self.prefix([.plus, .minus, .tilde, .exclamation, .star, .ampersand]) {
      if prefix.type != nil, tokens.isNext(.openBrace) {
        // A compound literal.
        try tokens.skipBraces()
        type = prefix.type
        break
      }
      prefixes.append(prefix)
      if prefixes.count > TokenReader.deepest { throw tokens.tooDeep() }
    }
    if type == nil {
      switch tokens.current.keywordOrNil {
      case .sizeOf, .alignOf, .offsetOf:
        _ = try keywordOperand()
        return try apply(prefixes, to: QualifiedType(.unsignedLong))
      case .generic: type = try genericSelection { () throws(SyntaxFailure) in try assignmentType() }
      default:
        if tokens.isNext(.openParenthesis), !(tokens.following.punctuatorOrNil == .openBrace) {
          tokens.advance()
          type = try expressionType()
          try tokens.expect(.closeParenthesis, "')'")
        }
      }
    }
    if type == nil { type = try primaryType() }
    guard let type else { return QualifiedType(.int) }
    return try apply(prefixes, to: suffixed(type))
  }

  /// The type that operators before an operand make of its type.
  private func apply(_ prefixes: [Prefix], to operand: QualifiedType) throws(SyntaxFailure) -> QualifiedType {
    var type = operand
    for prefix in prefixes.reversed() {
      if let cast = prefix.type {
        type = QualifiedType(id: cast.id)
        continue
      }
      switch prefix.token.punctuator {
      case .exclamation: type = QualifiedType(.int)
      case .star: type = try types.pointee(type, prefix.token)
      case .ampersand: type = QualifiedType(id: try types.derived(.pointer(type), at: prefix.token))
      default: type = try types.arithmetic(types.value(type), types.value(type), prefix.token)
      }
    }
    return type
  }

  // MARK: Operands

  private func primaryType() throws(SyntaxFailure) -> QualifiedType {
    let start = tokens.current
    switch tokens.current.kind {
    case .number:
      tokens.advance()
      return QualifiedType(try evaluator.numberType(tokens.bytes(start), at: start))
    case .character:
      tokens.advance()
      return QualifiedType(evaluator.elementType(tokens.bytes(start)) ?? .int)
    case .string:
      var element = Basic.char
      var count = 1
      while tokens.current.kind == .string {
        element = evaluator.elementType(tokens.bytes(tokens.current)) ?? element
        count += try evaluator.elementCount(tokens.bytes(tokens.current), at: tokens.current)
        tokens.advance()
      }
      return QualifiedType(id: types.add(.array(QualifiedType(element), count: count)))
    case .punctuator where tokens.isNext(.openParenthesis):
      throw tokens.failure("the type of a statement in an expression is not computed", at: start)
    case .name:
      let word = types.names.text(tokens.current.name)
      if let symbol = symbols[tokens.current.name] {
        tokens.advance()
        switch symbol.kind {
        case .variable, .function: return symbol.type
        // C11: an enumerator is an `int`; one that does not fit has the type of its enum.
        case .enumerator: return symbol.value.bits == 32 && symbol.value.isSigned ? QualifiedType(.int) : symbol.type
        case .typedefName: throw tokens.failure("'\(word)' is a type, not an expression", at: start)
        }
      }
      switch word {
      case "true", "false":
        tokens.advance()
        return QualifiedType(.bool)
      case "nullptr":
        tokens.advance()
        return QualifiedType(id: types.add(.pointer(QualifiedType(.void))))
      default: throw tokens.failure("'\(word)' is not declared here", at: start)
      }
    default: throw tokens.expected("an expression")
    }
  }

  /// Reads the suffixes of an operand: `[index]`, `.member`, `->member` and `(arguments)`.
  private func suffixed(_ operand: QualifiedType) throws(SyntaxFailure) -> QualifiedType {
    var type = operand
    while tokens.current.kind == .punctuator {
      let start = tokens.current
      switch tokens.current.punctuator {
      case .openBracket:
        tokens.advance()
        let index = try expressionType()
        try tokens.expect(.closeBracket, "']'")
        // `index[array]` is `array[index]`.
        let operand = types.value(type)
        if case .pointer = types.node(operand) { type = try types.pointee(type, start) } else { type = try types.pointee(index, start) }
      case .dot, .arrow:
        tokens.advance()
        if start.punctuator == .arrow { type = try types.pointee(type, start) }
        type = try memberType(of: type, start)
      case .openParenthesis:
        if case .pointer(let target) = types.node(type) { type = target }
        guard case .function(let index) = types.node(type) else { throw tokens.failure("only a function is called", at: start) }
        try tokens.skipParentheses()
        type = types.functions[Int(index)].result
      default: return type
      }
    }
    return type
  }

  private func memberType(of type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    guard case .record(let index) = types.node(type) else { throw tokens.failure("only a struct or union has members", at: start) }
    guard tokens.current.kind == .name else { throw tokens.expected("a member") }
    guard let found = types.member(tokens.current.name, of: index) else {
      throw tokens.failure("\(types.recordName(index)) has no member '\(types.names.text(tokens.current.name))'")
    }
    guard !found.isBitField else {
      throw tokens.failure("'\(types.names.text(tokens.current.name))' is a bit-field, whose type is not computed")
    }
    tokens.advance()
    var member = found.type
    member.flags.formUnion(type.flags.intersection([.const, .volatile]))
    return member
  }
}

extension Token {
  /// The precedence of a binary operator, or nil for another token.
  var precedence: Int? {
    switch punctuatorOrNil {
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
}
