#if Macros
  import DeclarationReading
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// The arguments of `#cFunction` and `#cFunctions`: a literal with declarations, and a library.
  struct CDeclarationsArgument {
    let functions: [SwiftFunctionText]
    /// The expression of the library, as it is written.
    let library: String
    private let literal: StringLiteralExprSyntax
    private let text: LiteralText

    /// Reads the declarations of a macro's arguments.
    ///
    /// - Throws: `DiagnosticsError` at the column of the literal that the error is about.
    init(_ arguments: LabeledExprListSyntax) throws {
      guard let first = arguments.first, let second = arguments.dropFirst().first else {
        // The compiler has compared the arguments with the declaration of the macro.
        throw MacroExpansionFailure.arguments
      }
      guard let literal = first.expression.as(StringLiteralExprSyntax.self), let text = LiteralText(literal) else {
        throw Self.error("declarations are read when the program is compiled: state them in a literal without interpolation", first)
      }
      (self.literal, self.text) = (literal, text)
      library = second.expression.trimmedDescription
      do throws(DeclarationFailure) {
        functions = try CDeclarations.swiftFunctions(text.text)
      } catch {
        throw Self.error(error.reason, literal, at: text.position(of: error.offset))
      }
    }

    /// Returns an error about a function.
    func error(_ message: String, _ function: SwiftFunctionText) -> DiagnosticsError {
      Self.error(message, literal, at: text.position(of: function.offset))
    }

    private static func error(_ message: String, _ node: some SyntaxProtocol, at position: AbsolutePosition? = nil) -> DiagnosticsError {
      DiagnosticsError(diagnostics: [Diagnostic(node: Syntax(node), position: position, message: MacroMessage("cDeclaration", message))])
    }
  }

  /// An error that the compiler reports before it expands a macro.
  enum MacroExpansionFailure: Error {
    case arguments
  }

  extension SwiftFunctionText {
    /// The expression of a pointer to the function, which throws.
    func pointerExpression(in library: String) -> String {
      let symbol = StringLiteralExprSyntax(content: symbol).description
      return "InvocationMacros._DeclaredFunction.pointer(to: \(symbol), in: \(library), as: (\(pointer)).self)"
    }
  }
#endif
