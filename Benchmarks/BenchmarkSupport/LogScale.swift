import Foundation

/// A logarithmic axis from one round number to another.
struct LogScale: Equatable {
  let lower: Double
  let upper: Double

  /// Creates an axis that contains all values, which must be positive, with some length for the smallest.
  init(holding values: [Double]) {
    let smallest = (values.min() ?? 1) * 0.75
    let largest = max(values.max() ?? 10, smallest * 2)
    let ticks = Self.ticks(from: smallest / 10, to: largest * 10)
    lower = ticks.last { $0 <= smallest } ?? smallest
    upper = ticks.first { $0 >= largest } ?? largest
  }

  /// Returns the position of a value: 0 at the lower end, 1 at the upper end.
  func position(_ value: Double) -> Double { (log10(value) - log10(lower)) / (log10(upper) - log10(lower)) }

  /// The round numbers on the axis: one, two and five times each power of ten.
  var ticks: [Double] { Self.ticks(from: lower, to: upper) }

  private static func ticks(from lower: Double, to upper: Double) -> [Double] {
    let decades = Int(log10(lower).rounded(.down))...Int(log10(upper).rounded(.up))
    return decades.flatMap { decade in
      // Powers of one tenth are not exact, so numbers below one are quotients, which equal the literals 0.1 or 0.5.
      [1.0, 2, 5].map { decade < 0 ? $0 / pow(10, Double(-decade)) : $0 * pow(10, Double(decade)) }
    }.filter { $0 >= lower && $0 <= upper }
  }
}
