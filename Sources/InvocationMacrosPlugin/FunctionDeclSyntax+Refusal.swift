#if Macros
  import SwiftSyntax

  /// The rules that determine which methods get a thunk.
  extension FunctionDeclSyntax {
    /// Whether the method is an instance method that is neither private, excluded nor unavailable.
    var isCandidate: Bool {
      let hiding: Set<String> = ["static", "class", "private", "fileprivate"]
      return !modifiers.contains { hiding.contains($0.name.text) } && !has(NotInvocableMacro.name) && !isUnavailable
    }

    /// Returns whether the method has an attribute with a name.
    func has(_ name: String) -> Bool { attributes.has(name) }

    private var isUnavailable: Bool {
      attributes.contains { element in
        guard case .attribute(let attribute) = element, attribute.attributeName.lastName == "available",
          case .availability(let arguments) = attribute.arguments
        else { return false }
        return arguments.contains { $0.argument.trimmedDescription == "unavailable" }
      }
    }

    /// The reasons why the method cannot have a thunk, in source order.
    var refusals: [Refusal] {
      var result: [Refusal] = []
      if let generics = genericParameterClause {
        result.append(Refusal("generic", "it is generic, and C has no generic functions", at: Syntax(generics)))
      }
      for parameter in signature.parameterClause.parameters {
        let name = (parameter.secondName ?? parameter.firstName).text
        if let reason = parameter.refusal {
          result.append(Refusal(reason.name, "the parameter '\(name)' \(reason.text)", at: Syntax(parameter)))
        }
      }
      if let async = signature.effectSpecifiers?.asyncSpecifier {
        result.append(Refusal("async", "it is asynchronous, and a message does not wait", at: Syntax(async)))
      }
      if let type = signature.returnClause?.type, !type.isVoid, let reason = type.refusalOfResult {
        result.append(Refusal(reason.name, "the result \(reason.text)", at: Syntax(type)))
      }
      if let clause = genericWhereClause, genericParameterClause == nil {
        result.append(Refusal("generic", "it is generic, and C has no generic functions", at: Syntax(clause)))
      }
      return result
    }
  }

  extension FunctionParameterSyntax {
    fileprivate var refusal: TypeRefusal? {
      if ellipsis != nil { return TypeRefusal("variadic", "is variadic, and its number of values is not known") }
      return type.refusal
    }
  }

  extension AttributeListSyntax {
    /// Returns whether the list has an attribute with a name, qualified by its module or not.
    func has(_ name: String) -> Bool {
      contains { element in
        if case .attribute(let attribute) = element { attribute.attributeName.lastName == name } else { false }
      }
    }
  }
#endif
