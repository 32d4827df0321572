/// A C function pointer that calls a Swift closure: for `qsort`, for callbacks with user data or without, for any type encoding.
///
///     let ascending = try Closure(types: "i^v^v") { (a: UnsafeRawPointer, b: UnsafeRawPointer) -> Int32 in
///       let (left, right) = (a.load(as: Int.self), b.load(as: Int.self))
///       return left < right ? -1 : left > right ? 1 : 0
///     }
///     try libc.function("qsort", types: "v^vQQ^?")(numbers, count, size, ascending.pointer)
///
/// The code pointer is one of a bank of stubs compiled into the program. When the bank is used up, the same pages are mapped again beside
/// new data: no memory is ever writable and executable, and there is no limit but the system's. (On macOS the one bank of 1,024 is all.)
///
/// ## Lifetime
///
/// The code pointer is good as long as this object lives: keep it where the C side may still call. No call may begin after the object is
/// released; one that does traps with a message, at least until the stub serves another closure, for which the longest free one is taken. A
/// call that began before may go on: what the Swift closure has captured is released when the last running call returns, on the thread of
/// that call. A closure may therefore release itself.
///
/// A call that never returns, left by `longjmp` or a C++ exception, keeps its captures for ever.
///
/// ## Objects
///
/// C has no autorelease, so an object that a closure returns is the caller's to release (+1), as from any Swift function;
/// ``implementation`` says so, and an ``Invocation`` heeds it. Make the closure with `returnsRetained: false` for a caller that does not
/// release; then something else must keep the object alive. Objects that come as arguments are the caller's.
///
/// ## Threads
///
/// C may call on any thread, and on several at once. The thread that calls first calls quickest: calls on others count themselves with
/// locked instructions.
///
/// - Complexity: Making one takes a lock, and allocates the object and the closure's context. A call allocates nothing.
@safe
public final class Closure: @unchecked Sendable {
  // Sendable by hand: the pointer and the stub are only handed on.

  /// The code pointer, for C to call as a function of the signature.
  public let pointer: UnsafeRawPointer

  /// The types of the function.
  public let methodSignature: MethodSignature

  /// Whether an object that the closure returns is the caller's to release (+1).
  public let returnsRetained: Bool

  private let stub: ClosureBank.Stub

  /// Creates a closure that runs with the frame of each call; what `run` captures must be Sendable.
  ///
  /// - Parameter parameters: The types of the parameters, which were checked; nil for a `run` that looks them up in the signature.
  init(
    _ methodSignature: MethodSignature, returnsRetained: Bool = true, _ parameters: [any EncodedValue.Type]? = nil,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    stub = try ClosureBank.shared.open(ClosureBody(methodSignature, parameters, run))
    unsafe pointer = stub.code
    self.methodSignature = methodSignature
    self.returnsRetained = returnsRetained
  }

  deinit { ClosureBank.shared.close(stub) }

  /// The closure as an implementation, which keeps it alive: for an ``Invocation``, a ``ForeignFunction``, an ``Invocable``.
  public var implementation: Implementation {
    unsafe Implementation(pointer, methodSignature: methodSignature, returnsRetained: returnsRetained, keeping: self)
  }

  /// Lends the code pointer as a C function, for the time of a Swift closure.
  ///
  /// Traps when `Function` is not the size of a pointer, as a Swift function type is not.
  ///
  /// - Parameters:
  ///   - type: A type `@convention(c) (...) -> ...` of the signature's types; nothing can check that it is.
  ///   - body: What uses the function; it must not keep it.
  @unsafe
  public func withFunction<Function, Result: ~Copyable, Failure: Error>(
    as type: Function.Type, _ body: (Function) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(
      MemoryLayout<Function>.size == MemoryLayout<UInt>.size, "a closure's pointer is a function of type @convention(c)")
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(unsafeBitCast(pointer, to: type))
  }
}

extension Closure {
  /// Creates a closure of the types of a Swift closure, compared with a signature.
  ///
  /// - Parameters:
  ///   - types: The signature.
  ///   - parameters: The types of the parameters.
  ///   - returnType: The type of the result, or nil for a closure without one.
  ///   - run: Runs with the frame of each call; what it captures must be Sendable.
  @usableFromInline
  convenience init(
    _ types: String, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)? = nil,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    try self.init(MethodSignature(types: types), parameters, returning: returnType, run)
  }

  /// Creates a closure of the types of a Swift closure, compared with a signature.
  convenience init(
    _ methodSignature: MethodSignature, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    try methodSignature.require(parameters, returning: returnType)
    try self.init(methodSignature, parameters, run)
  }
}

extension MethodSignature {
  /// Throws unless a closure or a thunk of some types is called as the signature says.
  func require(
    _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?
  ) throws(InvocationError) {
    let plan = storage.plan
    guard parameters.count == plan.count else {
      throw InvocationError(
        .countMismatch, "the closure has \(parameters.count) parameters, the signature '\(self)' takes \(plan.count)")
    }
    for (index, type) in parameters.enumerated() where !takes(type, at: index) {
      throw mismatch(type, .index(index))
    }
    if let returnType {
      guard returnType != String.self, returnType != String?.self else {
        throw InvocationError(
          .typeMismatch, "nobody would free the text after the caller has read it", argument: .result, encoding: self.returnType.description
        )
      }
      guard returnType.accepts(plan.result.kind) else { throw mismatch(returnType, .result) }
    } else if plan.result.kind != .void {
      throw mismatch(Void.self, .result)
    }
  }
}
