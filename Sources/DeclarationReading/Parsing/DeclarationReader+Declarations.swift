import TypeEncodings

extension DeclarationReader {
  /// Reads all declarations up to the end.
  ///
  /// - Throws: The first failure, or in a source of which failures are skipped that of a source in C++ or without any
  ///   other declaration.
  mutating func readAll() throws(SyntaxFailure) {
    var first: SyntaxFailure?
    while token.kind != .end {
      let (start, pack) = (position, packing)
      do throws(SyntaxFailure) {
        try readDeclaration()
      } catch {
        guard skipsFailures, !error.isCPlusPlus else { throw error }
        first = first ?? error
        try skipDeclaration(from: start, error, packing: pack)
      }
    }
    if let first, symbols.isEmpty, tags.isEmpty { throw first }
  }

  /// Reads one external declaration: of types, functions and variables, or a function with its body.
  mutating func readDeclaration() throws(SyntaxFailure) {
    if try take(.semicolon) { return }
    if isNext(.staticAssert) {
      try readAssertion()
      return try expect(.semicolon, "';'")
    }
    if isNext(.asm) {
      try advance()
      while isNext(.volatile) { try advance() }
      try skipParentheses()
      return try expect(.semicolon, "';'")
    }
    let start = token
    let declaration = declarations.count
    currentDeclaration = Int32(declaration)
    declarations.append(DeclarationRange(start: start.offset, end: start.end, packing: packing, pragmas: pragmas))
    let specifiers = try specifiers(.external)
    if isNext(.semicolon) {
      declarations[declaration].end = token.end
      try advance()
      guard specifiers.isTypeDefinition else { throw failure("the declaration declares nothing", at: start) }
      return
    }
    while true {
      let declarator = try declarator(specifiers.type, requiresName: true, start: start)
      var attributes = specifiers.attributes
      attributes.formUnion(declarator.attributes)
      let label = try labelAndAttributes(&attributes)
      let symbol = try declare(declarator, specifiers, attributes, label)
      declarations[declaration].end = tokens[max(0, position - 1)].end
      if symbol.kind == .function, isNext(.openBrace) { return try skipBraces() }
      // A declaration that was stored without the body of its function.
      if token.kind == .end, index != nil || isSingle { return }
      if case .function(let index) = node(symbol.type), symbol.kind == .function, !functions[Int(index)].hasPrototype,
        token.kind == .keyword || token.kind == .name
      {
        throw failure("a function is declared with the types in its parentheses: definitions as in K&R are not read")
      }
      if isNext(.equals) { try readInitializer(of: symbol, specifiers) }
      if isNext(.openBrace), symbol.kind == .variable { throw cPlusPlus("a value in braces without '='") }
      if isNext(.arrow) { throw cPlusPlus("a result after '->'") }
      if token.kind == .name, symbol.kind == .function, Self.functionWordsOfCPlusPlus.contains(names.text(token.name)) {
        throw cPlusPlus(text(token))
      }
      if try take(.comma) { continue }
      guard isNext(.semicolon) else { throw expected(symbol.kind == .function ? "';', ',' or '{'" : "';' or ','") }
      declarations[declaration].end = token.end
      return try advance()
    }
  }

  /// Reads an asm label and attributes after a declarator.
  private mutating func labelAndAttributes(_ attributes: inout Attributes) throws(SyntaxFailure) -> Name {
    var label = Name.none
    while true {
      if try take(.asm) {
        try expect(.openParenthesis, "'('")
        var text: [UInt8] = []
        while token.kind == .string {
          text += source[(Int(token.offset) + 1)..<(Int(token.end) - 1)]
          try advance()
        }
        try expect(.closeParenthesis, "')'")
        label = names.intern(text, 0..<text.count)
      } else if try !readAttributes(&attributes) {
        return label
      }
    }
  }

  /// Stores a declared name.
  private mutating func declare(
    _ declarator: Declarator, _ specifiers: Specifiers, _ attributes: Attributes, _ label: Name
  ) throws(SyntaxFailure) -> Symbol {
    var type = try apply(attributes, to: declarator.type, at: declarator.token)
    if let reason = pragmas.callRefusal { type = withoutCalls(type, reason) ?? type }
    var kind = Symbol.Kind.variable
    if specifiers.isTypedef {
      kind = .typedefName
    } else if case .function = node(type) {
      kind = .function
    } else if specifiers.isInline {
      throw failure("only a function is inline", at: declarator.token)
    }
    if kind == .variable, case .basic(.void) = node(type) { throw failure("a variable is not void", at: declarator.token) }
    if kind == .typedefName, attributes.isTransparent, case .record(let union) = node(type) { records[Int(union)].isTransparent = true }
    if kind == .typedefName, attributes.alignment > 0 { type.alignment = UInt16(attributes.alignment) }
    let isExternal = label.isNone && (kind == .function || kind == .variable) && !specifiers.isStatic
    var symbol = Symbol(
      kind: kind, name: declarator.name, type: type, label: isExternal ? symbolByPragma(declarator.name) : label,
      isStatic: specifiers.isStatic, isInline: specifiers.isInline, isOverloaded: attributes.isOverloadable, start: declarator.token.offset,
      declaration: currentDeclaration)
    // A declaration of an image was compared before it was stored.
    if let known = try self.symbol(declarator.name), index == nil || isSingle {
      if known.isOverloaded, attributes.isOverloadable, kind == .function { return known }
      guard known.kind == kind, try isCompatible(known.type, type, ignoringQualifiers: kind == .function) else {
        let other = index == nil ? "at \(location(known.start))" : "'\(text(of: known.declaration).shortened(to: 200))'"
        throw failure("'\(names.text(declarator.name))' contradicts its declaration \(other)", at: declarator.token)
      }
      // The more complete type of both counts.
      if !isMoreComplete(type, than: known.type) {
        symbol.type = known.type
        // The declaration with the value is the one that is stored.
        var hasValue = kind == .variable && isNext(.equals)
        if case .array = node(type) { hasValue = false }
        if !hasValue { (symbol.start, symbol.declaration) = (known.start, known.declaration) }
      }
      if symbol.label.isNone { symbol.label = known.label }
      symbol.isInline = symbol.isInline || known.isInline
      symbol.isStatic = symbol.isStatic || known.isStatic
    }
    setSymbol(symbol)
    lastDeclared = symbol
    return symbol
  }

  /// Whether a type states parameters or a number of elements that another does not.
  private func isMoreComplete(_ type: QualifiedType, than other: QualifiedType) -> Bool {
    switch (node(type), node(other)) {
    // What an attribute of one declaration refuses is refused.
    case (.function(let new), .function(let old)) where (functions[Int(new)].refusal == nil) != (functions[Int(old)].refusal == nil):
      functions[Int(new)].refusal != nil
    case (.function(let new), .function(let old)): functions[Int(new)].hasPrototype && !functions[Int(old)].hasPrototype
    case (.array(_, let new), .array(_, let old)): new != nil && old == nil
    default: false
    }
  }

  // MARK: Values

  /// What C++ writes after the parameters of a function.
  private static let functionWordsOfCPlusPlus: Set<String> = ["noexcept", "override", "final", "throw"]

  /// Reads the value of a variable: that of a constant one is stored if it is a number, an address or a text.
  private mutating func readInitializer(of symbol: Symbol, _ specifiers: Specifiers) throws(SyntaxFailure) {
    switch symbol.kind {
    case .typedefName: throw failure("a type has no value")
    case .function: throw cPlusPlus("a function with a value")
    case .variable, .enumerator: break
    }
    let start = position
    if specifiers.isConstant || symbol.type.flags.contains(.const) && !symbol.type.flags.contains(.volatile) || isConstantText(symbol.type)
    {
      let saved = isInInitializer
      isInInitializer = true
      do throws(SyntaxFailure) {
        try advance()
        if let value = try constantValue(as: symbol.type) {
          constantVariables[symbol.name] = value
          if specifiers.isConstant { constexprNames.insert(symbol.name) }
        }
      } catch {
        // Another value, such as one in braces, is no constant here.
        guard error.code != .limitExceeded else { throw error }
      }
      (position, isInInitializer) = (start, saved)
    }
    try skipInitializer()
  }

  /// Reads the value of a constant variable; nil for a value of another kind.
  private mutating func constantValue(as type: QualifiedType) throws(SyntaxFailure) -> ConstantValue? {
    let start = token
    if start.kind == .string {
      guard isConstantText(type), source[Int(start.offset)] == SourceByte.quote || source[Int(start.offset)] == 0x75 else { return nil }
      var bytes: [UInt8] = []
      while token.kind == .string {
        bytes += try string(token)
        try advance()
      }
      guard isNext(.comma) || isNext(.semicolon) else { return nil }
      if case .array(_, let count?) = node(type) { bytes = Array(bytes.prefix(count)) }
      return .string(bytes)
    }
    if case .array = node(type) { return nil }
    let value = try expression()
    return isNext(.comma) || isNext(.semicolon) ? .operand(try cast(value, to: type, start)) : nil
  }

  /// Whether a type is that of a text which does not change: `const char[]`, or `const char *const`.
  private func isConstantText(_ type: QualifiedType) -> Bool {
    let element: QualifiedType
    switch node(type) {
    case .array(let inner, _): element = inner
    case .pointer(let inner) where type.flags.contains(.const): element = inner
    default: return false
    }
    guard case .basic(.char) = node(element) else { return false }
    return element.flags.contains(.const)
  }

  // MARK: Skipped parts

  /// Skips a bracketed group whose opening bracket is the current token.
  private mutating func skip(_ open: Punctuator, _ close: Punctuator, _ what: String) throws(SyntaxFailure) {
    let start = token
    guard isNext(open) else { throw expected("'\(what)'") }
    var count = 0
    repeat {
      guard token.kind != .end else { throw failure("the '\(what)' is not closed", at: start) }
      if isNext(open) { count += 1 }
      if isNext(close) { count -= 1 }
      try advance()
    } while count > 0
  }

  mutating func skipParentheses() throws(SyntaxFailure) { try skip(.openParenthesis, .closeParenthesis, "(") }
  mutating func skipBraces() throws(SyntaxFailure) { try skip(.openBrace, .closeBrace, "{") }
  mutating func skipBrackets() throws(SyntaxFailure) { try skip(.openBracket, .closeBracket, "[") }

  private mutating func skipInitializer() throws(SyntaxFailure) {
    try advance()
    while !isNext(.comma), !isNext(.semicolon) {
      guard token.kind != .end else { throw expected("';'") }
      if isNext(.openBrace) {
        try skipBraces()
      } else if isNext(.openParenthesis) {
        try skipParentheses()
      } else if isNext(.openBracket) {
        try skipBrackets()
      } else {
        try advance()
      }
    }
  }
}
