#if Macros
  import SwiftSyntax

  /// The code that calls one requirement of a protocol for the implementers in turn.
  struct DispatchCall {
    /// The call of `implementer`, without `try` and `await`.
    let call: String
    /// The full name, for messages.
    let name: String
    let result: TypeSyntax?
    /// The type of the errors, or nil.
    let failure: String?
    let isAsync: Bool
    /// Whether strict memory safety counts the call as unsafe.
    let isUnsafe: Bool
    let policy: PolicyText
    /// The result when nobody is there, as stated.
    let ownDefault: String?

    /// The result when nobody is there, or nil when that is an error.
    private var defaultResult: String? {
      ownDefault ?? policy.resultOfNobody ?? (result?.isOptional == true ? "nil" : nil)
    }

    /// Whether the call has nothing to return when nobody is there, and can only end the program.
    var mayTrap: Bool { result != nil && defaultResult == nil && !throwsInvocationErrors }

    private var throwsInvocationErrors: Bool {
      failure.map { ["any Error", "any Swift.Error", "InvocationError", "DynamicInvocation.InvocationError"].contains($0) } ?? false
    }

    private var effectfulCall: String {
      (failure == nil ? "" : "try ") + (isAsync ? "await " : "") + (isUnsafe ? "unsafe " : "") + call
    }

    /// Whether the result itself is of a type that strict memory safety counts as unsafe.
    private var readsUnsafely: String { result?.trimmedDescription.namesUnsafeType == true ? "unsafe " : "" }

    /// The statements, in lines.
    var lines: [String] {
      var lines: [String] = []
      if let result { lines.append("var result: (\(result.textOfValue))? = nil") }
      if let failure { lines.append("var failure: (\(failure))? = nil") }
      if let result, case .reduce(let closure) = policy {
        let type = result.textOfValue
        lines.append(
          "let combine: ((\(type))?, \(type)) -> DynamicInvocation.ReturnPolicy<\(type)>.Reduction = \(closure)")
      }
      lines.append(
        "calls: for (implementer, \(policy.comparesNumbers(hasResult: result != nil) ? "number" : "_")) in self.implementerList.inTurn {")
      if case .only(let number) = policy { lines.append("  guard number == \(number) else { continue }") }
      if let failure {
        lines.append(failure == "any Error" ? "  do {" : "  do throws(\(failure)) {")
        lines += step.map { "    " + $0 }
        lines.append("  } catch {")
        lines.append("    failure = failure ?? error")
        if policy.endsAtOne { lines.append("    break calls") }
        lines.append("  }")
      } else {
        lines += step.map { "  " + $0 }
      }
      lines.append("}")
      if failure != nil { lines.append("if let failure { throw failure }") }
      if result != nil {
        lines.append("guard let result = \(readsUnsafely)result else {")
        lines.append("  \(whenNobodyAnswers)")
        lines.append("}")
        lines.append("return \(readsUnsafely)result")
      }
      return lines
    }

    /// What is done with one implementer.
    private var step: [String] {
      guard result != nil else { return policy.endsAtOne ? [effectfulCall, "break calls"] : [effectfulCall] }
      let next = "let next = \(effectfulCall)"
      switch policy {
      case .last: return ["\(readsUnsafely)result = \(effectfulCall)"]
      case .first, .only: return ["\(readsUnsafely)result = \(effectfulCall)", "break calls"]
      case .firstNonNil: return [next, "\(readsUnsafely)result = next", "if \(readsUnsafely)next != nil { break calls }"]
      case .anyTrue: return [next, "result = next", "if next { break calls }"]
      case .allTrue: return [next, "result = next", "if !next { break calls }"]
      case .primary(let number): return [next, "if number == \(number) { \(readsUnsafely)result = next }"]
      case .reduce:
        return [
          next, "switch \(readsUnsafely)combine(result, next) {", "case .next(let value): \(readsUnsafely)result = value",
          "case .end(let value):", "  \(readsUnsafely)result = value", "  break calls", "}",
        ]
      }
    }

    private var whenNobodyAnswers: String {
      if let defaultResult { return "return \(defaultResult)" }
      let reason = "nobody is there to answer '\(name)'"
      return throwsInvocationErrors
        ? "throw DynamicInvocation.InvocationError(.unrecognizedSelector, \"\(reason)\")" : "Swift.fatalError(\"\(reason)\")"
    }
  }
#endif
