#if Macros
  import DeclarationReading
  import SwiftDiagnostics
  import SwiftParser
  package import SwiftSyntax
  import SwiftSyntaxBuilder
  package import SwiftSyntaxMacros

  /// `#cFunctions`: a static method for each function of C declarations.
  package enum CFunctionsMacro: DeclarationMacro {
    package static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      for context in context.lexicalContext {
        guard let generics = context.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause else { continue }
        let message = MacroMessage("genericContext", "a generic type has no static stored properties, which #cFunctions needs")
        throw DiagnosticsError(diagnostics: [Diagnostic(node: node, message: message, highlights: [Syntax(generics)])])
      }
      let argument = try CDeclarationsArgument(node.arguments)
      return argument.functions.flatMap { function in
        declarations(of: function, in: argument.library, pointer: context.makeUniqueName(function.name).text)
      }
    }

    /// Returns a property with the address of a function, which is looked up when it is first used, and a method that
    /// calls it.
    private static func declarations(of function: SwiftFunctionText, in library: String, pointer: String) -> [DeclSyntax] {
      let names = function.parameterNames.enumerated().map { position, name in name?.swiftIdentifier ?? "argument\(position)" }
      let parameters = zip(names, function.parameters).map { "_ \($0): \($1)" }.joined(separator: ", ")
      let result = function.result == "Void" ? "" : " -> \(function.result)"
      let isUnsafe = function.pointer.namesUnsafePointer
      return [
        """
        private static let \(raw: pointer): Swift.Result<\(raw: function.pointer), DynamicInvocation.InvocationError> =
          \(raw: isUnsafe ? "unsafe " : "")Swift.Result { () throws(DynamicInvocation.InvocationError) in
            try unsafe \(raw: function.pointerExpression(in: library))
          }
        """,
        """
        static func \(raw: function.name.swiftIdentifier)(\(raw: parameters)) throws(DynamicInvocation.InvocationError)\(raw: result) {
          try \(raw: isUnsafe ? "unsafe " : "")\(raw: pointer).get()(\(raw: names.joined(separator: ", ")))
        }
        """,
      ]
    }
  }

  extension String {
    /// The name, in backticks if it is a keyword.
    fileprivate var swiftIdentifier: String { isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`" }

    /// Whether the type of a function contains a pointer.
    fileprivate var namesUnsafePointer: Bool { contains("Unsafe") || contains("OpaquePointer") || contains("CVaListPointer") }
  }
#endif
