extension Invocation {
  /// The receiver of the message, argument 0.
  ///
  /// It is nil initially; with a nil target ``invoke()`` calls nothing.
  ///
  /// If the type of argument 0 is `#`, the target is a class. Traps for the signature of a plain function, which has no
  /// target.
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
  /// Traps for the signature of a plain function, which has no selector.
  public var selector: MethodSelector? {
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

  /// Calls ``implementation``, or if it is nil, the method for the selector in the ``MethodTable`` of the target's
  /// class.
  ///
  /// If the class has no such method, the target is asked for an implementation if it is ``Invocable``, and can forward
  /// the message if it is ``Forwarding``. A method with a nil target is not called: the result is zero, whatever else
  /// is set.
  ///
  /// - Throws: Any error of a method that is a Swift closure, and any error of the object that the message is forwarded
  ///   to. `InvocationError` `argumentNotSet`; `unrecognizedSelector` with the class, the selector and the nearest
  ///   selectors; `forwardingCycle`; `typeMismatch` when the found method has other types than
  ///   ``methodSignature``; `noImplementation` for a plain function, or for a target that is a class and not
  ///   ``Invocable``.
  /// - Complexity: The call, and a few comparisons when the selector and the target's class are the same as in the previous
  ///   call; otherwise a lookup in the table. Nothing is allocated.
  public func invoke() throws {
    defer { keepAlive() }
    let core = core
    if core.state.setMask == core.state.fastPathMask, implementation == nil, let code = unsafe cachedCode {
      // The method stays alive: the cache does not replace it while a call to it is running.
      core.beginCall()
      if methodCache.mayThrow {
        defer { core.endCall() }
        core.state.hasResult = false
        try core.rethrow { unsafe core.kernel(core.frame, code, core.context) }
        core.state.hasResult = true
      } else {
        unsafe core.kernel(core.frame, code, core.context)
        core.state.hasResult = true
        core.endCall()
      }
    } else {
      try invokeWithChecks()
    }
  }

  private func invokeWithChecks() throws {
    if implementation == nil {
      if let cache = unsafe methodCache.forwarding, try unsafe forwardsQuickly(cache) { return }
      if let receiver = unsafe methodCache.receiver, try unsafe sendsQuickly(to: receiver) { return }
    }
    if methodSignature.isMethod {
      guard core.hasTarget else { return core.setZeroResult() }
      try core.requireArguments()
      if let implementation { return try core.performWithChecks(implementation) }
      if try dispatchToImplementers() { return }
      guard let target else { return }
      // Read before the tables, as in ``MethodTable/lookUp(_:)``.
      let epoch = MethodTable.epoch
      guard let implementation = try implementation(of: target) else { return try forward(target, epoch: epoch) }
      if let message = implementation.foreignMessage {
        methodCache.keep(message, epoch, isCalling: core.state.runningCalls > 0)
      }
      // Code of the target that ran during the lookup may have set another target, which was not checked.
      if unsafe slots[0].word(of: frame) == UInt64(UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque())) {
        try core.perform(implementation)
      } else {
        try perform(implementation, on: target)
      }
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
  /// - Throws: `InvocationError` as ``invoke()`` does, and `noImplementation` for the signature of a plain function.
  public func invoke(with target: AnyObject?) throws {
    guard methodSignature.isMethod else {
      throw InvocationError(.noImplementation, "a plain function has no target")
    }
    if unsafe core.slots[0].kind == .object && !core.state.retainsObjects && !core.state.mayOwn {
      _ = unsafe ObjectReference.store(target, in: core.slots[0], of: core.frame, keeping: false)
    } else {
      try setArgument(target, at: 0)
    }
    try invoke()
  }

  /// Calls an implementation with the arguments, without a method lookup.
  ///
  /// A method with a nil target is not called: the result is zero.
  ///
  /// - Parameter implementation: The code. If it was created from an address without types, it must have the types of
  ///   this call.
  /// - Throws: `InvocationError` `argumentNotSet`; `typeMismatch` when the types of the implementation are known and
  ///   differ from ``methodSignature``, or when it is a method of another class than the target's. If the
  ///   implementation is a Swift closure, also any error that it throws.
  /// - Complexity: The call; nothing is allocated.
  @inlinable
  public func invoke(using implementation: Implementation) throws {
    defer { keepAlive() }
    try core.invoke(using: implementation)
  }

  /// Calls code as a plain function, whatever the signature: a null target is passed like any other argument.
  ///
  /// - Parameter implementation: The code, as for ``invoke(using:)``. A method that is a Swift closure traps if it
  ///   throws an error, as it does when C calls it.
  ///
  /// - Throws: `InvocationError` `argumentNotSet`, and `typeMismatch` as ``invoke(using:)`` does.
  /// - Complexity: The call; nothing is allocated.
  public func call(_ implementation: Implementation) throws(InvocationError) {
    defer { keepAlive() }
    try core.requireArguments()
    try core.require(implementation)
    core.state.hasResult = false
    core.beginCall()
    core.execute(implementation)
    core.keepResult(isRetained: implementation.returnsRetained)
    core.endCall()
  }
}

extension Invocation {
  /// Invokes after a delay, on the actor of the caller: the target and the arguments need not be Sendable.
  ///
  ///     try await invocation.invoke(after: .seconds(1))
  ///
  /// The call uses the arguments that are set when the delay ends.
  ///
  /// - Parameters:
  ///   - delay: The time to wait; a `Duration` of more than 136 years counts as that, a negative one as zero.
  ///   - clock: The clock that measures the delay.
  ///   - isolation: The actor of the caller; leave it at its default.
  /// - Throws: `CancellationError`, without a call, when the task is cancelled before the delay ends, and the errors of
  ///   ``invoke()``.
  public func invoke<ClockType: Clock>(
    after delay: ClockType.Duration, clock: ClockType = ContinuousClock(), isolation: isolated (any Actor)? = #isolation
  ) async throws {
    // Clocks trap on times that they cannot count.
    let bounded = (delay as? Duration).flatMap { max($0, .zero).clamped as? ClockType.Duration }
    try await clock.sleep(until: clock.now.advanced(by: bounded ?? delay), tolerance: nil)
    try Task.checkCancellation()
    try invoke()
  }
}

// MARK: - Methods

/// Method lookup: finds the method of the target for the selector.
extension Invocation {
  /// The code of the method found last, if it is still the method of the target for the selector.
  @inline(__always)
  var cachedCode: UnsafeRawPointer? {
    // There is a method only if argument 0 is an object, so it has an offset.
    guard let method = unsafe methodCache.method,
      let target = unsafe UnsafeRawPointer(bitPattern: frame.load(fromByteOffset: core.targetOffset, as: UInt.self))
    else { return nil }
    return unsafe method._withUnsafeGuaranteedRef { method in
      unsafe isCached(method, of: Unmanaged<AnyObject>.fromOpaque(target)) ? method.code : nil
    }
  }

  /// Returns whether the cached method is the method of the target's class for the selector.
  ///
  /// A method is cached only when argument 0 is an object and argument 1 a selector.
  @inline(__always)
  private func isCached(_ method: Method, of target: Unmanaged<AnyObject>) -> Bool {
    unsafe slots[1].word(of: frame) == UInt64(UInt(bitPattern: method.selector.pointer))
      && target._withUnsafeGuaranteedRef { ObjectIdentifier(type(of: $0)) == methodCache.type }
      && methodCache.epoch == MethodTable.epoch
  }

  /// Returns the implementation from the class of an object or from the object itself; nil if there is no
  /// implementation.
  func implementation(of target: AnyObject) throws -> Implementation? {
    guard let selector else {
      throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1))
    }
    let isObject = unsafe slots[0].kind == .object
    if isObject {
      if let method = try method(of: target, selector) { return method.implementation }
      if let forwarder = unsafe MethodTable.of(type(of: target)).forwarder {
        let resolves = unsafe try forwarder._withUnsafeGuaranteedRef { try $0.resolves(selector) }
        if resolves, let method = try method(of: target, selector) { return method.implementation }
        // The class is known not to conform, which saves the slow cast below.
        if unsafe !forwarder._withUnsafeGuaranteedRef({ $0.isInvocable }) { return nil }
      }
    }
    guard let invocable = target as? any Invocable else {
      if isObject { return nil }
      throw InvocationError(.noImplementation, "\(target) is not Invocable, so it cannot be asked for an implementation")
    }
    guard let implementation = invocable.implementation(for: selector) else {
      if isObject { return nil }
      throw MethodTable.of(type(of: target)).unrecognized(selector)
    }
    if let own = implementation.methodSignature { try methodSignature.require(own, of: type(of: target), selector) }
    try implementation.requireTarget(type(of: target), selector)
    return implementation
  }

  /// Returns the method from the table of the target's class, and caches it.
  private func method(of target: AnyObject, _ selector: MethodSelector) throws(InvocationError) -> Method? {
    if let method = unsafe methodCache.method?.takeUnretainedValue(), unsafe isCached(method, of: .passUnretained(target)) { return method }
    let type: AnyClass = type(of: target)
    let (found, epoch) = MethodTable.lookUp { MethodTable.of(type).method(for: selector) }
    guard let method = found else { return nil }
    try methodSignature.require(method.methodSignature, of: type, selector)
    methodCache.keep(method, of: type, epoch, isCalling: core.state.runningCalls > 0)
    return method
  }
}

// MARK: - Boxing

extension Invocation {
  /// Sets an argument from a boxed value, converted to the argument's type.
  ///
  /// - Parameters:
  ///   - value: The box.
  ///   - index: The index. For a method, 0 is the target and 1 is the selector.
  ///   - options: The conversion options; exact by default.
  /// - Throws: `InvocationError` with the argument, its encoding and the value: `indexOutOfRange`, `typeMismatch`,
  ///   `outOfRange`, `inexact`, `nullNotAllowed`. The argument is then unchanged.
  /// - Complexity: O(bytes of the value). A string is copied.
  public func setArgument(boxed value: BoxedValue, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    defer { keepAlive() }
    try core.set(boxed: value, at: index, options)
  }

  /// Sets the arguments from boxed values; for a method, those after the target and the selector.
  ///
  /// - Throws: `InvocationError` `countMismatch` when the number of values is not the number of arguments, and the
  ///   errors of setting an argument. The arguments before the failing one are set.
  public func setArguments(boxed values: [BoxedValue], options: ConversionOptions = []) throws(InvocationError) {
    let first = methodSignature.isMethod ? 2 : 0
    guard values.count == count - first else {
      throw core.named(methodSignature.countMismatch(values.count, of: count - first))
    }
    for (offset, value) in values.enumerated() { try setArgument(boxed: value, at: first + offset, options: options) }
  }

  /// Returns an argument as a boxed value.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`.
  public func boxedArgument(at index: Int) throws(InvocationError) -> BoxedValue {
    defer { keepAlive() }
    return unsafe BoxedValue(in: try core.slotOfArgument(at: index), of: frame, as: methodSignature.types.arguments[index])
  }

  /// Returns the result as a boxed value; a void result is returned as null.
  ///
  /// - Throws: `InvocationError` `noReturnValue` before there is a result.
  public func boxedReturnValue() throws(InvocationError) -> BoxedValue {
    defer { keepAlive() }
    return try core.boxedResult()
  }

  /// Sets the result from a boxed value, converted to the return type.
  ///
  /// - Throws: `InvocationError` as setting an argument does, and `typeMismatch` for a string, because a result does
  ///   not own the memory of its C string.
  public func setReturnValue(boxed value: BoxedValue, options: ConversionOptions = []) throws(InvocationError) {
    let converted: BoxedValue.Converted
    do { converted = try value.converted(toResult: methodSignature.returnType, options) } catch { throw core.named(error) }
    _ = unsafe converted.store(in: plan.result, of: frame, keeping: false)
    core.keepResult()
  }
}

extension InvocationError {
  /// Returns the error with an argument and the argument's type.
  package func placed(_ argument: Argument, _ type: TypeEncoding) -> InvocationError {
    InvocationError(code, reason, argument: argument, encoding: type.description, candidates: candidates)
  }
}
