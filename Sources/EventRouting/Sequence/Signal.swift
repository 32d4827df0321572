internal import DynamicInvocation

/// Wakes one task, once.
final class Signal: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case sent
  }

  private let state: Locked<State> = Locked(.idle)

  /// Wakes the task, or makes its next wait return at once.
  ///
  /// - Returns: Whether this was the first call.
  func send() -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      defer { state = .sent }
      switch state {
      case .idle: return (true, nil)
      case .waiting(let continuation): return (true, continuation)
      case .sent: return (false, nil)
      }
    }
    continuation?.resume()
    return isFirst
  }

  /// Waits until `send` is called or the task is cancelled.
  func wait(isolation actor: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { continuation in
        let wasSent = state.withLock { state in
          if case .sent = state { return true }
          state = .waiting(continuation)
          return false
        }
        if wasSent { continuation.resume() }
      }
    } onCancel: {
      _ = send()
    }
  }
}
