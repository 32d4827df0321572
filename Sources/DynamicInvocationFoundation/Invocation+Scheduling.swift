public import Dispatch
public import DynamicInvocation

extension Invocation {
  /// Invokes on a queue after a delay.
  ///
  ///     invocation.invoke(after: .milliseconds(200), on: .main)
  ///
  /// What is invoked is a copy, which keeps its arguments; this invocation may go on to be used here. Its target and arguments are handed
  /// over: they must be safe to use on the queue.
  ///
  /// - Parameters:
  ///   - delay: How long to wait; negative is none.
  ///   - queue: The queue.
  ///   - completion: Called on the queue with the copy, which has the result, or with the error. The default traps on an error, which
  ///     nobody would see.
  /// - Returns: The work item, which can be cancelled as long as it has not begun; then there is no completion.
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
    // More than that is further off than the clock counts: some centuries.
    let nanoseconds = min(Double(seconds), 9e9) * 1e9 + Double(attoseconds / 1_000_000_000)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(min(nanoseconds, 9e18))), execute: item)
    return item
  }
}

/// A copy of an invocation on its way to another thread.
struct HandedOverInvocation: @unchecked Sendable {
  // Sendable by hand: nobody else has the copy. For its target and arguments the one who hands it over vouches.

  let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation.copy()
    self.invocation.retainArguments()
  }
}
