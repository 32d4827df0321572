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
      let declared = ["target: \(type)"] + zip(names, types).map { "\($0): \($1)" }
      let arguments = zip(parameters, names).map { $0.firstName.label + $1 }.joined(separator: ", ")
      let call = "target.\(function.name.text)(\(arguments))"
      let closure = "{ (\(declared.joined(separator: ", "))) in"
      return [
        "do throws(\(Self.module).InvocationError) {",
        "  registrations.append(",
        "    \(isUnsafe ? "try unsafe" : "try") proxy.register(\(key), target: self, options: options) \(closure)",
        "      \(isThrowing ? "try " : "")\(isUnsafe ? "unsafe " : "")\(call)",
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
