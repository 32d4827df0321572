/// Dispatching.
extension ProtocolDispatcher {
  /// Calls the implementers with the arguments of an invocation, whatever its target and its implementation.
  ///
  /// The invocation then has the result that the policy chose; zero when there is none.
  ///
  /// - Returns: Who answered, and the errors of those who threw.
  /// - Throws: ``InvocationError`` `unrecognizedSelector` for a selector that is none of the protocol's, or null, and
  ///   when nobody responds to a required method; `typeMismatch` when the types are not those of the protocol;
  ///   `argumentNotSet`. What a closure of ``ReturnPolicy/reduce(_:)`` throws, and the error of a value of it that is
  ///   none for the method. Errors of implementers are in the outcome.
  /// - Complexity: That of the calls; see the type.
  @discardableResult
  public func dispatch(_ invocation: Invocation) throws -> DispatchOutcome {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else {
      throw InvocationError(.unrecognizedSelector, "the invocation has no selector")
    }
    guard let entry = entry(of: selector) else { throw unrecognized(selector) }
    try entry.require(invocation.methodSignature)
    try invocation.core.requireArguments()
    return try dispatch(invocation, entry)
  }

  /// Sends a message with boxed arguments.
  ///
  /// - Parameters:
  ///   - selector: A method of the protocol.
  ///   - arguments: The arguments after the target and the selector.
  /// - Returns: The result, ``BoxedValue/null`` of a method without one; nil when nobody responds to an optional
  ///   method.
  /// - Throws: ``InvocationError`` as ``dispatch(_:)`` and ``Invocation/setArguments(boxed:options:)`` do. The first
  ///   error of an implementer.
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

  /// Executes an invocation of this target, if its message is one of the protocol; all arguments are set.
  ///
  /// - Returns: Whether it is.
  func execute(_ invocation: Invocation) throws -> Bool {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else { return false }
    // The plan retains what is called. An implementer may release the last reference to this dispatcher, which is not
    // used from here on.
    let cell = unsafe enterPlan()
    defer { unsafe cell._withUnsafeGuaranteedRef { $0.leave() } }
    let plan = unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot }
    guard let entry = unsafe plan._withUnsafeGuaranteedRef({ unsafe $0.entry(of: selector) }) else { return false }
    return try unsafe entry._withUnsafeGuaranteedRef { entry in
      if entry.isOverridden { return false }
      try entry.require(invocation.methodSignature)
      if entry.isPlain, !invocation.capturesErrno {
        let called = unsafe invocation.withCopiedFrame { frame in
          unsafe entry.callPlainly(frame, targetOffset: invocation.core.targetOffset, invocation.core.kernel, invocation.core.context)
        }
        // If nobody was called, the way below clears the result.
        if called > 0 { return true }
      }
      if let failure = try dispatch(invocation, entry).failures.first { throw failure.error }
      return true
    }
  }

  /// Dispatches a call of the same method that came to a dispatcher whose implementer this is.
  ///
  /// - Returns: Nil when the method is none of the protocol.
  func dispatch(_ method: DispatchProtocol.Method, in frame: DispatchFrame) throws -> DispatchOutcome? {
    guard let entry = entry(of: method.selector) else { return nil }
    try entry.require(method.methodSignature)
    return try entry.call(frame)
  }

  private func dispatch(_ invocation: Invocation, _ entry: MethodDispatchEntry) throws -> DispatchOutcome {
    var outcome = try unsafe invocation.withCopiedFrame { memory in
      try unsafe entry.call(DispatchFrame(memory, invocation.plan, capturesErrno: invocation.capturesErrno))
    }
    if invocation.capturesErrno { invocation.capturedErrno = outcome.capturedErrno }
    invocation.core.keepResult(isRetained: true)
    unsafe outcome.ownedResult = nil
    guard outcome.isEmpty else {
      invocation.core.state.hasResult = outcome.responderCount > 0
      return outcome
    }
    guard !entry.method.isRequired else {
      invocation.core.state.hasResult = false
      throw entry.nobodyResponded()
    }
    return outcome
  }
}

/// A message that comes to a dispatcher by way of another object, or from C by ``Implementation/forwarding(_:)``.
extension ProtocolDispatcher: Forwarding {
  /// Calls the implementers, as a message to the dispatcher itself does.
  public func forwardInvocation(_ invocation: Invocation) throws {
    try invocation.core.requireArguments()
    if try !execute(invocation) {
      throw invocation.selector.map(unrecognized) ?? InvocationError(.unrecognizedSelector, "the selector is null")
    }
  }
}
