import TypeEncodings

/// Expressions, whose types and values are computed as they are read.
///
/// Source: C11, section 6.5.
extension Parser {
  /// Reads a constant expression with an integer value.
  func integerExpression() throws(SyntaxFailure) -> Int128 {
    let start = tokens.current
    return try integer(try expression(), at: start)
  }

  /// Returns the value of an integer.
  func integer(_ operand: Operand, at start: Token) throws(SyntaxFailure) -> Int128 {
    switch operand.value {
    case .integer(let value): return value
    case .unknown(let failure): throw failure
    default: throw tokens.failure("the expression is not an integer", at: start)
    }
  }

  /// Reads an expression without commas and assignments, as a constant expression is.
  func expression() throws(SyntaxFailure) -> Operand {
    try tokens.enter()
    defer { tokens.leave() }
    let start = tokens.current
    let condition = try binary()
    guard tokens.take(.question) else { return condition }
    // GNU: an omitted second operand is the first.
    let first = tokens.isNext(.colon) ? condition : try sequence(separators: [.comma, .equals])
    try tokens.expect(.colon, "':'")
    return try types.conditional(condition, first, try expression(), start)
  }

  /// Reads expressions with commas or assignments between them.
  func sequence(separators: [Punctuator]) throws(SyntaxFailure) -> Operand {
    var operand = try expression()
    while tokens.current.kind == .punctuator, separators.contains(tokens.current.punctuator) {
      let separator = tokens.current
      tokens.advance()
      let next = try expression()
      operand = unknown(types.value(separator.punctuator == .comma ? next.type : operand.type), at: separator)
    }
    return operand
  }

  private func unknown(_ type: QualifiedType, at token: Token) -> Operand {
    Operand(type, .unknown(tokens.failure("\(tokens.text(token)) is not in a constant", at: token)))
  }

  /// A binary operator whose right operand is not complete.
  private struct Waiting {
    var left: Operand
    var operation: Token
    var precedence: Int
  }

  /// Reads operands and the binary operators between them.
  private func binary() throws(SyntaxFailure) -> Operand {
    var waiting: [Waiting] = []
    while true {
      var operand = try unary()
      let precedence = tokens.current.precedence ?? 0
      while let last = waiting.last, last.precedence >= precedence {
        waiting.removeLast()
        operand = try types.result(of: last.operation, last.left, operand)
      }
      guard precedence > 0 else { return operand }
      waiting.append(Waiting(left: operand, operation: tokens.current, precedence: precedence))
      tokens.advance()
    }
  }

  // MARK: Operands

  /// An operator before an operand: a punctuator, or a cast.
  private struct Prefix {
    var token: Token
    /// The type of a cast.
    var type: QualifiedType?
  }

  /// Reads an operand with its prefixes and suffixes.
  private func unary() throws(SyntaxFailure) -> Operand {
    try tokens.enter()
    defer { tokens.leave() }
    var prefixes: [Prefix] = []
    while let prefix = try self.prefix() {
      if let type = prefix.type, tokens.isNext(.openBrace) {
        // A compound literal.
        let literal = unknown(type, at: tokens.current)
        try tokens.skipBraces()
        return try apply(prefixes, to: suffixed(literal))
      }
      prefixes.append(prefix)
      if prefixes.count > TokenReader.deepest { throw tokens.tooDeep() }
    }
    // `sizeof` is read here, so that nested ones take little of the stack.
    if tokens.isNext(.sizeOf) || tokens.isNext(.alignOf) { return try apply(prefixes, to: sizeOperand()) }
    return try apply(prefixes, to: suffixed(primary()))
  }

  /// Reads an operator, a type in parentheses, or `__extension__`; nil if none of them is next.
  private func prefix() throws(SyntaxFailure) -> Prefix? {
    while tokens.take(.extensionKeyword) {}
    var prefix = Prefix(token: tokens.current)
    switch tokens.current.punctuatorOrNil {
    case .plus, .minus, .tilde, .exclamation, .star, .ampersand: tokens.advance()
    case .openParenthesis where beginsTypeName(tokens.following):
      tokens.advance()
      prefix.type = try typeName()
      try tokens.expect(.closeParenthesis, "')'")
    default: return nil
    }
    return prefix
  }

  private func apply(_ prefixes: [Prefix], to operand: Operand) throws(SyntaxFailure) -> Operand {
    var result = operand
    for prefix in prefixes.reversed() {
      if let type = prefix.type {
        result = types.cast(result, to: type, at: prefix.token)
      } else {
        result = try types.prefixed(prefix.token, result)
      }
    }
    return result
  }

  private func primary() throws(SyntaxFailure) -> Operand {
    let start = tokens.current
    switch start.kind {
    case .number:
      tokens.advance()
      return try types.number(tokens.bytes(start), at: start)
    case .character:
      tokens.advance()
      return try types.character(tokens.bytes(start), at: start)
    case .string: return try string()
    case .keyword: return try keywordOperand()
    case .name: return try namedOperand()
    case .punctuator where tokens.isNext(.openParenthesis):
      guard tokens.following.punctuatorOrNil != .openBrace else {
        throw tokens.failure("the type of a statement in an expression is not computed", at: start)
      }
      tokens.advance()
      let operand = try sequence(separators: [.comma, .equals])
      try tokens.expect(.closeParenthesis, "')'")
      return operand
    case .punctuator, .end: throw tokens.expected("an expression")
    }
  }

  /// Reads adjacent string literals.
  func string() throws(SyntaxFailure) -> Operand {
    guard tokens.current.kind == .string else { throw tokens.expected("a string") }
    var literals: [(bytes: ArraySlice<UInt8>, token: Token)] = []
    while tokens.current.kind == .string {
      literals.append((tokens.bytes(tokens.current), tokens.current))
      tokens.advance()
    }
    return try types.string(literals)
  }

  /// Reads the suffixes of an operand: `[index]`, `.member`, `->member` and `(arguments)`.
  private func suffixed(_ operand: Operand) throws(SyntaxFailure) -> Operand {
    var result = operand
    while tokens.current.kind == .punctuator {
      let start = tokens.current
      var type = result.type
      switch start.punctuator {
      case .openBracket:
        tokens.advance()
        let index = try sequence(separators: [.comma, .equals])
        try tokens.expect(.closeBracket, "']'")
        // `index[array]` is `array[index]`.
        type = types.value(type)
        if case .pointer = types.node(type) { type = try types.pointee(type, start) } else { type = try types.pointee(index.type, start) }
      case .dot, .arrow:
        tokens.advance()
        if start.punctuator == .arrow { type = try types.pointee(type, start) }
        type = try memberType(of: type, start)
      case .openParenthesis:
        if case .pointer(let target) = types.node(type) { type = target }
        guard case .function(let index) = types.node(type) else { throw tokens.failure("only a function is called", at: start) }
        try tokens.skipParentheses()
        type = types.functions[Int(index)].result
      default: return result
      }
      result = unknown(type, at: start)
    }
    return result
  }

  private func memberType(of type: QualifiedType, _ start: Token) throws(SyntaxFailure) -> QualifiedType {
    guard case .record(let index) = types.node(type) else { throw tokens.failure("only a struct or union has members", at: start) }
    var member = try member(of: index, bitFieldFailure: "whose type is not computed").type
    member.flags.formUnion(type.flags.intersection([.const, .volatile]))
    return member
  }

  /// Reads the name of a member.
  private func member(of index: Int32, bitFieldFailure: String) throws(SyntaxFailure) -> (bit: Int, type: QualifiedType) {
    guard tokens.current.kind == .name else { throw tokens.expected("a member") }
    let name = tokens.current.name
    guard let found = types.member(name, of: index) else {
      throw tokens.failure("\(types.recordName(index)) has no member '\(types.names.text(name))'")
    }
    guard !found.isBitField else { throw tokens.failure("'\(types.names.text(name))' is a bit-field, \(bitFieldFailure)") }
    tokens.advance()
    return (found.bit, found.type)
  }

  // MARK: Keywords

  /// Reads `sizeof` or `_Alignof`.
  private func sizeOperand() throws(SyntaxFailure) -> Operand {
    let start = tokens.current
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
    return try size(of: try unary().type, start)
  }

  /// Reads `offsetof` or `_Generic`.
  private func keywordOperand() throws(SyntaxFailure) -> Operand {
    let start = tokens.current
    switch start.keyword {
    case .offsetOf:
      tokens.advance()
      try tokens.expect(.openParenthesis, "'('")
      let type = try typeName()
      try tokens.expect(.comma, "','")
      let offset = try offset(in: type, start)
      try tokens.expect(.closeParenthesis, "')'")
      return Operand(QualifiedType(.unsignedLong), .integer(Int128(offset)))
    case .generic: return try genericSelection()
    default: throw tokens.expected("an expression")
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
    return Operand(QualifiedType(.unsignedLong), .integer(Int128(start.keyword == .sizeOf ? layout.size : layout.alignment)))
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
      let found = try member(of: index, bitFieldFailure: "which has no offset in bytes")
      try add(Int128(found.bit))
      type = found.type
      while tokens.take(.openBracket) {
        guard case .array(let element, _) = types.node(type), let layout = types.layout(of: element) else {
          throw tokens.failure("only an array has elements")
        }
        let value = try integerExpression()
        guard value >= 0, value <= Int128(TypeTable.largestSize) else { throw tokens.failure("an element \(value) does not exist") }
        try add(Int128(8 * layout.size) * value)
        type = element
        try tokens.expect(.closeBracket, "']'")
      }
      guard tokens.take(.dot) else { return bits / 8 }
    }
  }

  /// Reads `_Generic(expression, type: selected, default: other)`; the expressions that are not selected are skipped.
  ///
  /// Source: C11, section 6.5.1.1.
  private func genericSelection() throws(SyntaxFailure) -> Operand {
    try tokens.enter()
    defer { tokens.leave() }
    let start = tokens.current
    tokens.advance()
    try tokens.expect(.openParenthesis, "'('")
    let type = types.value(try sequence(separators: [.equals]).type)
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
    guard let chosen = selected ?? fallback else { throw tokens.failure("the selection has no type that the expression has", at: start) }
    tokens.position = chosen
    let result = try sequence(separators: [.equals])
    guard tokens.isNext(.comma) || tokens.isNext(.closeParenthesis) else { throw tokens.expected("',' or ')'") }
    tokens.position = end
    tokens.advance()
    return result
  }

  // MARK: Names

  /// Reads an enumerator, a variable, a function or the call of a built-in function.
  private func namedOperand() throws(SyntaxFailure) -> Operand {
    let start = tokens.current
    let word = types.names.text(start.name)
    tokens.advance()
    if let symbol = symbols[start.name] {
      switch symbol.kind {
      case .typedefName: throw tokens.failure("'\(word)' is a type, not an expression", at: start)
      case .enumerator, .variable, .function: break
      }
      // In the value of a constant variable gcc and clang allow other constant variables.
      let isConstant = symbol.kind == .enumerator || symbol.isConstexpr || isInInitializer
      if isConstant, let value = symbol.value { return Operand(symbol.type, value) }
      return Operand(symbol.type, .unknown(tokens.failure("'\(word)' is not a constant", at: start)))
    }
    switch word {
    case "true", "false": return Operand(QualifiedType(.bool), .integer(word == "true" ? 1 : 0))
    case "nullptr": return Operand(QualifiedType(id: types.add(.pointer(QualifiedType(.void)))), .address(0))
    case "__builtin_constant_p": return .truth(try isConstant())
    case "__builtin_types_compatible_p":
      try tokens.expect(.openParenthesis, "'('")
      let first = try typeName()
      try tokens.expect(.comma, "','")
      let second = try typeName()
      try tokens.expect(.closeParenthesis, "')'")
      return .truth(try types.isCompatible(first, second, ignoringQualifiers: true, at: tokens.current))
    case "__builtin_choose_expr": return try chosenOperand(isExpectation: false)
    case "__builtin_expect": return types.cast(try chosenOperand(isExpectation: true), to: QualifiedType(.long), at: start)
    case "__builtin_inf", "__builtin_huge_val", "__builtin_nan": return try notFinite(word, .double)
    case "__builtin_inff", "__builtin_huge_valf", "__builtin_nanf": return try notFinite(word, .float)
    case "__builtin_infl", "__builtin_huge_vall", "__builtin_nanl": return try notFinite(word, .longDouble)
    default: throw tokens.failure("'\(word)' is not declared here", at: start)
    }
  }

  /// Reads the arguments of a built-in function that returns infinity or NaN.
  private func notFinite(_ word: String, _ type: Basic) throws(SyntaxFailure) -> Operand {
    try tokens.skipParentheses()
    return Operand(QualifiedType(type), .floatingPoint(word.hasPrefix("__builtin_nan") ? .nan : .infinity))
  }

  /// Reads a parenthesized expression, and returns whether it is a constant.
  private func isConstant() throws(SyntaxFailure) -> Bool {
    try tokens.enter()
    defer { tokens.leave() }
    let start = tokens.position
    var isConstant = false
    do throws(SyntaxFailure) {
      try tokens.expect(.openParenthesis, "'('")
      isConstant = try expression().value.known != nil && tokens.isNext(.closeParenthesis)
    } catch {
      guard error.code != .limitExceeded else { throw error }
    }
    tokens.position = start
    try tokens.skipParentheses()
    return isConstant
  }

  /// Reads the arguments of a built-in function, and returns the first, or the one that the first chooses.
  private func chosenOperand(isExpectation: Bool) throws(SyntaxFailure) -> Operand {
    try tokens.enter()
    defer { tokens.leave() }
    try tokens.expect(.openParenthesis, "'('")
    var result = try expression()
    if !isExpectation {
      try tokens.expect(.comma, "','")
      if try result.isZero {
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
