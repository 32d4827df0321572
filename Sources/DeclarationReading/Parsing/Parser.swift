import TypeEncodings

/// Reads C declarations, and keeps what they declare.
///
/// A recursive-descent parser without a syntax tree: a type becomes nodes of the table of types, and a constant expression its
/// value, as soon as they are read.
package final class Parser {
  /// The maximum number of declarations that are skipped; the next one is an error.
  static let mostSkipped = 1_000

  let tokens: TokenReader
  package let types: TypeTable
  package internal(set) var symbols = ListByName<Symbol>()
  var macros = MacroTable()
  var pragmas = PragmaState()

  /// The external declarations, in order.
  package internal(set) var declarations: [DeclarationRange] = []
  /// The index of the declaration being read.
  var currentDeclaration: Int32 = -1
  /// The last symbol that was declared.
  private(set) var lastDeclared: Symbol?
  /// The number of names that were declared outside parameter lists and types, each as often as it was.
  private(set) var declaredCount = 0
  /// The number of parameter lists that contain the current token.
  var parameterDepth = 0

  /// Whether the value of a constant variable is read.
  private(set) var isInInitializer = false
  /// Whether the source is one declaration, which need not end with a semicolon.
  var isSingle = false
  /// Whether functions store where their parameters begin.
  var storesParameterOffsets = false
  /// Whether a declaration that cannot be read is skipped, as in a header, whose other declarations are of use.
  var skipsFailures = false
  /// The declarations that were skipped.
  private(set) var skipped: [SkippedRange] = []
  /// The location of the last one.
  private var lastSkipped: SourceLocation?

  init(_ source: [UInt8], target: TargetABI) {
    tokens = TokenReader(source)
    types = TypeTable(target: target)
  }

  /// Reads declarations of functions for a macro.
  ///
  /// Declarations of types may precede them, and the last one may end without `;`.
  package convenience init(functions text: String) throws(SyntaxFailure) {
    self.init(Array(text.utf8), target: .host)
    (isSingle, storesParameterOffsets) = (true, true)
    try begin(0..<tokens.source.count)
    try readAll()
    guard symbols.all.contains(where: { $0.kind == .function }) else { throw tokens.expected("a function") }
  }

  /// Creates a parser that knows what another one read, to read one declaration more.
  init(copying other: Parser) {
    tokens = TokenReader(other.tokens.source)
    types = TypeTable(copying: other.types)
    (symbols, macros, pragmas) = (other.symbols, other.macros, other.pragmas)
    (declarations, skipsFailures, skipped) = (other.declarations, other.skipsFailures, other.skipped)
  }

  /// Begins to read a range of the source, and stores the macros that it defines.
  func begin(_ range: Range<Int>) throws(SyntaxFailure) {
    guard tokens.source.count <= TokenReader.longestSource else {
      throw SyntaxFailure("the text is longer than \(TokenReader.longestSource) bytes", at: 0, length: 0, code: .limitExceeded)
    }
    var lexer = Lexer(tokens.source, range)
    try lexer.run(&types.names)
    types.comparisons += lexer.tokens.count
    var macroCount = 0
    for (index, pragma) in lexer.pragmas.enumerated() {
      for macro in lexer.macros[macroCount..<pragma.macroCount] { macros.apply(macro) }
      macroCount = pragma.macroCount
      guard tokens.source[pragma.range].starts(with: "pack".utf8) else { continue }
      let range = pragma.range.lowerBound + 4..<pragma.range.upperBound
      lexer.pragmas[index].packing = (packingWords(range, MacroTable()), packingWords(range, macros))
    }
    for macro in lexer.macros[macroCount...] { macros.apply(macro) }
    func isDefined(_ macro: String) -> Bool { types.names.find(macro).flatMap { macros[$0]?.body } != nil }
    if isDefined("__GNUC__") || isDefined("__clang__") { pragmas.compiler = isDefined("__clang__") ? .clang : .gcc }
    if let name = types.names.find("__STDC_VERSION__"), case .integer(let version)? = constant(ofMacro: name)?.value {
      types.isC23 = version > 201_710
    }
    tokens.begin(lexer)
  }

  /// The words of a range with macros replaced, and numbers in decimal digits.
  private func packingWords(_ range: Range<Int>, _ macros: MacroTable) -> [String] {
    let length = tokens.source.count
    defer { tokens.source.removeSubrange(length...) }
    return (MacroExpander.expansion(of: range, in: macros, most: 32, &tokens.source, &types.names) ?? []).map { token in
      if token.kind == .number, case .integer(let value)? = try? types.number(tokens.bytes(token), at: token).value { return "\(value)" }
      return String(decoding: tokens.bytes(token), as: UTF8.self)
    }
  }

  /// Begins to read a text after the end of the source, which may use what was read.
  func begin(after text: String) throws(SyntaxFailure) {
    let start = tokens.source.count
    tokens.source += Array(text.utf8)
    try begin(start..<tokens.source.count)
  }

  /// Reads all declarations up to the end.
  ///
  /// - Throws: The first failure. If failures are skipped: the first one in C++, or the first one of a source without any
  ///   other declaration.
  func readAll() throws(SyntaxFailure) {
    var first: SyntaxFailure?
    while !tokens.isAtEnd {
      try applyPragmas()
      let start = tokens.position
      do throws(SyntaxFailure) {
        try readDeclaration()
      } catch {
        guard skipsFailures, !error.isCPlusPlus else { throw error }
        first = first ?? error
        try skipDeclaration(from: start, error)
      }
    }
    try applyPragmas()
    if let first, symbols.all.isEmpty, types.tags.isEmpty { throw first }
  }

  /// Reads one external declaration: of types, functions and variables, or a function with its body.
  func readDeclaration() throws(SyntaxFailure) {
    if tokens.take(.semicolon) { return }
    if tokens.isNext(.staticAssert) {
      try readAssertion()
      return try tokens.expect(.semicolon, "';'")
    }
    if tokens.isNext(.asm) {
      tokens.advance()
      while tokens.isNext(.volatile) { tokens.advance() }
      try tokens.skipParentheses()
      return try tokens.expect(.semicolon, "';'")
    }
    try applyPragmas()
    let start = tokens.current
    let declaration = declarations.count
    currentDeclaration = Int32(declaration)
    declarations.append(DeclarationRange(start: start.offset, end: start.end))
    let specifiers = try specifiers(.external)
    if tokens.isNext(.semicolon) {
      declarations[declaration].end = tokens.current.end
      tokens.advance()
      guard specifiers.isTypeDefinition else { throw tokens.failure("the declaration declares nothing", at: start) }
      return
    }
    while true {
      let declarator = try declarator(specifiers.type, requiresName: true, start: start)
      var attributes = specifiers.attributes
      attributes.formUnion(declarator.attributes)
      let label = try labelAndAttributes(&attributes)
      let symbol = try declare(declarator, specifiers, attributes, label)
      declarations[declaration].end = tokens.endOfLast
      if symbol.kind == .function, tokens.isNext(.openBrace) { return try tokens.skipBraces() }
      if tokens.isAtEnd, isSingle { return }
      if case .function(let index) = types.node(symbol.type), symbol.kind == .function, !types.functions[Int(index)].hasPrototype,
        tokens.current.isWord
      {
        throw tokens.failure("a function is declared with the types in its parentheses: definitions as in K&R are not read")
      }
      if tokens.isNext(.equals) { try readInitializer(of: symbol, specifiers) }
      if tokens.isNext(.openBrace), symbol.kind == .variable { throw tokens.cPlusPlus("a value in braces without '='") }
      if tokens.isNext(.arrow) { throw tokens.cPlusPlus("a result after '->'") }
      if tokens.current.kind == .name, symbol.kind == .function,
        Self.functionWordsOfCPlusPlus.contains(types.names.text(tokens.current.name))
      {
        throw tokens.cPlusPlus(tokens.text(tokens.current))
      }
      if tokens.take(.comma) { continue }
      guard tokens.isNext(.semicolon) else { throw tokens.expected(symbol.kind == .function ? "';', ',' or '{'" : "';' or ','") }
      declarations[declaration].end = tokens.current.end
      return tokens.advance()
    }
  }

  /// Reads an asm label and attributes after a declarator.
  private func labelAndAttributes(_ attributes: inout Attributes) throws(SyntaxFailure) -> Name {
    var label = Name.none
    while true {
      if tokens.take(.asm) {
        try tokens.expect(.openParenthesis, "'('")
        if case .text(let text) = try string().value { label = types.names.intern(text, 0..<text.count) }
        try tokens.expect(.closeParenthesis, "')'")
      } else if try !readAttributes(&attributes) {
        return label
      }
    }
  }

  /// Stores a declared name.
  private func declare(
    _ declarator: Declarator, _ specifiers: Specifiers, _ attributes: Attributes, _ label: Name
  ) throws(SyntaxFailure) -> Symbol {
    try applyPragmas()
    var type = try types.apply(attributes, to: declarator.type, at: declarator.token)
    if let reason = pragmas.effects.callRefusal { type = types.withoutCalls(type, reason) ?? type }
    var kind = Symbol.Kind.variable
    if specifiers.isTypedef {
      kind = .typedefName
    } else if case .function = types.node(type) {
      kind = .function
    } else if specifiers.isInline {
      throw tokens.failure("only a function is inline", at: declarator.token)
    }
    if kind == .variable, case .basic(.void) = types.node(type) { throw tokens.failure("a variable is not void", at: declarator.token) }
    if kind == .typedefName, attributes.isTransparent, let union = types.record(type) { types.records[Int(union)].isTransparent = true }
    if kind == .typedefName, attributes.alignment > 0 { type.alignment = UInt16(attributes.alignment) }
    let isExternal = label.isNone && (kind == .function || kind == .variable) && !specifiers.isStatic
    var symbol = Symbol(
      kind: kind, name: declarator.name, type: type, label: isExternal ? pragmas.symbols[declarator.name] ?? .none : label,
      isStatic: specifiers.isStatic, isInline: specifiers.isInline, isOverloaded: attributes.isOverloadable, start: declarator.token.offset,
      declaration: currentDeclaration)
    if let known = symbols[declarator.name] {
      if known.isOverloaded, attributes.isOverloadable, kind == .function { return known }
      guard known.kind == kind, try types.isCompatible(known.type, type, ignoringQualifiers: kind == .function, at: tokens.current) else {
        throw tokens.failure(
          "'\(types.names.text(declarator.name))' contradicts its declaration at \(tokens.location(known.start))", at: declarator.token)
      }
      // The more complete type of both counts.
      if !types.isMoreComplete(type, than: known.type) {
        symbol.type = known.type
        // The declaration with the value is the one that is stored.
        var hasValue = kind == .variable && tokens.isNext(.equals)
        if case .array = types.node(type) { hasValue = false }
        if !hasValue { (symbol.start, symbol.declaration) = (known.start, known.declaration) }
      }
      if symbol.label.isNone { symbol.label = known.label }
      (symbol.value, symbol.isConstexpr) = (known.value, known.isConstexpr)
      symbol.isInline = symbol.isInline || known.isInline
      symbol.isStatic = symbol.isStatic || known.isStatic
    }
    symbols.set(symbol, named: symbol.name)
    lastDeclared = symbol
    declaredCount += 1
    return symbol
  }

  // MARK: Values

  /// What C++ writes after the parameters of a function.
  private static let functionWordsOfCPlusPlus: Set<String> = ["noexcept", "override", "final", "throw"]

  /// Reads the value of a variable, and stores it if the variable is a constant number, address or text.
  private func readInitializer(of symbol: Symbol, _ specifiers: Specifiers) throws(SyntaxFailure) {
    switch symbol.kind {
    case .typedefName: throw tokens.failure("a type has no value")
    case .function: throw tokens.cPlusPlus("a function with a value")
    case .variable, .enumerator: break
    }
    let start = tokens.position
    if specifiers.isConstant || symbol.type.flags.contains(.const) && !symbol.type.flags.contains(.volatile) || isConstantText(symbol.type)
    {
      let saved = isInInitializer
      isInInitializer = true
      do throws(SyntaxFailure) {
        tokens.advance()
        var constant = symbol
        (constant.value, constant.isConstexpr) = (try constantValue(as: symbol.type), specifiers.isConstant)
        if constant.value != nil { symbols.set(constant, named: symbol.name) }
      } catch {
        // Another value, such as one in braces, is no constant here.
        guard error.code != .limitExceeded else { throw error }
      }
      (tokens.position, isInInitializer) = (start, saved)
    }
    tokens.advance()
    try tokens.skip(to: [.comma, .semicolon], "';'")
  }

  /// Reads the value of a constant variable; nil for a value of another kind.
  private func constantValue(as type: QualifiedType) throws(SyntaxFailure) -> Operand.Value? {
    let start = tokens.current
    let operand = try expression()
    guard tokens.isNext(.comma) || tokens.isNext(.semicolon) else { return nil }
    if case .text(let bytes) = operand.value, isConstantText(type) {
      guard case .array(_, let count?) = types.node(type) else { return operand.value }
      return .text(Array(bytes.prefix(count)))
    }
    return types.cast(operand, to: type, at: start).value.known
  }

  /// Whether a value of a type is a text that does not change: `const char[]`, or `const char *const`.
  private func isConstantText(_ type: QualifiedType) -> Bool {
    let element: QualifiedType
    switch types.node(type) {
    case .array(let inner, _): element = inner
    case .pointer(let inner) where type.flags.contains(.const): element = inner
    default: return false
    }
    guard case .basic(.char) = types.node(element) else { return false }
    return element.flags.contains(.const)
  }

  // MARK: Assertions

  /// Reads `_Static_assert(condition, "message")`.
  ///
  /// - Throws: The failure of an assertion that does not hold. An assertion whose condition is not computed here is skipped.
  func readAssertion() throws(SyntaxFailure) {
    let start = tokens.current
    tokens.advance()
    let open = tokens.position
    var holds = true
    do throws(SyntaxFailure) {
      try tokens.expect(.openParenthesis, "'('")
      let condition = try expression()
      if tokens.isNext(.comma) || tokens.isNext(.closeParenthesis) { holds = try !condition.isZero }
    } catch {
      guard error.code != .limitExceeded else { throw error }
    }
    tokens.position = open
    try tokens.skipParentheses()
    if !holds { throw tokens.failure("the assertion does not hold", at: start) }
  }

  // MARK: Macros

  /// Returns the value of a macro; nil if it is not a constant.
  func constant(ofMacro name: Name) -> Operand? {
    guard let macro = macros[name], let body = macro.body, macro.parameters == nil else { return nil }
    let length = tokens.source.count
    // Tokens that were pasted are not needed any more.
    defer { tokens.source.removeSubrange(length...) }
    guard var expansion = MacroExpander.expansion(of: body, hiding: [name], in: macros, &tokens.source, &types.names), !expansion.isEmpty
    else {
      return nil
    }
    types.comparisons += expansion.count
    expansion.append(Token(kind: .end, offset: Int32(body.upperBound), end: Int32(body.upperBound)))
    let waiting = tokens.interrupt(by: expansion, keepsDepth: false)
    let saved = parameterDepth
    defer {
      parameterDepth = saved
      tokens.resume(waiting)
    }
    parameterDepth = 0
    guard let operand = try? expression(), tokens.isAtEnd, operand.value.known != nil else { return nil }
    return operand
  }

  // MARK: Skipped declarations

  /// Skips a declaration that cannot be read, and stores the reason.
  ///
  /// The declaration ends with the first semicolon outside of brackets, or with the body of a function.
  func skipDeclaration(from start: Int, _ failure: SyntaxFailure) throws(SyntaxFailure) {
    guard skipped.count < Self.mostSkipped else { throw failure }
    // The pragmas before the failure come first: what is skipped is noted in its order.
    try applyPragmas()
    var range = DeclarationRange(start: tokens[start].offset, end: tokens[start].end)
    // What was read of the declaration has its number.
    if let last = declarations.indices.last, declarations[last].start == range.start { currentDeclaration = Int32(last) }
    tokens.position = start
    var isAttribute = false
    var endsWithParenthesis = false
    while !tokens.isAtEnd {
      let opened = tokens.current
      let isBody = tokens.isNext(.openBrace) && endsWithParenthesis
      let beginsAttribute = opened.kind == .keyword && [.attribute, .alignAs, .declspec, .asm].contains(opened.keyword)
      // Attributes may follow the parameters, and have parentheses themselves.
      if tokens.isNext(.openParenthesis) {
        endsWithParenthesis = endsWithParenthesis || !isAttribute
      } else if !beginsAttribute {
        endsWithParenthesis = false
      }
      isAttribute = beginsAttribute
      tokens.skipGroup()
      if endsWithParenthesis { while isParameterOfDefinition { skipStatement() } }
      range.end = tokens.endOfLast
      if isBody || opened.punctuatorOrNil == .semicolon { break }
    }
    if currentDeclaration >= 0, declarations[Int(currentDeclaration)].start == range.start {
      declarations[Int(currentDeclaration)] = range
    }
    skipped.append(
      SkippedRange(range: range, reason: "\(skippedLocation(failure.offset)): \(failure.reason)", code: failure.code))
  }

  /// The location of something that is skipped: many are found in order, so that the text is not read again for each.
  private func skippedLocation(_ offset: Int) -> String {
    if let last = lastSkipped, last.isBefore(offset) {
      lastSkipped?.advance(to: offset, in: tokens.source)
    } else {
      lastSkipped = SourceLocation(of: offset, in: tokens.source)
    }
    return lastSkipped?.description ?? ""
  }

  /// Whether declarations of parameters follow, as in a definition of K&R: `int f(a, b) int a; long b; { ... }`.
  private var isParameterOfDefinition: Bool {
    let start = tokens.position
    defer { tokens.position = start }
    while tokens.current.isWord {
      let first = tokens.position
      while tokens.current.isWord || tokens.isNext(.star) || tokens.isNext(.comma) { tokens.advance() }
      guard tokens.position > first + 1, tokens.take(.semicolon) else { return false }
      if tokens.isNext(.openBrace) { return true }
    }
    return false
  }

  /// Skips the tokens up to a semicolon.
  private func skipStatement() {
    while !tokens.isNext(.semicolon), !tokens.isAtEnd { tokens.skipGroup() }
    tokens.skipGroup()
  }

  /// Adds a range as a declaration, and returns its index.
  func addDeclaration(_ range: Range<Int32>) -> Int32 {
    declarations.append(DeclarationRange(start: range.lowerBound, end: range.upperBound))
    return Int32(declarations.count - 1)
  }

  // MARK: Pragmas

  /// Reads the pragmas before the current token that were not read yet.
  func applyPragmas() throws(SyntaxFailure) {
    while let pragma = tokens.takePragma() {
      let words = tokens.source[pragma.range].split { !SourceByte.continuesName($0) }.map { String(decoding: $0, as: UTF8.self) }
      switch words.first {
      case "pack":
        guard let number = pragmas.applyPacking(pragma.packing.gcc, pragma.packing.clang) else { break }
        try skip(pragma, "a packing of \(number) is not a power of two up to 16")
      case "redefine_extname":
        guard words.count == 3 else { break }
        let (name, symbol) = (types.names.intern(words[1]), types.names.intern(words[2]))
        pragmas.symbols[name] = symbol
        // A name that was declared before gets the symbol, unless its declaration states one itself.
        guard var known = symbols[name], known.label.isNone else { break }
        known.label = symbol
        symbols.set(known, named: name)
      case "clang" where words.count > 2 && words[1] == "attribute":
        pragmas.applyAttributes(words.dropFirst(2), hasEffect: hasEffect(attributesIn: pragma.range))
      default: pragmas.apply(words, isAssignment: tokens.source[pragma.range].contains(0x3D))
      }
    }
  }

  /// Whether the attributes in the parentheses of a pragma change a call or a layout, or cannot be read.
  private func hasEffect(attributesIn range: Range<Int>) -> Bool {
    guard let first = tokens.source[range].firstIndex(of: 0x28) else { return false }
    var lexer = Lexer(tokens.source, (first + 1)..<range.upperBound, readsDirectives: false)
    do throws(SyntaxFailure) {
      try lexer.run(&types.names)
      let waiting = tokens.interrupt(by: lexer.tokens, keepsDepth: true)
      defer { tokens.resume(waiting) }
      var attributes = Attributes()
      // `push()` begins a group without an attribute.
      guard try readAttributes(&attributes) else { return !tokens.isNext(.closeParenthesis) }
      return attributes.changesType || attributes.refusal != nil || attributes.convention != nil || attributes.isOverloadable
        || attributes.isInOtherMemory
    } catch {
      return true
    }
  }

  /// Ignores a pragma that cannot be applied, and stores the reason.
  private func skip(_ pragma: Pragma, _ reason: String) throws(SyntaxFailure) {
    let (start, end) = (pragma.range.lowerBound, pragma.range.upperBound)
    guard skipsFailures, skipped.count < Self.mostSkipped else { throw SyntaxFailure(reason, at: start, length: end - start) }
    let range = DeclarationRange(start: Int32(start), end: Int32(end))
    skipped.append(SkippedRange(range: range, reason: "\(skippedLocation(start)): \(reason)", code: .malformedDeclaration))
  }
}
