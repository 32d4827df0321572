/// One row of a report: what one operation of one engine costs.
package struct BenchmarkRow: Sendable, Equatable {
  package var suite: String
  package var phase: String
  package var engine: String
  /// Nanoseconds of processor time, the median of the rounds.
  package var ns: Double
  /// The time over that of the direct call, the median of the rounds' own ratios.
  package var ratio: Double
  /// Heap allocations, or nil where they cannot be counted.
  package var allocations: Double?
  /// The distance between the quartiles of the rounds' ratios, as a share of the median.
  package var spread: Double
  /// The fastest round in nanoseconds.
  package var minimum: Double
  /// The slowest round in nanoseconds.
  package var maximum: Double
  /// Instructions executed, where they were asked for.
  package var instructions: Double?

  /// Makes a row of the times of each round, `direct` being those of the direct call in the same rounds.
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

  /// What `--filter` looks at.
  package var name: String { "\(suite)/\(phase)/\(engine)" }
}
