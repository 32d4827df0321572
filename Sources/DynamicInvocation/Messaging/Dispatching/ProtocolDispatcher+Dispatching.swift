/// Dispatching of messages.
extension ProtocolDispatcher {
  /// Calls the implementers with the arguments of an invocation.
  ///
  /// The invocation's target and implementation are ignored.
  ///
  /// The result of the invocation is then the one that the policy selected, or zero if there is no result.
  ///
  /// - Returns: The implementers that returned, and the errors of those that threw.
  /// - Throws: `InvocationError` `unrecognizedSelector` for a selector that is null or not one of the protocol's, and
  ///   if no implementer responds to a required method; `typeMismatch` if the types are not those of the protocol;
  ///   `argumentNotSet`. What a closure of ``ReturnPolicy/reduce(_:)`` throws, and the error if its value cannot be
  ///   converted to the method's return type. Errors of implementers are in the outcome.
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
  /// - Returns: The result, or ``BoxedValue/null`` for a method without a result; nil if no implementer responds to an
  ///   optional method.
  /// - Throws: `InvocationError` as ``dispatch(_:)`` and ``Invocation/setArguments(boxed:options:)`` do, and the
  ///   first error of an implementer.
  /// - Complexity: Allocates an invocation.
  @discardableResult
  public func send(_ selector: MethodSelector, _ arguments: [BoxedValue] = []) throws -> BoxedValue? {
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

  /// Executes an invocation whose target is this dispatcher, if its message is a method of the protocol.
  ///
  /// All arguments must be set.
  ///
  /// - Returns: Whether the message is a method of the protocol and was executed.
  func execute(_ invocation: Invocation) throws -> Bool {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else { return false }
    // The plan retains the objects that the call uses. An implementer may release the last reference to this
    // dispatcher, so `self` is not used from here on.
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
        // If no responder was called, the path below clears the result.
        if called > 0 {
          unsafe invocation.methodCache.keep(.passUnretained(entry), isCalling: invocation.core.state.runningCalls > 0)
          return true
        }
      }
      if let failure = try dispatch(invocation, entry).failures.first { throw failure.error }
      return true
    }
  }

  /// Dispatches a call of the same method by a dispatcher that has this one as an implementer.
  ///
  /// - Returns: The outcome, or nil if the protocol does not have the method.
  func dispatch(_ method: DispatchProtocol.Method, in frame: DispatchFrame) throws -> DispatchOutcome? {
    guard let entry = entry(of: method.selector) else { return nil }
    try entry.require(method.methodSignature)
    return try entry.call(frame)
  }

  private func dispatch(_ invocation: Invocation, _ entry: MethodDispatchEntry) throws -> DispatchOutcome {
    var outcome = try unsafe invocation.withCopiedFrame { memory in
      try unsafe entry.call(
        DispatchFrame(
          memory, invocation.plan, capturesErrno: invocation.capturesErrno, sent: Unmanaged.passUnretained(invocation).toOpaque()))
    }
    if invocation.capturesErrno { invocation.capturedErrno = outcome.capturedErrno }
    // The invocation has taken it over.
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

/// Messages that reach a dispatcher through another object, or from C through ``Implementation/forwarding(_:)``.
extension ProtocolDispatcher: Forwarding {
  /// Calls the implementers, as a message to the dispatcher itself does.
  ///
  /// - Throws: The errors of a message to the dispatcher.
  public func forwardInvocation(_ invocation: Invocation) throws {
    try invocation.core.requireArguments()
    if try !execute(invocation) {
      throw invocation.selector.map(unrecognized) ?? InvocationError(.unrecognizedSelector, "the selector is null")
    }
  }
}
