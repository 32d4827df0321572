extension Invocation {
  /// The object that the message goes to, argument 0; nil, as at first, makes ``invoke()`` call nothing.
  ///
  /// Of type `#` it is a class. Traps when the signature is that of a plain function, which has no target.
  public var target: AnyObject? {
    get {
      precondition(targetOffset >= 0, "an invocation of a plain function has no target")
      let slot = unsafe slots[0]
      if slot.kind == .object { return unsafe ObjectReference.object(in: slot, of: frame) }
      return unsafe ClassReference.type(slot.word(of: frame)) as AnyObject?
    }
    @inlinable
    set {
      precondition(targetOffset >= 0, "an invocation of a plain function has no target")
      if unsafe slots[0].kind == .object, !argumentsRetained, !mayOwn {
        unsafe slots[0].write(word: UInt64(UInt(bitPattern: newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() })), to: frame)
        return
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
      return unsafe isSet(1) ? Selector.load(from: slots[1], of: frame) : nil
    }
    @inlinable
    set {
      precondition(targetOffset >= 0, "an invocation of a plain function has no selector")
      unsafe slots[1].write(word: newValue.map { UInt64(UInt(bitPattern: unsafe $0.pointer)) } ?? 0, to: frame)
      if newValue != nil { markSet(1) } else { firstSet &= ~2 }
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
    if firstSet == readyBits, implementation == nil, let code = unsafe cachedCode {
      // The method stays alive: the cache is not filled anew while a call by it is running.
      methodCache.beginCall()
      if methodCache.mayThrow {
        defer { methodCache.endCall() }
        hasResult = false
        try ErrorPlace.rethrow { unsafe kernel(frame, code, context) }
      } else {
        unsafe kernel(frame, code, context)
        methodCache.endCall()
      }
      hasResult = true
    } else {
      try invokeCarefully()
    }
  }

  private func invokeCarefully() throws {
    if implementation == nil, unsafe methodCache.forwarder != nil, try forwardsQuickly() { return }
    if methodSignature.isMethod {
      guard hasTarget else { return setZeroResult() }
      try requireArguments()
      if let implementation { return try performChecked(implementation) }
      if try dispatchToImplementers() { return }
      guard let target else { return }
      // Read before the tables, as by ``MethodTable/lookUp(_:)``.
      let epoch = MethodTable.epoch
      if let implementation = try implementation(of: target) { return try perform(implementation) }
      try forward(target, epoch: epoch)
    } else {
      try requireArguments()
      guard let implementation else {
        throw named(InvocationError(.noImplementation, "an invocation of a plain function needs an implementation"))
      }
      try performChecked(implementation)
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
    // Most calls have all arguments set, a target, and a result that nobody counts: nothing is left to do but to call.
    if firstSet == readyBits, implementation.isOpaque, hasTarget {
      if mayOwn { unsafe callKeepingArguments(implementation.pointer) } else { unsafe kernel(frame, implementation.pointer, context) }
      hasResult = true
    } else {
      try invokeCarefully(using: implementation)
    }
  }

  /// Calls code as a plain function, whatever the signature: a null target is passed on like any other argument.
  ///
  /// - Parameter implementation: The code, as for ``invoke(using:)``. A method made from a Swift closure that throws an error traps, as when
  ///   C calls it.
  ///
  /// - Throws: ``InvocationError`` `argumentNotSet`, and `typeMismatch` as ``invoke(using:)`` does.
  /// - Complexity: The call; nothing is allocated.
  public func call(_ implementation: Implementation) throws(InvocationError) {
    try requireArguments()
    try require(implementation)
    releaseResult()
    carryOut(implementation)
    keepResult(isRetained: implementation.returnsRetained)
  }

  /// Whether the call has a target, or needs none.
  @inlinable @inline(__always)
  var hasTarget: Bool { unsafe targetOffset < 0 || frame.load(fromByteOffset: targetOffset, as: UInt64.self) != 0 }

  /// Calls after every check, and keeps what is to be kept.
  @usableFromInline
  func invokeCarefully(using implementation: Implementation) throws {
    if firstSet == readyBits, implementation.isPlain(for: methodSignature.storage), hasTarget, !mayOwn {
      unsafe kernel(frame, implementation.pointer, context)
      hasResult = true
      return
    }
    guard hasTarget else { return setZeroResult() }
    try requireArguments()
    try performChecked(implementation)
  }

  /// Throws unless the types and the target are the implementation's, as far as they are known.
  @inline(__always)
  private func require(_ implementation: Implementation) throws(InvocationError) {
    try implementation.requireTypes(methodSignature, methodSignature.isMethod ? selector : nil)
    // A method's types are known: argument 0 is an object.
    if implementation.hasTargetType { try implementation.requireTarget(at: unsafe slots[0].word(of: frame), selector) }
  }

  /// Calls the code if it is code for these types and this target; all arguments are set.
  private func performChecked(_ implementation: Implementation) throws {
    try require(implementation)
    try perform(implementation)
  }

  /// Calls the code, which was checked; all arguments are set.
  private func perform(_ implementation: Implementation) throws {
    releaseResult()
    try withRunningCall(mayThrow: implementation.mayThrow) { carryOut(implementation) }
    keepResult(isRetained: implementation.returnsRetained)
  }

  /// Calls the code while what the frame owns stays alive, whatever the callee sets in its place.
  @usableFromInline
  func callKeepingArguments(_ code: UnsafeRawPointer) {
    methodCache.beginCall()
    unsafe kernel(frame, code, context)
    methodCache.endCall()
  }

  /// Runs a call during which what the arguments refer to stays alive.
  func withRunningCall(mayThrow: Bool, _ call: () -> Void) throws {
    methodCache.beginCall()
    defer { methodCache.endCall() }
    if mayThrow { try ErrorPlace.rethrow(call) } else { call() }
  }

  private func carryOut(_ implementation: Implementation) {
    // The frame and the code stay alive even when the callee drops the last other reference to them.
    withExtendedLifetime(self) {
      defer { withExtendedLifetime(implementation) {} }
      if capturesErrno {
        capturedErrno = unsafe plan.callCapturingErrno(implementation.pointer, frame: frame)
      } else {
        unsafe plan.call(implementation.pointer, frame: frame)
      }
    }
  }

  func setZeroResult() {
    releaseResult()
    unsafe resultSlot.clear(in: frame)
    hasResult = true
  }
}
