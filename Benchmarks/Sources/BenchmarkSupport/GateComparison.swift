import Foundation

/// The counts of one operation of a gated row, which are the same in every run.
package struct GateRow: Sendable, Equatable, Codable {
  /// The row's name, "suite/phase/engine".
  package var row: String
  /// Heap allocations, or nil where they cannot be counted.
  package var allocations: Double?
  /// Instructions of the executable's own code, as a whole number, or nil where they are not counted.
  package var instructions: Double?

  /// Creates a row.
  ///
  /// Allocations are counted over a thousand operations and rounded to thousandths, so that a single operation that
  /// allocates is visible. Instructions are rounded to whole numbers, because the fraction depends on the addresses of
  /// objects in a run.
  package init(row: String, allocations: Double?, instructions: Double?) {
    self.row = row
    self.allocations = allocations.map { ($0 * 1_000).rounded() / 1_000 }
    self.instructions = instructions.map { $0.rounded() }
  }
}

/// The counts that a change is compared with, stored as a file in the repository.
package struct GateBaseline: Sendable, Equatable, Codable {
  /// The processor architecture of the instructions.
  package var architecture: String
  /// The compiler that generated the instructions.
  package var compiler: String
  /// The rows, in the order of the benchmark.
  package var rows: [GateRow]

  package init(architecture: String, compiler: String, rows: [GateRow]) {
    (self.architecture, self.compiler, self.rows) = (architecture, compiler, rows)
  }

  /// Returns the contents of the file: JSON with one line per row, so that changes are easy to review.
  package func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func json(_ value: some Encodable) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }
    return """
      {
        "architecture": \(try json(architecture)),
        "compiler": \(try json(compiler)),
        "rows": [
          \(try rows.map(json).joined(separator: ",\n    "))
        ]
      }

      """
  }

  /// Returns the baseline with the counts of `measured`.
  ///
  /// - Parameter isWanted: Returns whether `measured` covers the row with a name. A covered row that `measured` does
  ///   not contain is removed. Other rows stay, unless architecture or compiler differ: counts of two kinds in one file
  ///   could not be compared.
  package func updated(with measured: GateBaseline, isWanted: (String) -> Bool) -> GateBaseline {
    guard architecture == measured.architecture, compiler == measured.compiler else { return measured }
    var new = Dictionary(measured.rows.map { ($0.row, $0) }) { first, _ in first }
    let kept = rows.compactMap { isWanted($0.row) ? new.removeValue(forKey: $0.row) : new.removeValue(forKey: $0.row) ?? $0 }
    return GateBaseline(architecture: architecture, compiler: compiler, rows: kept + measured.rows.filter { new[$0.row] != nil })
  }
}

/// The result of one row of a gate: the measured counts, the limits, and the conclusion.
package struct GateVerdict: Sendable, Equatable {
  /// The fraction of instructions that a change may add.
  ///
  /// A decrease by more than this fraction is worth a new baseline.
  package static let tolerance = 0.03

  /// The row's name.
  package let name: String
  /// The current counts, or nil for a row that was removed.
  package let now: GateRow?
  /// The counts of the baseline, or nil for a row that it does not contain.
  package let baseline: GateRow?

  /// The change of the instructions as a fraction of the baseline, or nil if one of the two is unknown.
  package var change: Double? {
    guard let now = now?.instructions, let old = baseline?.instructions else { return nil }
    return old == 0 ? (now == 0 ? 0 : .infinity) : now / old - 1
  }

  /// The reasons why the row fails; empty if it passes.
  package var failures: [String] {
    guard let baseline else { return ["the baseline does not have it"] }
    guard let now else { return ["the benchmark does not have it any more"] }
    var failures: [String] = []
    if now.allocations != nil, baseline.allocations == nil { failures.append("the baseline has no allocations of it") }
    if now.instructions != nil, baseline.instructions == nil { failures.append("the baseline has no instructions of it") }
    return failures + changes { $0 > $1 }
  }

  /// The improvements that are large enough for a new baseline, without which a later regression would pass unnoticed.
  package var hints: [String] { failures.isEmpty ? changes { $0 < $1 } : [] }

  /// Describes the counts that changed in a direction: allocations at all, instructions beyond the tolerance.
  private func changes(_ isChange: (Double, Double) -> Bool) -> [String] {
    var changes: [String] = []
    if let now = now?.allocations, let old = baseline?.allocations, isChange(now, old) {
      changes.append("allocations \(count(now)), in the baseline \(count(old))")
    }
    if let now = now?.instructions, let old = baseline?.instructions, let change, isChange(change, 0), abs(change) > Self.tolerance + 1e-9 {
      changes.append("own instructions \(count(now)), in the baseline \(count(old)) (\(signed(change)))")
    }
    return changes
  }
}

/// Formats a count, with decimals only if it has a fraction.
private func count(_ value: Double) -> String { value == value.rounded() ? decimal(value, 0) : decimal(value, 3) }

/// Formats a fraction in percent, with its sign.
private func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + percent(share) }

/// The comparison of all rows of a gate with their baseline.
package struct GateComparison: Sendable, Equatable {
  /// The rows of the benchmark in order, then the rows that only the baseline has.
  package let verdicts: [GateVerdict]

  /// Compares rows with a baseline.
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

  /// The comparison as text: a line per row, then failures and improvements by name.
  package var text: String {
    let table = textTable(
      ["row", ">allocations", ">baseline", ">instructions", ">baseline", ">change", ""],
      verdicts.map { verdict in
        let (now, old) = (verdict.now, verdict.baseline)
        let counts = [now?.allocations, old?.allocations, now?.instructions, old?.instructions].map { $0.map(count) ?? "-" }
        let result = verdict.failures.isEmpty ? verdict.hints.isEmpty ? "ok" : "better" : "FAILED"
        return [verdict.name] + counts + [verdict.change.map(signed) ?? "-", result]
      })
    let hints = verdicts.flatMap { row in row.hints.map { "better: \(row.name): \($0); make gates-update keeps it so" } }
    let failures = failed.flatMap { row in row.failures.map { "FAILED: \(row.name): \($0)" } }
    return ([table, ""] + hints + failures + ["\(failed.count) of \(verdicts.count) rows failed"]).joined(separator: "\n")
  }
}
