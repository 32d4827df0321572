#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  package import SwiftSyntaxMacros

  /// `@EventHandler`, a mark that ``EventHandlingMacro`` looks for.
  ///
  /// It generates nothing.
  package enum EventHandlerMacro: PeerMacro {
    /// The name of the attribute.
    static let name = "EventHandler"

    package static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let type = context.lexicalContext.first?.as(ClassDeclSyntax.self)
      if !declaration.is(FunctionDeclSyntax.self) || type?.attributes.has(EventHandlingMacro.name) != true {
        context.diagnose(
          Diagnostic(
            node: node,
            message: MacroMessage("notAHandler", "@\(name) is for the methods in the body of a class with @\(EventHandlingMacro.name)")))
      }
      return []
    }
  }
#endif
