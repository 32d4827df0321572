extension ProtocolDispatcher {
  /// Makes C functions of the methods, for a library that takes a struct of callbacks.
  ///
  /// C has no errors. When an implementer throws one, or nobody responds to a required method, `onError` is called
  /// before the function returns; without a result of another implementer the function returns zero.
  ///
  /// - Parameters:
  ///   - form: The arguments of the functions before those of the method.
  ///   - omitsUnanswered: Whether an optional method that nobody responds to now is a null pointer in the table. It
  ///     stays one when somebody responds later.
  ///   - onError: What to do with an error. The default traps, with the error in the message.
  /// - Throws: ``InvocationError`` as making a ``Closure`` does: `unsupportedType`, `limitExceeded`.
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
      // Not Sendable, as the implementers need not be: who gives the functions to C says on which threads they are
      // called.
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

  /// Dispatches a call of C.
  ///
  /// - Parameters:
  ///   - method: A method of the protocol.
  ///   - incoming: The frame of the call, which gets the result.
  ///   - body: What the call entered.
  ///   - first: The index of the call's first argument that the method has too.
  /// - Returns: The error that came first, if there is one.
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
      do { outcome = unsafe try entry.call(DispatchFrame(frame, plan, capturesErrno: false)) } catch {
        unsafe body.result.clear(in: incoming.memory)
        throw error
      }
      // An object is handed over retained.
      unsafe body.result.copyResult(of: plan, from: frame, to: incoming.memory)
      if let failure = outcome.failures.first { return failure.error }
      return outcome.isEmpty && method.isRequired ? entry.nobodyResponded() : nil
    }
  }
}
