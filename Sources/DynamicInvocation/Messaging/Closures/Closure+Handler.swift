extension Closure {
  /// Creates a closure whose handler reads the arguments of each call by index, typed or boxed.
  ///
  ///     let closure = try Closure(MethodSignature(types: "did")) { call in
  ///       let count: Int32 = try call.argument(at: 0)
  ///       try call.setReturnValue(boxed: .double(Double(count) * 2))
  ///     }
  ///
  /// Use this form for types that are known only at run time, and for packed or over-aligned structs.
  ///
  /// C has no errors. If the handler throws, or sets no result although the return type has a size, the result is zero
  /// and `onError` is called before the call returns.
  ///
  /// - Parameters:
  ///   - methodSignature: The types, on a native backend. The function must not be variadic.
  ///   - onError: Called with the error. The default traps, with the error in the message.
  ///   - handler: Reads the arguments and sets the result.
  /// - Throws: `InvocationError`: `unsupportedType` if closures are not available for these types, `limitExceeded` if
  ///   the system provides no more memory.
  /// - Complexity: A call allocates only what the handler allocates.
  public convenience init(
    _ methodSignature: MethodSignature,
    onError: @escaping @Sendable (any Error) -> Void = { fatalError("the handler of a closure threw an error: \($0)") },
    _ handler: @escaping @Sendable (inout IncomingCall) throws -> Void
  ) throws(InvocationError) {
    try unsafe self.init(methodSignature, returnsRetained: true, onError: onError, handler)
  }

  /// Creates a closure as the other form does, and specifies who releases an object result.
  ///
  /// - Parameters:
  ///   - methodSignature: The types, on a native backend. The function must not be variadic.
  ///   - returnsRetained: Whether the caller releases an object result, so that the closure retains it for the caller.
  ///     If false, the creator of the closure must ensure that something else keeps the object alive.
  ///   - onError: Called with the error. The default traps, with the error in the message.
  ///   - handler: Reads the arguments and sets the result.
  /// - Throws: `InvocationError`: `unsupportedType` if closures are not available for these types, `limitExceeded` if
  ///   the system provides no more memory.
  /// - Complexity: A call allocates only what the handler allocates.
  @unsafe
  public convenience init(
    _ methodSignature: MethodSignature, returnsRetained: Bool,
    onError: @escaping @Sendable (any Error) -> Void = { fatalError("the handler of a closure threw an error: \($0)") },
    _ handler: @escaping @Sendable (inout IncomingCall) throws -> Void
  ) throws(InvocationError) {
    try self.init(methodSignature, returnsRetained: returnsRetained) { frame, body in
      var call = IncomingCall(body, frame, returnsRetained: returnsRetained)
      do {
        try handler(&call)
        // A result of size zero, such as an empty struct, has only one value: there is nothing to set.
        if !call.hasReturnValue, body.methodSignature.returnLength > 0 {
          throw InvocationError(
            .noReturnValue, "the handler set none", argument: .result, encoding: body.methodSignature.returnType.description)
        }
      } catch {
        call.clearResult()
        onError(error)
      }
    }
  }
}

/// The implementation of the functions `withClosure`: a closure that C may call until the Swift function returns that
/// passed it.
@usableFromInline
package enum LentClosure {
  /// Creates a closure for the duration of `body`.
  ///
  /// - Throws: `InvocationError` as creating a ``Closure`` does, and what `body` throws.
  @usableFromInline
  static func lend<Result>(
    _ types: String, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    _ run: (IncomingFrame, ClosureBody) -> Void, _ body: (UnsafeRawPointer) throws -> Result
  ) throws -> Result {
    try unsafe lend(MethodSignature(types: types), parameters, returning: returnType, run, body)
  }

  /// Creates a closure for the duration of `body`; see the form with an encoding.
  @usableFromInline
  package static func lend<Result>(
    _ signature: MethodSignature, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    _ run: (IncomingFrame, ClosureBody) -> Void, _ body: (UnsafeRawPointer) throws -> Result
  ) throws -> Result {
    try signature.require(parameters, returning: returnType)
    let lender = unsafe ThreadState.identity
    return try withoutActuallyEscaping(run) { run in
      let closure = ClosureBody(signature, parameters) { frame, closure in
        guard unsafe ThreadState.identity == lender else {
          fatalError(
            "C called the closure '\(closure.methodSignature)' on another thread than the one that lent it; make a Closure instead")
        }
        run(frame, closure)
      }
      let stub = try closure.openStub()
      defer { ClosureBank.shared.close(stub) }
      return try unsafe body(stub.code)
    }
  }
}
