import TypeEncodings

/// Reads C declarations and stores what they declare.
///
/// The reader is a recursive-descent parser over the tokens of a source. Types are nodes in arrays, which refer to each
/// other by index.
struct DeclarationReader: Sendable {
  /// The maximum nesting of declarators, records and expressions.
  static let deepest = TypeEncoding.Limits.nesting
  static let largestSize = TypeEncoding.Limits.size
  /// The maximum size of a source, in bytes.
  static let longestSource = 1 << 26

  let target: TargetABI
  /// The type of variable argument lists, if it is a pointer and was read.
  var argumentListPointer: TypeID?
  var source: [UInt8]
  var names: NameTable
  var tokens: [Token] = []
  var position = 0
  var depth = 0
  /// Whether the value of the current expression is not needed, so that it may be undefined.
  var isUnevaluated = false
  /// The number of parameter lists that contain the current token.
  var parameterDepth = 0
  /// The index of the external declaration that is read, which may have begun to read another one of the index.
  var currentDeclaration: Int32 = -1

  var types: [TypeNode] = []
  /// Whether derived types that were compared are compatible.
  var compatible: [TypePair: Bool] = [:]
  /// The number of steps that comparisons of types may take; each token that is read adds one.
  var comparisons = mostParts
  /// The number of levels of each type.
  private var levels: [UInt8] = []
  var functions: [FunctionNode] = []
  var records: [RecordNode] = []
  var enumerations: [EnumerationNode] = []
  var symbols: [Symbol] = []
  /// The index of the symbol that each name declares, or -1.
  var symbolOfName: [Int32] = []
  /// The index of the type that each tag declares: a record, or an enumeration, or none.
  var tags: [Name: Tag] = [:]
  /// The values of the variables that are declared with `constexpr` or as `const`.
  var constantVariables: [Name: ConstantValue] = [:]
  /// The names of those that are declared with `constexpr`, which C allows in any constant expression.
  var constexprNames: Set<Name> = []
  /// Whether the value of a constant variable is read, in which gcc and clang allow other constant variables.
  var isInInitializer = false
  /// The definitions of macros, in the order of the first one of each name; the last one counts.
  private(set) var macros: [MacroDefinition] = []
  /// The index of the macro that each name defines, or -1.
  private var macroOfName: [Int32] = []
  /// The definitions that `#pragma push_macro` stored.
  private var pushedMacros: [Name: [MacroDefinition]] = [:]

  /// Where the line markers name the files that were read.
  var files: [Range<Int>] = []

  var declarations: [DeclarationRange] = []
  /// The last symbol that was declared.
  var lastDeclared: Symbol?
  /// Whether the source is one declaration, which need not end with a semicolon.
  var isSingle = false

  /// Whether a declaration that cannot be read is skipped, as in a header, of which the others are of use.
  var skipsFailures = false
  /// The declarations that were skipped.
  var skipped: [SkippedRange] = []
  /// The location of the last one.
  var lastSkipped: SourceLocation?

  /// Whether functions store where their parameters begin.
  var storesParameterOffsets = false

  /// The length of the source with what the expansion of a macro may add.
  var macroLimit = 0
  /// The number of bytes of macros that an expansion may still read.
  var macroBytes = 0

  /// The alignment that `#pragma pack` states, or 0, and those that were pushed.
  var packing = 0
  var pushedPackings: [Int] = []
  /// What other pragmas state.
  var pragmaState = PragmaState()
  /// The encodings of records, or why they have none, computed once.
  var recordEncodings: [Int32: Result<RecordEncoding, Refusal>] = [:]
  /// The declarations of a stored image, of which the source contains those that were read.
  var index: DeclarationIndex?
  /// Whether a declaration of the image is being read.
  var isReadingIndexed = false
  /// The end of the bytes in the source that are from the image.
  var indexedEnd = 0

  enum Tag: Sendable {
    case record(Int32)
    case enumeration(Int32)
  }

  init(_ source: [UInt8], target: TargetABI) {
    self.source = source
    self.target = target
    names = Keyword.table.names
    types = Self.basicTypes
    levels = types.map { _ in 0 }
  }

  /// The nodes of the basic types, at the index of their raw value.
  private static let basicTypes: [TypeNode] = (0...Basic.longDouble.rawValue).compactMap { Basic(rawValue: $0).map(TypeNode.basic) }

  // MARK: Tokens

  /// Splits a range of the source into tokens, and stores the macros that it defines.
  mutating func split(_ range: Range<Int>) throws(SyntaxFailure) {
    guard source.count <= Self.longestSource else {
      throw SyntaxFailure("the text is longer than \(Self.longestSource) bytes", at: 0, length: 0, code: .limitExceeded)
    }
    var lexer = Lexer(source, range)
    try lexer.run(&names)
    tokens = lexer.tokens
    comparisons += tokens.count
    files += lexer.files
    for macro in lexer.macros { setMacro(macro) }
    position = 0
    try applyPragmas()
  }

  var token: Token { tokens[position] }

  /// The token after the current one.
  var following: Token { tokens[min(position + 1, tokens.count - 1)] }

  mutating func advance() throws(SyntaxFailure) {
    if position < tokens.count - 1 { position += 1 }
    if token.kind == .pragma { try applyPragmas() }
  }

  func isNext(_ punctuator: Punctuator) -> Bool { token.kind == .punctuator && token.punctuator == punctuator }

  func isNext(_ keyword: Keyword) -> Bool { token.kind == .keyword && token.keyword == keyword }

  /// Skips a punctuator if it is the current token.
  mutating func take(_ punctuator: Punctuator) throws(SyntaxFailure) -> Bool {
    guard isNext(punctuator) else { return false }
    try advance()
    return true
  }

  mutating func take(_ keyword: Keyword) throws(SyntaxFailure) -> Bool {
    guard isNext(keyword) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ punctuator: Punctuator, _ what: String) throws(SyntaxFailure) {
    guard try take(punctuator) else { throw expected(what) }
  }

  // MARK: Errors

  /// The text of a token, or a description of the end.
  func text(_ token: Token) -> String {
    guard token.kind != .end else { return "the end" }
    return "'" + String(decoding: source[Int(token.offset)..<Int(token.end)], as: UTF8.self).shortened(to: 60) + "'"
  }

  func expected(_ what: String) -> SyntaxFailure { failure("expected \(what), found \(text(token))") }

  func failure(_ reason: String, at token: Token? = nil, code: InvocationError.Code = .malformedDeclaration) -> SyntaxFailure {
    let token = token ?? self.token
    return SyntaxFailure(reason, at: Int(token.offset), length: Int(token.end - token.offset), code: code)
  }

  /// Returns the failure of a construct that only C++ has.
  func cPlusPlus(_ what: String, at token: Token? = nil) -> SyntaxFailure {
    let token = token ?? self.token
    return SyntaxFailure(
      "\(what) is C++: only declarations of C are read", at: Int(token.offset), length: Int(token.end - token.offset), isCPlusPlus: true)
  }

  /// Begins a part of the parser that may contain itself; `leave(_:)` ends it.
  ///
  /// - Parameter cost: The number of levels that it counts for: more for a part that needs more of the stack.
  mutating func enter(_ cost: Int = 1) throws(SyntaxFailure) {
    guard depth + cost <= Self.deepest else { throw tooDeep() }
    depth += cost
  }

  mutating func leave(_ cost: Int = 1) { depth -= cost }

  func tooDeep(at token: Token? = nil) -> SyntaxFailure {
    failure("nested deeper than \(Self.deepest) levels", at: token, code: .limitExceeded)
  }

  /// Returns the location of an offset as text, for a message that refers to another declaration.
  func location(_ offset: Int32) -> String { SourceLocation(of: Int(offset), in: source).description }

  // MARK: Tables

  mutating func add(_ node: TypeNode) -> TypeID {
    levels.append(UInt8(clamping: level(of: node)))
    types.append(node)
    return TypeID(index: Int32(types.count - 1))
  }

  /// Adds a type that is derived from others, and throws if they are nested too deep.
  ///
  /// Each walk over types that follows pointers, elements, results and parameters is bounded by this.
  mutating func derived(_ node: TypeNode, at token: Token) throws(SyntaxFailure) -> TypeID {
    guard level(of: node) <= Self.deepest else { throw tooDeep(at: token) }
    return add(node)
  }

  /// The number of pointers, arrays and functions that are nested in a type, with the type itself.
  private func level(of node: TypeNode) -> Int {
    func level(_ type: QualifiedType) -> Int { Int(levels[Int(type.id.index)]) }
    switch node {
    case .pointer(let target), .block(let target): return 1 + level(target)
    case .array(let element, _): return 1 + level(element)
    case .function(let index):
      let function = functions[Int(index)]
      return 1 + function.parameters.reduce(level(function.result)) { max($0, level($1)) }
    case .basic, .complex, .vector, .record, .enumeration, .unsupported: return 0
    }
  }

  func basic(_ basic: Basic) -> QualifiedType { QualifiedType(id: TypeID(index: Int32(basic.rawValue))) }

  func node(_ type: QualifiedType) -> TypeNode { types[Int(type.id.index)] }

  /// Returns what a name declares, or nil.
  mutating func symbol(_ name: Name) throws(SyntaxFailure) -> Symbol? {
    if let known = knownSymbol(name) { return known }
    guard index != nil, try readIndexed(symbol: name) else { return nil }
    return knownSymbol(name)
  }

  /// Returns what a name declares in what was read.
  func knownSymbol(_ name: Name) -> Symbol? {
    guard Int(name.index) < symbolOfName.count, symbolOfName[Int(name.index)] >= 0 else { return nil }
    return symbols[Int(symbolOfName[Int(name.index)])]
  }

  mutating func setSymbol(_ symbol: Symbol) {
    let index = Int(symbol.name.index)
    if index >= symbolOfName.count {
      symbolOfName += repeatElement(-1, count: max(index + 1, names.count) - symbolOfName.count)
    }
    if symbolOfName[index] >= 0 {
      symbols[Int(symbolOfName[index])] = symbol
    } else {
      symbolOfName[index] = Int32(symbols.count)
      symbols.append(symbol)
    }
  }

  /// Returns the definition of a macro that was read, or nil.
  func knownMacro(_ name: Name) -> MacroDefinition? {
    guard Int(name.index) < macroOfName.count, macroOfName[Int(name.index)] >= 0 else { return nil }
    return macros[Int(macroOfName[Int(name.index)])]
  }

  mutating func setMacro(_ macro: MacroDefinition) {
    switch macro.operation {
    case .define: break
    case .push:
      let known = knownMacro(macro.name) ?? MacroDefinition(name: macro.name, body: nil, parameters: nil)
      return pushedMacros[macro.name, default: []].append(known)
    case .pop:
      if let pushed = pushedMacros[macro.name]?.popLast() { setMacro(pushed) }
      return
    }
    let index = Int(macro.name.index)
    if index >= macroOfName.count { macroOfName += repeatElement(-1, count: max(index + 1, names.count) - macroOfName.count) }
    if macroOfName[index] >= 0 {
      macros[Int(macroOfName[index])] = macro
    } else {
      macroOfName[index] = Int32(macros.count)
      macros.append(macro)
    }
  }
}
