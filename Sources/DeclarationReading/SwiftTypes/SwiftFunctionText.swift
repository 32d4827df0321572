import TypeEncodings

/// A C function with its types in Swift, from which a macro generates code.
package struct SwiftFunctionText: Sendable {
  /// The name in C.
  package var name: String
  /// The name in the symbol table of a library.
  package var symbol: String
  /// The names of the parameters, or nil where the declaration states no name.
  package var parameterNames: [String?]
  /// The types of the parameters, such as `UnsafePointer<CChar>?`.
  package var parameters: [String]
  /// The type of the result; `Void` if there is none.
  package var result: String
  /// The first byte of the declarator in the text.
  package var offset: Int

  /// The type of a pointer to the function: `@convention(c) @Sendable (Double) -> Double`.
  package var pointer: String { "@convention(c) @Sendable (\(parameters.joined(separator: ", "))) -> \(result)" }
}

/// An error in a text of declarations, at an offset.
package struct DeclarationFailure: Error {
  /// What is wrong, without the location.
  package var reason: String
  /// The first byte that the error is about.
  package var offset: Int
}

extension CDeclarations {
  /// Reads declarations of which a macro makes Swift functions.
  ///
  /// The last declaration need not end with a semicolon. Declarations of types may precede those of functions.
  ///
  /// - Returns: The functions, in the order of their declarations.
  /// - Throws: The first syntax error, or the first function that no function type of Swift can call.
  package static func swiftFunctions(_ text: String) throws(DeclarationFailure) -> [SwiftFunctionText] {
    let source = Array(text.utf8)
    var reader = DeclarationReader(source, target: .host)
    reader.isSingle = true
    reader.storesParameterOffsets = true
    do throws(SyntaxFailure) {
      try reader.split(0..<source.count)
      try reader.readAll()
      var functions: [SwiftFunctionText] = []
      for symbol in reader.symbols where symbol.kind == .function { functions.append(try reader.swiftText(of: symbol)) }
      guard !functions.isEmpty else { throw reader.expected("a function") }
      return functions
    } catch {
      throw DeclarationFailure(reason: error.reason, offset: min(error.offset, source.count))
    }
  }
}
