// The overloads of `callAsFunction`, from the fastest to the most general. The compiler takes the first that matches:
//
// - by value, up to ten arguments, in Generated/ForeignFunction+Arity.swift: all types are known, nothing is boxed;
// - with `&variable`, up to five arguments, in Generated/ForeignFunction+Places.swift;
// - with `nil`, arrays and boxes, any number of arguments, here.
//
// There is no overload with a parameter pack: Swift 6.3 accepts `&variable` for one, but passes a copy of the value
// without a diagnostic.

extension ForeignFunction {
  /// Calls the function and returns its result.
  ///
  ///     let y: Double = try pow(2, 10)
  ///     let status: Int32 = try open(":memory:", &db)
  ///     let number: Int = try strtol("12abc", nil, 10)
  ///     let division: EncodedBytes = try div(17, 5)
  ///
  /// An argument is a value of the parameter's type. A literal adapts: an `Int` becomes any integer or floating-point
  /// type, a `Double` any floating-point type, when the value fits. `nil` is null. An array is passed as the address of
  /// a copy of its elements. In calls of up to five arguments, `&variable` and `&array` pass the address of the
  /// variable or of the elements, for the callee to write to. A string is copied for the duration of the call. An
  /// object is passed and returned without a change to its reference count. See <doc:CallingC>.
  ///
  /// - Parameters:
  ///   - arguments: One value for each argument, nil for null.
  ///   - type: The type of the result, usually inferred: a ``CallResult``. A number may be wider than C's: an `Int` takes
  ///     each integer that fits. A `String` is copied from the C string, which the callee still owns.
  /// - Throws: `InvocationError` with the name of the function: `countMismatch`, `typeMismatch`, `outOfRange` and
  ///   `inexact` for a literal that does not fit, `outOfRange` for a result that does not fit an `Int`, and
  ///   `nullNotAllowed` when the result is null and its type is not an optional.
  /// - Complexity: The call. Up to ten arguments without nil, arrays and boxes allocate nothing, except strings and
  ///   frames larger than one kilobyte. This overload allocates the list of the arguments.
  @_disfavoredOverload
  public func callAsFunction<Result: CallResult>(
    _ arguments: (any _CallArgument)?..., as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try requireResult(type)
    return try result(unsafe perform(arguments, errno: nil) { frame in unsafe type.result(of: methodSignature, from: frame) })
  }

  /// What a call without a result type returns: nothing, since its result is discarded.
  ///
  /// The compiler names it in the warning about `let y = try pow(2.0, 10.0)`: write `let y: Double`.
  public typealias DiscardedResult = Void

  /// Calls the function and discards any result.
  ///
  /// - Throws: `InvocationError` `countMismatch`, `typeMismatch`, `outOfRange` and `inexact`.
  /// - Complexity: As the overload with a result.
  @_disfavoredOverload
  public func callAsFunction(_ arguments: (any _CallArgument)?...) throws(InvocationError) -> DiscardedResult {
    try unsafe perform(arguments, errno: nil) { _ in }
  }

  /// Refuses a result or an argument of a type that a call cannot pass.
  ///
  /// The compiler chooses it when no other overload accepts the types, and reports the reason.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      an argument is an EncodedValue, an array of them, a BoxedValue, EncodedBytes or nil, and a result is an EncodedValue, \
      a BoxedValue or EncodedBytes; take a struct of C as EncodedBytes, \
      or conform its Swift type to EncodedValue with the encoding of its declaration
      """
  )
  public func callAsFunction<each Argument, Result>(
    _ arguments: repeat each Argument, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    preconditionFailure("unavailable")
  }

  /// Calls the function and returns its result together with `errno`.
  ///
  ///     let (number, code) = try strtol.capturingErrno("99999999999999999999", nil, 10, as: Int.self)
  ///
  /// `errno` is cleared before the call and read immediately after it, before anything else can change it.
  ///
  /// - Throws: `InvocationError` as a call does.
  /// - Complexity: The call; allocates the list of the arguments.
  public func capturingErrno<Result: CallResult>(
    _ arguments: (any _CallArgument)?..., as type: Result.Type = Result.self
  ) throws(InvocationError) -> (result: Result, errno: CInt) {
    try requireResult(type)
    var code: CInt = 0
    let result = try unsafe perform(arguments, errno: &code) { frame in unsafe type.result(of: methodSignature, from: frame) }
    return (try self.result(result), code)
  }

  /// Builds a frame on the stack, calls, and reads the result.
  private func perform<Result>(
    _ arguments: [(any _CallArgument)?], errno: UnsafeMutablePointer<CInt>?, read: (UnsafeRawPointer) -> Result
  ) throws(InvocationError) -> Result {
    let plan = methodSignature.storage.plan
    guard arguments.count == plan.count else { throw countMismatch(arguments.count) }
    let result: Swift.Result<Result, InvocationError> = unsafe withUnsafeTemporaryAllocation(
      byteCount: plan.blockSize + MemoryLayout<FrameWriter.Note>.stride, alignment: plan.frameAlignment
    ) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe plan.clearBits(in: frame)
      defer { unsafe plan.releaseOwned(in: frame) }
      for (index, argument) in arguments.enumerated() {
        var writer = unsafe FrameWriter(methodSignature, plan, frame, notes: frame + plan.blockSize, index: index)
        writer.writeAny(argument)
        if index == 0, implementation.hasTargetType { checkTarget(&writer) }
        if let failure = writer.takeFailure() { return .failure(failure) }
        if writer.owned != 0 { unsafe plan.markOwned(index, in: frame) }
      }
      unsafe plan.prepare(frame)
      withExtendedLifetime((self, arguments)) {
        if let errno = unsafe errno {
          unsafe errno.pointee = plan.callCapturingErrno(implementation.pointer, frame: frame)
        } else {
          unsafe plan.call(implementation.pointer, frame: frame)
        }
      }
      // Read before the arguments are released: the result may point into one.
      return .success(unsafe read(UnsafeRawPointer(frame)))
    }
    return try self.result(result)
  }
}

extension ForeignFunction {
  /// Throws unless the result can be read as a type.
  @inlinable @inline(__always)
  package func requireResult<Result: CallResult>(_ type: Result.Type) throws(InvocationError) {
    guard type.isResult(of: methodSignature) else { throw named(methodSignature.resultMismatch(type)) }
  }

  /// Returns the result of a call, or throws its error with the name of the function.
  @inlinable @inline(__always)
  func result<Value>(_ result: Swift.Result<Value, InvocationError>) throws(InvocationError) -> Value {
    switch result {
    case .success(let value): return value
    case .failure(let error): throw named(error)
    }
  }

  /// Returns the error with the name of the function.
  @usableFromInline
  package func named(_ error: InvocationError) -> InvocationError { name.map(error.about) ?? error }

  @usableFromInline
  package func countMismatch(_ given: Int) -> InvocationError {
    named(methodSignature.countMismatch(given, of: methodSignature.numberOfArguments))
  }
}
