import Foundation

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
