internal import CFFIErrorPlace

extension Closure {
  /// Creates a closure whose handler looks at each call: its arguments by index, typed or boxed.
  ///
  ///     let closure = try Closure(MethodSignature(types: "did")) { call in
  ///       let count: Int32 = try call.argument(at: 0)
  ///       try call.setReturnValue(boxed: .double(Double(count) * 2))
  ///     }
  ///
  /// This is the form for types that are known only at run time, for more than ten arguments, and for packed or over-aligned structs.
  ///
  /// C has no errors. When the handler throws one, or sets no result though the function has one of any bytes, the result is zero and `onError` is
  /// called before the call returns.
  ///
  /// - Parameters:
  ///   - methodSignature: The types, on a native backend; the function must not be variadic.
  ///   - onError: What to do with an error. The default traps, with the error in the message.
  ///   - handler: Reads the arguments and sets the result.
  /// - Throws: ``InvocationError``: `unsupportedType` where closures cannot be made, `limitExceeded` when the system gives no more memory.
  /// - Complexity: A call allocates what the handler does.
  public convenience init(
    _ methodSignature: MethodSignature,
    onError: @escaping @Sendable (any Error) -> Void = { fatalError("the handler of a closure threw an error: \($0)") },
    _ handler: @escaping @Sendable (inout IncomingCall) throws -> Void
  ) throws(InvocationError) {
    try unsafe self.init(methodSignature, returnsRetained: true, onError: onError, handler)
  }

  /// Creates a closure as the other form does, and says who releases an object that it returns.
  ///
  /// - Parameters:
  ///   - methodSignature: The types, on a native backend; the function must not be variadic.
  ///   - returnsRetained: Whether an object result is the caller's to release, and so retained for it. Without it whoever makes the closure
  ///     promises that something else keeps the object alive.
  ///   - onError: What to do with an error. The default traps, with the error in the message.
  ///   - handler: Reads the arguments and sets the result.
  /// - Throws: ``InvocationError``: `unsupportedType` where closures cannot be made, `limitExceeded` when the system gives no more memory.
  /// - Complexity: A call allocates what the handler does.
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
        // A result without bytes, such as an empty struct, has one value only: there is nothing to set.
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

/// What stands behind the functions `withClosure`: a closure that C may call until the Swift function that it was lent to returns.
@usableFromInline
enum LentClosure {
  /// Makes a closure for the time of a body.
  ///
  /// - Throws: ``InvocationError`` as making a ``Closure`` does, and what the body throws.
  @usableFromInline
  static func lend<Result>(
    _ types: String, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    _ run: (IncomingFrame, ClosureBody) -> Void, _ body: (UnsafeRawPointer) throws -> Result
  ) throws -> Result {
    let signature = try MethodSignature(types: types)
    try signature.require(parameters, returning: returnType)
    let lender = unsafe cffi_thread_identity()
    return try withoutActuallyEscaping(run) { run in
      let stub = try ClosureBank.shared.open(
        ClosureBody(signature, parameters) { frame, closure in
          guard unsafe cffi_thread_identity() == lender else {
            fatalError(
              "C called the closure '\(closure.methodSignature)' on another thread than the one that lent it; make a Closure instead")
          }
          run(frame, closure)
        })
      defer { ClosureBank.shared.close(stub) }
      return try unsafe body(stub.code)
    }
  }
}
