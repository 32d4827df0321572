/// Repeated measurements of one thing, in order of size.
package struct Sample: Sendable, Equatable {
  private let sorted: [Double]

  /// Takes at least one measurement.
  package init(_ values: [Double]) {
    precondition(!values.isEmpty, "a sample of nothing")
    sorted = values.sorted()
  }

  package var minimum: Double { sorted[0] }
  package var maximum: Double { sorted[sorted.count - 1] }
  package var median: Double { quantile(0.5) }

  /// The distance between the quartiles as a share of the median: blind to a few rounds that something else disturbed.
  package var spread: Double { median == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / median }

  /// The value that a share of the measurements lies below, interpolated between its neighbours.
  package func quantile(_ share: Double) -> Double {
    let position = share * Double(sorted.count - 1)
    let below = Int(position)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
  }
}
