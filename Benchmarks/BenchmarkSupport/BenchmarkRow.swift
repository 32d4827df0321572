/// One row of a report: the cost of one operation of one engine.
package struct BenchmarkRow: Sendable, Equatable {
  package var suite: String
  package var phase: String
  package var engine: String
  /// Nanoseconds of processor time: the median of the rounds.
  package var ns: Double
  /// The time relative to that of the direct call: the median of the ratios of the rounds.
  package var ratio: Double
  /// Heap allocations, or nil where they cannot be counted.
  package var allocations: Double?
  /// The interquartile range of the ratios of the rounds, as a fraction of the median.
  package var spread: Double
  /// The fastest round in nanoseconds.
  package var minimum: Double
  /// The slowest round in nanoseconds.
  package var maximum: Double
  /// Executed instructions, if they were requested.
  package var instructions: Double?

  /// Creates a row from the times of each round.
  ///
  /// `direct` contains the times of the direct call in the same rounds.
  package init(suite: String, phase: String, engine: String, times: [Double], direct: [Double], allocations: Double?) {
    let time = Sample(times)
    let ratio = Sample(zip(times, direct).map { $0 / $1 })
    self.suite = suite
    self.phase = phase
    self.engine = engine
    ns = time.median
    self.ratio = ratio.median
    self.allocations = allocations
    spread = ratio.spread
    minimum = time.minimum
    maximum = time.maximum
  }

  /// The name that `--filter` matches.
  package var name: String { "\(suite)/\(phase)/\(engine)" }
}
