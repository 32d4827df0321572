public import Dispatch
public import DynamicInvocation
public import Foundation

extension Invocation {
  /// Sets an argument from any Swift or Foundation value, as its type requires.
  ///
  /// An argument of type `@` takes the object itself: an NSNumber or NSValue is not unboxed, NSNull and nil become
  /// null, and a Swift value becomes the object that Foundation bridges it to, such as an NSString for a `String`. A
  /// value whose Swift type matches the encoding is set directly. Any other value is boxed and converted: an NSNumber
  /// to a scalar, an NSValue to a struct of its layout, an NSString to a C string or the name of a selector.
  ///
  /// - Parameters:
  ///   - any: The value.
  ///   - index: The index of the argument. In a method, 0 is the target and 1 the selector.
  ///   - options: The conversion options; exact by default.
  /// - Throws: `.DynamicInvocation.InvocationError` with the argument and its encoding: `indexOutOfRange`,
  ///   `typeMismatch`, `outOfRange`, `inexact`, `nullNotAllowed`. The argument is then unchanged.
  /// - Complexity: O(bytes of the value), with some dynamic casts. A text and a bridged object allocate.
  public func setArgument(any: Any?, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    let type: TypeEncoding
    do { type = try methodSignature.argumentType(at: index) } catch { throw named(error) }
    do {
      if case .object = type.kind { return try setArgument(ObjectBridge.object(for: any), at: index) }
      // A text is boxed, because boxing rejects a text with a null character, which C would truncate.
      guard let value = BoxedValue.unwrapped(any) as? any EncodedValue, !(value is String), try set(value, type.valueKind, at: index) else {
        return try setArgument(boxed: BoxedValue(any, options: options), at: index, options: options)
      }
    } catch {
      throw named(error.placed(.index(index), type))
    }
  }

  /// Sets a value if its Swift type matches the argument's type, and returns whether it does.
  private func set<Value: EncodedValue>(_ value: Value, _ kind: ValueKind, at index: Int) throws(InvocationError) -> Bool {
    guard Value.accepts(kind) else { return false }
    try setArgument(value, at: index)
    return true
  }

  /// Sets the arguments from any values; in a method, those after the target and the selector.
  ///
  /// - Throws: `.DynamicInvocation.InvocationError` `countMismatch` if the number of values is not the number of
  ///   arguments, and the errors of ``setArgument(any:at:options:)``. The arguments before the failing one are set.
  public func setArguments(any values: [Any?], options: ConversionOptions = []) throws(InvocationError) {
    let first = methodSignature.isMethod ? 2 : 0
    let count = methodSignature.numberOfArguments - first
    guard values.count == count else {
      let reason = "\(values.count.counted("value")) given, the signature '\(methodSignature)' takes \(count)"
      throw named(InvocationError(.countMismatch, reason))
    }
    for (offset, value) in values.enumerated() { try setArgument(any: value, at: first + offset, options: options) }
  }

  /// Sets the result from any Swift or Foundation value, as the return type requires.
  ///
  /// - Throws: `.DynamicInvocation.InvocationError` as ``setArgument(any:at:options:)`` does, and `typeMismatch` for
  ///   a text, because a result does not own the C string.
  public func setReturnValue(any: Any?, options: ConversionOptions = []) throws(InvocationError) {
    let type = methodSignature.returnType
    do {
      if case .object = type.kind { return try setReturnValue(ObjectBridge.object(for: any)) }
      try setReturnValue(boxed: BoxedValue(any, options: options), options: options)
    } catch {
      throw named(error.placed(.result, type))
    }
  }
}

/// Finds the object to pass for a value to a parameter of type `@`.
enum ObjectBridge {
  /// Returns the object for a value, or nil for null.
  ///
  /// An object is itself: an NSNumber is not unboxed, because the parameter requires the object. NSNull is null.
  static func object(for any: Any?) throws(InvocationError) -> AnyObject? {
    guard let value = BoxedValue.unwrapped(any) else { return nil }
    if type(of: value) is AnyClass { return value is NSNull ? nil : value as AnyObject }
    // Before boxing: a Decimal is an NSDecimalNumber here, not the integer that a box would contain.
    if let value = value as? any _ObjectiveCBridgeable { return value._bridgeToObjectiveC() as AnyObject }
    guard let box = try BoxedValue.box(of: value, []) else { throw mismatch(value) }
    if box.isNull { return nil }
    guard let object = box.foundationObject else { throw mismatch(value) }
    return object
  }

  private static func mismatch(_ value: Any) -> InvocationError {
    InvocationError(.typeMismatch, "a value of type \(type(of: value)) is not an object")
  }
}

/// NSObject and its subclasses, such as NSNumber, NSString, NSDictionary and custom ones, are parameters and results of
/// the type `@`.
extension NSObject: EncodedObject {}

// MARK: - Scheduling

extension Invocation {
  /// Invokes a copy of the invocation on a queue after a delay.
  ///
  ///     invocation.invoke(after: .milliseconds(200), on: .main)
  ///
  /// The copy retains its arguments, and this invocation may be used further by the caller. The target and the
  /// arguments are passed to another thread: they must be safe to use on the queue.
  ///
  /// - Parameters:
  ///   - delay: The delay. A negative delay is zero.
  ///   - queue: The queue.
  ///   - completion: Called on the queue with the copy, which has the result, or with the error. The default traps on
  ///     an error, which would otherwise be lost.
  /// - Returns: The work item. It can be cancelled until it begins, and the completion is then not called.
  @unsafe
  @discardableResult
  public func invoke(
    after delay: Swift.Duration, on queue: DispatchQueue,
    completion: @escaping @Sendable (Invocation, (any Error)?) -> Void = { invocation, error in
      if let error { fatalError("\(invocation), invoked on a queue, failed: \(error)") }
    }
  ) -> DispatchWorkItem {
    let handedOver = HandedOverInvocation(self)
    let item = DispatchWorkItem {
      let invocation = handedOver.invocation
      do { try invocation.invoke() } catch { return completion(invocation, error) }
      completion(invocation, nil)
    }
    let (seconds, attoseconds) = max(delay, .zero).components
    // The clock cannot count longer delays, which are some centuries.
    let nanoseconds = min(Double(seconds), 9e9) * 1e9 + Double(attoseconds / 1_000_000_000)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(min(nanoseconds, 9e18))), execute: item)
    return item
  }
}

/// A copy of an invocation that is passed to another thread.
struct HandedOverInvocation: @unchecked Sendable {
  // Unchecked Sendable: there is no other reference to the copy. The caller guarantees that its target and arguments
  // may be sent.

  let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation.copy()
    self.invocation.retainArguments()
  }
}

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
  /// - Parameter invocation: The invocation. Its target and its arguments must be safe to use on the queue's threads, besides
  ///   the threads that use them now.
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
    let former = outcome.withLock { exchange(&$0, with: result) }
    withExtendedLifetime(former) {}
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
  /// - Throws: The errors of ``returnValue(as:)``, except for the errors of the type.
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
