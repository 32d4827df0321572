#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  package import SwiftSyntaxMacros

  /// An attribute that ``DispatchableMacro`` looks for on the requirements of a protocol: it makes nothing.
  package protocol DispatchMark: PeerMacro {
    /// The attribute's name.
    static var name: String { get }
  }

  extension DispatchMark {
    package static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let isRequirement = context.lexicalContext.first?.is(ProtocolDeclSyntax.self) ?? false
      let isCall = [SyntaxKind.functionDecl, .variableDecl, .subscriptDecl].contains(declaration.kind)
      if !isRequirement || !isCall {
        context.diagnose(
          Diagnostic(
            node: node,
            message: MacroMessage("notARequirement", "@\(name) is for the methods and properties of a @Dispatchable protocol")))
      }
      return []
    }
  }

  /// `@DispatchPolicy`: what becomes of several results.
  package enum DispatchPolicyMacro: DispatchMark {
    package static let name = "DispatchPolicy"
  }

  /// `@DispatchDefault`: the result when nobody is there.
  package enum DispatchDefaultMacro: DispatchMark {
    package static let name = "DispatchDefault"
  }

  /// `@DispatchRequired`: somebody always is there.
  package enum DispatchRequiredMacro: DispatchMark {
    package static let name = "DispatchRequired"
  }
#endif
