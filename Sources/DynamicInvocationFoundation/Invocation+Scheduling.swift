public import Dispatch
public import DynamicInvocation

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
    after delay: Duration, on queue: DispatchQueue,
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
