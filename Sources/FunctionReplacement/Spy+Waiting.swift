internal import CallFrames
public import TypeEncodings

extension Spy {
  /// Waits until calls have begun.
  ///
  ///     try await mails.wait(for: 2, within: .seconds(1))
  ///     let mail = try await mails.wait(within: .seconds(1)) { $0["to"] == "a@example.org" }[0]
  ///
  /// Calls that began before the wait count. A recorded call wakes the waiting task: there is no polling.
  ///
  /// - Parameters:
  ///   - count: How many calls.
  ///   - time: For how long at most; up to 136 years.
  ///   - clock: The clock that measures the time, such as one that the test advances.
  ///   - isCounted: Which calls count; by default all.
  /// - Returns: The first calls that count.
  /// - Throws: `InvocationError` `callsMissing`, with the calls that came instead; `CancellationError` if the task is cancelled; what the
  ///   closure throws.
  @discardableResult
  public nonisolated(nonsending) func wait(
    for count: Int = 1, within time: Duration, clock: any Clock<Duration> = ContinuousClock(),
    where isCounted: (Call) throws -> Bool = { _ in true }
  ) async throws -> [Call] {
    guard count > 0 else { return [] }
    let waiter = CallWaiter()
    add(waiter)
    let timer = Task {
      // A clock that fails ends the wait, too.
      try? await clock.sleep(for: time.clamped)
      waiter.end()
    }
    defer {
      timer.cancel()
      remove(waiter)
    }
    return try await withTaskCancellationHandler {
      var found: [Call] = []
      var others: [Call] = []
      while true {
        await waiter.next()
        let (new, isOver) = waiter.take()
        for call in new where found.count < count {
          if try isCounted(call) { found.append(call) } else { others.append(call) }
        }
        if found.count >= count { return current(found) }
        try Task.checkCancellation()
        if isOver { throw missing(count, within: time, found, others) }
      }
    } onCancel: {
      waiter.end()
    }
  }

  private func missing(_ count: Int, within time: Duration, _ found: [Call], _ others: [Call]) -> InvocationError {
    let most = 10
    func list(_ calls: [Call]) -> String {
      let rest = calls.count > most ? ["and \(calls.count - most) more"] : []
      return (calls.prefix(most).map(\.text) + rest).joined(separator: ", ")
    }
    let came = "\(found.count) of \(count.counted("call")) came within \(time)"
    let texts = (found.isEmpty ? [] : [": " + list(found)]) + (others.isEmpty ? [] : ["; others that came: " + list(others)])
    return InvocationError(.callsMissing, came + texts.joined()).about(name)
  }
}

/// What a task waits with: the calls that it has not seen, and how it is woken.
final class CallWaiter: Sendable {
  @safe
  private struct State: @unchecked Sendable {
    // Unchecked Sendable: as the calls of a spy.

    var calls: [Spy.Call] = []
    /// Whether nothing is waited for any more.
    var isOver = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let state: Locked<State> = Locked(State())

  /// Suspends the task until there are calls, or nothing is waited for any more.
  nonisolated(nonsending) func next() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        let isReady = state.isOver || !state.calls.isEmpty
        if !isReady { state.continuation = continuation }
        return isReady
      }
      if isReady { continuation.resume() }
    }
  }

  /// Takes the calls, in their order.
  func take() -> (calls: [Spy.Call], isOver: Bool) {
    let taken = state.withLock { state -> State in
      defer { state.calls = [] }
      return State(calls: state.calls, isOver: state.isOver)
    }
    return (taken.calls.sorted { $0.order < $1.order }, taken.isOver)
  }

  /// Adds calls, and wakes the task.
  func add(_ calls: [Spy.Call]) { wake(State(calls: calls)) }

  /// Wakes the task for the last time.
  func end() { wake(State(isOver: true)) }

  private func wake(_ change: State) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.calls += change.calls
      state.isOver = state.isOver || change.isOver
      guard state.isOver || !state.calls.isEmpty else { return nil }
      defer { state.continuation = nil }
      return state.continuation
    }
    waiting?.resume()
  }
}

extension InvocationError.Code {
  /// The calls that a test waits for did not come in time.
  public static let callsMissing: InvocationError.Code = InvocationError.Code(rawValue: "callsMissing")
}
