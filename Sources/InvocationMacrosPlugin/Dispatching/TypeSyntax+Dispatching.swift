#if Macros
  import SwiftSyntax

  extension TypeSyntax {
    /// Whether a value may be nil, as can be seen from the text.
    var isOptional: Bool {
      self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) || lastName == "Optional"
    }

    /// The type as that of a variable: what may be unwrapped by itself is an optional.
    var textOfValue: String {
      self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { $0.wrappedType.trimmedDescription + "?" } ?? trimmedDescription
    }

    /// The specifiers and attributes before a type.
    var marks: Set<String> {
      guard let type = self.as(AttributedTypeSyntax.self) else { return [] }
      return Set(type.specifiers.map(\.trimmedDescription) + type.attributes.map(\.trimmedDescription))
    }
  }

  extension SyntaxProtocol {
    /// Whether the text names the type that carries out a protocol.
    var mentionsSelf: Bool { tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.Self) } }

    /// Whether the text has a parameter or a result of a type that the caller chooses.
    var mentionsSome: Bool { tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.some) } }
  }

  extension String {
    /// Whether the text of a type names one that strict memory safety counts as unsafe.
    var namesUnsafeType: Bool { contains("Unsafe") || contains("OpaquePointer") || contains("Unmanaged") }
  }

  extension TokenSyntax {
    /// The name without backticks.
    var plainName: String { identifier?.name ?? text }

    /// What is written before an argument: nearly every keyword stands there without backticks.
    var label: String {
      let name = plainName
      let isPlain = !["inout", "let", "var"].contains(name) && name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
      return name == "_" ? "" : isPlain ? "\(name): " : "\(text): "
    }
  }
#endif
