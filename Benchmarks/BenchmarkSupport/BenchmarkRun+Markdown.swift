extension BenchmarkRun {
  /// Returns the report as a Markdown document.
  ///
  /// `plots` is the path of the folder of ``plots(_:)``, relative to the document.
  package func markdown(_ legend: Legend, plots: String) -> String {
    let rows = merged
    let plotNames = Set(self.plots(legend).map(\.name))
    func image(_ name: String, _ text: String) -> [String] { plotNames.contains(name) ? ["![\(text)](\(plots)/\(name).svg)"] : [] }
    var blocks = [
      "# Benchmark report",
      """
      `make report` writes this page and its plots from one run. Times are those of one machine, and differ from hour to
      hour. The two times of a ratio are measured shortly after each other.
      """,
    ]
    if isQuick {
      blocks.append("**This was a quick run. Its rounds are too few and too short: the figures are not measurements.**")
    }
    blocks += image(Self.overviewName, "Nanoseconds of some operations, by engine")
    blocks += ["## Run", facts.markdown, "## Peers", peerText] + howToRead(rows, legend)
    for suite in BenchmarkReport.inOrder(rows.results.map(\.suite) + rows.wrong.map(Self.suite(ofRow:))) {
      blocks.append("## \(legend.heading(suite))")
      if let types = legend.suites[suite]?.types { blocks.append("Types: `\(types)`") }
      blocks += image(suite, "Nanoseconds of \(suite), by phase and engine")
      let own = rows.filtered { $0.hasPrefix(suite + "/") }
      if !own.results.isEmpty { blocks.append(Self.table(own).markdown) }
      blocks += notes(suite, wrong: own.wrong)
    }
    if let growth {
      blocks += ["## How cost grows"] + image(Self.growthName, "Nanoseconds of some operations, by size")
      blocks.append(
        """
        Nanoseconds of processor time of one operation, the median of the rounds. `make growth` holds the growth of this
        package's own lines against limits, in instructions.
        """)
      blocks += growth.markdown(legend.growth)
    }
    blocks += [
      "## Run it again",
      """
      ```sh
      make report                          # this page: everything, beside the peers
      make bench ARGS="--filter W2/set"    # some rows, without peers
      make bench-peers ARGS="qt luajit"    # some peers
      ```
      """,
      """
      Compare ratios, and only those of one run. What a change costs is better told by `make gates`, which counts
      instructions and allocations.
      """,
    ]
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// The machine and the versions.
  private var facts: TextTable {
    let unknown = "not known"
    var table = TextTable([.init("", .left), .init("", .left)])
    table.append(["date", date])
    table.append(["processor", machine.processor ?? unknown])
    table.append(["logical processors", "\(machine.processors)"])
    table.append(["system", machine.system ?? unknown])
    table.append(["kernel", machine.kernel ?? unknown])
    table.append(["Swift", machine.swift ?? unknown])
    table.append(["libffi", machine.libffi ?? unknown])
    table.append(["commit", machine.commit ?? unknown])
    table.append(["rounds, without peers", "\(rounds)"])
    return table
  }

  /// The peers with their versions, and the absent ones with the reasons.
  private var peerText: String {
    guard !peers.isEmpty else { return "No peer was run." }
    var table = TextTable([.init("peer", .left), .init("version", .left)])
    for peer in peers { table.append([peer.name, peer.version ?? peer.absence.map { "not measured, as it \($0)" } ?? ""]) }
    let text = """
      Each peer is a program of its own, which calls the same callees. Its ratios are to a direct call in its own process.
      [Peers](Peers/README.md) says what each phase is in each of them.
      """
    return text + "\n\n" + table.markdown
  }

  /// The meaning of the columns, and of the phases and engines of the rows.
  private func howToRead(_ rows: BenchmarkReport, _ legend: Legend) -> [String] {
    var blocks = [
      "## How to read it",
      """
      - **ratio**: the time over that of a direct call of the same callee, taken within each round.
      - **ns**: nanoseconds of processor time of one operation.
      - **instructions**: those of one operation, with those of libraries; absent where valgrind is not installed.
      - **allocations**: heap allocations of one operation; `-` where they are not counted.
      - **spread**: the distance between the quartiles of the ratios, as a part of their median.

      Ratios and times are medians of the rounds.
      """,
    ]
    var phases = TextTable([.init("phase", .left), .init("operation", .left)])
    for name in BenchmarkReport.inOrder(rows.results.flatMap { [$0.phase, "\($0.suite)/\($0.phase)"] }) {
      if let caption = legend.phases[name] { phases.append([name, caption]) }
    }
    var engines = TextTable([.init("engine", .left), .init("kind", .left), .init("mechanism", .left)])
    let names = BenchmarkReport.inOrder(rows.results.map(\.engine))
    for kind in EngineKind.allCases {
      for name in names where legend.kind(name) == kind {
        if let engine = legend.engines[name] { engines.append([name, kind.caption, engine.caption]) }
      }
    }
    blocks += [phases, engines].filter { !$0.isEmpty }.map(\.markdown)
    return blocks
  }

  /// Returns the rows of a suite.
  private static func table(_ report: BenchmarkReport) -> TextTable {
    let counted = report.results.contains { $0.instructions != nil }
    var table = TextTable(
      [.init("phase", .left), .init("engine", .left), .init("ratio", .right)]
        + (counted ? [.init("instructions", .right)] : [])
        + [.init("ns", .right), .init("allocations", .right), .init("spread", .right)])
    for row in report.results {
      table.append(
        [row.phase, row.engine, threeDigits(row.ratio) + "x"]
          + (counted ? [row.instructions.map { decimal($0, 0) } ?? "-"] : [])
          + [threeDigits(row.ns), row.allocations.map { decimal($0, 1) } ?? "-", percent(row.spread)])
    }
    return table
  }

  /// Returns what has to be said about the rows of a suite: which are absent, and whose ratios are hard to compare.
  private func notes(_ suite: String, wrong: [String]) -> [String] {
    var notes: [String] = []
    if !wrong.isEmpty {
      notes.append("Not timed, as the result is wrong:\n\n" + wrong.map { "- `\($0)`" }.joined(separator: "\n"))
    }
    let uneven = peerReports.flatMap(report.unevenRows).filter { $0.row.suite == suite }
    if !uneven.isEmpty {
      let text = """
        Compare the times of these, not the ratios, as the direct call of their process took over a fifth more or less:
        """
      notes.append(text + "\n\n" + uneven.map { "- `\($0.row.name)`: \(threeDigits($0.direct)) ns" }.joined(separator: "\n"))
    }
    return notes
  }

  private static func suite(ofRow name: String) -> String { String(name.prefix { $0 != "/" }) }
}
