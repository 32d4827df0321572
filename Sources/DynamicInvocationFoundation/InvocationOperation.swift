public import DynamicInvocation
public import Foundation

/// An operation that invokes an invocation: NSInvocationOperation for Swift.
///
///     let operation = InvocationOperation(invocation)
///     queue.addOperation(operation)
///     queue.waitUntilAllOperationsAreFinished()
///     let area: Double = try operation.returnValue()
///
/// What is invoked is a copy, which keeps its arguments. Its target and arguments are handed over: they must be safe to use on the queue's
/// threads.
public final class InvocationOperation: Operation, @unchecked Sendable {
  // Sendable by hand: the copy is used by `main` alone until the outcome is there, and under the lock from then on.

  private let handedOver: HandedOverInvocation
  private let outcome: Locked<Result<Void, any Error>?> = Locked(nil)

  /// Creates an operation that invokes a copy of an invocation.
  public init(_ invocation: Invocation) {
    handedOver = HandedOverInvocation(invocation)
    super.init()
  }

  /// Invokes; not to be called from outside.
  public override func main() {
    guard !isCancelled else { return }
    let result = Result { try handedOver.invocation.invoke() }
    outcome.withLock { $0 = result }
  }

  /// The error that the invocation ended with, or nil.
  public var error: (any Error)? {
    outcome.withLock { if case .failure(let error)? = $0 { error } else { nil } }
  }

  /// The types of the invocation and how far it is: `invocation of 'v@:q', ready`.
  ///
  /// Values are not shown: the invocation may be on another thread.
  public override var description: String {
    let state = isFinished ? "finished" : isExecuting ? "executing" : isReady ? "ready" : "waiting"
    return "invocation of '\(handedOver.invocation.methodSignature.types.shortText.escaped)', \(isCancelled ? "cancelled" : state)"
  }

  /// Returns the result as a value of its type.
  ///
  /// - Throws: The error that the invocation ended with. ``/DynamicInvocation/InvocationError`` `noReturnValue` before it was invoked, and for ever when the
  ///   operation was cancelled before; `typeMismatch` and `nullNotAllowed` as ``/DynamicInvocation/Invocation/returnValue(as:)`` does.
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws -> Value {
    try read { try $0.returnValue(as: type) }
  }

  /// Returns the result as a boxed value; null for void.
  ///
  /// - Throws: As ``returnValue(as:)`` does, save for the type.
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
