/// One point of a curve: the cost of one operation of one engine at one size.
package struct GrowthPoint: Sendable, Equatable, Codable {
  package var curve: String
  package var engine: String
  package var size: Int
  /// Nanoseconds of processor time, the median of the rounds; nil if it was not timed.
  package var ns: Double?
  /// Executed instructions, including those of libraries; nil if they were not counted.
  package var instructions: Double?

  package init(curve: String, engine: String, size: Int, ns: Double? = nil, instructions: Double? = nil) {
    self.curve = curve
    self.engine = engine
    self.size = size
    self.ns = ns
    self.instructions = instructions
  }

  /// The name of the point in messages.
  package var name: String { "\(curve)/\(size)/\(engine)" }
}

/// The points of all curves of one run, as `growth --json` prints them.
package struct GrowthReport: Sendable, Equatable, Codable {
  package var points: [GrowthPoint]

  package init(points: [GrowthPoint]) { self.points = points }

  /// Returns the report as JSON text with sorted keys, times and instructions with at most four decimals.
  package func json() throws -> String {
    func rounded(_ value: Double?) -> Double? { value.map { ($0 * 10_000).rounded() / 10_000 } }
    let points = points.map {
      GrowthPoint(curve: $0.curve, engine: $0.engine, size: $0.size, ns: rounded($0.ns), instructions: rounded($0.instructions))
    }
    return try GrowthReport(points: points).jsonText()
  }

  /// The names of the curves, in the order of the report.
  private var curves: [String] { Self.inOrder(points.map(\.curve)) }

  /// Returns the names without duplicates, in the order of their first occurrence.
  private static func inOrder(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// Returns a point, or nil if it is not part of the report.
  func point(_ curve: String, _ engine: String, _ size: Int) -> GrowthPoint? {
    points.first { $0.curve == curve && $0.engine == engine && $0.size == size }
  }
}

extension GrowthReport {
  /// The report as text: for each curve a table with a line per size and a column per engine.
  ///
  /// The cells are times, or instructions where no time was measured.
  package var text: String {
    curves.map { curve in
      let points = points.filter { $0.curve == curve }
      let isTimed = points.contains { $0.ns != nil }
      let engines = Self.inOrder(points.map(\.engine))
      var table = TextTable([.init("", .right)] + engines.map { .init($0, .right) })
      for size in Set(points.map(\.size)).sorted() {
        let cells = engines.map { engine in
          guard let point = point(curve, engine, size) else { return "-" }
          return isTimed ? point.ns.map(threeDigits) ?? "-" : point.instructions.map { decimal($0, 0) } ?? "-"
        }
        table.append([grouped(size)] + cells)
      }
      return "\(curve), \(isTimed ? "ns" : "instructions")\n" + table.text
    }.joined(separator: "\n\n")
  }
}

/// Formats a number with a comma between groups of three digits.
func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number).reversed().enumerated() {
    if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}

/// A limit of the growth of a curve: how much more an operation may cost at one size than at a smaller one.
package struct GrowthLimit: Sendable, Equatable {
  /// What the cost is divided by before it is compared.
  package enum Unit: Sendable, Equatable {
    /// Nothing: the operation does the same at each size.
    case operation
    /// The size: the operation does as much as the size says.
    case element
  }

  package var curve: String
  package var engine: String
  package var small: Int
  package var large: Int
  package var unit: Unit
  /// The largest accepted quotient of the costs at the large and at the small size.
  package var factor: Double

  package init(_ curve: String, _ engine: String, from small: Int, to large: Int, per unit: Unit, atMost factor: Double) {
    self.curve = curve
    self.engine = engine
    self.small = small
    self.large = large
    self.unit = unit
    self.factor = factor
  }

  /// Compares the instructions of two points of a report.
  package func verdict(_ report: GrowthReport) -> GrowthVerdict {
    GrowthVerdict(
      limit: self, small: report.point(curve, engine, small)?.instructions, large: report.point(curve, engine, large)?.instructions)
  }
}

/// The result of a ``GrowthLimit``: the instructions at both sizes, and whether they are within the limit.
package struct GrowthVerdict: Sendable, Equatable {
  package let limit: GrowthLimit
  /// The instructions of one operation at the small size, or nil if they are unknown.
  package let small: Double?
  /// The instructions of one operation at the large size, or nil if they are unknown.
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
}

extension GrowthVerdict {
  /// Returns a table of the verdicts, followed by the failures.
  package static func text(_ verdicts: [GrowthVerdict]) -> String {
    var table = TextTable([
      .init("curve", .left), .init("engine", .left), .init("sizes", .left), .init("instructions", .left), .init("per", .left),
      .init("growth", .right), .init("limit", .right), .init("", .left),
    ])
    for verdict in verdicts {
      let limit = verdict.limit
      table.append([
        limit.curve, limit.engine, "\(grouped(limit.small)) .. \(grouped(limit.large))",
        [verdict.small, verdict.large].map { $0.map { decimal($0, 0) } ?? "-" }.joined(separator: " .. "),
        limit.unit == .element ? "element" : "operation", verdict.growth.map { decimal($0, 2) + "x" } ?? "-",
        decimal(limit.factor, 2) + "x", verdict.passes ? "" : "FAILED",
      ])
    }
    let failed = verdicts.count { !$0.passes }
    return table.text + "\n\n\(failed) of \(verdicts.count) limits failed"
  }
}
