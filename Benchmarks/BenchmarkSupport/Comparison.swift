/// A comparison of two reports, row by row.
package struct Comparison {
  /// A row that is in both reports.
  package struct Change: Sendable, Equatable {
    package var name: String
    package var old: Double
    package var new: Double
    /// The larger of the two spreads.
    package var spread: Double

    /// The change as a fraction of the old ratio.
    ///
    /// A negative change is faster.
    package var share: Double { new / old - 1 }
    /// Whether the ratio changed by more than the spread of the measurements.
    package var isBeyondSpread: Bool { abs(share) > spread }
  }

  /// The rows that both reports have, in the order of the new report.
  package let changes: [Change]
  /// The names of the rows that only the new report has.
  package let added: [String]
  /// The names of the rows that only the old report has.
  package let missing: [String]

  package init(old: BenchmarkReport, new: BenchmarkReport) {
    let before = Dictionary(old.results.map { ($0.name, $0) }) { _, last in last }
    let names = Set(new.results.map(\.name))
    changes = new.results.compactMap { row in
      before[row.name].map { Change(name: row.name, old: $0.ratio, new: row.ratio, spread: max($0.spread, row.spread)) }
    }
    added = new.results.map(\.name).filter { before[$0] == nil }
    missing = old.results.map(\.name).filter { !names.contains($0) }
  }
}

extension Comparison {
  /// The comparison as text: a line per row, with a mark on changes beyond the spread.
  package var text: String {
    var table = TextTable([
      .init("row", .left), .init("old ratio", .right), .init("new ratio", .right), .init("change", .right), .init("spread", .right),
      .init("", .left),
    ])
    for change in changes {
      let mark = change.isBeyondSpread ? (change.share < 0 ? "* faster" : "* slower") : ""
      table.append([
        change.name, decimal(change.old, 2) + "x", decimal(change.new, 2) + "x", (change.share > 0 ? "+" : "") + percent(change.share),
        percent(change.spread), mark,
      ])
    }
    var lines = [table.text]
    if !added.isEmpty { lines.append("not in the baseline: " + added.joined(separator: ", ")) }
    if !missing.isEmpty { lines.append("only in the baseline: " + missing.joined(separator: ", ")) }
    let marked = changes.count(where: \.isBeyondSpread)
    lines.append("\(marked) of \(changes.count) rows changed by more than the spread")
    return lines.joined(separator: "\n")
  }
}
