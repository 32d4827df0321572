#if Macros
  import SwiftSyntax

  /// The reason why a type has no C representation, as far as its text shows.
  ///
  /// The compiler checks the rest.
  struct TypeRefusal {
    let name: String
    let text: String

    init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
  }

  extension TypeSyntax {
    /// The reason why a parameter cannot have the type, or nil.
    var refusal: TypeRefusal? {
      switch Syntax(self).as(SyntaxEnum.self) {
      case .attributedType(let type): return type.refusalOfSpecifier ?? type.baseType.refusal
      case .tupleType(let type):
        guard type.elements.count == 1, let element = type.elements.first else {
          return TypeRefusal("tuple", "is a tuple, which C has not; use a struct")
        }
        return element.type.refusal
      case .optionalType(let type): return type.wrappedType.refusal ?? type.wrappedType.refusalOfOptional
      case .implicitlyUnwrappedOptionalType(let type): return type.wrappedType.refusal ?? type.wrappedType.refusalOfOptional
      case .functionType: return TypeRefusal("closure", "is a closure, which a message cannot carry")
      case .arrayType, .dictionaryType, .inlineArrayType: return .collection
      case .someOrAnyType(let type) where type.someOrAnySpecifier.tokenKind == .keyword(.some):
        return TypeRefusal("generic", "is generic, and C has no generic functions")
      case .someOrAnyType, .compositionType:
        return TypeRefusal("existential", "is of any type of a protocol, which C has not; use a class that is an EncodedObject")
      case .metatypeType: return TypeRefusal("metatype", "is a type, which has no form in C")
      case .packExpansionType, .packElementType: return TypeRefusal("generic", "is generic, and C has no generic functions")
      default: return lastName.flatMap { Self.refusals[$0] }
      }
    }

    /// The reason why a result cannot have the type, or nil.
    var refusalOfResult: TypeRefusal? {
      if let refusal { return refusal }
      return withoutOptional.lastName == "String"
        ? TypeRefusal("text", "is a String, which nobody would free after the caller has read it; return an object") : nil
    }

    /// Whether the type is `Void`.
    var isVoid: Bool {
      if let tuple = self.as(TupleTypeSyntax.self) {
        return tuple.elements.isEmpty || tuple.elements.count == 1 && tuple.elements.first?.type.isVoid == true
      }
      return lastName == "Void"
    }

    /// The type without optionals and parentheses around it.
    private var withoutOptional: TypeSyntax {
      if let type = self.as(OptionalTypeSyntax.self) { return type.wrappedType.withoutOptional }
      if let type = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return type.wrappedType.withoutOptional }
      if let type = self.as(AttributedTypeSyntax.self) { return type.baseType.withoutOptional }
      if let type = self.as(TupleTypeSyntax.self), type.elements.count == 1, let element = type.elements.first {
        return element.type.withoutOptional
      }
      return self
    }

    private var refusalOfOptional: TypeRefusal? {
      if self.is(OptionalTypeSyntax.self) { return TypeRefusal("optional", "is an optional of an optional, which C has not") }
      guard let lastName, Self.scalars.contains(lastName) else { return nil }
      return TypeRefusal("optional", "is an optional \(lastName), and only pointers and objects may be null in C")
    }

    /// Whether the text shows that the type is one of the engine's or of Swift's types that is not a class.
    var isKnownValue: Bool {
      if self.is(FunctionTypeSyntax.self) || self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) { return true }
      guard let name = withoutOptional.lastName else { return false }
      return Self.scalars.contains(name) || ["String", "Any", "Void", "BoxedValue"].contains(name)
    }

    private static let scalars: Set<String> = [
      "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double", "CGFloat", "CInt",
      "Point", "Size", "Rect", "Vector", "IndexRange", "EdgeInsets", "Offset", "Transform2D", "Transform3D",
    ]

    private static let refusals: [String: TypeRefusal] = {
      let existential = TypeRefusal("existential", "may be anything, which has no form in C; use a class that is an EncodedObject")
      let text = TypeRefusal("text", "is a text that C has not; use String")
      let large = TypeRefusal("largeInteger", "is an integer of 128 bits, for which Swift does not know how C passes it")
      var result = ["Any": existential, "AnyObject": existential, "AnyHashable": existential, "Error": existential]
      for name in ["Array", "ArraySlice", "ContiguousArray", "Dictionary", "Set", "InlineArray", "Span"] { result[name] = .collection }
      for name in ["Character", "Substring", "StaticString"] { result[name] = text }
      for name in ["Int128", "UInt128"] { result[name] = large }
      result["Void"] = TypeRefusal("tuple", "is nothing, which C cannot pass")
      result["AnyClass"] = TypeRefusal("metatype", "is a type, which has no form in C")
      return result
    }()
  }

  extension TypeRefusal {
    fileprivate static let collection = TypeRefusal("collection", "is a collection, which C has not; use a pointer, or a class")
  }

  extension AttributedTypeSyntax {
    /// The reason why a parameter cannot have its specifiers, such as `inout`, `isolated` and `sending`, or nil.
    fileprivate var refusalOfSpecifier: TypeRefusal? {
      for specifier in specifiers {
        switch specifier.trimmedDescription {
        case "inout": return TypeRefusal("inout", "is inout, and a message only carries values; use a pointer")
        case "isolated": return TypeRefusal("isolated", "is an actor to run on, and a message does not wait")
        case "sending": return TypeRefusal("sending", "is sent, and nobody knows who else holds what a message carries")
        default: continue
        }
      }
      return nil
    }
  }

  /// The rules that determine which methods get a thunk.
  extension FunctionDeclSyntax {
    /// Whether the method is an instance method that is neither private, excluded nor unavailable.
    var isCandidate: Bool {
      let hiding: Set<String> = ["static", "class", "private", "fileprivate"]
      return !modifiers.contains { hiding.contains($0.name.text) } && !attributes.has(NotInvocableMacro.name) && !isUnavailable
    }

    private var isUnavailable: Bool {
      attributes.contains { element in
        guard case .attribute(let attribute) = element, attribute.attributeName.lastName == "available",
          case .availability(let arguments) = attribute.arguments
        else { return false }
        return arguments.contains { $0.argument.trimmedDescription == "unavailable" }
      }
    }

    /// The first reason in the source why the method cannot have a thunk, or nil.
    var refusal: Refusal? {
      let generic = "it is generic, and C has no generic functions"
      if let generics = genericParameterClause { return Refusal("generic", generic, at: generics) }
      for parameter in signature.parameterClause.parameters {
        let variadic = TypeRefusal("variadic", "is variadic, and its number of values is not known")
        guard let reason = parameter.ellipsis == nil ? parameter.type.refusal : variadic else { continue }
        let name = (parameter.secondName ?? parameter.firstName).text
        return Refusal(reason.name, "the parameter '\(name)' \(reason.text)", at: parameter)
      }
      if let async = signature.effectSpecifiers?.asyncSpecifier {
        return Refusal("async", "it is asynchronous, and a message does not wait", at: async)
      }
      if let type = signature.returnClause?.type, !type.isVoid, let reason = type.refusalOfResult {
        return Refusal(reason.name, "the result \(reason.text)", at: type)
      }
      return genericWhereClause.map { Refusal("generic", generic, at: $0) }
    }
  }
#endif
