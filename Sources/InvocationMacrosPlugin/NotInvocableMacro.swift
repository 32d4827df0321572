#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  package import SwiftSyntaxMacros

  /// `@NotInvocable`, a mark that ``InvocableMacro`` looks for: it makes nothing.
  package enum NotInvocableMacro: PeerMacro {
    /// The attribute's name.
    static let name = "NotInvocable"

    package static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if !declaration.is(FunctionDeclSyntax.self) {
        context.diagnose(Diagnostic(node: node, message: MacroMessage("notAMethod", "only methods are excluded by @\(name)")))
      }
      return []
    }
  }
#endif
