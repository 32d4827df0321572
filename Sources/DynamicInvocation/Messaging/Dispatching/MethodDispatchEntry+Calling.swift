/// Calling the implementers of an entry.
extension MethodDispatchEntry {
  /// Calls every responder of an entry that ``isPlain``.
  ///
  /// - Returns: The number of responders that were called.
  @inline(__always)
  func callPlainly(
    _ frame: UnsafeMutableRawPointer, targetOffset: Int, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?
  ) -> Int {
    var called = 0
    for index in 0..<count {
      let responder = unsafe responders + index
      guard let object = unsafe take(responder.pointee) else { continue }
      unsafe frame.storeBytes(of: UInt(bitPattern: object.toOpaque()), toByteOffset: targetOffset, as: UInt.self)
      unsafe kernel(frame, responder.pointee.code, context)
      unsafe object.release()
      called += 1
    }
    return called
  }

  /// Calls the responders by the policy, and stores the result in the frame; zero if there is no result.
  ///
  /// - Throws: What the closure of ``ReturnPolicy/reduce(_:)`` throws, and the error of converting the value that it
  ///   returns.
  func call(_ frame: DispatchFrame) throws -> DispatchOutcome {
    let result = frame.result
    return try unsafe withUnsafeTemporaryAllocation(byteCount: max(16, result.extent), alignment: 16) { memory in
      var outcome = DispatchOutcome(self)
      var reducer = unsafe ResultReducer(self, frame, kept: memory.baseAddress.unsafelyUnwrapped)
      do {
        for index in 0..<count {
          let responder = unsafe responders[index]
          let number = number(at: index)
          if case .only(let wanted) = policy, number != wanted { continue }
          guard let object = unsafe take(responder) else { continue }
          defer { unsafe object.release() }
          unsafe frame.setTarget(object)
          do {
            guard let answer = try answer(of: unsafe object._withUnsafeGuaranteedRef { $0 }, responder, frame, &outcome) else { continue }
            outcome.capturedErrno = answer.errno
            outcome.note(index)
            guard try reducer.take(number: number, isRetained: answer.isRetained, &outcome) else { break }
          } catch let error as ResultReducer.Failure {
            throw error
          } catch {
            outcome.failures.append(DispatchOutcome.Failure(number: number, error: error))
            if case .first = policy { break }
          }
        }
        try reducer.finish(&outcome)
      } catch let failure as ResultReducer.Failure {
        reducer.abandon()
        throw failure.error
      }
      return outcome
    }
  }

  /// Returns a responder's object, retained, or nil if it must not be called any more.
  @inline(__always)
  private func take(_ responder: Responder) -> Unmanaged<AnyObject>? {
    unsafe responder.reference._withUnsafeGuaranteedRef { reference in
      guard reference.isListed else { return nil }
      if let object = unsafe reference.retain() { return unsafe object }
      snapshot.noteDeallocated()
      return nil
    }
  }

  /// The outcome of a call of one responder.
  private struct Answer {
    var errno: CInt
    /// Whether an object result is retained for the caller.
    var isRetained: Bool
  }

  /// Calls one responder.
  ///
  /// Returns nil if it turns out not to respond.
  private func answer(
    of object: AnyObject, _ responder: Responder, _ frame: DispatchFrame, _ outcome: inout DispatchOutcome
  ) throws -> Answer? {
    switch responder.kind {
    case .method:
      let errno = unsafe try frame.call(responder.code, mayThrow: responder.mayThrow)
      return Answer(errno: errno, isRetained: responder.returnsRetained)
    case .otherTypes:
      guard let own = unsafe responder.method?._withUnsafeGuaranteedRef({ $0.methodSignature }) else { return nil }
      throw otherTypes(type(of: object), own)
    case .asked:
      return try (object as? any Invocable)?.implementation(for: method.selector).map { try answer(of: object, by: $0, frame) }
    case .forwards:
      return try answer(ofForwarding: object, frame)
    case .dispatcher:
      guard let inner = try (object as? ProtocolDispatcher)?.dispatch(method, in: frame), !inner.isEmpty else { return nil }
      if inner.responderCount == 0 {
        throw inner.failures[0].error
      }
      let number = unsafe responder.reference._withUnsafeGuaranteedRef { $0.number }
      outcome.failures += inner.failures.map { DispatchOutcome.Failure(number: number, error: $0.error) }
      return Answer(errno: inner.capturedErrno, isRetained: true)
    }
  }

  /// Calls the implementation that a responder has provided.
  private func answer(of object: AnyObject, by implementation: Implementation, _ frame: DispatchFrame) throws -> Answer {
    if let own = implementation.methodSignature, !method.methodSignature.carries(own) { throw otherTypes(type(of: object), own) }
    try implementation.requireTarget(type(of: object), method.selector)
    defer { withExtendedLifetime(implementation) {} }
    let errno = unsafe try frame.call(implementation.pointer, mayThrow: implementation.mayThrow)
    return Answer(errno: errno, isRetained: implementation.returnsRetained)
  }

  /// Sends the message to a responder that forwards, by the rules of ``Invocation/invoke()``.
  ///
  /// Returns nil if it does not respond.
  private func answer(ofForwarding object: AnyObject, _ frame: DispatchFrame) throws -> Answer? {
    let (own, epoch) = try MethodTable.lookUp { try MethodTable.implementation(of: object, for: method.selector) }
    if let own { return try answer(of: object, by: own, frame) }
    guard let types = MethodSignature(of: method.selector, to: object) else { return nil }
    guard method.methodSignature.carries(types) else { throw otherTypes(type(of: object), types) }
    let message = frame.makeInvocation(method.methodSignature)
    // The receiver of this entry in the list is the dispatcher: it refuses the message if an implementer sends it back.
    try unsafe ActiveForwarding.run(
      .passUnretained(self), method.selector, sent: frame.sent, forwarded: Unmanaged.passUnretained(message).toOpaque()
    ) { try message.forward(object, epoch: epoch) }
    try frame.takeResult(of: message)
    return Answer(errno: message.capturedErrno, isRetained: true)
  }
}
