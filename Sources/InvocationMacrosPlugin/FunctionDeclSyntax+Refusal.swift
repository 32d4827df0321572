#if Macros
  import SwiftSyntax

  /// Which methods get a thunk.
  extension FunctionDeclSyntax {
    /// Whether the method is one of an object, is not hidden and is not excluded.
    var isCandidate: Bool {
      let hiding: Set<String> = ["static", "class", "private", "fileprivate"]
      return !modifiers.contains { hiding.contains($0.name.text) } && !has(NotInvocableMacro.name) && !isUnavailable
    }

    /// Whether an attribute of a name is on the method.
    func has(_ name: String) -> Bool { attributes.has(name) }

    private var isUnavailable: Bool {
      attributes.contains { element in
        guard case .attribute(let attribute) = element, attribute.attributeName.lastName == "available",
          case .availability(let arguments) = attribute.arguments
        else { return false }
        return arguments.contains { $0.argument.trimmedDescription == "unavailable" }
      }
    }

    /// What keeps the method from having a thunk, in the order of the text.
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
    /// Whether there is an attribute of a name, with its module or without.
    func has(_ name: String) -> Bool {
      contains { element in
        if case .attribute(let attribute) = element { attribute.attributeName.lastName == name } else { false }
      }
    }
  }
#endif
