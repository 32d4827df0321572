#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  extension DeclSyntaxProtocol {
    /// The declaration with another attribute before it.
    func with(attribute: String) -> DeclSyntax {
      DeclSyntax("\(leadingTrivia)\(raw: attribute) \(with(\.leadingTrivia, []))")
    }
  }

  extension AttributeListSyntax {
    /// The first attribute of a name, with its module or without.
    func first(named name: String) -> AttributeSyntax? {
      for case .attribute(let attribute) in self where attribute.attributeName.lastName == name { return attribute }
      return nil
    }
  }
#endif
