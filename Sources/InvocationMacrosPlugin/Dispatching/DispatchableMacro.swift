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
        context.refuse("notAProtocol", "@Dispatchable is for protocols", at: node)
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
          "/// Passes each call of `\(type.name.plainName)` on to several implementers, in order; it keeps none of them alive.",
          "\(head.joined(separator: " ")) \(type.attributes.globalActor.map { $0 + " " } ?? "")DynamicInvocation.ImplementerDispatcher {",
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
    /// that every value of the protocol has that type. The fault is gone when a dispatcher of an internal protocol with one
    /// implementer reaches it in a release build.
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
        "hiddenClass",
        """
        where only one other type of the module conforms to \(name.plainName), an optimized build of Swift 6.3 takes the dispatcher for that \
        type; make the protocol 'package' or 'public'
        """, at: name, severity: .warning, fixIts: [FixIt("package", "make it 'package'", self, by: fixed)])
    }

    /// The attributes of the protocol that the class gets too.
    fileprivate var attributesForClass: [String] {
      attributes.compactMap { element in
        guard case .attribute(let attribute) = element, let name = attribute.attributeName.lastName else { return nil }
        return name == "available" || name.hasSuffix("Actor") ? attribute.trimmedDescription : nil
      }
    }

    /// Returns the diagnostic for the protocols that this one inherits from, or nil.
    fileprivate func refusalOfInheritance(repeatsInherited: Bool) -> Diagnostic? {
      if let clause = primaryAssociatedTypeClause {
        return Diagnostic("associatedType", "\(name.plainName) cannot be dispatched: each implementer may have other types", at: clause)
      }
      let inherited = inheritanceClause.map { Array($0.inheritedTypes) } ?? []
      let names = inherited.map { $0.type.lastName ?? "" }
      let constrained = genericWhereClause?.requirements.contains { $0.trimmedDescription.hasSuffix("AnyObject") } ?? false
      let known: Set<String> = ["AnyObject", "Sendable", "SendableMetatype"]
      if !repeatsInherited, let other = inherited.first(where: { !known.contains($0.type.lastName ?? "") }) {
        return Diagnostic(
          "inherits",
          "the requirements of '\(other.type.trimmedDescription)' cannot be seen from here; repeat them in \(name.plainName), "
            + "and say so with @Dispatchable(repeatsInherited: true)", at: other)
      }
      guard !names.contains("AnyObject"), !constrained else { return nil }
      var message = "only a protocol of classes can be dispatched: the implementers are not kept alive"
      if let other = inherited.first(where: { !known.contains($0.type.lastName ?? "") }) {
        message += "; whether '\(other.type.trimmedDescription)' is one cannot be seen from here, so write 'AnyObject' as well"
      }
      return Diagnostic("notOfClasses", message, at: name, fixIts: [FixIt("addAnyObject", "add 'AnyObject'", self, by: withAnyObject)])
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
  /// The code that calls one requirement of a protocol on each implementer in order.
  struct DispatchCall {
    /// The call on `implementer`, without `try` and `await`.
    let call: String
    /// The full name of the requirement, for messages.
    let name: String
    let result: TypeSyntax?
    /// The type of the thrown errors, or nil.
    let failure: String?
    let isAsync: Bool
    /// Whether the call is unsafe under strict memory safety.
    let isUnsafe: Bool
    let policy: PolicyText
    /// The declared result for a call without implementers, if any.
    let ownDefault: String?

    /// The result of a call without implementers, or nil if that is an error.
    private var defaultResult: String? {
      ownDefault ?? policy.resultOfNobody ?? (result?.isOptional == true ? "nil" : nil)
    }

    /// Whether the call ends the program if there are no implementers, because it has neither a result to return nor an
    /// error to throw.
    var mayTrap: Bool { result != nil && defaultResult == nil && !throwsInvocationErrors }

    private var throwsInvocationErrors: Bool {
      failure.map { ["any Error", "any Swift.Error", "InvocationError", "DynamicInvocation.InvocationError"].contains($0) } ?? false
    }

    private var effectfulCall: String {
      (failure == nil ? "" : "try ") + (isAsync ? "await " : "") + (isUnsafe ? "unsafe " : "") + call
    }

    /// The `unsafe` marker if strict memory safety considers the type of the result unsafe, otherwise an empty text.
    private var readsUnsafely: String { result?.trimmedDescription.namesUnsafeType == true ? "unsafe " : "" }

    /// The lines of the statements.
    var lines: [String] {
      var lines: [String] = []
      if let result { lines.append("var result: (\(result.textOfValue))? = nil") }
      if let failure { lines.append("var failure: (\(failure))? = nil") }
      if let result, case .reduce(let closure) = policy {
        let type = result.textOfValue
        lines.append(
          "let combine: ((\(type))?, \(type)) -> DynamicInvocation.ReturnPolicy<\(type)>.Reduction = \(closure)")
      }
      lines.append("calls: for (implementer, _) in self.implementerList.inTurn {")
      if let failure {
        lines.append(failure == "any Error" ? "  do {" : "  do throws(\(failure)) {")
        lines += step.map { "    " + $0 }
        lines.append("  } catch {")
        lines.append("    failure = failure ?? error")
        if policy.endsAtOne { lines.append("    break calls") }
        lines.append("  }")
      } else {
        lines += step.map { "  " + $0 }
      }
      lines.append("}")
      if failure != nil { lines.append("if let failure { throw failure }") }
      if result != nil {
        lines.append("guard let result = \(readsUnsafely)result else {")
        lines.append("  \(whenNobodyAnswers)")
        lines.append("}")
        lines.append("return \(readsUnsafely)result")
      }
      return lines
    }

    /// The statements for one implementer.
    private var step: [String] {
      guard result != nil else { return policy.endsAtOne ? [effectfulCall, "break calls"] : [effectfulCall] }
      let next = "let next = \(effectfulCall)"
      switch policy {
      case .last: return ["\(readsUnsafely)result = \(effectfulCall)"]
      case .first: return ["\(readsUnsafely)result = \(effectfulCall)", "break calls"]
      case .firstNonNil: return [next, "\(readsUnsafely)result = next", "if \(readsUnsafely)next != nil { break calls }"]
      case .anyTrue: return [next, "result = next", "if next { break calls }"]
      case .allTrue: return [next, "result = next", "if !next { break calls }"]
      case .reduce:
        return [
          next, "switch \(readsUnsafely)combine(result, next) {", "case .next(let value): \(readsUnsafely)result = value",
          "case .end(let value):", "  \(readsUnsafely)result = value", "  break calls", "}",
        ]
      }
    }

    private var whenNobodyAnswers: String {
      if let defaultResult { return "return \(defaultResult)" }
      let reason = "nobody is there to answer '\(name)'"
      return throwsInvocationErrors
        ? "throw DynamicInvocation.InvocationError(.unrecognizedSelector, \"\(reason)\")" : "Swift.fatalError(\"\(reason)\")"
    }
  }
  /// The policy of a requirement as written in `@DispatchPolicy`.
  enum PolicyText {
    case last, first, firstNonNil, anyTrue, allTrue
    /// The text of the closure.
    case reduce(String)

    /// Creates the policy that an attribute states, or nil if a dispatcher of a Swift protocol does not support it.
    init?(_ attribute: AttributeSyntax) {
      guard case .argumentList(let arguments) = attribute.arguments, let expression = arguments.first?.expression else { return nil }
      if let member = expression.as(MemberAccessExprSyntax.self) {
        switch member.declName.baseName.text {
        case "last": self = .last
        case "first": self = .first
        case "firstNonNil": self = .firstNonNil
        case "anyTrue": self = .anyTrue
        case "allTrue": self = .allTrue
        default: return nil
        }
        return
      }
      guard let call = expression.as(FunctionCallExprSyntax.self), let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        let argument = call.arguments.first?.expression.trimmedDescription ?? call.trailingClosure?.trimmedDescription
      else { return nil }
      guard member.declName.baseName.text == "reduce" else { return nil }
      self = .reduce(argument)
    }

    /// Returns the reason why a requirement cannot have the policy, or nil.
    func refusal(of result: TypeSyntax?) -> String? {
      switch self {
      case .last, .first: return nil
      case .firstNonNil:
        return result?.isOptional == true ? nil : "the policy 'firstNonNil' is for optional results"
      case .anyTrue, .allTrue:
        return result?.lastName == "Bool" ? nil : "the policies 'anyTrue' and 'allTrue' are for results that are a Bool"
      case .reduce:
        return result == nil ? "the policy 'reduce' is for results, and there is none" : nil
      }
    }

    /// The result of a call without implementers, if the policy determines it.
    var resultOfNobody: String? {
      switch self {
      case .anyTrue: "false"
      case .allTrue: "true"
      default: nil
      }
    }

    /// Whether a call without a result ends after the first implementer.
    var endsAtOne: Bool {
      if case .first = self { true } else { false }
    }
  }
#endif
