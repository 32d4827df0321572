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
