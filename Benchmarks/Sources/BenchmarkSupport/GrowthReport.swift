/// One point of a curve: the cost of one operation of one engine at one size.
package struct GrowthPoint: Sendable, Equatable, Codable {
  package var curve: String
  package var engine: String
  package var size: Int
  /// Nanoseconds of processor time, the median of the rounds; nil if it was not timed.
  package var ns: Double?
  /// Executed instructions, libraries included; nil if they were not counted.
  package var instructions: Double?

  package init(curve: String, engine: String, size: Int, ns: Double? = nil, instructions: Double? = nil) {
    // More digits than the clock's precision would only make reports hard to read.
    func rounded(_ value: Double?) -> Double? { value.map { ($0 * 10_000).rounded() / 10_000 } }
    (self.curve, self.engine, self.size) = (curve, engine, size)
    (self.ns, self.instructions) = (rounded(ns), rounded(instructions))
  }

  /// The name of the point in messages.
  package var name: String { "\(curve)/\(size)/\(engine)" }
}

/// The points of all curves of one run, as `growth --json` prints them.
package struct GrowthReport: Sendable, Equatable, Codable {
  package var points: [GrowthPoint]

  package init(points: [GrowthPoint]) { self.points = points }

  /// The report as text, with one line per point: its time, or its instructions if it was not timed.
  package var text: String {
    textTable(
      ["curve", "engine", ">size", ">ns", ">instructions"],
      points.map { point in
        let costs = [point.ns.map { decimal($0, 2) }, point.instructions.map { decimal($0, 0) }]
        return [point.curve, point.engine, "\(point.size)"] + costs.map { $0 ?? "-" }
      })
  }
}

/// A limit of the growth of a curve: how much more an operation may cost at one size than at a smaller one.
package struct GrowthLimit: Sendable, Equatable {
  /// What the cost is divided by before it is compared.
  package enum Unit: String, Sendable {
    /// Nothing: the operation does the same at each size.
    case operation
    /// The size: the operation does as much as the size says.
    case element
  }

  package var engine: String
  package var small: Int
  package var large: Int
  package var unit: Unit
  /// The largest accepted quotient of the costs at the large and at the small size.
  package var factor: Double

  package init(_ engine: String, from small: Int, to large: Int, per unit: Unit, atMost factor: Double) {
    (self.engine, self.small, self.large, self.unit, self.factor) = (engine, small, large, unit, factor)
  }

  /// Compares the instructions of two points of a curve.
  package func verdict(_ curve: String, _ report: GrowthReport) -> GrowthVerdict {
    func instructions(_ size: Int) -> Double? {
      report.points.first { $0.curve == curve && $0.engine == engine && $0.size == size }?.instructions
    }
    return GrowthVerdict(curve: curve, limit: self, small: instructions(small), large: instructions(large))
  }
}

/// The result of a ``GrowthLimit``: the instructions of one operation at both sizes, nil where they are unknown.
package struct GrowthVerdict: Sendable, Equatable {
  package let curve: String
  package let limit: GrowthLimit
  package let small: Double?
  package let large: Double?

  /// The quotient of the costs, each divided by the limit's unit; nil if one of them is unknown or not positive.
  package var growth: Double? {
    guard let small, let large, small > 0, large > 0 else { return nil }
    switch limit.unit {
    case .operation: return large / small
    case .element: return (large / Double(limit.large)) / (small / Double(limit.small))
    }
  }

  /// Whether the growth is known and within the limit.
  package var passes: Bool { growth.map { $0 <= limit.factor } ?? false }

  /// Returns a table of the verdicts, followed by the number of failures.
  package static func text(_ verdicts: [GrowthVerdict]) -> String {
    let table = textTable(
      ["curve", "engine", "sizes", "instructions", "per", ">growth", ">limit", ""],
      verdicts.map { verdict in
        let limit = verdict.limit
        return [
          verdict.curve, limit.engine, "\(limit.small) .. \(limit.large)",
          [verdict.small, verdict.large].map { $0.map { decimal($0, 0) } ?? "-" }.joined(separator: " .. "), limit.unit.rawValue,
          verdict.growth.map { decimal($0, 2) + "x" } ?? "-", decimal(limit.factor, 2) + "x", verdict.passes ? "" : "FAILED",
        ]
      })
    return table + "\n\n\(verdicts.count { !$0.passes }) of \(verdicts.count) limits failed"
  }
}
