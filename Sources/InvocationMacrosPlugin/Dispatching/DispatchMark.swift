#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  package import SwiftSyntaxMacros

  /// An attribute that ``DispatchableMacro`` looks for on the requirements of a protocol.
  ///
  /// It generates nothing.
  package protocol DispatchMark: PeerMacro {
    /// The name of the attribute.
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

  /// `@DispatchPolicy`: the policy that combines several results.
  package enum DispatchPolicyMacro: DispatchMark {
    package static let name = "DispatchPolicy"
  }

  /// `@DispatchDefault`: the result of a call without implementers.
  package enum DispatchDefaultMacro: DispatchMark {
    package static let name = "DispatchDefault"
  }

  /// `@DispatchRequired`: the statement that there always is an implementer.
  package enum DispatchRequiredMacro: DispatchMark {
    package static let name = "DispatchRequired"
  }
#endif
