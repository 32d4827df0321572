public import DynamicInvocation
public import Foundation

/// An operation that invokes an invocation: the equivalent of NSInvocationOperation in Swift.
///
///     let operation = InvocationOperation(invocation)
///     queue.addOperation(operation)
///     queue.waitUntilAllOperationsAreFinished()
///     let area: Double = try operation.returnValue()
///
/// The operation invokes a copy, which retains its arguments. The target and the arguments are passed to another
/// thread: they must be safe to use on the queue's threads.
public final class InvocationOperation: Operation, @unchecked Sendable {
  // Unchecked Sendable: until there is an outcome only `main` uses the copy, and afterwards it is used under the lock.

  private let handedOver: HandedOverInvocation
  private let outcome: Locked<Result<Void, any Error>?> = Locked(nil)

  /// Creates an operation that invokes a copy of an invocation.
  ///
  /// - Parameter invocation: The invocation. Its target and its arguments are safe to use on the queue's threads, beside
  ///   those that use them now.
  @unsafe
  public init(_ invocation: Invocation) {
    handedOver = HandedOverInvocation(invocation)
    super.init()
  }

  /// Invokes the copy.
  ///
  /// The operation queue calls this method; do not call it directly.
  public override func main() {
    guard !isCancelled else { return }
    let result = Result { try handedOver.invocation.invoke() }
    // Released without the lock: what the error of a former call keeps may use the operation.
    _ = outcome.withLock { exchange(&$0, with: result) }
  }

  /// The error that the invocation threw, or nil.
  public var error: (any Error)? {
    outcome.withLock { if case .failure(let error)? = $0 { error } else { nil } }
  }

  /// The types of the invocation and the state of the operation: `invocation of 'v@:q', ready`.
  ///
  /// Values are not shown, because another thread may be using the invocation.
  public override var description: String {
    let state = isFinished ? "finished" : isExecuting ? "executing" : isReady ? "ready" : "waiting"
    return "invocation of '\(handedOver.invocation.methodSignature.types.shortText.escaped)', \(isCancelled ? "cancelled" : state)"
  }

  /// Returns the result as a value of its type.
  ///
  /// - Throws: The error that the invocation threw. `.DynamicInvocation.InvocationError` `noReturnValue` before it
  ///   was invoked, and always if the operation was cancelled before that; `typeMismatch` and `nullNotAllowed` as
  ///   ``/DynamicInvocation/Invocation/returnValue(as:)`` does.
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws -> Value {
    try read { try $0.returnValue(as: type) }
  }

  /// Returns the result as a boxed value; null for void.
  ///
  /// - Throws: The errors of ``returnValue(as:)``, except for those of the type.
  public func boxedReturnValue() throws -> BoxedValue { try read { try $0.boxedReturnValue() } }

  private func read<Value>(_ body: (Invocation) throws -> Value) throws -> Value {
    let outcome = outcome.withLock { $0 }
    guard let outcome else {
      throw InvocationError(.noReturnValue, isCancelled ? "the operation was cancelled" : "the operation has not been carried out")
    }
    try outcome.get()
    return try body(handedOver.invocation)
  }
}
