/// The rows of one run, as `--json` prints and `--compare` reads them.
package struct BenchmarkReport: Sendable, Equatable {
  package var results: [BenchmarkRow]
  /// The names of rows that were not timed because their calls return wrong results.
  package var wrong: [String]
  /// The number of rounds that times are the medians of, if it is known.
  package var rounds: Int?

  package init(results: [BenchmarkRow], wrong: [String] = [], rounds: Int? = nil) {
    self.results = results
    self.wrong = wrong
    self.rounds = rounds
  }

  /// Reads a report that `--json` printed.
  package init(path: String) throws { self = try Self(jsonPath: path) }

  /// Returns the report as JSON text with sorted keys, so that two reports can be compared line by line.
  package func json() throws -> String { try jsonText() }
}

extension BenchmarkReport: Codable {
  private enum CodingKeys: String, CodingKey { case results, wrong, rounds }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    results = try values.decode([BenchmarkRow].self, forKey: .results)
    wrong = try values.decodeIfPresent([String].self, forKey: .wrong) ?? []
    rounds = try values.decodeIfPresent(Int.self, forKey: .rounds)
  }

  /// Encodes the report, with `wrong` only if it is not empty.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(results, forKey: .results)
    if !wrong.isEmpty { try values.encode(wrong, forKey: .wrong) }
    try values.encodeIfPresent(rounds, forKey: .rounds)
  }
}

extension BenchmarkReport {
  /// The report as text, with one line per row.
  package var table: String {
    let counted = results.contains { $0.instructions != nil }
    var table = TextTable(
      [
        .init("suite", .left), .init("phase", .left), .init("engine", .left), .init("ns", .right), .init("ratio", .right),
      ] + (counted ? [.init("instructions", .right)] : []) + [
        .init("spread", .right), .init("allocations", .right), .init("min .. max ns", .left),
      ])
    for row in results {
      table.append(
        [
          row.suite, row.phase, row.engine, decimal(row.ns, 2), decimal(row.ratio, 2) + "x",
        ] + (counted ? [row.instructions.map { decimal($0, 0) } ?? "-"] : []) + [
          percent(row.spread), row.allocations.map { decimal($0, 1) } ?? "-",
          "\(decimal(row.minimum, 2)) .. \(decimal(row.maximum, 2))",
        ])
    }
    return table.text
  }
}

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

extension BenchmarkRow: Codable {
  private enum CodingKeys: String, CodingKey {
    case suite, phase, engine, ns, ratio, allocations, spread, minimum, maximum, instructions
  }

  /// Decodes a row.
  ///
  /// All members except for its name, time and ratio may be absent, as in a report of a different program.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    suite = try values.decode(String.self, forKey: .suite)
    phase = try values.decode(String.self, forKey: .phase)
    engine = try values.decode(String.self, forKey: .engine)
    ns = try values.decode(Double.self, forKey: .ns)
    ratio = try values.decode(Double.self, forKey: .ratio)
    allocations = try values.decodeIfPresent(Double.self, forKey: .allocations)
    spread = try values.decodeIfPresent(Double.self, forKey: .spread) ?? 0
    minimum = try values.decodeIfPresent(Double.self, forKey: .minimum) ?? ns
    maximum = try values.decodeIfPresent(Double.self, forKey: .maximum) ?? ns
    instructions = try values.decodeIfPresent(Double.self, forKey: .instructions)
  }

  /// Encodes a row.
  ///
  /// Unknown `allocations` are encoded as null, because the key is part of the format.
  package func encode(to encoder: any Encoder) throws {
    // More digits than the clock's precision would only make reports hard to read.
    func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(suite, forKey: .suite)
    try values.encode(phase, forKey: .phase)
    try values.encode(engine, forKey: .engine)
    try values.encode(rounded(ns), forKey: .ns)
    try values.encode(rounded(ratio), forKey: .ratio)
    try values.encode(allocations, forKey: .allocations)
    try values.encode(rounded(spread), forKey: .spread)
    try values.encode(rounded(minimum), forKey: .minimum)
    try values.encode(rounded(maximum), forKey: .maximum)
    try values.encodeIfPresent(instructions, forKey: .instructions)
  }
}
