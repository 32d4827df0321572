#if Macros
  package import SwiftSyntax
  import SwiftSyntaxBuilder
  package import SwiftSyntaxMacros

  /// `#cFunction`: a function of a library with the types of its C declaration.
  package enum CFunctionMacro: ExpressionMacro {
    package static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
      let argument = try CDeclarationsArgument(node.arguments)
      let function = argument.functions[0]
      if argument.functions.count > 1 {
        throw argument.error("expected one function; #cFunctions declares several", argument.functions[1])
      }
      return "\(raw: function.pointerExpression(in: argument.library))"
    }
  }
#endif
