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
      storage.read { $0.type(named: name) }
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
      storage.read { $0.variable(named: name) }
    }

    /// The names, in the order of their declarations.
    public var names: [String] { storage.read { $0.symbolNames(.variable) } }
  }

  /// Reads one declaration of a variable, which may use the types declared here, and stores nothing.
  ///
  /// - Parameter text: One declaration of a variable, with or without `;`, or the name of a declared one.
  /// - Throws: `InvocationError` `malformedDeclaration`, also if the text contradicts a declaration of the same name.
  public func variable(declaration text: String) throws(InvocationError) -> Variable {
    try storage.read { store throws(InvocationError) in try store.variable(declaration: text) }
  }

  /// Returns the type that a text names, such as `const char *` or `struct point[4]`.
  ///
  /// - Throws: `InvocationError` `malformedDeclaration` for a text that is not the name of a type, `unsupportedType`
  ///   for a type without an encoding.
  public func encoding(ofType text: String) throws(InvocationError) -> TypeEncoding {
    try storage.read { store throws(InvocationError) in try store.encoding(ofType: text) }
  }
}
