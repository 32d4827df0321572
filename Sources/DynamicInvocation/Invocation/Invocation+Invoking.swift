extension Invocation {
  /// The object that the message goes to, argument 0; nil, as at first, makes ``invoke()`` call nothing.
  ///
  /// Of type `#` it is a class. Traps when the signature is that of a plain function, which has no target.
  public var target: AnyObject? {
    get {
      precondition(core.targetOffset >= 0, "an invocation of a plain function has no target")
      defer { keepAlive() }
      return core.target
    }
    @inlinable
    set {
      precondition(core.targetOffset >= 0, "an invocation of a plain function has no target")
      defer { keepAlive() }
      if unsafe core.slots[0].kind == .object && !core.state.retainsObjects && !core.state.mayOwn {
        let address = unsafe newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        return unsafe core.slots[0].write(word: UInt64(UInt(bitPattern: address)), to: core.frame)
      }
      do {
        try setArgument(newValue, at: 0)
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  /// The name of the message, argument 1; nil until it is set.
  ///
  /// Traps when the signature is that of a plain function, which has no selector.
  public var selector: Selector? {
    get {
      precondition(methodSignature.isMethod, "an invocation of a plain function has no selector")
      defer { keepAlive() }
      return core.selector
    }
    @inlinable
    set {
      precondition(core.targetOffset >= 0, "an invocation of a plain function has no selector")
      defer { keepAlive() }
      unsafe core.slots[1].write(word: newValue.map { UInt64(UInt(bitPattern: unsafe $0.pointer)) } ?? 0, to: core.frame)
      if newValue != nil { core.markSet(1) } else { core.state.setMask &= ~2 }
    }
  }

  /// Calls the implementation of the selector in the ``MethodTable`` of the target's class, or ``implementation`` when there is one.
  ///
  /// A target whose class has no such method is asked itself, if it is ``Invocable``, and may send the message on, if it is ``Forwarding``. A
  /// method's nil target is not called: the result is zero, whatever else is set.
  ///
  /// - Throws: What a method throws that is a Swift closure, and what the one throws that the message is forwarded to. ``InvocationError``
  ///   `argumentNotSet`; `unrecognizedSelector` with the class, the selector and the nearest ones; `forwardingCycle`; `typeMismatch` when
  ///   the types of the method found are not those of ``methodSignature``; `noImplementation` for a plain function, or a class as target that is
  ///   no ``Invocable``.
  /// - Complexity: The call, and a few comparisons when selector and class of the target are those of the last time; else a look into the
  ///   table. Nothing is allocated.
  public func invoke() throws {
    defer { keepAlive() }
    if core.state.setMask == core.state.fastPathMask, implementation == nil, let code = unsafe cachedCode {
      // The method stays alive: the cache is not filled anew while a call by it is running.
      core.beginCall()
      if methodCache.mayThrow {
        defer { core.endCall() }
        core.state.hasResult = false
        try ErrorPlace.rethrow { unsafe core.kernel(core.frame, code, core.context) }
      } else {
        unsafe core.kernel(core.frame, code, core.context)
        core.endCall()
      }
      core.state.hasResult = true
    } else {
      try invokeWithChecks()
    }
  }

  private func invokeWithChecks() throws {
    if implementation == nil, unsafe methodCache.forwarder != nil, try forwardsQuickly() { return }
    if methodSignature.isMethod {
      guard core.hasTarget else { return core.setZeroResult() }
      try core.requireArguments()
      if let implementation { return try core.performWithChecks(implementation) }
      if try dispatchToImplementers() { return }
      guard let target else { return }
      // Read before the tables, as by ``MethodTable/lookUp(_:)``.
      let epoch = MethodTable.epoch
      if let implementation = try implementation(of: target) { return try core.perform(implementation) }
      try forward(target, epoch: epoch)
    } else {
      try core.requireArguments()
      guard let implementation else {
        throw core.named(InvocationError(.noImplementation, "an invocation of a plain function needs an implementation"))
      }
      try core.performWithChecks(implementation)
    }
  }

  /// Sets the target and invokes.
  ///
  /// - Throws: ``InvocationError`` as ``invoke()`` does, and `noImplementation` for the signature of a plain function.
  public func invoke(with target: AnyObject?) throws {
    guard methodSignature.isMethod else {
      throw InvocationError(.noImplementation, "a plain function has no target")
    }
    try setArgument(target, at: 0)
    try invoke()
  }

  /// Calls an implementation with the arguments, without asking the target.
  ///
  /// A method's nil target is not called: the result is zero.
  ///
  /// - Parameter implementation: The code. Whoever made it of an address without saying its types has promised that this call is of them.
  /// - Throws: ``InvocationError`` `argumentNotSet`; `typeMismatch` when the types of the implementation are known and not those of
  ///   ``methodSignature``, or it is a method of another class than the target's; what the implementation throws if it is a Swift closure.
  /// - Complexity: The call; nothing is allocated.
  @inlinable
  public func invoke(using implementation: Implementation) throws {
    defer { keepAlive() }
    try core.invoke(using: implementation)
  }

  /// Calls code as a plain function, whatever the signature: a null target is passed on like any other argument.
  ///
  /// - Parameter implementation: The code, as for ``invoke(using:)``. A method made from a Swift closure that throws an error traps, as when
  ///   C calls it.
  ///
  /// - Throws: ``InvocationError`` `argumentNotSet`, and `typeMismatch` as ``invoke(using:)`` does.
  /// - Complexity: The call; nothing is allocated.
  public func call(_ implementation: Implementation) throws(InvocationError) {
    defer { keepAlive() }
    try core.requireArguments()
    try core.require(implementation)
    core.releaseResult()
    core.execute(implementation)
    core.keepResult(isRetained: implementation.returnsRetained)
  }
}

extension Invocation {
  /// Invokes after a delay, on the actor of the caller.
  ///
  ///     try await invocation.invoke(after: .seconds(1))
  ///
  /// The invocation does not leave the caller's isolation, so its target and arguments need not be Sendable. Others may use the invocation
  /// during the delay: the arguments are those at its end.
  ///
  /// - Parameters:
  ///   - delay: How long to wait.
  ///   - clock: What measures the delay.
  ///   - isolation: The actor of the caller, to be left as it is.
  /// - Throws: `CancellationError`, without a call, when the task is cancelled before the end of the delay; what ``invoke()`` throws.
  public func invoke<ClockType: Clock>(
    after delay: ClockType.Duration, clock: ClockType = ContinuousClock(), isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await clock.sleep(until: clock.now.advanced(by: delay), tolerance: nil)
    try Task.checkCancellation()
    try invoke()
  }
}
