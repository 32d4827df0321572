/// Dispatching.
extension ProtocolDispatcher {
  /// Calls the implementers with the arguments of an invocation, whatever its target and its implementation.
  ///
  /// The invocation then has the result that the policy chose; zero when there is none.
  ///
  /// - Returns: Who answered, and the errors of those who threw.
  /// - Throws: ``InvocationError`` `unrecognizedSelector` for a selector that is none of the protocol's, or null, and when nobody responds
  ///   to a required method; `typeMismatch` when the types are not those of the protocol; `argumentNotSet`. What a closure of
  ///   ``ReturnPolicy/reduce(_:)`` throws, and the error of a value of it that is none for the method. Errors of implementers are in the
  ///   outcome.
  /// - Complexity: That of the calls; see the type.
  @discardableResult
  public func dispatch(_ invocation: Invocation) throws -> DispatchOutcome {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else {
      throw InvocationError(.unrecognizedSelector, "the invocation has no selector")
    }
    guard let row = row(of: selector) else { throw unrecognized(selector) }
    try row.require(invocation.methodSignature)
    try invocation.core.requireArguments()
    return try dispatch(invocation, row)
  }

  /// Sends a message with boxed arguments.
  ///
  /// - Parameters:
  ///   - selector: A method of the protocol.
  ///   - arguments: The arguments after the target and the selector.
  /// - Returns: The result, ``BoxedValue/null`` of a method without one; nil when nobody responds to an optional method.
  /// - Throws: ``InvocationError`` as ``dispatch(_:)`` and ``Invocation/setArguments(boxed:options:)`` do. The first error of an
  ///   implementer.
  /// - Complexity: Allocates an invocation.
  @discardableResult
  public func send(_ selector: Selector, _ arguments: [BoxedValue] = []) throws -> BoxedValue? {
    guard let method = dispatchProtocol.method(for: selector) else { throw unrecognized(selector) }
    let invocation = Invocation(method.methodSignature)
    invocation.selector = selector
    try invocation.setArguments(boxed: arguments)
    let outcome = try dispatch(invocation)
    if let failure = outcome.failures.first { throw failure.error }
    // A nil in a conditional expression would be a boxed null.
    guard outcome.responderCount > 0 else { return nil }
    return try invocation.boxedReturnValue()
  }

  /// Carries out an invocation whose target this is and whose arguments are all set, if the message is one of the protocol.
  ///
  /// - Returns: Whether it is.
  func carryOut(_ invocation: Invocation) throws -> Bool {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else { return false }
    // The plan keeps what is called, even when an implementer drops the last reference to this dispatcher, which is not used from there on.
    let cell = unsafe enterPlan()
    defer { unsafe cell._withUnsafeGuaranteedRef { $0.leave() } }
    let found = unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot._withUnsafeGuaranteedRef { unsafe $0.row(of: selector) } }
    guard let row = unsafe found else { return false }
    return try unsafe row._withUnsafeGuaranteedRef { row in
      if row.isOverridden { return false }
      try row.require(invocation.methodSignature)
      if row.isPlain, !invocation.capturesErrno {
        let called = unsafe invocation.withCopiedFrame { frame in
          unsafe row.callPlainly(frame, targetOffset: invocation.core.targetOffset, invocation.core.kernel, invocation.core.context)
        }
        // A result that nobody wrote is cleared by the other way.
        if called > 0 { return true }
      }
      if let failure = try dispatch(invocation, row).failures.first { throw failure.error }
      return true
    }
  }

  /// Dispatches a call of the same method that came to a dispatcher whose implementer this is.
  ///
  /// - Returns: Nil when the method is none of the protocol.
  func dispatch(_ method: DispatchProtocol.Method, in frame: DispatchFrame) throws -> DispatchOutcome? {
    guard let row = row(of: method.selector) else { return nil }
    try row.require(method.methodSignature)
    return try row.call(frame)
  }

  private func dispatch(_ invocation: Invocation, _ row: DispatchRow) throws -> DispatchOutcome {
    var outcome = try unsafe invocation.withCopiedFrame { memory in
      try unsafe row.call(DispatchFrame(memory, invocation.plan, capturesErrno: invocation.capturesErrno))
    }
    if invocation.capturesErrno { invocation.capturedErrno = outcome.capturedErrno }
    invocation.core.keepResult(isRetained: true)
    unsafe outcome.ownedResult = nil
    guard outcome.isEmpty else {
      invocation.core.state.hasResult = outcome.responderCount > 0
      return outcome
    }
    guard !row.method.isRequired else {
      invocation.core.state.hasResult = false
      throw row.nobodyResponded()
    }
    return outcome
  }
}
