#if Macros
  import SwiftSyntax

  extension ClassDeclSyntax {
    /// The access level that a member needs to carry out a requirement, or to be overridden where the class is subclassed; nil for the default.
    var accessForMembers: String? {
      modifiers.lazy.map(\.name.text).first { ["open", "public", "package"].contains($0) }
    }

    /// Whether the class itself names a protocol.
    func inherits(_ name: String) -> Bool {
      inheritanceClause?.inheritedTypes.contains { $0.type.lastName == name } ?? false
    }
  }
#endif
