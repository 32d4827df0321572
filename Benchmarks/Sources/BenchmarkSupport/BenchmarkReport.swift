/// The rows of one run, as `--json` prints them, or as a peer does.
package struct BenchmarkReport: Sendable, Equatable, Codable {
  package var results: [BenchmarkRow]
  /// The names of rows that a peer did not time because their calls return wrong results.
  package var wrong: [String]?
  /// The number of rounds whose medians the times are, if it is known.
  package var rounds: Int?

  package init(results: [BenchmarkRow], wrong: [String]? = nil, rounds: Int? = nil) {
    self.results = results
    self.wrong = wrong
    self.rounds = rounds
  }

  /// The report as text, with one line per row.
  package var table: String {
    textTable(
      ["suite", "phase", "engine", ">ns", ">ratio", ">instructions", ">spread", ">allocations", "min .. max ns"],
      results.map { row in
        [
          row.suite, row.phase, row.engine, decimal(row.ns, 2), decimal(row.ratio, 2) + "x", row.instructions.map { decimal($0, 0) } ?? "-",
          percent(row.spread), row.allocations.map { decimal($0, 1) } ?? "-", "\(decimal(row.minimum, 2)) .. \(decimal(row.maximum, 2))",
        ]
      })
  }
}

/// One row of a report: the cost of one operation of one engine.
package struct BenchmarkRow: Sendable, Equatable, Codable {
  package var suite: String
  package var phase: String
  package var engine: String
  /// Nanoseconds of processor time: the median of the rounds.
  package var ns: Double
  /// The time relative to the direct call: the median of the ratios of the rounds.
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
    // More digits than the clock's precision would only make reports hard to read.
    func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
    let (time, ratio) = (Sample(times), Sample(zip(times, direct).map { $0 / $1 }))
    (self.suite, self.phase, self.engine, self.allocations) = (suite, phase, engine, allocations)
    (ns, minimum, maximum) = (rounded(time.median), rounded(time.minimum), rounded(time.maximum))
    (self.ratio, spread) = (rounded(ratio.median), rounded(ratio.spread))
  }

  /// The name that `--filter` matches.
  package var name: String { "\(suite)/\(phase)/\(engine)" }

  /// Encodes the row; `allocations` is null where they cannot be counted, because the key is part of the format.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    for (key, text) in [(CodingKeys.suite, suite), (.phase, phase), (.engine, engine)] { try values.encode(text, forKey: key) }
    for (key, number) in [(CodingKeys.ns, ns), (.ratio, ratio), (.spread, spread), (.minimum, minimum), (.maximum, maximum)] {
      try values.encode(number, forKey: key)
    }
    try values.encode(allocations, forKey: .allocations)
    try values.encodeIfPresent(instructions, forKey: .instructions)
  }
}
