extension BenchmarkRun {
  /// The name of the chart that shows some groups of several suites.
  static let overviewName = "overview"

  /// The groups of the overview: those that most engines have, and one of each other kind of call.
  private static let overviewGroups = ["W2/set", "W4/set", "W2/callback", "WE/boxed"]

  /// Returns the chart of each suite, and the overview, as SVG documents.
  ///
  /// A chart without rows is omitted.
  package func plots(_ legend: Legend) -> [(name: String, svg: String)] {
    let rows = merged
    let reports =
      [(Self.overviewName, rows.filtered { name in Self.overviewGroups.contains { name.hasPrefix($0 + "/") } })]
      + BenchmarkReport.inOrder(rows.results.map(\.suite)).map { suite in (suite, rows.filtered { $0.hasPrefix(suite + "/") }) }
    return reports.filter { !$0.1.results.isEmpty }.map { name, report in
      (name, BarPlot(report, legend: legend, note: note).svg)
    }
  }

  /// What the times of a chart hold for.
  private var note: String {
    // Without the name of the release, which repeats the number.
    let swift = machine.swift.map { "Swift " + $0.prefix { $0 != " " } }
    let facts = [machine.processor, machine.system, swift, date].compactMap { $0 }
    return (isQuick ? "QUICK RUN, NOT A MEASUREMENT: " : "one run: ") + facts.joined(separator: ", ")
  }
}
