#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  import SwiftSyntaxBuilder
  package import SwiftSyntaxMacros

  /// `@Dispatchable`: generates the class that conforms to a protocol by calling the implementers in a list.
  package enum DispatchableMacro: PeerMacro {
    /// The generated text is indented already.
    package static var formatMode: FormatMode { .disabled }

    package static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let type = declaration.as(ProtocolDeclSyntax.self) else {
        context.diagnose(Diagnostic(node: node, message: MacroMessage("notAProtocol", "@Dispatchable is for protocols")))
        return []
      }
      if let diagnostic = type.refusalOfInheritance(repeatsInherited: repeatsInherited(node)) {
        context.diagnose(diagnostic)
        return []
      }
      var scanner = RequirementScanner(type)
      let members = scanner.lines(of: type.memberBlock.members)
      scanner.diagnostics.forEach(context.diagnose)
      guard scanner.isWhole else { return [] }
      if let warning = type.warningOfHiddenClass { context.diagnose(warning) }

      let name = type.name.text
      let access = type.access
      let head = type.attributesForClass + [access?.name.text, "final class \(type.name.plainName)Dispatcher: \(name),"].compactMap(\.self)
      let memberAccess = ["public", "package"].contains(access?.name.text) ? "\(access?.name.text ?? "") " : ""
      let lines =
        [
          "/// Passes each call of `\(type.name.plainName)` on to several implementers, in order, none of which it keeps alive.",
          "\(head.joined(separator: " ")) \(type.globalActor.map { $0 + " " } ?? "")DynamicInvocation.ImplementerDispatcher {",
          "  /// The implementers.",
          "  \(memberAccess)let implementerList: DynamicInvocation.ImplementerList<any \(name)>",
          "",
          "  /// Creates a dispatcher; nil takes a number and nothing else.",
          "  \(memberAccess)init(_ implementers: (any \(name))?...) {",
          "    implementerList = DynamicInvocation.ImplementerList(objects: implementers)",
          "  }",
        ] + members.map { $0.isEmpty ? "" : "  " + $0 } + ["}"]
      return ["\(raw: lines.joined(separator: "\n"))"]
    }

    /// Returns whether the attribute states that the protocol repeats the requirements of the protocols that it
    /// inherits from.
    private static func repeatsInherited(_ node: AttributeSyntax) -> Bool {
      guard case .argumentList(let arguments) = node.arguments else { return false }
      return arguments.contains { $0.label?.text == "repeatsInherited" && $0.expression.trimmedDescription == "true" }
    }
  }

  extension ProtocolDeclSyntax {
    /// The access modifier of the protocol.
    fileprivate var access: DeclModifierSyntax? {
      modifiers.first { ["public", "package", "internal", "fileprivate", "private"].contains($0.name.text) }
    }

    /// A warning if the optimizer would not see the generated class.
    ///
    /// With whole-module optimization, Swift 6.3 collects the types that conform to a protocol that is not visible
    /// outside the module, and omits the types that a macro generates. If it finds only one conforming type, it assumes
    /// that every value of the protocol has that type.
    fileprivate var warningOfHiddenClass: Diagnostic? {
      guard !["public", "package"].contains(access?.name.text), !attributes.has("usableFromInline") else { return nil }
      var fixed = self
      let package = DeclModifierSyntax(name: .keyword(.package, trailingTrivia: .space))
      if let access, let index = fixed.modifiers.firstIndex(where: { $0.name.text == access.name.text }) {
        fixed.modifiers[index] = access.with(\.name, .keyword(.package, trailingTrivia: access.name.trailingTrivia))
      } else {
        let keyword = fixed.protocolKeyword
        fixed.protocolKeyword = keyword.with(\.leadingTrivia, [])
        fixed.modifiers.append(package.with(\.leadingTrivia, keyword.leadingTrivia))
      }
      return Diagnostic(
        node: name,
        message: MacroMessage(
          "hiddenClass",
          """
          where only one other type of the module conforms to \(name.plainName), an optimized build of Swift 6.3 takes the dispatcher for that \
          type; make the protocol 'package' or 'public'
          """, severity: .warning),
        fixIts: [
          FixIt(message: MacroMessage("package", "make it 'package'"), changes: [.replace(oldNode: Syntax(self), newNode: Syntax(fixed))])
        ])
    }

    /// The attributes of the protocol that the class gets too.
    fileprivate var attributesForClass: [String] {
      attributes.compactMap { element in
        guard case .attribute(let attribute) = element, let name = attribute.attributeName.lastName else { return nil }
        return name == "available" || name.hasSuffix("Actor") ? attribute.trimmedDescription : nil
      }
    }

    /// The attribute of the protocol's global actor, recognized by its name.
    var globalActor: String? { attributesForClass.first { $0.hasSuffix("Actor") } }

    /// Whether the protocol itself inherits from `Sendable`.
    var isSendable: Bool { inheritanceClause?.inheritedTypes.contains { $0.type.lastName == "Sendable" } ?? false }

    /// Returns the diagnostic for the protocols that this one inherits from, or nil.
    fileprivate func refusalOfInheritance(repeatsInherited: Bool) -> Diagnostic? {
      if let clause = primaryAssociatedTypeClause {
        return refusal("associatedType", "\(name.plainName) cannot be dispatched: each implementer may have other types", at: clause)
      }
      let inherited = inheritanceClause.map { Array($0.inheritedTypes) } ?? []
      let names = inherited.map { $0.type.lastName ?? "" }
      let constrained = genericWhereClause?.requirements.contains { $0.trimmedDescription.hasSuffix("AnyObject") } ?? false
      let known: Set<String> = ["AnyObject", "Sendable", "SendableMetatype"]
      if !repeatsInherited, let other = inherited.first(where: { !known.contains($0.type.lastName ?? "") }) {
        return refusal(
          "inherits",
          "the requirements of '\(other.type.trimmedDescription)' cannot be seen from here; repeat them in \(name.plainName), "
            + "and say so with @Dispatchable(repeatsInherited: true)", at: other)
      }
      guard !names.contains("AnyObject"), !constrained else { return nil }
      var message = "only a protocol of classes can be dispatched: the implementers are not kept alive"
      if let other = inherited.first(where: { !known.contains($0.type.lastName ?? "") }) {
        message += "; whether '\(other.type.trimmedDescription)' is one cannot be seen from here, so write 'AnyObject' as well"
      }
      return Diagnostic(
        node: name,
        message: MacroMessage("notOfClasses", message),
        fixIt: FixIt(
          message: MacroMessage("addAnyObject", "add 'AnyObject'"),
          changes: [.replace(oldNode: Syntax(self), newNode: Syntax(withAnyObject))]))
    }

    private func refusal(_ id: String, _ message: String, at place: some SyntaxProtocol) -> Diagnostic {
      Diagnostic(node: place, message: MacroMessage(id, message))
    }

    /// The protocol with `AnyObject` added to its inheritance clause.
    private var withAnyObject: ProtocolDeclSyntax {
      var result = self
      var types = inheritanceClause?.inheritedTypes ?? []
      let first = InheritedTypeSyntax(
        type: IdentifierTypeSyntax(name: .identifier("AnyObject")), trailingComma: types.isEmpty ? nil : .commaToken(trailingTrivia: .space)
      )
      types.insert(first, at: types.startIndex)
      if inheritanceClause == nil { result.name = name.with(\.trailingTrivia, []) }
      var clause = inheritanceClause ?? InheritanceClauseSyntax(colon: .colonToken(trailingTrivia: .space), inheritedTypes: [])
      clause.inheritedTypes = types
      if inheritanceClause == nil { clause.trailingTrivia = .space }
      result.inheritanceClause = clause
      return result
    }
  }
#endif
