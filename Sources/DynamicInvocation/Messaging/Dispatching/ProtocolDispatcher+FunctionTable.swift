extension ProtocolDispatcher {
  /// Creates C functions for the methods, for a library that takes a struct of callbacks.
  ///
  /// C has no errors. If an implementer throws an error, or no implementer responds to a required method, `onError` is
  /// called before the function returns. If no other implementer returned a result, the function returns zero.
  ///
  /// - Parameters:
  ///   - form: The arguments of the functions in addition to those of the method.
  ///   - omitsUnanswered: Whether the table has a null pointer for an optional method to which no implementer responds
  ///     now. The pointer stays null if an implementer responds later.
  ///   - onError: Called with the error. The default traps, with the error in the message.
  /// - Throws: `InvocationError` as creating a ``Closure`` does: `unsupportedType`, `limitExceeded`.
  /// - Complexity: O(*methods*) allocations.
  public func functionTable(
    _ form: FunctionTable.Form, omitsUnanswered: Bool = false,
    onError: @escaping @Sendable (any Error) -> Void = { fatalError("a function of a dispatcher met an error: \($0)") }
  ) throws(InvocationError) -> FunctionTable {
    var closures: [Closure?] = []
    for method in dispatchProtocol.methods {
      if omitsUnanswered, !method.isRequired, !responds(to: method.selector) {
        closures.append(nil)
        continue
      }
      let first = form.firstArgument
      // The closure is not Sendable, because the implementers need not be: the code that passes the functions to C
      // determines on which threads they are called.
      let closure = try Closure(MethodSignature(form.types(of: method.methodSignature))) { frame, body in
        do {
          try self.answer(method, frame, body, first: first).map { throw $0 }
        } catch {
          onError(error)
        }
      }
      closures.append(closure)
    }
    return FunctionTable(self, form, closures)
  }

  /// Dispatches a call from C.
  ///
  /// - Parameters:
  ///   - method: A method of the protocol.
  ///   - incoming: The frame of the call, in which the result is stored.
  ///   - body: The body of the closure that was called.
  ///   - first: The index of the call's first argument that is also an argument of the method.
  /// - Returns: The first error, or nil.
  private func answer(
    _ method: DispatchProtocol.Method, _ incoming: IncomingFrame, _ body: ClosureBody, first: Int
  ) throws -> (any Error)? {
    guard let entry = entry(of: method.selector) else { throw unrecognized(method.selector) }
    let plan = method.methodSignature.storage.plan
    return try unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe plan.prepare(frame)
      unsafe plan.slots[1].write(word: UInt64(UInt(bitPattern: method.selector.pointer)), to: frame)
      for argument in 2..<plan.count {
        unsafe body.slots[argument - 2 + first].withValue(in: incoming.memory) { unsafe plan.slots[argument].write(from: $0, to: frame) }
      }
      let outcome: DispatchOutcome
      do { outcome = unsafe try entry.call(DispatchFrame(frame, plan, capturesErrno: false, sent: nil)) } catch {
        unsafe body.result.clear(in: incoming.memory)
        throw error
      }
      // An object is passed to the caller retained.
      unsafe body.result.copyResult(of: plan, from: frame, to: incoming.memory)
      if let failure = outcome.failures.first { return failure.error }
      return outcome.isEmpty && method.isRequired ? entry.nobodyResponded() : nil
    }
  }
}
