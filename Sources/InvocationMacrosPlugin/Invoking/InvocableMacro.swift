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

    /// Returns why the attribute cannot apply to a declaration, or nil.
    private static func refusal(
      _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) -> Refusal? {
      guard let type = declaration.as(ClassDeclSyntax.self) else {
        return Refusal("notAClass", "@Invocable is for classes: messages are sent to objects", at: node)
      }
      if let generics = type.genericParameterClause {
        return Refusal("genericClass", "the methods of a generic class have no thunks, as C has no generic functions", at: generics)
      }
      if context.lexicalContext.contains(where: { $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil }) {
        return Refusal("genericContext", "the methods of a class in a generic type have no thunks, as C has no generic functions", at: node)
      }
      return nil
    }
  }

  extension InvocableMacro: ExtensionMacro {
    package static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard !protocols.isEmpty, refusal(node, declaration, in: context) == nil else { return [] }
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
      if let refusal = refusal(node, declaration, in: context) { context.refuse(refusal.name, refusal.reason, at: refusal.place) }
      guard let type = declaration.as(ClassDeclSyntax.self), refusal(node, declaration, in: context) == nil else { return [] }
      var scanner = MethodScanner(type)
      let lines = scanner.lines(of: type.memberBlock.members)
      scanner.diagnostics.forEach(context.diagnose)
      let isInherited = protocols.isEmpty && !type.inheritanceClause.names(protocolName)
      let modifiers = [type.accessForMembers, "nonisolated", isInherited ? "override" : nil, "class"].compactMap(\.self)
      return [
        """
        \(raw: modifiers.joined(separator: " ")) var invocableMethods: DynamicInvocation._InvocableMethods {
          \(raw: lines.isEmpty ? "let" : "var") methods = DynamicInvocation._InvocableMethods(of: \(raw: type.name.text).self)
        \(raw: lines.map { "  " + $0 + "\n" }.joined())  return methods
        }
        """
      ]
    }
  }

  /// `@NotInvocable`, a mark that ``InvocableMacro`` looks for.
  package enum NotInvocableMacro: MarkMacro {
    package static let name = "NotInvocable"

    package static func misplacement(
      at declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> (id: String, message: String)? {
      declaration.is(FunctionDeclSyntax.self) ? nil : ("notAMethod", "only methods are excluded by @\(name)")
    }
  }

  /// Generates the code that adds the methods of a class.
  struct MethodScanner: MemberScanner {
    private let type: ClassDeclSyntax
    var known: [String: String] = [:]
    var diagnostics: [Diagnostic] = []

    init(_ type: ClassDeclSyntax) {
      self.type = type
    }

    mutating func lines(of member: DeclSyntax) -> [String] {
      guard let function = member.as(FunctionDeclSyntax.self), function.isCandidate else { return [] }
      // One error for each method: the fix is the same for all of them.
      if let refusal = function.refusal {
        refuse(function, refusal)
        return []
      }
      let name = function.fullName
      guard known.updateValue(name, forKey: name) == nil else {
        refuse(function, Refusal("duplicate", "another method of the class has the selector '\(name)' already", at: function.name))
        return []
      }
      return MethodText(function, of: type).lines
    }

    private mutating func refuse(_ function: FunctionDeclSyntax, _ refusal: Refusal) {
      let fix = FixIt("exclude", "exclude the method with '@\(NotInvocableMacro.name)'", function, by: function.excluded)
      diagnostics.append(
        Diagnostic(
          refusal.name, "'\(function.fullName)' cannot be invoked by selector: \(refusal.reason)", at: refusal.place, fixIts: [fix]))
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
  }
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
      isOnMainActor = function.attributes.has(Self.mainActor) || !isNonisolated && type.attributes.has(Self.mainActor)
    }

    private static let mainActor = "MainActor"
    private static let module = "DynamicInvocation"

    private var parameters: FunctionParameterListSyntax { function.signature.parameterClause.parameters }

    private var isThrowing: Bool { function.signature.effectSpecifiers?.throwsClause.map { !$0.throwsNothing } ?? false }

    /// The statements that add the method.
    var lines: [String] {
      let types = parameters.map { text($0.type) }
      let result = function.signature.returnClause.flatMap { $0.type.isVoid ? nil : text($0.type) }
      let isUnsafeCall = function.attributes.has("unsafe") || (types + [result ?? ""]).contains(where: \.namesUnsafeType)
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
        "  \(StringLiteralExprSyntax(content: function.fullName)),",
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
      return lines
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
      let isUnsafe = function.attributes.has("unsafe") || types.contains(where: \.namesUnsafeType)
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

    /// Returns a type as a text outside of a parameter list.
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
