import TypeEncodings

/// The operands of constant expressions that are words: keywords, names and built-in functions.
extension DeclarationReader {
  // MARK: Keywords

  /// Reads `sizeof`, `_Alignof`, `offsetof` and `_Generic`.
  mutating func keywordOperand() throws(SyntaxFailure) -> Operand {
    let start = token
    switch token.keyword {
    case .sizeOf, .alignOf:
      try advance()
      if isNext(.openParenthesis), try beginsTypeName(following) {
        let saved = position
        try advance()
        let type = try typeName()
        try expect(.closeParenthesis, "')'")
        guard isNext(.openBrace) else { return try size(of: type, start) }
        // A compound literal, which suffixes may follow.
        position = saved
      }
      return try size(of: try unaryType(), start)
    case .offsetOf:
      try advance()
      try expect(.openParenthesis, "'('")
      let type = try typeName()
      try expect(.comma, "','")
      let offset = try offset(in: type, start)
      try expect(.closeParenthesis, "')'")
      return .integer(Integer(Int128(offset), bits: 64, isSigned: false))
    case .generic: return try genericSelection { reader throws(SyntaxFailure) in try reader.expression() }
    default: throw expected("a constant expression")
    }
  }

  private mutating func size(of type: QualifiedType, _ token: Token) throws(SyntaxFailure) -> Operand {
    if index != nil, case .record(let index) = node(type) { try complete(index) }
    var layout = layout(of: type)
    // GNU: sizeof(void) and the size of a function are 1.
    switch node(type) {
    case .basic(.void), .function: layout = NodeLayout(size: 1, alignment: 1)
    case .array(let element, nil) where token.keyword == .alignOf: layout = self.layout(of: element)
    default: break
    }
    guard let layout else { throw failure("an incomplete type has no size", at: token) }
    return .integer(Integer(Int128(token.keyword == .sizeOf ? layout.size : layout.alignment), bits: 64, isSigned: false))
  }

  private mutating func offset(in type: QualifiedType, _ token: Token) throws(SyntaxFailure) -> Int {
    var type = type
    var bits = 0
    // An index may be greater than the number of elements. Neither product nor sum overflows.
    func add(_ more: Int128) throws(SyntaxFailure) {
      guard more / 8 + Int128(bits) / 8 <= Int128(Self.largestSize) else {
        throw failure("the offset is greater than \(Self.largestSize)", at: token, code: .limitExceeded)
      }
      bits += Int(more)
    }
    while true {
      guard case .record(let index) = node(type) else { throw failure("only a struct or union has members") }
      if self.index != nil { try complete(index) }
      guard self.token.kind == .name else { throw expected("a member") }
      let name = self.token.name
      guard let found = member(name, of: index) else {
        throw failure("\(recordName(index)) has no member '\(names.text(name))'")
      }
      guard !found.isBitField else { throw failure("'\(names.text(name))' is a bit-field, which has no offset in bytes") }
      try add(Int128(found.bit))
      type = found.type
      try advance()
      while try take(.openBracket) {
        guard case .array(let element, _) = node(type), let layout = layout(of: element) else {
          throw failure("only an array has elements")
        }
        let value = try integerExpression().value
        guard value >= 0, value <= Int128(Self.largestSize) else { throw failure("an element \(value) does not exist") }
        try add(Int128(8 * layout.size) * value)
        type = element
        try expect(.closeBracket, "']'")
      }
      guard try take(.dot) else { return bits / 8 }
    }
  }

  /// Returns the first bit and the type of a member, also of a struct without a name within the record.
  func member(_ name: Name, of index: Int32) -> (bit: Int, type: QualifiedType, isBitField: Bool)? {
    let record = records[Int(index)]
    guard record.layout != nil else { return nil }
    for (member, bit) in zip(record.members ?? [], record.positions) {
      if member.name == name { return (bit, member.type, member.width != nil) }
      if member.name.isNone, member.width == nil, case .record(let inner) = node(member.type), let found = self.member(name, of: inner) {
        return (bit + found.bit, found.type, found.isBitField)
      }
    }
    return nil
  }

  /// Reads `_Generic(expression, type: selected, default: other)`, and then the selected expression alone.
  ///
  /// Source: C11, section 6.5.1.1.
  mutating func genericSelection<Result>(
    _ read: (inout DeclarationReader) throws(SyntaxFailure) -> Result
  ) throws(SyntaxFailure) -> Result {
    try enter()
    defer { leave() }
    let start = token
    try advance()
    try expect(.openParenthesis, "'('")
    let type = value(try assignmentType())
    var selected: Int?
    var fallback: Int?
    while try take(.comma) {
      if token.kind == .keyword, token.keyword == .statement, text(token) == "'default'" {
        try advance()
        try expect(.colon, "':'")
        fallback = position
      } else {
        let candidate = try typeName()
        try expect(.colon, "':'")
        if selected == nil, try isCompatible(candidate, type) { selected = position }
      }
      try skipArgument()
    }
    guard isNext(.closeParenthesis) else { throw expected("',' or ')'") }
    let end = position
    guard let chosen = selected ?? fallback else { throw failure("no type of the selection is that of the expression", at: start) }
    position = chosen
    let result = try read(&self)
    guard isNext(.comma) || isNext(.closeParenthesis) else { throw expected("',' or ')'") }
    position = end
    try advance()
    return result
  }

  /// Skips the tokens up to a comma or a closing parenthesis that is not in brackets.
  private mutating func skipArgument() throws(SyntaxFailure) {
    while !isNext(.comma), !isNext(.closeParenthesis) {
      guard token.kind != .end else { throw expected("')'") }
      switch token.punctuatorOrNil {
      case .openParenthesis: try skipParentheses()
      case .openBrace: try skipBraces()
      case .openBracket: try skipBrackets()
      default: try advance()
      }
    }
  }

  // MARK: Names

  /// Reads an enumerator, a constant variable or the call of a built-in function.
  mutating func namedOperand() throws(SyntaxFailure) -> Operand {
    let name = token
    if let symbol = try symbol(name.name) {
      if symbol.kind == .enumerator {
        try advance()
        return .integer(symbol.value)
      }
      if case .operand(let value)? = constantVariables[name.name], isInInitializer || constexprNames.contains(name.name) {
        try advance()
        return value
      }
    }
    let word = names.text(name.name)
    switch word {
    case "true" where try symbol(name.name) == nil, "false" where try symbol(name.name) == nil:
      try advance()
      return .truth(word == "true")
    case "nullptr" where try symbol(name.name) == nil:
      try advance()
      return .address(Integer(0, bits: 64, isSigned: false))
    case "__builtin_constant_p":
      try advance()
      return .truth(try isConstant())
    case "__builtin_types_compatible_p":
      try advance()
      try expect(.openParenthesis, "'('")
      let first = try typeName()
      try expect(.comma, "','")
      let second = try typeName()
      try expect(.closeParenthesis, "')'")
      return .truth(try isCompatible(first, second, ignoringQualifiers: true))
    case "__builtin_choose_expr", "__builtin_expect":
      try advance()
      return try chosenOperand(isExpectation: word == "__builtin_expect")
    case "__builtin_inf", "__builtin_huge_val", "__builtin_nan": return try notFinite(word, .double)
    case "__builtin_inff", "__builtin_huge_valf", "__builtin_nanf": return try notFinite(word, .float)
    case "__builtin_infl", "__builtin_huge_vall", "__builtin_nanl": return try notFinite(word, .longDouble)
    default: throw failure("'\(word)' is not a constant", at: name)
    }
  }

  /// Reads the call of a built-in function that returns infinity, or no number.
  private mutating func notFinite(_ word: String, _ type: Basic) throws(SyntaxFailure) -> Operand {
    try advance()
    try skipParentheses()
    return .floatingPoint(word.hasPrefix("__builtin_nan") ? .nan : .infinity, type)
  }

  /// Reads a parenthesized expression, and returns whether it is a constant.
  private mutating func isConstant() throws(SyntaxFailure) -> Bool {
    try enter()
    defer { leave() }
    let open = position
    var isConstant = false
    do throws(SyntaxFailure) {
      try expect(.openParenthesis, "'('")
      _ = try expression()
      isConstant = isNext(.closeParenthesis)
    } catch {
      guard error.code != .limitExceeded else { throw error }
    }
    position = open
    try skipParentheses()
    return isConstant
  }

  /// Reads the arguments of a built-in function, and returns the value of the first, or of the one that the first chooses.
  private mutating func chosenOperand(isExpectation: Bool) throws(SyntaxFailure) -> Operand {
    try enter()
    defer { leave() }
    try expect(.openParenthesis, "'('")
    var result = try expression()
    if !isExpectation {
      try expect(.comma, "','")
      if result.isZero {
        try skipArgument()
        try expect(.comma, "','")
      }
      result = try expression()
    }
    while try take(.comma) { try skipArgument() }
    try expect(.closeParenthesis, "')'")
    return result
  }

  // MARK: Assertions

  /// Reads `_Static_assert(condition, "message")`.
  ///
  /// - Throws: The failure of an assertion that does not hold. One whose condition is not computed here is skipped.
  mutating func readAssertion() throws(SyntaxFailure) {
    let start = token
    try advance()
    let open = position
    var condition: Operand?
    do throws(SyntaxFailure) {
      try expect(.openParenthesis, "'('")
      let value = try expression()
      if isNext(.comma) || isNext(.closeParenthesis) { condition = value }
    } catch {
      guard error.code != .limitExceeded else { throw error }
    }
    position = open
    try skipParentheses()
    if let condition, condition.isZero { throw failure("the assertion does not hold", at: start) }
  }
}
