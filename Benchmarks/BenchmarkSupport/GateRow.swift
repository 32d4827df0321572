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
