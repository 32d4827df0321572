#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  import SwiftSyntaxBuilder
  package import SwiftSyntaxMacros

  /// Generates the members that dispatch the requirements of a protocol.
  struct RequirementScanner: MemberScanner {
    private let type: ProtocolDeclSyntax
    /// The access modifier of members with a space after it, or an empty text.
    private let access: String
    var known: [String: String] = [:]
    var diagnostics: [Diagnostic] = []

    init(_ type: ProtocolDeclSyntax) {
      self.type = type
      access = type.modifiers.lazy.map(\.name.text).first { ["public", "package"].contains($0) }.map { $0 + " " } ?? ""
    }

    /// Whether the class can be generated, because there is no error.
    var isWhole: Bool { !diagnostics.contains { $0.diagMessage.severity == .error } }

    mutating func lines(of member: DeclSyntax) -> [String] {
      switch Syntax(member).as(SyntaxEnum.self) {
      case .functionDecl(let function): return [""] + lines(of: function)
      case .variableDecl(let variable): return lines(of: variable)
      case .subscriptDecl(let subscripting): return [""] + lines(of: subscripting)
      case .initializerDecl(let initializer):
        refuse("initializer", "'init' makes an object, and a dispatcher has its implementers made already", at: initializer)
      case .associatedTypeDecl(let associated):
        refuse("associatedType", "each implementer may have another '\(associated.name.text)'", at: associated)
      default: break
      }
      return []
    }

    // MARK: Kinds of requirements

    private mutating func lines(of function: FunctionDeclSyntax) -> [String] {
      let parameters = function.signature.parameterClause.parameters
      let name = function.fullName
      let effects = function.signature.effectSpecifiers
      let problem =
        refusal(name, function.modifiers) ?? refusal(name, parameters)
        ?? refusal(name, function, function.genericParameterClause, function.genericWhereClause) ?? refusal(name, effects?.throwsClause)
      guard isFine(problem) else { return [] }
      let arguments = parameters.enumerated().map { $1.firstName.label + self.argument($0, $1) }.joined(separator: ", ")
      let types = parameters.map(\.type.trimmedDescription) + [function.signature.returnClause?.type.trimmedDescription ?? ""]
      let call = self.call(
        "implementer.\(function.name.text)(\(arguments))", name, function.signature.returnClause?.type, effects?.throwsClause,
        isAsync: effects?.asyncSpecifier != nil, isUnsafe: function.attributes.has("unsafe") || types.contains(where: \.namesUnsafeType),
        function.attributes, at: function)
      guard let call else { return [] }
      let signature = [effects?.trimmedDescription, function.signature.returnClause?.trimmedDescription].compactMap(\.self)
      let head = "func \(function.name.text)(\(self.parameters(parameters)))"
      return block(
        prefix(function.attributes, function.modifiers) + ([head] + signature).joined(separator: " "), call.lines)
    }

    private mutating func lines(of variable: VariableDeclSyntax) -> [String] {
      var lines: [String] = []
      for binding in variable.bindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier, let block = binding.accessorBlock,
          // In `var a, b: Int { get }` only the last binding has a type annotation.
          let type = binding.typeAnnotation?.type
        else { continue }
        guard isFine(refusal(name.plainName, variable.modifiers) ?? refusal(name.plainName, binding)) else { continue }
        let accessors = self.accessors(
          "implementer.\(name.text)", name.plainName, type, block, variable.attributes, isUnsafe: type.trimmedDescription.namesUnsafeType,
          at: variable)
        guard let accessors else { continue }
        let head = "var \(name.text): \(type.trimmedDescription)"
        lines += [""] + self.block(prefix(variable.attributes, variable.modifiers) + head, accessors)
      }
      return lines
    }

    private mutating func lines(of subscripting: SubscriptDeclSyntax) -> [String] {
      let parameters = subscripting.parameterClause.parameters
      let name = "subscript(" + parameters.map { ($0.secondName == nil ? "_" : $0.firstName.plainName) + ":" }.joined() + ")"
      let problem =
        refusal(name, subscripting.modifiers) ?? refusal(name, parameters)
        ?? refusal(name, subscripting, subscripting.genericParameterClause, subscripting.genericWhereClause)
      guard isFine(problem), let block = subscripting.accessorBlock else { return [] }
      let arguments = parameters.enumerated().map { ($1.secondName == nil ? "" : $1.firstName.label) + self.argument($0, $1) }
      let type = subscripting.returnClause.type
      let types = parameters.map(\.type.trimmedDescription) + [type.trimmedDescription]
      let accessors = self.accessors(
        "implementer[\(arguments.joined(separator: ", "))]", name, type, block, subscripting.attributes,
        isUnsafe: types.contains(where: \.namesUnsafeType), at: subscripting)
      guard let accessors else { return [] }
      let head = "subscript(\(self.parameters(parameters, isSubscript: true))) -> \(type.trimmedDescription)"
      return self.block(prefix(subscripting.attributes, subscripting.modifiers) + head, accessors)
    }

    /// Returns the lines of the accessors of a property or a subscript.
    private mutating func accessors(
      _ place: String, _ name: String, _ type: TypeSyntax, _ block: AccessorBlockSyntax, _ attributes: AttributeListSyntax,
      isUnsafe: Bool, at declaration: some DeclSyntaxProtocol
    ) -> [String]? {
      guard case .accessors(let accessors) = block.accessors else { return nil }
      var lines: [String] = []
      for accessor in accessors {
        if let modifier = accessor.modifier, modifier.name.text == "mutating" {
          refuse("mutating", "'\(name)' is mutating, and an object in a list is not replaced", at: modifier)
          return nil
        }
        let kind = accessor.accessorSpecifier.text
        let effects = accessor.effectSpecifiers
        guard isFine(refusal(name, effects?.throwsClause)) else { return nil }
        let call = self.call(
          kind == "get" ? place : "\(place) = newValue", name, kind == "get" ? type : nil, effects?.throwsClause,
          isAsync: effects?.asyncSpecifier != nil, isUnsafe: isUnsafe, attributes, isSetter: kind != "get", at: declaration)
        guard let call else { return nil }
        lines += self.block([kind, effects?.trimmedDescription].compactMap(\.self).joined(separator: " "), call.lines)
      }
      return lines
    }

    // MARK: Parts of the text

    private func block(_ head: String, _ lines: [String]) -> [String] { [head + " {"] + lines.map { "  " + $0 } + ["}"] }

    /// Returns the text before `func` and `var`: the attributes except for the macros' own, and the access modifier.
    private func prefix(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax) -> String {
      let own: Set<String> = [DispatchPolicyMacro.name, DispatchDefaultMacro.name, DispatchRequiredMacro.name]
      let kept = attributes.compactMap { element -> String? in
        guard case .attribute(let attribute) = element, !own.contains(attribute.attributeName.lastName ?? "") else { return nil }
        return attribute.trimmedDescription + " "
      }
      let isolation = modifiers.filter { $0.name.text == "nonisolated" }.map { $0.trimmedDescription + " " }
      return kept.joined() + access + isolation.joined()
    }

    private func parameters(_ parameters: FunctionParameterListSyntax, isSubscript: Bool = false) -> String {
      parameters.enumerated().map { index, parameter in
        let label = isSubscript && parameter.secondName == nil ? "_" : parameter.firstName.text
        return "\(label) argument\(index): \(parameter.type.trimmedDescription)"
      }.joined(separator: ", ")
    }

    private func argument(_ index: Int, _ parameter: FunctionParameterSyntax) -> String {
      let marks = parameter.type.marks
      return (marks.contains("inout") ? "&" : "") + "argument\(index)" + (marks.contains("@autoclosure") ? "()" : "")
    }

    private mutating func call(
      _ call: String, _ name: String, _ returned: TypeSyntax?, _ throwing: ThrowsClauseSyntax?, isAsync: Bool, isUnsafe: Bool,
      _ attributes: AttributeListSyntax, isSetter: Bool = false, at declaration: some DeclSyntaxProtocol
    ) -> DispatchCall? {
      let result = returned.flatMap { $0.isVoid ? nil : $0 }
      var policy = PolicyText.last
      if let attribute = attributes.first(named: DispatchPolicyMacro.name) {
        guard let stated = PolicyText(attribute) else {
          refuse("policy", "its policies are last, first, firstNonNil, anyTrue, allTrue and reduce, written as such", at: attribute)
          return nil
        }
        policy = stated
        if !isSetter, let reason = stated.refusal(of: result) {
          refuse("policy", reason, at: attribute)
          return nil
        }
      }
      var ownDefault: String?
      if let attribute = attributes.first(named: DispatchDefaultMacro.name), case .argumentList(let arguments) = attribute.arguments {
        guard result != nil || isSetter else {
          refuse("default", "'\(name)' has no result, and needs none when nobody is there", at: attribute)
          return nil
        }
        ownDefault = arguments.first?.expression.trimmedDescription
      }
      let failure = throwing.flatMap { $0.throwsNothing ? nil : $0.type?.trimmedDescription ?? "any Error" }
      let code = DispatchCall(
        call: call, name: "\(type.name.plainName).\(name)", result: result, failure: failure, isAsync: isAsync, isUnsafe: isUnsafe,
        policy: policy, ownDefault: ownDefault)
      if code.mayTrap, !attributes.has(DispatchRequiredMacro.name) { warn(of: name, at: declaration) }
      return code
    }

    // MARK: Diagnostics

    private func refusal(_ name: String, _ modifiers: DeclModifierListSyntax) -> Refusal? {
      for modifier in modifiers {
        switch modifier.name.text {
        case "static", "class": return Refusal("static", "'\(name)' is one of a type, and objects are called", at: modifier)
        case "mutating": return Refusal("mutating", "'\(name)' is mutating, and an object in a list is not replaced", at: modifier)
        case "nonisolated" where type.attributes.globalActor != nil && !type.inheritanceClause.names("Sendable"):
          return Refusal(
            "nonisolated", "'\(name)' is called anywhere, but the implementers belong to an actor; add 'Sendable'", at: modifier)
        default: continue
        }
      }
      return nil
    }

    private func refusal(_ name: String, _ parameters: FunctionParameterListSyntax) -> Refusal? {
      let refused = [
        ("sending", "takes what is sent, which only one can be given"), ("isolated", "runs on an actor that it is given"),
        ("ownership", "says who owns its argument, which is passed to several"),
      ]
      for parameter in parameters {
        if parameter.ellipsis != nil {
          return Refusal("variadic", "'\(name)' is variadic, and Swift cannot pass the values on", at: parameter)
        }
        let marks = Set(parameter.type.marks.map { ["consuming", "borrowing", "__owned", "__shared"].contains($0) ? "ownership" : $0 })
        if let (mark, reason) = refused.first(where: { marks.contains($0.0) }) {
          return Refusal(mark, "'\(name)' \(reason)", at: parameter)
        }
      }
      return nil
    }

    private func refusal(
      _ name: String, _ declaration: some SyntaxProtocol, _ generics: GenericParameterClauseSyntax? = nil,
      _ condition: GenericWhereClauseSyntax? = nil
    ) -> Refusal? {
      if let generics { return Refusal("generic", "'\(name)' is generic", at: generics) }
      if declaration.mentions(.Self) {
        return Refusal("self", "'\(name)' names Self, which is another type for each implementer", at: declaration)
      }
      if declaration.mentions(.some) { return Refusal("generic", "'\(name)' is generic", at: declaration) }
      return condition.map { Refusal("generic", "'\(name)' is generic", at: $0) }
    }

    private func refusal(_ name: String, _ clause: ThrowsClauseSyntax?) -> Refusal? {
      guard let clause, clause.throwsSpecifier.text == "rethrows" else { return nil }
      return Refusal("rethrows", "'\(name)' rethrows, and a dispatcher throws after all were called; use throws", at: clause)
    }

    /// Returns whether there is no refusal, and reports it.
    private mutating func isFine(_ refusal: Refusal?) -> Bool {
      if let refusal { refuse(refusal.name, refusal.reason, at: refusal.place) }
      return refusal == nil
    }

    private mutating func refuse(_ name: String, _ reason: String, at place: some SyntaxProtocol) {
      diagnostics.append(Diagnostic(name, "\(type.name.plainName) cannot be dispatched: \(reason)", at: place))
    }

    private mutating func warn(of name: String, at declaration: some DeclSyntaxProtocol) {
      let fixes = [
        ("addDefault", "state the result with '@\(DispatchDefaultMacro.name)'", "@\(DispatchDefaultMacro.name)(<#value#>)"),
        ("addRequired", "somebody always is there: '@\(DispatchRequiredMacro.name)'", "@\(DispatchRequiredMacro.name)"),
      ].map { FixIt($0, $1, declaration, by: declaration.with(attribute: $2)) }
      diagnostics.append(
        Diagnostic(
          "noDefault", "a call of '\(name)' ends the program when nobody is there to answer it", at: declaration, severity: .warning,
          fixIts: fixes))
    }
  }

  /// A mark that ``DispatchableMacro`` looks for on the requirements of a protocol.
  package protocol DispatchMark: MarkMacro {}

  extension DispatchMark {
    package static func misplacement(
      at declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> (id: String, message: String)? {
      let isRequirement = context.lexicalContext.first?.is(ProtocolDeclSyntax.self) ?? false
      let isCall = [SyntaxKind.functionDecl, .variableDecl, .subscriptDecl].contains(declaration.kind)
      return isRequirement && isCall
        ? nil : ("notARequirement", "@\(name) is for the methods and properties of a @Dispatchable protocol")
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

  extension DeclSyntaxProtocol {
    /// Returns the declaration with an attribute added before it.
    func with(attribute: String) -> DeclSyntax {
      DeclSyntax("\(leadingTrivia)\(raw: attribute) \(with(\.leadingTrivia, []))")
    }
  }

  extension TypeSyntax {
    /// Whether the text shows that a value may be nil.
    var isOptional: Bool {
      self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) || lastName == "Optional"
    }

    /// The type as the type of a variable: an implicitly unwrapped optional becomes an optional.
    var textOfValue: String {
      self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { $0.wrappedType.trimmedDescription + "?" } ?? trimmedDescription
    }
  }
#endif
