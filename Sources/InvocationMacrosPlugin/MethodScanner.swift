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
