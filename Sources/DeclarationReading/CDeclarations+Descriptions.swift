import TypeEncodings

extension CDeclarations: CustomStringConvertible {
  /// The numbers of declared functions, types and variables.
  public var description: String { "\(functions), \(types), \(variables)" }
}

extension CDeclarations.Functions: CustomStringConvertible {
  /// The number of functions.
  public var description: String { names.count.counted("function") }
}

extension CDeclarations.Types: CustomStringConvertible {
  /// The number of named types.
  public var description: String { names.count.counted("type") }
}

extension CDeclarations.Variables: CustomStringConvertible {
  /// The number of variables.
  public var description: String { names.count.counted("variable") }
}

extension CDeclarations.Constants: CustomStringConvertible {
  /// The numbers of enumerators and of macros.
  public var description: String { "\(enumerators.count.counted("enumerator")), \(macros.count.counted("macro"))" }
}

extension CDeclarations.Function: CustomStringConvertible {
  /// The declaration.
  public var description: String { declaration }
}

extension CDeclarations.NamedType: CustomStringConvertible {
  /// The declaration, or the name if the source does not define the type.
  public var description: String { declaration ?? name }
}

extension CDeclarations.Variable: CustomStringConvertible {
  /// The declaration.
  public var description: String { declaration }
}
