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

#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// Visits the members of a class, generates the code that adds its methods, and collects diagnostics.
  struct MethodScanner {
    private let type: ClassDeclSyntax
    private(set) var diagnostics: [Diagnostic] = []
    /// The full names found so far.
    private var names: Set<String> = []

    init(_ type: ClassDeclSyntax) {
      self.type = type
    }

    /// Returns the statements that add the methods among the members, each terminated by a newline.
    mutating func code(of members: MemberBlockItemListSyntax, indentation: String) -> String {
      var code = ""
      for member in members {
        if let function = member.decl.as(FunctionDeclSyntax.self) {
          code += self.code(of: function, indentation)
        } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
          code += self.code(of: conditional, indentation)
        }
      }
      return code
    }

    /// Returns the statements for conditionally compiled members, under the same conditions.
    private mutating func code(of conditional: IfConfigDeclSyntax, _ indentation: String) -> String {
      var code = ""
      let before = names
      var all = names
      for clause in conditional.clauses {
        // Only one of the clauses is compiled, so a name may occur once in each.
        names = before
        let condition = clause.condition.map { " " + $0.trimmedDescription } ?? ""
        code += "\(indentation)\(clause.poundKeyword.trimmedDescription)\(condition)\n"
        if case .decls(let members) = clause.elements { code += self.code(of: members, indentation: indentation + "  ") }
        all.formUnion(names)
      }
      names = all
      return code + indentation + "#endif\n"
    }

    private mutating func code(of function: FunctionDeclSyntax, _ indentation: String) -> String {
      guard function.isCandidate else { return "" }
      let method = MethodText(function, of: type)
      let refusals = function.refusals
      guard refusals.isEmpty else {
        // Report one error per method: the fix is the same for all of them.
        refuse(function, refusals[0])
        return ""
      }
      guard names.insert(method.fullName).inserted else {
        refuse(
          function,
          Refusal("duplicate", "another method of the class has the selector '\(method.fullName)' already", at: Syntax(function.name)))
        return ""
      }
      return method.code(indentation)
    }

    private mutating func refuse(_ function: FunctionDeclSyntax, _ refusal: Refusal) {
      let name = MethodText(function, of: type).fullName
      let fix = FixIt(
        message: MacroMessage("exclude", "exclude the method with '@\(NotInvocableMacro.name)'"),
        changes: [.replace(oldNode: Syntax(function), newNode: Syntax(function.excluded))])
      diagnostics.append(
        Diagnostic(
          node: refusal.place,
          message: MacroMessage(refusal.name, "'\(name)' cannot be invoked by selector: \(refusal.reason)"),
          fixIt: fix))
    }
  }

  extension FunctionDeclSyntax {
    /// The method with the attribute that excludes it.
    fileprivate var excluded: FunctionDeclSyntax {
      var result = self
      result.leadingTrivia = []
      let attribute = AttributeSyntax(
        leadingTrivia: leadingTrivia, attributeName: IdentifierTypeSyntax(name: .identifier(NotInvocableMacro.name)),
        trailingTrivia: .space)
      result.attributes.insert(.attribute(attribute), at: result.attributes.startIndex)
      return result
    }
  }

  extension ClassDeclSyntax {
    /// The access level that a member needs to satisfy a requirement, or to be overridden where the class is
    /// subclassed; nil for the default.
    var accessForMembers: String? {
      modifiers.lazy.map(\.name.text).first { ["open", "public", "package"].contains($0) }
    }

    /// Returns whether the declaration of the class itself names a protocol.
    func inherits(_ name: String) -> Bool {
      inheritanceClause?.inheritedTypes.contains { $0.type.lastName == name } ?? false
    }
  }
#endif

#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// A method that gets a thunk, and the code that adds it to the method list of its class.
  struct MethodText {
    private let function: FunctionDeclSyntax
    /// The name of the class of the target.
    private let type: String
    private let isOnMainActor: Bool

    init(_ function: FunctionDeclSyntax, of type: ClassDeclSyntax) {
      self.function = function
      self.type = type.name.text
      let isNonisolated = function.modifiers.contains { $0.name.text == "nonisolated" }
      isOnMainActor = function.has(Self.mainActor) || !isNonisolated && type.attributes.has(Self.mainActor)
    }

    /// The full name of the method as Swift prints it: with labels, and an underscore for a parameter without a label.
    var fullName: String {
      function.name.plainName + "(" + parameters.map { $0.firstName.plainName + ":" }.joined() + ")"
    }

    private static let mainActor = "MainActor"
    private static let module = "DynamicInvocation"

    private var parameters: FunctionParameterListSyntax { function.signature.parameterClause.parameters }

    /// Returns the statements that add the method, each terminated by a newline.
    func code(_ indentation: String) -> String {
      let types = parameters.map { text($0.type) }
      let result = function.signature.returnClause.flatMap { $0.type.isVoid ? nil : text($0.type) }
      let isThrowing = function.signature.effectSpecifiers?.throwsClause.map { !$0.throwsNothing } ?? false
      let isUnsafeCall = function.has("unsafe") || (types + [result ?? ""]).contains(where: \.namesUnsafeType)
      let mayFail = isThrowing ? ["true"] : types.isEmpty ? ["false"] : types.map { "\(Self.module)._MethodThunk.mayFail(\($0).self)" }
      let forms = types.map { "\(Self.module)._MethodThunk.Form<\($0)>" }
      let resultForm = result.map { "\(Self.module)._MethodThunk.Form<\($0)>" } ?? "Void"
      let arguments = parameters.enumerated().map { "\($1.firstName.label)argument\($0 + 2)" }
      let call = "target.\(function.name.text)(\(arguments.joined(separator: ", ")))"
      let effects = (isThrowing ? "try " : "") + (isUnsafeCall ? "unsafe " : "")

      var lines = Set(types + [result].compactMap(\.self)).sorted().map {
        "\($0.namesUnsafeType ? "unsafe " : "")\(Self.module)._MethodThunk.check(\($0).self)"
      }
      lines += [
        "unsafe methods.add(",
        "  \(StringLiteralExprSyntax(content: fullName)),",
        "  { \((["target", "_"] + types.indices.map { "argument\($0 + 2)" }).joined(separator: ", ")) in",
        "    unsafe \(Self.module)._MethodThunk.\(isOnMainActor ? "callOnMainActor" : "call")(",
        "      \(type).self, target, mayFail: \(mayFail.joined(separator: " || "))",
        "    ) { target in",
      ]
      lines += lending(types, effects + (result == nil ? call : "\(Self.module)._MethodThunk.result(\(call))")).map { "      " + $0 }
      lines += [
        "    }",
        "  } as @convention(c) (\((["UInt", "UInt"] + forms).joined(separator: ", "))) -> \(resultForm),",
        "  parameters: [\(types.map { "\($0).self" }.joined(separator: ", "))], returning: \(result.map { "\($0).self" } ?? "nil"),",
        "  isThrowing: \(isThrowing))",
      ]
      return lines.map { indentation + $0 + "\n" }.joined()
    }

    /// Returns the lines of a call with borrowed arguments, whose scopes are nested.
    private func lending(_ types: [String], _ call: String) -> [String] {
      types.enumerated().reversed().reduce([call]) { lines, parameter in
        let (index, type) = (parameter.offset + 2, parameter.element)
        return ["try unsafe \(Self.module)._MethodThunk.lend(\(type).self, \(index), argument\(index)) { argument\(index) in"]
          + lines.map { "  " + $0 } + ["}"]
      }
    }

    /// Returns the lines that register the method as the handler of an event key.
    func registration(of key: String) -> [String] {
      let types = parameters.map { text($0.type) }
      let isThrowing = function.signature.effectSpecifiers?.throwsClause.map { !$0.throwsNothing } ?? false
      let isUnsafe = function.has("unsafe") || types.contains(where: \.namesUnsafeType)
      let names = types.indices.map { $0 == 0 ? "source" : "argument\($0)" }
      let declared = zip(names, types).map { "\($0): \($1)" }
      let arguments = zip(parameters, names).map { $0.firstName.label + $1 }.joined(separator: ", ")
      let call = "target.\(function.name.text)(\(arguments))"
      return [
        "do throws(\(Self.module).InvocationError) {",
        "  registrations.append(",
        "    \(isUnsafe ? "try unsafe" : "try") proxy.register(\(key), target: self, options: options) { (target: \(type)) in",
        "      { (\(declared.joined(separator: ", "))) in \(isThrowing ? "try " : "")\(isUnsafe ? "unsafe " : "")\(call) }",
        "    })",
        "} catch {",
        "  errors.append(error)",
        "}",
      ]
    }

    /// Returns a type as it is written outside of a parameter list.
    ///
    /// `Self` becomes the class, and an implicitly unwrapped optional becomes an optional.
    private func text(_ type: TypeSyntax) -> String {
      if let type = type.as(AttributedTypeSyntax.self) { return text(type.baseType) }
      if let type = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return text(type.wrappedType) + "?" }
      if let type = type.as(OptionalTypeSyntax.self) { return text(type.wrappedType) + "?" }
      if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let element = tuple.elements.first {
        return text(element.type)
      }
      return type.lastName == "Self" ? self.type : type.trimmedDescription
    }
  }

  extension ThrowsClauseSyntax {
    /// Whether the clause is `throws(Never)`.
    var throwsNothing: Bool { type?.lastName == "Never" }
  }
#endif
