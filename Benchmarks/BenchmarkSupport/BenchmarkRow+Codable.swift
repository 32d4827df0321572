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
