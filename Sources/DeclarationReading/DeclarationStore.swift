import TypeEncodings

/// What a source declares, by name.
package struct DeclarationStore {
  package let parser: Parser
  private let encoder: Encoder

  init(_ parser: Parser) {
    self.parser = parser
    encoder = Encoder(parser.types)
  }

  private init(copying other: DeclarationStore) {
    parser = Parser(copying: other.parser)
    encoder = Encoder(copying: other.encoder, parser.types)
  }

  // MARK: Names

  /// What a name declares, or nil.
  package func symbol(_ name: String) -> Symbol? { parser.types.names.find(name).flatMap { parser.symbols[$0] } }

  /// The names of the symbols of a kind, in the order of their declarations.
  func symbolNames(_ kind: Symbol.Kind) -> [String] {
    parser.symbols.all.filter { $0.kind == kind }.map { text($0.name) }
  }

  /// The names of typedefs and of tags with their keywords.
  func typeNames() -> [String] {
    let records = parser.types.records.compactMap {
      $0.name.isNone || $0.declaration < 0 ? nil : ($0.isUnion ? "union " : "struct ") + text($0.name)
    }
    let enumerations = parser.types.enumerations.compactMap {
      $0.name.isNone || $0.underlying == nil ? nil : "enum " + text($0.name)
    }
    return symbolNames(.typedefName) + records + enumerations
  }

  /// The names of the macros without parameters, in alphabetical order.
  func macroNames() -> [String] {
    parser.macros.definitions.filter { $0.body != nil && $0.parameters == nil }.map { text($0.name) }.sorted()
  }

  private func text(_ name: Name) -> String { parser.types.names.text(name) }

  // MARK: Texts

  /// Returns the text of a declaration in one line.
  func text(of declaration: Int32) -> String { text(of: parser.declarations[Int(declaration)]) }

  func text(of range: DeclarationRange) -> String { text(of: Int(range.start)..<Int(range.end)) }

  /// Returns a text in one line, without the directives in it.
  func text(of range: Range<Int>) -> String {
    var words: [String] = []
    for line in parser.tokens.source[range].split(separator: SourceByte.newline) {
      let text = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      if text.first?.first == SourceByte.hash { continue }
      words += text.map { String(decoding: $0, as: UTF8.self) }
    }
    return words.joined(separator: " ")
  }

  // MARK: Functions and variables

  func function(named name: String) -> CDeclarations.Function? {
    guard let symbol = symbol(name), symbol.kind == .function else { return nil }
    return function(symbol)
  }

  /// Returns the function that a symbol declares, points to, or has the type of.
  private func function(_ symbol: Symbol) -> CDeclarations.Function? {
    guard symbol.kind != .enumerator else { return nil }
    var node = parser.types.node(symbol.type)
    if case .pointer(let target) = node { node = parser.types.node(target) }
    guard case .function(let index) = node else { return nil }
    let name = symbol.name.isNone ? "" : text(symbol.name)
    let declaration = text(of: symbol.declaration)
    let outcome: Result<MethodTypes, InvocationError>
    do throws(Refusal) {
      guard !symbol.isOverloaded else { throw Refusal(reason: "the attribute overloadable gives functions of several types the name") }
      outcome = .success(try encoder.methodTypes(index))
    } catch {
      outcome = .failure(InvocationError(error.code, "'\(declaration.shortened(to: 200))': \(error.reason)"))
    }
    let function = parser.types.functions[Int(index)]
    return CDeclarations.Function(
      name: name, symbol: symbol.label.isNone ? name : text(symbol.label), declaration: declaration,
      parameterNames: function.names.map { $0.isNone ? nil : text($0) }, isVariadic: function.isVariadic, isStatic: symbol.isStatic,
      isInline: symbol.isInline, outcome: outcome)
  }

  func variable(named name: String) -> CDeclarations.Variable? { symbol(name).flatMap(variable) }

  /// Returns the variable that a symbol declares, or nil.
  private func variable(_ symbol: Symbol) -> CDeclarations.Variable? {
    guard symbol.kind == .variable else { return nil }
    let name = text(symbol.name)
    return CDeclarations.Variable(
      name: name, symbol: symbol.label.isNone ? name : text(symbol.label), declaration: text(of: symbol.declaration),
      outcome: outcome(symbol.type, name, isMember: true))
  }

  private func outcome(_ type: QualifiedType, _ name: String, isMember: Bool = false) -> Result<TypeEncoding, InvocationError> {
    do throws(Refusal) {
      // By itself an incomplete struct has no size; clang writes it as an empty one.
      if let index = parser.types.record(type), parser.types.records[Int(index)].members == nil {
        return .success(try encoder.incomplete(index))
      }
      var detail = Encoder.Detail()
      detail.isMember = isMember
      return .success(try encoder.encoding(of: type, detail))
    } catch {
      return .failure(InvocationError(error.code, "'\(name)': \(error.reason)"))
    }
  }

  // MARK: Types

  func type(named name: String) -> CDeclarations.NamedType? {
    let words = name.split(separator: " ")
    if words.count == 1 {
      guard let symbol = symbol(name), symbol.kind == .typedefName else { return tagged(name, nil, name) }
      // The name of a typedef decides where a `const` is encoded.
      var type = symbol.type
      type.flags.insert(.typedefName)
      return CDeclarations.NamedType(name: name, declaration: text(of: symbol.declaration), outcome: outcome(type, name))
    }
    guard words.count == 2, ["struct", "union", "enum"].contains(words[0]) else { return nil }
    return tagged(String(words[1]), words[0], name)
  }

  private func tag(_ name: String) -> TypeTable.Tag? { parser.types.names.find(name).flatMap { parser.types.tags[$0] } }

  private func tagged(_ tag: String, _ keyword: Substring?, _ name: String) -> CDeclarations.NamedType? {
    let types = parser.types
    let (declaration, node): (Int32, TypeNode)
    switch self.tag(tag) {
    case .record(let index):
      guard keyword == nil || keyword == (types.records[Int(index)].isUnion ? "union" : "struct") else { return nil }
      guard types.records[Int(index)].members != nil else {
        return CDeclarations.NamedType(
          name: name, declaration: nil,
          outcome: .failure(InvocationError(.unsupportedType, "\(types.recordName(index)) is incomplete: its definition is missing")))
      }
      (declaration, node) = (types.records[Int(index)].declaration, .record(index))
    case .enumeration(let index):
      guard keyword == nil || keyword == "enum" else { return nil }
      (declaration, node) = (types.enumerations[Int(index)].declaration, .enumeration(index))
    case nil: return nil
    }
    return CDeclarations.NamedType(
      name: name, declaration: declaration < 0 ? nil : text(of: declaration), outcome: outcome(QualifiedType(id: types.add(node)), name))
  }

  // MARK: Constants and macros

  func constant(named name: String) -> CDeclarations.Constant? {
    guard let name = parser.types.names.find(name) else { return nil }
    let operand = parser.constant(ofMacro: name) ?? parser.symbols[name].flatMap { symbol in symbol.value.map { Operand(symbol.type, $0) } }
    return operand.flatMap { CDeclarations.Constant($0, parser.types) }
  }

  /// Returns the reason why a name is not a function's, or nil.
  func reasonWithoutFunction(_ name: String) -> String? {
    if let macro = parser.types.names.find(name).flatMap({ parser.macros[$0] }), let body = macro.body {
      // A preprocessor writes the parameters without spaces.
      let parameters =
        macro.parameters.map { range in
          let text = text(of: range).split { $0 == " " || $0 == "\\" }.joined()
          return " with the parameters (\(text.replacing(",", with: ", ")))"
        } ?? ""
      let definition = text(of: body).split(separator: " ").filter { $0 != "\\" }.joined(separator: " ")
      return "it is a macro\(parameters)" + (definition.isEmpty ? " without a value" : ": \(definition.shortened(to: 200))")
    }
    switch symbol(name)?.kind {
    case .function: return nil
    case .variable: return "it is a variable"
    case .typedefName: return "it is a type"
    case .enumerator: return "it is an enumerator"
    case nil: return tag(name) == nil ? nil : "it is a type"
    }
  }

  // MARK: Skipped declarations

  /// The declarations that could not be read.
  func skippedDeclarations() -> [CDeclarations.SkippedDeclaration] {
    parser.skipped.map { skipped in
      CDeclarations.SkippedDeclaration(
        declaration: text(of: skipped.range).shortened(to: 200), error: InvocationError(skipped.code, skipped.reason))
    }
  }
}

// MARK: Texts that may use what is declared

extension DeclarationStore {
  /// Reads one declaration of a function, or the type of one without a name, and stores nothing.
  func function(declaration text: String) throws(InvocationError) -> CDeclarations.Function {
    do {
      return try DeclarationStore(copying: self).readOne(text, isFunction: true) { $0.function($1) }
    } catch {
      guard let unnamed = DeclarationStore(copying: self).readFunctionType(text) else { throw error }
      return unnamed
    }
  }

  /// Reads one declaration of a variable, and stores nothing.
  func variable(declaration text: String) throws(InvocationError) -> CDeclarations.Variable {
    try DeclarationStore(copying: self).readOne(text, isFunction: false) { $0.variable($1) }
  }

  /// Reads the name of a type.
  func encoding(ofType text: String) throws(InvocationError) -> TypeEncoding {
    let copy = DeclarationStore(copying: self)
    let type = try copy.reading(text) { parser throws(SyntaxFailure) in
      let type = try parser.typeName()
      guard parser.tokens.isAtEnd else { throw parser.tokens.expected("the end after a type") }
      if let index = parser.types.record(type), parser.types.records[Int(index)].members == nil {
        throw parser.tokens.failure(
          "\(parser.types.recordName(index)) is incomplete: its definition is missing", code: .unsupportedType)
      }
      return type
    }
    return try copy.outcome(type, text, isMember: true).get()
  }

  /// Reads the types of arguments after `...`, and promotes them.
  func variadicTypes(_ text: String) throws(InvocationError) -> [TypeEncoding] {
    let copy = DeclarationStore(copying: self)
    let arguments = try copy.readOne("void (variadic)(" + text + ")", isFunction: true) { $0.function($1) }.types.arguments
    let types = copy.parser.types
    guard let declared = copy.parser.lastDeclared, case .function(let index) = types.node(declared.type) else { return [] }
    for parameter in types.functions[Int(index)].parameters {
      guard case .basic(.float32) = types.node(parameter) else { continue }
      throw InvocationError(
        .unsupportedType, "a variadic _Float32 is not promoted, and a float of the same encoding (f) is; it cannot be passed")
    }
    return arguments.map(\.promotedToVariadic)
  }

  /// Reads a text after the end of the source; an error has the location in the text.
  private func reading<Declared>(
    _ text: String, _ body: (Parser) throws(SyntaxFailure) -> Declared
  ) throws(InvocationError) -> Declared {
    let start = parser.tokens.source.count
    do throws(SyntaxFailure) {
      try parser.begin(after: text)
      return try body(parser)
    } catch {
      let location = SourceLocation(of: max(0, error.offset - start), in: Array(parser.tokens.source[start...]))
      throw InvocationError(error.code, "\(location.description): \(error.reason), in '\(text.shortened(to: 200))'")
    }
  }

  /// Reads one declaration, or the name of what is declared.
  ///
  /// - Parameters:
  ///   - isFunction: Whether a function, or the name of a function's type, is expected; otherwise a variable is expected.
  ///   - find: Returns what a symbol declares, or nil if it is something else.
  private func readOne<Declared>(
    _ text: String, isFunction: Bool, _ find: (DeclarationStore, Symbol) -> Declared?
  ) throws(InvocationError) -> Declared {
    try reading(text) { parser throws(SyntaxFailure) in
      let (tokens, expected) = (parser.tokens, isFunction ? "function" : "variable")
      if tokens.current.kind == .name, tokens.following.kind == .end, let known = parser.symbols[tokens.current.name] {
        if let declared = find(self, known) { return declared }
        if case .unsupported(let reason, _) = parser.types.node(known.type) { throw tokens.failure(reason, code: .unsupportedType) }
        let function = isFunction ? ", and not the type of a function or of a pointer to one" : ""
        throw tokens.failure("\(tokens.text(tokens.current)) is no \(expected)\(function)")
      }
      parser.isSingle = true
      let first = tokens.current
      try parser.readDeclaration()
      guard tokens.isAtEnd else {
        throw tokens.failure("expected the end after one declaration, found \(tokens.text(tokens.current))")
      }
      guard parser.declaredCount < 2 else {
        throw tokens.failure("expected one \(expected), found a declaration of \(parser.declaredCount) names", at: first)
      }
      guard let last = parser.lastDeclared, let declared = find(self, last) else {
        throw tokens.failure("expected a \(expected)", at: first)
      }
      return declared
    }
  }

  /// Reads the type of a function or of a pointer to one, without a name; nil for other text.
  private func readFunctionType(_ text: String) -> CDeclarations.Function? {
    let start = Int32(parser.tokens.source.count)
    do throws(SyntaxFailure) {
      try parser.begin(after: text)
      let declaration = parser.addDeclaration(start..<Int32(parser.tokens.source.count))
      let type = try parser.typeName()
      guard parser.tokens.isAtEnd else { return nil }
      return function(Symbol(kind: .typedefName, name: .none, type: type, start: start, declaration: declaration))
    } catch {
      return nil
    }
  }
}

extension TypeEncoding {
  /// The type to which C promotes a variadic argument.
  ///
  /// Source: C11, section 6.5.2.2, paragraphs 6 and 7.
  fileprivate var promotedToVariadic: TypeEncoding {
    guard case .scalar(let scalar) = kind, let promoted = scalar.traits.promoted else { return self }
    return TypeEncoding(.scalar(promoted), qualifiers: qualifiers)
  }
}
