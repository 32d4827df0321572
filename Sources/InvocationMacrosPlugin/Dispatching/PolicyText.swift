#if Macros
  import SwiftSyntax

  /// The policy of a requirement as written in `@DispatchPolicy`.
  enum PolicyText {
    case last, first, firstNonNil, anyTrue, allTrue
    /// The text of the implementer's number.
    case only(String)
    case primary(String)
    /// The text of the closure.
    case reduce(String)

    /// Creates the policy that an attribute states, or nil if a dispatcher of a Swift protocol does not support it.
    init?(_ attribute: AttributeSyntax) {
      guard case .argumentList(let arguments) = attribute.arguments, let expression = arguments.first?.expression else { return nil }
      if let member = expression.as(MemberAccessExprSyntax.self) {
        switch member.declName.baseName.text {
        case "last": self = .last
        case "first": self = .first
        case "firstNonNil": self = .firstNonNil
        case "anyTrue": self = .anyTrue
        case "allTrue": self = .allTrue
        default: return nil
        }
        return
      }
      guard let call = expression.as(FunctionCallExprSyntax.self), let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        let argument = call.arguments.first?.expression.trimmedDescription ?? call.trailingClosure?.trimmedDescription
      else { return nil }
      switch member.declName.baseName.text {
      case "only": self = .only(argument)
      case "primary": self = .primary(argument)
      case "reduce": self = .reduce(argument)
      default: return nil
      }
    }

    /// Returns the reason why a requirement cannot have the policy, or nil.
    func refusal(of result: TypeSyntax?) -> String? {
      switch self {
      case .last, .first, .only, .primary: return nil
      case .firstNonNil:
        return result?.isOptional == true ? nil : "the policy 'firstNonNil' is for optional results"
      case .anyTrue, .allTrue:
        return result?.lastName == "Bool" ? nil : "the policies 'anyTrue' and 'allTrue' are for results that are a Bool"
      case .reduce:
        return result == nil ? "the policy 'reduce' is for results, and there is none" : nil
      }
    }

    /// The result of a call without implementers, if the policy determines it.
    var resultOfNobody: String? {
      switch self {
      case .anyTrue: "false"
      case .allTrue: "true"
      default: nil
      }
    }

    /// Returns whether the code compares the numbers of implementers.
    func comparesNumbers(hasResult: Bool) -> Bool {
      switch self {
      case .only: true
      case .primary: hasResult
      default: false
      }
    }

    /// Whether a call without a result ends after the first implementer.
    var endsAtOne: Bool {
      switch self {
      case .first, .only: true
      default: false
      }
    }
  }
#endif
