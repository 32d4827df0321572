/// The comparison of all rows of a gate with their baseline.
package struct GateComparison: Sendable, Equatable {
  /// The rows of the benchmark in order, then the rows that only the baseline has.
  package let verdicts: [GateVerdict]

  /// Compares rows with those of a baseline.
  ///
  /// A row that only one of the two has fails.
  package init(_ rows: [GateRow], baseline: [GateRow]) {
    let old = Dictionary(baseline.map { ($0.row, $0) }) { first, _ in first }
    let names = Set(rows.map(\.row))
    verdicts =
      rows.map { GateVerdict(name: $0.row, now: $0, baseline: old[$0.row]) }
      + baseline.filter { !names.contains($0.row) }.map { GateVerdict(name: $0.row, now: nil, baseline: $0) }
  }

  /// The rows that fail.
  package var failed: [GateVerdict] { verdicts.filter { !$0.failures.isEmpty } }
}
