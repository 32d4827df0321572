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
    self.architecture = architecture
    self.compiler = compiler
    self.rows = rows
  }

  package init(path: String) throws { self = try Self(jsonPath: path) }

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

  /// Returns the baseline with its counts replaced by those of `measured`.
  ///
  /// - Parameter isWanted: Returns whether `measured` covers the row with a name. A covered row that `measured` does
  ///   not contain is removed. Other rows stay, unless architecture or compiler differ: counts of two kinds in one file
  ///   could not be compared.
  package func updated(with measured: GateBaseline, isWanted: (String) -> Bool) -> GateBaseline {
    guard architecture == measured.architecture, compiler == measured.compiler else { return measured }
    var old = Dictionary(rows.map { ($0.row, $0) }) { first, _ in first }
    for row in measured.rows { old[row.row] = row }
    let names = Set(measured.rows.map(\.row))
    let kept = rows.filter { names.contains($0.row) || !isWanted($0.row) }.compactMap { old[$0.row] }
    let known = Set(kept.map(\.row))
    return GateBaseline(architecture: architecture, compiler: compiler, rows: kept + measured.rows.filter { !known.contains($0.row) })
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
    switch (now.allocations, baseline.allocations) {
    case (let now?, let old?) where now > old: failures.append("allocations \(count(now)), in the baseline \(count(old))")
    case (.some, nil): failures.append("the baseline has no allocations of it")
    default: break
    }
    switch (now.instructions, baseline.instructions) {
    case (let now?, let old?) where now > old * (1 + Self.tolerance):
      failures.append("own instructions \(count(now)), in the baseline \(count(old)) (\(signed(now / old - 1)))")
    case (.some, nil): failures.append("the baseline has no instructions of it")
    default: break
    }
    return failures
  }

  /// The improvements that are large enough for a new baseline, without which a later regression would pass unnoticed.
  package var hints: [String] {
    guard failures.isEmpty, let now, let baseline else { return [] }
    var hints: [String] = []
    if let now = now.allocations, let old = baseline.allocations, now < old {
      hints.append("allocations \(count(now)), in the baseline \(count(old))")
    }
    if let now = now.instructions, let old = baseline.instructions, now < old * (1 - Self.tolerance) {
      hints.append("own instructions \(count(now)), in the baseline \(count(old)) (\(signed(now / old - 1)))")
    }
    return hints
  }
}

/// Formats a count, with decimals only if it has a fraction.
func count(_ value: Double) -> String { value == value.rounded() ? decimal(value, 0) : decimal(value, 3) }

/// Formats a fraction in percent, with its sign.
func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + percent(share) }

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

extension GateComparison {
  /// The comparison as text: a line per row, then failures and improvements by name.
  package var text: String {
    var table = TextTable([
      .init("row", .left), .init("allocations", .right), .init("baseline", .right), .init("instructions", .right),
      .init("baseline", .right), .init("change", .right), .init("", .left),
    ])
    for verdict in verdicts {
      table.append([
        verdict.name, cell(verdict.now?.allocations), cell(verdict.baseline?.allocations), cell(verdict.now?.instructions),
        cell(verdict.baseline?.instructions), verdict.change.map(signed) ?? "-",
        verdict.failures.isEmpty ? verdict.hints.isEmpty ? "ok" : "better" : "FAILED",
      ])
    }
    var lines = [table.text, ""]
    for verdict in verdicts {
      for hint in verdict.hints { lines.append("better: \(verdict.name): \(hint); make gates-update keeps it so") }
    }
    for verdict in failed {
      for failure in verdict.failures { lines.append("FAILED: \(verdict.name): \(failure)") }
    }
    lines.append("\(failed.count) of \(verdicts.count) rows failed")
    return lines.joined(separator: "\n")
  }

  private func cell(_ value: Double?) -> String { value.map(count) ?? "-" }
}
