/// The points of all curves of one run, as `growth --json` prints them.
package struct GrowthReport: Sendable, Equatable, Codable {
  package var points: [GrowthPoint]

  package init(points: [GrowthPoint]) { self.points = points }

  /// Returns the report as JSON text with sorted keys, times and instructions with at most four decimals.
  package func json() throws -> String {
    func rounded(_ value: Double?) -> Double? { value.map { ($0 * 10_000).rounded() / 10_000 } }
    let points = points.map {
      GrowthPoint(curve: $0.curve, engine: $0.engine, size: $0.size, ns: rounded($0.ns), instructions: rounded($0.instructions))
    }
    return try GrowthReport(points: points).jsonText()
  }

  /// The names of the curves, in the order of the report.
  var curves: [String] { BenchmarkReport.inOrder(points.map(\.curve)) }

  /// Returns the engines of a curve, in the order of the report.
  func engines(of curve: String) -> [String] { BenchmarkReport.inOrder(points.filter { $0.curve == curve }.map(\.engine)) }

  /// Returns the sizes of a curve, ascending.
  func sizes(of curve: String) -> [Int] { Set(points.filter { $0.curve == curve }.map(\.size)).sorted() }

  /// Returns a point, or nil if it is not part of the report.
  func point(_ curve: String, _ engine: String, _ size: Int) -> GrowthPoint? {
    points.first { $0.curve == curve && $0.engine == engine && $0.size == size }
  }
}
