#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  import SwiftSyntaxBuilder
  package import SwiftSyntaxMacros

  /// `@Invocable`: adds the list of a class's methods with their thunks, and the conformance by which the engine finds
  /// the list.
  package enum InvocableMacro {
    /// The name of the protocol of the conformance.
    private static let protocolName = "_InvocableClass"

    /// Returns the class that the attribute is attached to.
    ///
    /// If the attribute cannot apply, returns nil, and reports why if `isLoud` is true.
    private static func classDeclaration(
      _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext, isLoud: Bool
    ) -> ClassDeclSyntax? {
      func refuse(_ name: String, _ message: String, at place: some SyntaxProtocol) -> ClassDeclSyntax? {
        if isLoud { context.diagnose(Diagnostic(node: place, message: MacroMessage(name, message))) }
        return nil
      }
      guard let type = declaration.as(ClassDeclSyntax.self) else {
        return refuse("notAClass", "@Invocable is for classes: messages are sent to objects", at: node)
      }
      if let generics = type.genericParameterClause {
        return refuse("genericClass", "the methods of a generic class have no thunks, as C has no generic functions", at: generics)
      }
      if context.lexicalContext.contains(where: { $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil }) {
        return refuse("genericContext", "the methods of a class in a generic type have no thunks, as C has no generic functions", at: node)
      }
      return type
    }
  }

  extension InvocableMacro: ExtensionMacro {
    package static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard !protocols.isEmpty, classDeclaration(node, declaration, in: context, isLoud: false) != nil else { return [] }
      return [try ExtensionDeclSyntax("extension \(type.trimmed): DynamicInvocation.\(raw: protocolName) {}")]
    }
  }

  extension InvocableMacro: MemberMacro {
    /// The generated text is indented already.
    package static var formatMode: FormatMode { .disabled }

    package static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let type = classDeclaration(node, declaration, in: context, isLoud: true) else { return [] }
      var scanner = MethodScanner(type)
      let code = scanner.code(of: type.memberBlock.members, indentation: "  ")
      scanner.diagnostics.forEach(context.diagnose)
      let isInherited = protocols.isEmpty && !type.inherits(protocolName)
      let modifiers = [type.accessForMembers, "nonisolated", isInherited ? "override" : nil, "class"].compactMap(\.self)
      return [
        """
        \(raw: modifiers.joined(separator: " ")) var invocableMethods: DynamicInvocation._InvocableMethods {
          \(raw: code.isEmpty ? "let" : "var") methods = DynamicInvocation._InvocableMethods(of: \(raw: type.name.text).self)
        \(raw: code)  return methods
        }
        """
      ]
    }
  }

  /// `@NotInvocable`, a mark that ``InvocableMacro`` looks for.
  ///
  /// It generates nothing.
  package enum NotInvocableMacro: PeerMacro {
    /// The name of the attribute.
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
