import BenchmarkSupport

extension BenchmarkRow {
  /// A row whose ratio scatters by `spread`.
  static func sample(
    suite: String = "W2", phase: String = "set", engine: String, ns: Double, ratio: Double, spread: Double = 0
  ) -> BenchmarkRow {
    var row = BenchmarkRow(suite: suite, phase: phase, engine: engine, times: [ns], direct: [ns], allocations: 0)
    row.ratio = ratio
    row.spread = spread
    return row
  }
}
