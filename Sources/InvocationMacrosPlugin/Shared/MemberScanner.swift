#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// Visits the members of a declaration, and generates lines of code for them.
  protocol MemberScanner {
    /// What was found so far and must be found once only, each with the name of its method.
    var known: [String: String] { get set }
    var diagnostics: [Diagnostic] { get set }

    /// Returns the lines for a member.
    mutating func lines(of member: DeclSyntax) -> [String]
  }

  extension MemberScanner {
    /// Returns the lines for members; those for conditionally compiled ones are under the same conditions.
    mutating func lines(of members: MemberBlockItemListSyntax) -> [String] {
      var lines: [String] = []
      for member in members { lines += member.decl.as(IfConfigDeclSyntax.self).map { self.lines(of: $0) } ?? self.lines(of: member.decl) }
      return lines
    }

    private mutating func lines(of conditional: IfConfigDeclSyntax) -> [String] {
      var lines: [String] = []
      var hasMembers = false
      let before = known
      var all = known
      for clause in conditional.clauses {
        // Only one of the clauses is compiled, so that each may contain the same once.
        known = before
        lines.append(clause.poundKeyword.trimmedDescription + (clause.condition.map { " " + $0.trimmedDescription } ?? ""))
        guard case .decls(let members) = clause.elements else { continue }
        let inner = self.lines(of: members)
        hasMembers = hasMembers || !inner.isEmpty
        lines += inner.map { $0.isEmpty ? "" : "  " + $0 }
        all.merge(known) { first, _ in first }
      }
      known = all
      return hasMembers ? lines + ["#endif"] : []
    }
  }

  extension FunctionDeclSyntax {
    /// The full name as Swift prints it: with labels, and an underscore for a parameter without a label.
    var fullName: String {
      name.plainName + "(" + signature.parameterClause.parameters.map { $0.firstName.plainName + ":" }.joined() + ")"
    }
  }

  extension AttributeListSyntax {
    /// Returns the first attribute with a name, qualified by its module or not.
    func first(named name: String) -> AttributeSyntax? {
      lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.attributeName.lastName == name }
    }

    /// Returns whether the list has an attribute with a name, qualified by its module or not.
    func has(_ name: String) -> Bool { first(named: name) != nil }

    /// The attribute of a global actor, recognized by its name.
    var globalActor: String? {
      lazy.compactMap { $0.as(AttributeSyntax.self) }
        .first { $0.arguments == nil && $0.attributeName.lastName?.hasSuffix("Actor") == true }?.trimmedDescription
    }
  }

  extension InheritanceClauseSyntax? {
    /// Returns whether the clause itself names a protocol.
    func names(_ name: String) -> Bool { self?.inheritedTypes.contains { $0.type.lastName == name } ?? false }
  }

  extension TypeSyntax {
    /// The name of the type without the module or the enclosing type, or nil for a type without a name.
    var lastName: String? { self.as(IdentifierTypeSyntax.self)?.name.text ?? self.as(MemberTypeSyntax.self)?.name.text }

    /// The specifiers and attributes before the type.
    var marks: Set<String> {
      guard let type = self.as(AttributedTypeSyntax.self) else { return [] }
      return Set(type.specifiers.map(\.trimmedDescription) + type.attributes.map(\.trimmedDescription))
    }
  }

  extension SyntaxProtocol {
    /// Returns whether the text contains a keyword: `Self`, or `some` of an opaque type.
    func mentions(_ keyword: Keyword) -> Bool { tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(keyword) } }
  }

  extension String {
    /// Whether the text of a type names a type that strict memory safety considers unsafe.
    var namesUnsafeType: Bool { contains("Unsafe") || contains("OpaquePointer") || contains("Unmanaged") }
  }

  extension TokenSyntax {
    /// The name without backticks.
    var plainName: String { identifier?.name ?? text }

    /// The label of an argument with its colon.
    ///
    /// Almost every keyword is allowed there without backticks.
    var label: String {
      let name = plainName
      let isPlain = !["inout", "let", "var"].contains(name) && name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
      return name == "_" ? "" : isPlain ? "\(name): " : "\(text): "
    }
  }
#endif
