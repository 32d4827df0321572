#if Macros
  import SwiftSyntax

  extension TypeSyntax {
    /// Whether the text shows that a value may be nil.
    var isOptional: Bool {
      self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) || lastName == "Optional"
    }

    /// The type as the type of a variable: an implicitly unwrapped optional becomes an optional.
    var textOfValue: String {
      self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { $0.wrappedType.trimmedDescription + "?" } ?? trimmedDescription
    }

    /// The specifiers and attributes before the type.
    var marks: Set<String> {
      guard let type = self.as(AttributedTypeSyntax.self) else { return [] }
      return Set(type.specifiers.map(\.trimmedDescription) + type.attributes.map(\.trimmedDescription))
    }
  }

  extension SyntaxProtocol {
    /// Whether the text contains `Self`, the type that conforms to the protocol.
    var mentionsSelf: Bool { tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.Self) } }

    /// Whether the text contains an opaque type (`some`).
    var mentionsSome: Bool { tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.some) } }
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
