public import TypeEncodings

extension CDeclarations {
  /// A declared function.
  public struct Function: Sendable {
    /// The name in C.
    public let name: String

    /// The name in the symbol table of a library, which an asm label of the declaration may state.
    public let symbol: String

    /// The declaration in one line.
    public let declaration: String

    /// The names of the parameters, or nil where the declaration states no name.
    public let parameterNames: [String?]

    /// Whether the parameters end with `...`.
    public let isVariadic: Bool

    /// Whether the function is static, so that no library exports it.
    public let isStatic: Bool

    /// Whether a declaration of the function is inline, so that a library need not export it.
    let isInline: Bool

    let outcome: Result<MethodTypes, InvocationError>

    /// The types of the result and of the parameters before `...`.
    ///
    /// - Throws: `InvocationError` `unsupportedType` for a type that has no encoding or is incomplete,
    ///   `malformedDeclaration` for a function whose parameters are not declared, `limitExceeded` for a type of more
    ///   than 100,000 parts.
    public var types: MethodTypes {
      get throws(InvocationError) { try outcome.get() }
    }
  }

  /// The declared functions.
  public struct Functions: Sendable {
    let storage: Storage

    /// The function with a name, or nil.
    ///
    /// - Complexity: O(parts of its types); allocates.
    public subscript(name: String) -> Function? {
      storage.read { reader in reader.function(named: name) }
    }

    /// The names, in the order of their declarations.
    public var names: [String] { storage.read { $0.symbolNames(.function) } }
  }

  /// Reads one declaration of a function, which may use the types declared here, and stores nothing.
  ///
  /// - Parameter text: One declaration of a function or of a pointer to a function, with or without `;`; the name of a
  ///   declared function, or of a typedef of a function or of a pointer to one; or such a type without a name, as
  ///   `int (*)(const void *, const void *)`, whose function has an empty name.
  /// - Throws: `InvocationError` `malformedDeclaration`, also if the text contradicts a declaration of the same name.
  public func function(declaration text: String) throws(InvocationError) -> Function {
    try storage.read { reader in
      let declared = reader.withCopy { copy in Result { () throws(InvocationError) in try copy.readFunction(text) } }
      guard case .failure = declared, let unnamed = reader.withCopy({ $0.readFunctionType(text) }) else { return declared }
      return .success(unnamed)
    }.get()
  }

  /// Returns the types of arguments after `...`, as in a parameter list, with the promotions of C.
  package func variadicTypes(_ text: String) throws(InvocationError) -> [TypeEncoding] {
    guard text.contains(where: { !$0.isWhitespace }) else { return [] }
    return try storage.read { reader in
      reader.withCopy { copy in Result { () throws(InvocationError) in try copy.readVariadicTypes(text) } }
    }.get()
  }

  /// Reads one declaration of a function with the standard types only.
  package static func function(declaration text: String) throws(InvocationError) -> Function {
    var reader = DeclarationReader([], target: .host)
    do {
      return try reader.readFunction(text)
    } catch {
      reader = DeclarationReader([], target: .host)
      guard let unnamed = reader.readFunctionType(text) else { throw error }
      return unnamed
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

extension DeclarationReader {
  mutating func function(named name: String) -> CDeclarations.Function? {
    let name = names.intern(name)
    do throws(SyntaxFailure) {
      guard let symbol = try symbol(name), symbol.kind == .function else { return nil }
      return function(symbol)
    } catch {
      return nil
    }
  }

  /// Returns the function that a symbol declares, or whose type it has, or to which it is a pointer.
  mutating func function(_ symbol: Symbol) -> CDeclarations.Function? {
    guard symbol.kind != .enumerator else { return nil }
    var node = node(symbol.type)
    if case .pointer(let target) = node { node = self.node(target) }
    guard case .function(let index) = node else { return nil }
    let name = symbol.name.isNone ? "" : names.text(symbol.name)
    let declaration = text(of: symbol.declaration)
    let outcome: Result<MethodTypes, InvocationError>
    do throws(Refusal) {
      guard !symbol.isOverloaded else { throw Refusal(reason: "the attribute overloadable gives functions of several types the name") }
      outcome = .success(try methodTypes(index))
    } catch {
      outcome = .failure(InvocationError(error.code, "'\(declaration.shortened(to: 200))': \(error.reason)"))
    }
    let function = functions[Int(index)]
    return CDeclarations.Function(
      name: name, symbol: symbol.label.isNone ? name : names.text(symbol.label), declaration: declaration,
      parameterNames: function.names.map { $0.isNone ? nil : names.text($0) }, isVariadic: function.isVariadic, isStatic: symbol.isStatic,
      isInline: symbol.isInline, outcome: outcome)
  }

  /// Reads one declaration of a function after the end of the source.
  mutating func readFunction(_ text: String) throws(InvocationError) -> CDeclarations.Function {
    try readOne(text, isFunction: true) { reader, symbol in reader.function(symbol) }
  }

  /// Reads one declaration of a variable after the end of the source.
  mutating func readVariable(_ text: String) throws(InvocationError) -> CDeclarations.Variable {
    try readOne(text, isFunction: false) { reader, symbol in symbol.kind == .variable ? reader.variable(symbol) : nil }
  }

  /// Reads one declaration after the end of the source, or the name of what is declared.
  ///
  /// - Parameters:
  ///   - isFunction: Whether a function is expected, or the name of the type of one; otherwise a variable is.
  ///   - body: Returns what a symbol declares, or nil if it is something else.
  private mutating func readOne<Declared>(
    _ text: String, isFunction: Bool, _ body: (inout DeclarationReader, Symbol) -> Declared?
  ) throws(InvocationError) -> Declared {
    let expected = isFunction ? "function" : "variable"
    let start = source.count
    source += Array(text.utf8)
    do throws(SyntaxFailure) {
      try split(start..<source.count)
      readNeeded(by: tokens)
      if token.kind == .name, following.kind == .end, let known = try symbol(token.name) {
        if let declared = body(&self, known) { return declared }
        if case .unsupported(let reason, _) = node(known.type) { throw failure(reason, code: .unsupportedType) }
        throw failure("\(self.text(token)) is no \(expected)\(isFunction ? ", and not the type of a function or of a pointer to one" : "")")
      }
      isSingle = true
      let first = token
      try readDeclaration()
      guard token.kind == .end else { throw failure("expected the end after one declaration, found \(self.text(token))") }
      guard let last = lastDeclared, let declared = body(&self, last) else { throw failure("expected a \(expected)", at: first) }
      return declared
    } catch {
      let location = SourceLocation(of: max(0, error.offset - start), in: Array(source[start...]))
      throw InvocationError(error.code, "\(location.description): \(error.reason), in '\(text.shortened(to: 200))'")
    }
  }

  /// Reads the type of a function or of a pointer to one, without a name, after the end of the source; nil for other text.
  mutating func readFunctionType(_ text: String) -> CDeclarations.Function? {
    let start = source.count
    source += Array(text.utf8)
    do throws(SyntaxFailure) {
      try split(start..<source.count)
      readNeeded(by: tokens)
      declarations.append(DeclarationRange(start: Int32(start), end: Int32(source.count), packing: 0))
      let type = try typeName()
      guard token.kind == .end else { return nil }
      return function(
        Symbol(kind: .typedefName, name: .none, type: type, start: Int32(start), declaration: Int32(declarations.count - 1)))
    } catch {
      return nil
    }
  }

  /// Reads the types of arguments after `...`, and promotes them.
  mutating func readVariadicTypes(_ text: String) throws(InvocationError) -> [TypeEncoding] {
    let arguments = try readFunction("void (variadic)(" + text + ")").types.arguments
    guard let declared = lastDeclared, case .function(let index) = node(declared.type) else { return [] }
    for parameter in functions[Int(index)].parameters {
      guard case .basic(.float32) = node(parameter) else { continue }
      throw InvocationError(
        .unsupportedType, "a variadic _Float32 is not promoted, and its encoding (f) is that of float, which is; it cannot be passed")
    }
    return arguments.map(\.promotedToVariadic)
  }

  /// The names of the symbols of a kind, in the order of their declarations.
  mutating func symbolNames(_ kind: Symbol.Kind) -> [String] {
    if let entries = index?.entries(.symbol) { return entries.filter { $0.entry.symbol == kind }.map(\.name) }
    return symbols.filter { $0.kind == kind }.map { names.text($0.name) }
  }
}
