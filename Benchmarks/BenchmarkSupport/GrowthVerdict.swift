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
