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

/// Signals of tasks that wait, first come first.
struct WaitingSignals {
  /// Where a signal waits.
  struct Place {
    fileprivate let number: UInt
  }

  private var signals: [UInt: Signal] = [:]
  /// The number of the first signal, or of one before it that was removed.
  private var first: UInt = 0
  /// The number of the next signal to be added.
  private var end: UInt = 0

  var isEmpty: Bool { signals.isEmpty }

  var count: Int { signals.count }

  mutating func add(_ signal: Signal) -> Place {
    defer { end += 1 }
    signals[end] = signal
    return Place(number: end)
  }

  /// Takes the signal that has waited longest.
  ///
  /// - Complexity: Constant for each signal that was added.
  mutating func takeFirst() -> Signal? {
    guard !isEmpty else {
      first = end
      return nil
    }
    while true {
      defer { first += 1 }
      if let signal = signals.removeValue(forKey: first) { return signal }
    }
  }

  /// Removes a signal; returns whether it was waiting.
  @discardableResult
  mutating func remove(_ place: Place) -> Bool { signals.removeValue(forKey: place.number) != nil }
}
