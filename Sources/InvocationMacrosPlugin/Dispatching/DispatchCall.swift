#if Macros
  import SwiftSyntax

  /// The code that calls one requirement of a protocol on each implementer in order.
  struct DispatchCall {
    /// The call on `implementer`, without `try` and `await`.
    let call: String
    /// The full name of the requirement, for messages.
    let name: String
    let result: TypeSyntax?
    /// The type of the thrown errors, or nil.
    let failure: String?
    let isAsync: Bool
    /// Whether the call is unsafe under strict memory safety.
    let isUnsafe: Bool
    let policy: PolicyText
    /// The declared result for a call without implementers, if any.
    let ownDefault: String?

    /// The result of a call without implementers, or nil if that is an error.
    private var defaultResult: String? {
      ownDefault ?? policy.resultOfNobody ?? (result?.isOptional == true ? "nil" : nil)
    }

    /// Whether the call ends the program if there are no implementers, because it has neither a result to return nor an
    /// error to throw.
    var mayTrap: Bool { result != nil && defaultResult == nil && !throwsInvocationErrors }

    private var throwsInvocationErrors: Bool {
      failure.map { ["any Error", "any Swift.Error", "InvocationError", "DynamicInvocation.InvocationError"].contains($0) } ?? false
    }

    private var effectfulCall: String {
      (failure == nil ? "" : "try ") + (isAsync ? "await " : "") + (isUnsafe ? "unsafe " : "") + call
    }

    /// The `unsafe` marker if strict memory safety considers the type of the result unsafe, otherwise an empty text.
    private var readsUnsafely: String { result?.trimmedDescription.namesUnsafeType == true ? "unsafe " : "" }

    /// The lines of the statements.
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

    /// The statements for one implementer.
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
