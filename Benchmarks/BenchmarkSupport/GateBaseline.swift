import Foundation

/// The counts that a change is held against, as a file in the repository.
package struct GateBaseline: Sendable, Equatable, Codable {
  /// The processor architecture that the instructions are of.
  package var architecture: String
  /// The compiler that made them.
  package var compiler: String
  /// The rows, in the order of the benchmark.
  package var rows: [GateRow]

  package init(architecture: String, compiler: String, rows: [GateRow]) {
    self.architecture = architecture
    self.compiler = compiler
    self.rows = rows
  }

  package init(path: String) throws {
    self = try JSONDecoder().decode(GateBaseline.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The file's text: JSON with a line for each row, so that a change of it reads well.
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

  /// Returns the baseline with the counts of `measured` in place of its own.
  ///
  /// - Parameter isWanted: Tells of a name whether `measured` would have the row: one that it would have and has not is gone. Other rows
  ///   stay, save where architecture or compiler differ: counts of two kinds in one file would compare with nothing.
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
