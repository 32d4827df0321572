public import TypeEncodings

extension CDeclarations {
  /// A declared type.
  public struct NamedType: Sendable {
    /// The name, as it was looked up.
    public let name: String

    /// The declaration in one line, or nil if the source uses the name without a definition.
    public let declaration: String?

    let outcome: Result<TypeEncoding, InvocationError>

    /// The encoding, with the names of members and the layout of the declaration.
    ///
    /// - Throws: `InvocationError` `unsupportedType` for a type that has no encoding, `limitExceeded` for a type of
    ///   more than 100,000 parts.
    public var encoding: TypeEncoding {
      get throws(InvocationError) { try outcome.get() }
    }
  }

  /// The declared types.
  public struct Types: Sendable {
    let storage: Storage

    /// The type with a name, or nil: `point` for a typedef, `struct point`, `union value` or `enum color` for a tag.
    ///
    /// A tag may also be looked up without its keyword, if no typedef has the name.
    public subscript(name: String) -> NamedType? {
      storage.read { reader in reader.type(named: name) }
    }

    /// The names of the typedefs, and those of structs, unions and enums with their keywords.
    public var names: [String] { storage.read { $0.typeNames() } }
  }

  /// A declared variable.
  public struct Variable: Sendable {
    /// The name in C.
    public let name: String

    /// The name in the symbol table of a library.
    public let symbol: String

    /// The declaration in one line.
    public let declaration: String

    let outcome: Result<TypeEncoding, InvocationError>

    /// The type.
    ///
    /// - Throws: `InvocationError` `unsupportedType` for a type that has no encoding.
    public var encoding: TypeEncoding {
      get throws(InvocationError) { try outcome.get() }
    }
  }

  /// The declared variables.
  public struct Variables: Sendable {
    let storage: Storage

    /// The variable with a name, or nil.
    public subscript(name: String) -> Variable? {
      storage.read { reader in reader.variable(named: name) }
    }

    /// The names, in the order of their declarations.
    public var names: [String] { storage.read { $0.symbolNames(.variable) } }
  }

  /// Reads one declaration of a variable, which may use the types declared here, and stores nothing.
  ///
  /// - Parameter text: One declaration of a variable, with or without `;`, or the name of a declared one.
  /// - Throws: `InvocationError` `malformedDeclaration`, also if the text contradicts a declaration of the same name.
  public func variable(declaration text: String) throws(InvocationError) -> Variable {
    try storage.read { reader in
      reader.withCopy { copy in Result { () throws(InvocationError) in try copy.readVariable(text) } }
    }.get()
  }

  /// Returns the type that a text names, such as `const char *` or `struct point[4]`.
  ///
  /// - Throws: `InvocationError` `malformedDeclaration` for a text that is not the name of a type, `unsupportedType`
  ///   for a type without an encoding.
  public func encoding(ofType text: String) throws(InvocationError) -> TypeEncoding {
    try storage.read { reader in
      reader.withCopy { copy in Result { () throws(InvocationError) in try copy.readType(text) } }
    }.get()
  }
}

extension DeclarationReader {
  private mutating func outcome(_ type: QualifiedType, _ name: String, isMember: Bool = false) -> Result<TypeEncoding, InvocationError> {
    do throws(Refusal) {
      // By itself an incomplete struct has no size; clang writes it as an empty one.
      if case .record(let index) = node(type), records[Int(index)].members == nil { return .success(try incomplete(index)) }
      var detail = Detail()
      detail.isMember = isMember
      return .success(try encoding(of: type, detail))
    } catch {
      return .failure(InvocationError(error.code, "'\(name)': \(error.reason)"))
    }
  }

  mutating func type(named text: String) -> CDeclarations.NamedType? {
    let words = text.split(separator: " ")
    do throws(SyntaxFailure) {
      if words.count == 1 {
        let name = names.intern(text)
        if let symbol = try symbol(name), symbol.kind == .typedefName {
          if case .record(let index) = node(symbol.type) { try complete(index) }
          // The name of a typedef decides where a `const` is encoded.
          var type = symbol.type
          type.flags.insert(.typedefName)
          return CDeclarations.NamedType(name: text, declaration: self.text(of: symbol.declaration), outcome: outcome(type, text))
        }
        return try tagged(name, nil, text)
      }
      guard words.count == 2, ["struct", "union", "enum"].contains(words[0]) else { return nil }
      return try tagged(names.intern(String(words[1])), words[0], text)
    } catch {
      return nil
    }
  }

  private mutating func tagged(_ name: Name, _ keyword: Substring?, _ text: String) throws(SyntaxFailure) -> CDeclarations.NamedType? {
    if tags[name] == nil, index != nil { _ = try readIndexed(tag: name) }
    switch tags[name] {
    case .record(let index):
      try complete(index)
      guard keyword == nil || keyword == (records[Int(index)].isUnion ? "union" : "struct") else { return nil }
      let declaration = records[Int(index)].declaration
      let type = QualifiedType(id: add(.record(index)))
      guard records[Int(index)].members != nil else {
        return CDeclarations.NamedType(
          name: text, declaration: nil,
          outcome: .failure(InvocationError(.unsupportedType, "\(recordName(index)) is incomplete: its definition is missing")))
      }
      return CDeclarations.NamedType(
        name: text, declaration: declaration < 0 ? nil : self.text(of: declaration), outcome: outcome(type, text))
    case .enumeration(let index):
      guard keyword == nil || keyword == "enum" else { return nil }
      let declaration = enumerations[Int(index)].declaration
      let type = QualifiedType(id: add(.enumeration(index)))
      return CDeclarations.NamedType(
        name: text, declaration: declaration < 0 ? nil : self.text(of: declaration), outcome: outcome(type, text))
    case nil: return nil
    }
  }

  mutating func variable(named text: String) -> CDeclarations.Variable? {
    do throws(SyntaxFailure) {
      let name = names.intern(text)
      guard let symbol = try symbol(name), symbol.kind == .variable else { return nil }
      return variable(symbol)
    } catch {
      return nil
    }
  }

  /// Returns the variable that a symbol declares.
  mutating func variable(_ symbol: Symbol) -> CDeclarations.Variable {
    let name = names.text(symbol.name)
    return CDeclarations.Variable(
      name: name, symbol: symbol.label.isNone ? name : names.text(symbol.label), declaration: text(of: symbol.declaration),
      outcome: outcome(symbol.type, name, isMember: true))
  }

  /// Reads the name of a type after the end of the source.
  mutating func readType(_ text: String) throws(InvocationError) -> TypeEncoding {
    let start = source.count
    source += Array(text.utf8)
    let type: QualifiedType
    do throws(SyntaxFailure) {
      try split(start..<source.count)
      readNeeded(by: tokens)
      type = try typeName()
      guard token.kind == .end else { throw expected("the end after a type") }
      if case .record(let index) = node(type) {
        try complete(index)
        guard records[Int(index)].members != nil else {
          throw failure("\(recordName(index)) is incomplete: its definition is missing", code: .unsupportedType)
        }
      }
    } catch {
      let location = SourceLocation(of: max(0, error.offset - start), in: Array(source[start...]))
      throw InvocationError(error.code, "\(location.description): \(error.reason), in '\(text.shortened(to: 200))'")
    }
    return try outcome(type, text, isMember: true).get()
  }

  /// The names of typedefs and of tags with their keywords.
  mutating func typeNames() -> [String] {
    var result = symbolNames(.typedefName)
    if let tags = index?.entries(.tag) {
      let keywords: [Symbol.Kind: String] = [.typedefName: "struct ", .function: "union ", .enumerator: "enum "]
      return result + tags.map { (keywords[$0.entry.symbol] ?? "") + $0.name }
    }
    result += records.compactMap { $0.name.isNone || $0.declaration < 0 ? nil : ($0.isUnion ? "union " : "struct ") + names.text($0.name) }
    result += enumerations.compactMap { $0.name.isNone || $0.underlying == nil ? nil : "enum " + names.text($0.name) }
    return result
  }
}
