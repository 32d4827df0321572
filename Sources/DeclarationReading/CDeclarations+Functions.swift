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

    /// The reason for which a library may lack the function: the header defines it as static or inline; otherwise nil.
    public var reasonWithoutSymbol: String? {
      if isStatic { return "the header defines it as static\(isInline ? " inline" : ""): no library exports it" }
      return isInline ? "the header defines it as inline: a library need not export it" : nil
    }

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
      storage.read { $0.function(named: name) }
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
    try storage.read { store throws(InvocationError) in try store.function(declaration: text) }
  }

  /// Returns the types of arguments after `...`, as in a parameter list, with the promotions of C.
  package func variadicTypes(_ text: String) throws(InvocationError) -> [TypeEncoding] {
    guard text.contains(where: { !$0.isWhitespace }) else { return [] }
    return try storage.read { store throws(InvocationError) in try store.variadicTypes(text) }
  }

  /// Reads one declaration of a function with the standard types only.
  package static func function(declaration text: String) throws(InvocationError) -> Function {
    try DeclarationStore(Parser([], target: .host)).function(declaration: text)
  }

  /// Returns the reason for which a name is not that of a function, or nil: it is a macro, a variable, a type or a constant.
  ///
  /// - Returns: What the name is, such as `it is a macro: (*__errno_location ())`.
  package func reasonWithoutFunction(_ name: String) -> String? { storage.read { $0.reasonWithoutFunction(name) } }
}
