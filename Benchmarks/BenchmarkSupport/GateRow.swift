/// What one operation of a gated row takes, in counts that are the same on every run.
package struct GateRow: Sendable, Equatable, Codable {
  /// The row's name, "suite/phase/engine".
  package var row: String
  /// Heap allocations, or nil where they cannot be counted.
  package var allocations: Double?
  /// Instructions of the executable's own code, whole, or nil where they are not counted.
  package var instructions: Double?

  /// Makes a row.
  ///
  /// Allocations are rounded to thousandths, as they are counted over a thousand operations; so one of them that allocates shows.
  /// Instructions are rounded to whole ones: beyond that they tell where in memory the objects of a run happened to lie.
  package init(row: String, allocations: Double?, instructions: Double?) {
    self.row = row
    self.allocations = allocations.map { ($0 * 1_000).rounded() / 1_000 }
    self.instructions = instructions.map { $0.rounded() }
  }
}
