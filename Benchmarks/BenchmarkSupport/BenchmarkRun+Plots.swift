extension BenchmarkRun {
  /// The name of the chart that shows some groups of several suites.
  static let overviewName = "overview"

  /// The name of the chart of the curves.
  static let growthName = "growth"

  /// The groups of the overview: one of each kind of call.
  private static let overviewGroups = ["W2/set", "W2/create", "W2/callback", "WE/boxed"]

  /// The number of rivals in a group of the overview, besides libffi.
  private static let overviewRivals = 3

  /// Returns the overview and the charts of each suite and of the curves, as SVG documents.
  ///
  /// A chart without rows is omitted.
  package func plots(_ legend: Legend) -> [(name: String, svg: String)] {
    let rows = merged
    let reports =
      [(Self.overviewName, Self.overview(rows, legend))]
      + BenchmarkReport.inOrder(rows.results.map(\.suite)).map { suite in (suite, rows.filtered { $0.hasPrefix(suite + "/") }) }
    let plots = reports.filter { !$0.1.results.isEmpty }.map { name, report in
      (name, BarPlot(report, legend: legend, note: note).svg)
    }
    return plots + (growth.map { [(Self.growthName, GrowthPlot($0, legend: legend.growth, note: note).svg)] } ?? [])
  }

  /// Returns the rows of the overview, which fit a page: in each group the direct call, this package, libffi, and the
  /// rivals with the lowest ratios.
  private static func overview(_ rows: BenchmarkReport, _ legend: Legend) -> BenchmarkReport {
    BenchmarkReport(
      results: overviewGroups.flatMap { group in
        let rows = rows.results.filter { $0.name.hasPrefix(group + "/") }
        let rivals = rows.filter { legend.kind($0.engine) == .other }.sorted { $0.ratio < $1.ratio }
        let omitted = Set(rivals.dropFirst(overviewRivals).map(\.engine))
        return rows.filter { !omitted.contains($0.engine) }
      })
  }

  /// What the times of a chart hold for.
  private var note: String {
    // Without the name of the release, which repeats the number.
    let swift = machine.swift.map { "Swift " + $0.prefix { $0 != " " } }
    let facts = [machine.processor, machine.system, swift, date].compactMap { $0 }
    return (isQuick ? "QUICK RUN, NOT A MEASUREMENT: " : "one run: ") + facts.joined(separator: ", ")
  }
}
