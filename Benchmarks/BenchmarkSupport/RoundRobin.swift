/// Times loops in turns, so that a machine that changes its speed does so for all of them alike.
package struct RoundRobin {
  /// How long one loop should run in one round.
  package var seconds: Double
  package var rounds: Int
  /// Seconds since some moment.
  package var clock: () -> Double

  package init(seconds: Double, rounds: Int, clock: @escaping () -> Double) {
    self.seconds = seconds
    self.rounds = rounds
    self.clock = clock
  }

  /// Returns for each lane the nanoseconds per operation of each round; `progress` hears of each loop that has run.
  package func measure(_ lanes: [Lane], progress: (Lane) -> Void) throws -> [[Double]] {
    let counts = try lanes.map(calibrate)
    var times = [[Double]](repeating: [], count: lanes.count)
    for round in 0..<rounds {
      // There and back: a steady drift then favours neither the first nor the last.
      for index in round.isMultiple(of: 2) ? Array(lanes.indices) : lanes.indices.reversed() {
        times[index].append(try time(lanes[index], counts[index]) * 1e9 / Double(counts[index]))
        progress(lanes[index])
      }
    }
    return times
  }

  /// How many operations take the wished time.
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
