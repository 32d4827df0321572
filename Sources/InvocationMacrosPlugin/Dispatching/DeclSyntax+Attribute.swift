#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  extension DeclSyntaxProtocol {
    /// Returns the declaration with an attribute added before it.
    func with(attribute: String) -> DeclSyntax {
      DeclSyntax("\(leadingTrivia)\(raw: attribute) \(with(\.leadingTrivia, []))")
    }
  }

  extension AttributeListSyntax {
    /// Returns the first attribute with a name, qualified by its module or not.
    func first(named name: String) -> AttributeSyntax? {
      for case .attribute(let attribute) in self where attribute.attributeName.lastName == name { return attribute }
      return nil
    }
  }
#endif
