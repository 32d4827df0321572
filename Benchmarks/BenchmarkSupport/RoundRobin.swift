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
