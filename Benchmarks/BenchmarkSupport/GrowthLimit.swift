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
