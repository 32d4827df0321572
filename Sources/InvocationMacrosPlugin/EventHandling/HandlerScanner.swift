#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// Visits the members of a class, generates the code that registers its marked methods, and collects diagnostics.
  struct HandlerScanner {
    private let type: ClassDeclSyntax
    private(set) var diagnostics: [Diagnostic] = []
    /// The keys found so far, each with the name of its method.
    private var keys: [String: String] = [:]

    init(_ type: ClassDeclSyntax) {
      self.type = type
    }

    /// Returns the lines that register the methods among the members.
    mutating func lines(of members: MemberBlockItemListSyntax) -> [String] {
      var lines: [String] = []
      for member in members {
        if let function = member.decl.as(FunctionDeclSyntax.self) {
          lines += self.lines(of: function)
        } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
          lines += self.lines(of: conditional)
        }
      }
      return lines
    }

    /// Returns the lines for conditionally compiled members, under the same conditions.
    private mutating func lines(of conditional: IfConfigDeclSyntax) -> [String] {
      var lines: [String] = []
      let before = keys
      var all = keys
      for clause in conditional.clauses {
        guard case .decls(let members) = clause.elements else { continue }
        // Only one of the clauses is compiled, so a key may occur once in each.
        keys = before
        let inner = self.lines(of: members)
        lines.append(clause.poundKeyword.trimmedDescription + (clause.condition.map { " " + $0.trimmedDescription } ?? ""))
        lines += inner
        all.merge(keys) { former, _ in former }
      }
      keys = all
      // Conditions without any registrations are omitted.
      return lines.allSatisfy { $0.hasPrefix("#") } ? [] : lines + ["#endif"]
    }

    private mutating func lines(of function: FunctionDeclSyntax) -> [String] {
      let marks = function.attributes.compactMap { $0.as(AttributeSyntax.self) }
        .filter { $0.attributeName.lastName == EventHandlerMacro.name }
      guard !marks.isEmpty else { return [] }
      let method = MethodText(function, of: type)
      if let refusal = function.refusalOfHandler {
        refuse(refusal.name, "'\(method.fullName)' cannot handle events: \(refusal.reason)", at: refusal.place)
        return []
      }
      var lines: [String] = []
      for mark in marks {
        guard case .argumentList(let arguments) = mark.arguments, !arguments.isEmpty else {
          refuse("noKey", "'\(method.fullName)' is marked with no key", at: mark)
          continue
        }
        for key in arguments.map(\.expression) {
          if let former = keys.updateValue(method.fullName, forKey: key.trimmedDescription) {
            diagnostics.append(
              Diagnostic(
                node: key,
                message: MacroMessage(
                  "duplicateKey", "the class handles \(key.trimmedDescription) with '\(former)' already", severity: .warning)))
          }
          lines += method.registration(of: key.trimmedDescription)
        }
      }
      return lines
    }

    private mutating func refuse(_ name: String, _ message: String, at place: some SyntaxProtocol) {
      diagnostics.append(Diagnostic(node: place, message: MacroMessage(name, message)))
    }
  }

  extension FunctionDeclSyntax {
    /// The reason why the method cannot be registered as a handler, or nil.
    fileprivate var refusalOfHandler: Refusal? {
      if let modifier = modifiers.first(where: { ["static", "class"].contains($0.name.text) }) {
        return Refusal("static", "it is a method of the class, and events come to an object", at: Syntax(modifier))
      }
      if let generics = genericParameterClause.map(Syntax.init) ?? genericWhereClause.map(Syntax.init) {
        return Refusal("generic", "it is generic, and the types of an event are known", at: generics)
      }
      let parameters = signature.parameterClause.parameters
      guard let source = parameters.first else {
        return Refusal(
          "noSource", "it takes no source; add a first parameter for the object that sends", at: Syntax(signature.parameterClause))
      }
      for parameter in parameters {
        let name = (parameter.secondName ?? parameter.firstName).text
        if parameter.type.marks.contains("inout") {
          return Refusal("inout", "the parameter '\(name)' is inout, and an event only carries values", at: Syntax(parameter))
        }
        if parameter.ellipsis != nil {
          return Refusal("variadic", "the parameter '\(name)' is variadic, and its number of values is not known", at: Syntax(parameter))
        }
        if parameter.type.mentionsSome {
          return Refusal("generic", "it is generic, and the types of an event are known", at: Syntax(parameter))
        }
      }
      if source.type.isKnownValue {
        return Refusal("noSource", "its first parameter is the source, which is an object", at: Syntax(source))
      }
      if parameters.count > 9 {
        return Refusal("arguments", "it takes more than eight arguments after the source", at: Syntax(signature.parameterClause))
      }
      if let async = signature.effectSpecifiers?.asyncSpecifier {
        return Refusal("async", "it is asynchronous, and an event does not wait", at: Syntax(async))
      }
      return nil
    }
  }
#endif
