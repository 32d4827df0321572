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
    set {
      precondition(methodSignature.isMethod, "an invocation of a plain function has no selector")
      unsafe slots[1].write(word: newValue.map { UInt64(UInt(bitPattern: unsafe $0.pointer)) } ?? 0, to: frame)
      if newValue != nil { markSet(1) } else { firstSet &= ~2 }
    }
  }

  /// Calls the implementation of the selector that the target answers, or ``implementation`` when there is one.
  ///
  /// A method's nil target is not called: the result is zero, whatever else is set.
  ///
  /// - Throws: ``InvocationError`` `argumentNotSet`, `noImplementation` for a plain function or a target that is no ``Invocable``, and
  ///   `unrecognizedSelector`.
  /// - Complexity: The call; nothing is allocated.
  public func invoke() throws(InvocationError) {
    if methodSignature.isMethod {
      guard let target else { return setZeroResult() }
      try requireArguments()
      if let implementation { return perform(implementation) }
      guard let invocable = target as? any Invocable else {
        throw InvocationError(
          .noImplementation, "\(type(of: target)) is not Invocable, so it cannot be asked for an implementation")
      }
      guard let selector, let implementation = invocable.implementation(for: selector) else {
        throw InvocationError(
          .unrecognizedSelector, "\(type(of: target)) does not respond to '\(selector?.name ?? "")'")
      }
      perform(implementation)
    } else {
      try requireArguments()
      guard let implementation else {
        throw InvocationError(.noImplementation, "an invocation of a plain function needs an implementation")
      }
      perform(implementation)
    }
  }

  /// Sets the target and invokes.
  ///
  /// - Throws: ``InvocationError`` as ``invoke()`` does, and `noImplementation` for the signature of a plain function.
  public func invoke(with target: AnyObject?) throws(InvocationError) {
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
  /// - Parameter implementation: Code whose types are those of ``methodSignature``; calling any other is undefined.
  /// - Throws: ``InvocationError`` `argumentNotSet`.
  /// - Complexity: The call; nothing is allocated.
  @inlinable
  public func invoke(using implementation: Implementation) throws(InvocationError) {
    // Most calls have all arguments set, a target, and a result that nobody counts: nothing is left to do but to call.
    if firstSet == readyBits, hasTarget {
      unsafe kernel(frame, implementation.pointer, context)
      hasResult = true
    } else {
      try invokeCarefully(using: implementation)
    }
  }

  /// Calls code as a plain function, whatever the signature: a null target is passed on like any other argument.
  ///
  /// - Parameter implementation: Code whose types are those of ``methodSignature``; calling any other is undefined.
  /// - Throws: ``InvocationError`` `argumentNotSet`.
  /// - Complexity: The call; nothing is allocated.
  public func call(_ implementation: Implementation) throws(InvocationError) {
    try requireArguments()
    perform(implementation)
  }

  /// Whether the call has a target, or needs none.
  @inlinable @inline(__always)
  var hasTarget: Bool { unsafe targetOffset < 0 || frame.load(fromByteOffset: targetOffset, as: UInt64.self) != 0 }

  /// Calls after every check, and keeps what is to be kept.
  @usableFromInline
  func invokeCarefully(using implementation: Implementation) throws(InvocationError) {
    guard hasTarget else { return setZeroResult() }
    try call(implementation)
  }

  /// Calls the code; all arguments are set.
  private func perform(_ implementation: Implementation) {
    releaseResult()
    // The frame and the code stay alive even when the callee drops the last other reference to them.
    withExtendedLifetime(self) {
      defer { withExtendedLifetime(implementation) {} }
      if capturesErrno {
        capturedErrno = unsafe plan.callCapturingErrno(implementation.pointer, frame: frame)
      } else {
        unsafe plan.call(implementation.pointer, frame: frame)
      }
    }
    keepResult(isRetained: implementation.returnsRetained)
  }

  private func setZeroResult() {
    releaseResult()
    unsafe slots[count].clear(in: frame)
    hasResult = true
  }
}
