/// Times loops in alternation, so that a change of the machine's speed affects all of them alike.
package struct RoundRobin {
  /// The duration of one loop in one round.
  package var seconds: Double
  package var rounds: Int
  /// Returns seconds since an arbitrary time.
  package var clock: () -> Double

  package init(seconds: Double, rounds: Int, clock: @escaping () -> Double) {
    self.seconds = seconds
    self.rounds = rounds
    self.clock = clock
  }

  /// Returns the nanoseconds per operation of each round for each loop, and calls `progress` after each loop that has
  /// run.
  package func measure(_ lanes: [Lane], progress: (Lane) -> Void) throws -> [[Double]] {
    let counts = try lanes.map(calibrate)
    var times = [[Double]](repeating: [], count: lanes.count)
    for round in 0..<rounds {
      // Alternate the direction, so that a steady drift favors neither the first loop nor the last.
      for index in round.isMultiple(of: 2) ? Array(lanes.indices) : lanes.indices.reversed() {
        times[index].append(try time(lanes[index], counts[index]) * 1e9 / Double(counts[index]))
        progress(lanes[index])
      }
    }
    return times
  }

  /// Returns the number of operations that take the requested time.
  private func calibrate(_ lane: Lane) throws -> Int {
    var count = 64
    while true {
      let elapsed = try time(lane, count)
      if elapsed >= seconds / 4 || count >= 1 << 30 { return max(64, Int(Double(count) * seconds / max(elapsed, 1e-9))) }
      count *= 4
    }
  }

  private func time(_ lane: Lane, _ count: Int) throws -> Double {
    let start = clock()
    try lane.run(count)
    return clock() - start
  }
}

/// One of several loops that are timed against each other.
package struct Lane {
  package var name: String
  /// Runs the given number of operations.
  package var run: (Int) throws -> Void

  package init(name: String, run: @escaping (Int) throws -> Void) {
    self.name = name
    self.run = run
  }
}

/// Repeated measurements of one quantity, sorted.
package struct Sample: Sendable, Equatable {
  private let sorted: [Double]

  /// Creates a sample of at least one measurement.
  package init(_ values: [Double]) {
    precondition(!values.isEmpty, "a sample of nothing")
    sorted = values.sorted()
  }

  package var minimum: Double { sorted[0] }
  package var maximum: Double { sorted[sorted.count - 1] }
  package var median: Double { quantile(0.5) }

  /// The interquartile range as a fraction of the median, which ignores a few disturbed rounds.
  package var spread: Double { median == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / median }

  /// Returns the value below which a fraction of the measurements is, interpolated between its neighbors.
  package func quantile(_ share: Double) -> Double {
    let position = share * Double(sorted.count - 1)
    let below = Int(position)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
  }
}
