/// A C function pointer that calls a Swift closure: for `qsort`, and for callbacks with or without user data, of any
/// type encoding.
///
///     let ascending = try Closure(types: "i^v^v") { (a: UnsafeRawPointer, b: UnsafeRawPointer) -> Int32 in
///       let (left, right) = (a.load(as: Int.self), b.load(as: Int.self))
///       return left < right ? -1 : left > right ? 1 : 0
///     }
///     try libc.function("qsort", types: "v^vQQ^?")(numbers, count, size, ascending.pointer)
///
/// The code pointer points to a stub that is compiled into the program: no memory is ever both writable and executable, and
/// the number of closures is limited only by the system. (On macOS it is 1,024.)
///
/// The code pointer is valid as long as this object is alive: keep the object while C may still call. No call may begin
/// after the object is released. A call that does traps with a message, at least until the stub is reused for another
/// closure; the stub that has been free for the longest time is reused first. A call that began before the release may
/// continue: what the Swift closure has captured is released when the last running call returns, on the thread of that
/// call. So a closure may release itself.
///
/// A call that is left by `longjmp` or a C++ exception never returns, so the captured values are never released.
///
/// C has no autorelease, so the caller must release an object that a closure returns (+1), as for any Swift function.
/// ``implementation`` has this rule, and ``Invocation`` follows it. Create the closure with `returnsRetained: false`
/// for a caller that does not release; then something else must keep the object alive. Object arguments are owned by
/// the caller.
///
/// C may call on any thread, and on several at once. Calls on the thread that called first are the fastest; calls on
/// other threads are counted with locked instructions.
///
/// - Complexity: Creating a closure takes a lock, and allocates the object and the closure's context. A call allocates
///   nothing.
@safe
public final class Closure: @unchecked Sendable, CustomStringConvertible {
  // Unchecked Sendable: the pointer and the stub are only passed on.

  /// The code pointer, for C to call as a function of the signature.
  public let pointer: UnsafeRawPointer

  /// The types of the function.
  public let methodSignature: MethodSignature

  /// Whether the caller must release an object that the closure returns (+1).
  public let returnsRetained: Bool

  /// The types of the parameters; empty if they are looked up in the signature.
  let parameters: [any EncodedValue.Type]

  private let stub: ClosureBank.Stub

  /// Creates a closure that runs `run` with the frame of each call.
  ///
  /// What `run` captures must be Sendable.
  ///
  /// - Parameter parameters: The types of the parameters, already checked; nil if `run` looks them up in the signature.
  init(
    _ methodSignature: MethodSignature, returnsRetained: Bool = true, _ parameters: [any EncodedValue.Type]? = nil,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    stub = try ClosureBody(methodSignature, parameters, run).openStub()
    unsafe pointer = stub.code
    self.methodSignature = methodSignature
    self.returnsRetained = returnsRetained
    self.parameters = parameters ?? []
  }

  deinit { ClosureBank.shared.close(stub) }

  /// The closure as an implementation, which retains the closure: for an ``Invocation``, a ``ForeignFunction``, an
  /// ``Invocable``.
  public var implementation: Implementation {
    unsafe Implementation(pointer, methodSignature: methodSignature, returnsRetained: returnsRetained, keeping: self)
  }

  /// Calls a Swift closure with the code pointer as a C function.
  ///
  /// Traps unless `Function` has the size of a pointer; a Swift function type does not.
  ///
  /// - Parameters:
  ///   - type: A type `@convention(c) (...) -> ...` with the types of the signature. Nothing can check that it is
  ///     correct.
  ///   - body: A closure that uses the function. It must not store the function for later use.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @unsafe
  public func withFunction<Function, Result: ~Copyable, Failure: Error>(
    as type: Function.Type, _ body: (Function) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(
      MemoryLayout<Function>.size == MemoryLayout<UInt>.size, "a closure's pointer is a function of type @convention(c)")
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(unsafeBitCast(pointer, to: type))
  }

  /// The types: `closure 'qq'`.
  public var description: String { "closure '\(methodSignature.types.shortText.escaped)'" }
}

extension Closure {
  /// Creates a closure from a Swift closure's types, which are checked against a signature.
  ///
  /// - Parameters:
  ///   - types: The signature.
  ///   - parameters: The types of the parameters.
  ///   - returnType: The type of the result, or nil for a closure without one.
  ///   - run: Runs with the frame of each call. What it captures must be Sendable.
  @usableFromInline
  convenience init(
    _ types: String, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)? = nil,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    try self.init(MethodSignature(types: types), parameters, returning: returnType, run)
  }

  /// Creates a closure from a Swift closure's types, which are checked against a signature.
  package convenience init(
    _ methodSignature: MethodSignature, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    try methodSignature.require(parameters, returning: returnType)
    try self.init(methodSignature, parameters, run)
  }
}

extension Closure: _CallArgument {
  /// Writes the code pointer as the next argument of a call; the call keeps the closure alive until it returns.
  ///
  /// If the callee keeps the function, the caller must keep the closure.
  @unsafe
  public func write(to frame: inout FrameWriter) { unsafe frame.write(pointer) }
}

extension MethodSignature {
  /// Throws unless a closure or a thunk with the given types can be called as the signature specifies.
  func require(
    _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?
  ) throws(InvocationError) {
    let plan = storage.plan
    guard parameters.count == plan.count else {
      throw InvocationError(
        .countMismatch, "the closure has \(parameters.count.counted("parameter")), the signature '\(self)' takes \(plan.count)")
    }
    for (index, type) in parameters.enumerated() where !takes(type, at: index) {
      throw mismatch(type, .index(index))
    }
    if let returnType {
      guard !returnType.copiesText else {
        throw InvocationError(
          .typeMismatch,
          "a String is no result, since nobody would free the text after the caller has read it; return a SwiftValue<String>, or an NSString",
          argument: .result, encoding: self.returnType.description)
      }
      guard takes(returnType, at: plan.count) else { throw mismatch(returnType, .result) }
    } else if plan.result.kind != .void {
      throw mismatch(Void.self, .result)
    }
  }
}

// MARK: - Handler

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
  ///   - methodSignature: The types of the closure.
  ///   - returnsRetained: Whether the caller releases an object result, so that the closure retains it for the caller. If
  ///     false, the creator of the closure must ensure that something else keeps the object alive.
  ///   - onError: Called with the error of a handler that throws; the result is then zero. The default traps.
  ///   - handler: Reads the arguments, and sets the result.
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
        if call.lacksReturnValue {
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

extension Closure {
  /// Creates a closure for messages, whose handler's errors the sender receives.
  ///
  /// - Parameter methodSignature: The types, on any backend: the closure has them on the backend of closures.
  package convenience init(
    rethrowing methodSignature: MethodSignature, _ handler: @escaping @Sendable (inout IncomingCall) throws -> Void
  ) throws(InvocationError) {
    let types = try MethodSignature(methodSignature.types, fixedArgumentCount: methodSignature.fixedArgumentCount)
    try self.init(types) { frame, body in
      let place = ErrorPlace.take()
      var call = IncomingCall(body, frame, returnsRetained: true)
      do { try handler(&call) } catch {
        call.clearResult()
        body.fail(error, place, frame)
      }
    }
  }
}

/// The implementation of the functions `withClosure`: a closure that C may call until the Swift function that passed it returns.
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
