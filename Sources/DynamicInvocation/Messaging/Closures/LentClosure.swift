internal import CFFIErrorPlace

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
