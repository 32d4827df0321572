import Foundation

extension BenchmarkReport {
  /// The report as text with a column per suite and a line per phase and engine.
  ///
  /// The engines of a phase are sorted by speed, fastest first.
  package var overview: String {
    let suites = Self.inOrder(results.map(\.suite))
    var table = TextTable(
      [.init("phase", .left), .init("engine", .left)] + suites.flatMap { [.init("\($0) ns", .right), .init("ratio", .right)] })
    for phase in Self.inOrder(results.map(\.phase)) {
      let rows = results.filter { $0.phase == phase }
      for engine in Self.fastestFirst(rows) {
        let cells = suites.flatMap { suite in
          if let row = rows.first(where: { $0.suite == suite && $0.engine == engine }) {
            return [threeDigits(row.ns), threeDigits(row.ratio) + "x"]
          }
          return wrong.contains("\(suite)/\(phase)/\(engine)") ? ["wrong", ""] : ["-", ""]
        }
        table.append([phase, engine] + cells)
      }
    }
    return wrong.isEmpty ? table.text : table.text + "\n\nnot timed, as the result is wrong: " + wrong.joined(separator: ", ")
  }

  /// Returns the engines of a phase's rows: the direct call, then by the mean ratio over the suites that all engines
  /// have.
  private static func fastestFirst(_ rows: [BenchmarkRow]) -> [String] {
    let engines = inOrder(rows.map(\.engine))
    let common = inOrder(rows.map(\.suite)).filter { suite in rows.count { $0.suite == suite } == engines.count }
    func mean(_ engine: String) -> Double {
      let own = rows.filter { $0.engine == engine && (common.isEmpty || common.contains($0.suite)) }
      // The mean of logarithms, so that a suite with large ratios does not outweigh the others.
      return own.reduce(0) { $0 + log($1.ratio) } / Double(own.count)
    }
    return engines.map { (name: $0, place: $0 == "direct" ? -.infinity : mean($0)) }.sorted { $0.place < $1.place }.map(\.name)
  }

  /// Returns the names without duplicates, in the order of their first occurrence.
  static func inOrder(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
