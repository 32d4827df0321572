/// Repeated measurements of one quantity, sorted.
package struct Sample: Sendable, Equatable {
  private let sorted: [Double]

  /// Creates a sample of at least one measurement.
  package init(_ values: [Double]) {
    precondition(!values.isEmpty, "a sample of nothing")
    sorted = values.sorted()
  }

  package var minimum: Double { sorted[0] }
  package var maximum: Double { sorted[sorted.count - 1] }
  package var median: Double { quantile(0.5) }

  /// The interquartile range as a fraction of the median, which ignores a few disturbed rounds.
  package var spread: Double { median == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / median }

  /// Returns the value below which a fraction of the measurements is, interpolated between its neighbors.
  package func quantile(_ share: Double) -> Double {
    let position = share * Double(sorted.count - 1)
    let below = Int(position)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
  }
}
