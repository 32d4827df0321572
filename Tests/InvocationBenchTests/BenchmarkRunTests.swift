import Foundation
import Testing

@testable import BenchmarkSupport

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct BenchmarkRunTests {
  private static let machine = Machine(
    processor: "A Processor", processors: 2, system: "Some Linux 12", kernel: "Linux 6.1 x86_64", swift: "6.3.1 (swift-6.3.1-RELEASE)",
    libffi: "3.4.4", commit: nil)
  private static let legend = Legend(
    suites: [
      "W2": .init(caption: "two integers", types: "q@:qq"), "WE": .init(caption: "an event", types: "v@:"),
      "WR": .init(caption: "a rectangle", types: "v@:d"),
    ], phases: ["set": "set and call", "boxed": "send", "WE/boxed": "send an event"],
    engines: [
      "direct": .init(caption: "a call in C", kind: .direct), "invocation": .init(caption: "an `Invocation`", kind: .own),
      "qt6": .init(caption: "Qt", kind: .other), "absent": .init(caption: "an engine without rows", kind: .other),
    ])
  private static let ours = BenchmarkReport(results: [
    .sample(engine: "direct", ns: 1.46, ratio: 1), .sample(engine: "invocation", ns: 6.604, ratio: 4.45, spread: 0.028),
    .sample(suite: "WE", phase: "boxed", engine: "event", ns: 16.3, ratio: 8.98),
  ])
  private static let qt = BenchmarkReport(
    results: [.sample(engine: "direct", ns: 2.5, ratio: 1), .sample(engine: "qt6", ns: 250, ratio: 100)],
    wrong: ["W2/create/qt6", "WR/set/qt6"])

  private func run(peers: Bool = true, isQuick: Bool = false) -> BenchmarkRun {
    BenchmarkRun(
      machine: Self.machine, date: "2026-01-31", rounds: 21, isQuick: isQuick, report: Self.ours,
      peers: peers ? [Peer("qt", version: "Qt 6.4.2"), Peer("luajit", absence: "is not installed")] : [],
      peerReports: peers ? [Self.qt] : [])
  }

  private func lines(_ run: BenchmarkRun) -> [String] {
    run.markdown(Self.legend, plots: "Plots").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func tablesHaveTheRowsOfEachSuiteWithThoseOfPeers() throws {
    let lines = lines(run())
    let start = try #require(lines.firstIndex(of: "## W2: two integers"))
    #expect(
      lines[start...].prefix(19).joined(separator: "\n") == """
        ## W2: two integers

        Types: `q@:qq`

        ![Nanoseconds of W2, by phase and engine](Plots/W2.svg)

        | phase | engine | ratio | ns | allocations | spread |
        |---|---|---:|---:|---:|---:|
        | set | direct | 1.00x | 1.46 | 0.0 | 0.0% |
        | set | invocation | 4.45x | 6.60 | 0.0 | 2.8% |
        | set | qt6 | 100x | 250 | 0.0 | 0.0% |

        Not timed, as the result is wrong:

        - `W2/create/qt6`

        Compare the times of these, not the ratios, as the direct call of their process took over a fifth more or less:

        - `W2/set/qt6`: 2.50 ns
        """)
  }

  @Test func factsAreThoseOfTheRun() {
    let lines = lines(run())
    for line in [
      "| date | 2026-01-31 |", "| processor | A Processor |", "| logical processors | 2 |", "| system | Some Linux 12 |",
      "| kernel | Linux 6.1 x86_64 |", "| Swift | 6.3.1 (swift-6.3.1-RELEASE) |", "| libffi | 3.4.4 |", "| commit | not known |",
    ] { #expect(lines.contains(line)) }
  }

  @Test func peersAreNamedWithVersionsAndReasons() {
    let lines = lines(run())
    #expect(lines.contains("| qt | Qt 6.4.2 |"))
    #expect(lines.contains("| luajit | not measured, as it is not installed |"))
    #expect(!lines.contains("No peer was run."))
  }

  @Test func reportWithoutPeersNamesNone() {
    let text = lines(run(peers: false)).joined(separator: "\n")
    #expect(text.contains("No peer was run."))
    #expect(!text.contains("qt6"))
    #expect(!text.contains("WR"))
  }

  @Test func legendHasWhatWasMeasuredOnly() {
    let lines = lines(run())
    #expect(lines.contains("| WE/boxed | send an event |"))
    #expect(lines.contains("| direct | direct call | a call in C |"))
    #expect(lines.contains("| invocation | this package | an `Invocation` |"))
    #expect(lines.contains("| qt6 | other | Qt |"))
    #expect(!lines.contains { $0.contains("without rows") })
  }

  @Test func suiteWithOnlyWrongRowsHasNoTableAndNoPlot() throws {
    let lines = lines(run())
    let start = try #require(lines.firstIndex(of: "## WR: a rectangle"))
    #expect(
      lines[start...].prefix(7) == [
        "## WR: a rectangle", "", "Types: `v@:d`", "", "Not timed, as the result is wrong:", "", "- `WR/set/qt6`",
      ])
    #expect(!lines.contains { $0.contains("WR.svg") })
  }

  @Test func quickRunSaysSoInTextAndPlots() {
    func isMarked(_ run: BenchmarkRun) -> [Bool] {
      [run.markdown(Self.legend, plots: "Plots").contains("not measurements")]
        + run.plots(Self.legend).map { $0.svg.contains("NOT A MEASUREMENT") }
    }
    #expect(isMarked(run(isQuick: true)).allSatisfy { $0 })
    #expect(isMarked(run()).allSatisfy { !$0 })
  }

  @Test func proseFitsTheColumnsOfThePage() {
    for line in lines(run(isQuick: true)) where !line.hasPrefix("|") { #expect(line.count <= 120, "\(line)") }
  }

  @Test func plotsAreAnOverviewAndOneForEachSuite() throws {
    let plots = run().plots(Self.legend)
    #expect(plots.map(\.name) == ["overview", "W2", "WE"])
    for plot in plots { #expect(XMLParser(data: Data(plot.svg.utf8)).parse()) }
    let overview = try #require(plots.first).svg
    for text in [">qt6<", ">event<", "A Processor, Some Linux 12, Swift 6.3.1, 2026-01-31<"] { #expect(overview.contains(text)) }
    #expect(!plots[1].svg.contains(">event<"))
  }

  @Test func growthIsASectionWithAPlot() throws {
    var run = run()
    #expect(!run.markdown(Self.legend, plots: "Plots").contains("How cost grows"))
    run.growth = GrowthReport(points: [
      GrowthPoint(curve: "keys", engine: "event", size: 1, ns: 5), GrowthPoint(curve: "keys", engine: "event", size: 1_000, ns: 10),
    ])
    #expect(run.plots(Self.legend).map(\.name) == ["overview", "W2", "WE", "growth"])
    let lines = lines(run)
    let start = try #require(lines.firstIndex(of: "## How cost grows"))
    #expect(lines[start + 2] == "![Nanoseconds of some operations, by size](Plots/growth.svg)")
    #expect(lines.contains("| 1,000 | 10.0 |"))
    #expect(try JSONDecoder().decode(BenchmarkRun.self, from: Data(run.json().utf8)) == run)
  }

  @Test func overviewHasTheThreeBestRivalsOfEachGroup() throws {
    var run = run(peers: false)
    for (index, ratio) in [50.0, 40, 30, 20, 10].enumerated() {
      run.report.results.append(.sample(engine: "rival\(index + 1)", ns: ratio, ratio: ratio))
    }
    let overview = try #require(run.plots(Self.legend).first).svg
    for shown in ["direct", "invocation", "rival3", "rival4", "rival5"] { #expect(overview.contains(">\(shown)<")) }
    for omitted in ["rival1", "rival2"] { #expect(!overview.contains(">\(omitted)<")) }
    #expect(run.plots(Self.legend).contains { $0.name == "W2" && $0.svg.contains(">rival1<") })
  }

  @Test func tablesHaveInstructionsBesideTheRatioWhereTheyAreCounted() {
    var run = run(peers: false)
    run.report.results[1].instructions = 74.2
    let lines = lines(run)
    #expect(lines.contains("| phase | engine | ratio | instructions | ns | allocations | spread |"))
    #expect(lines.contains("| set | invocation | 4.45x | 74 | 6.60 | 0.0 | 2.8% |"))
    #expect(lines.contains("| set | direct | 1.00x | - | 1.46 | 0.0 | 0.0% |"))
    #expect(lines.contains("| boxed | event | 8.98x | 16.3 | 0.0 | 0.0% |"))
  }

  @Test func jsonReadsBackAndMakesTheSameReport() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("run.json")
    try run().json().write(to: file, atomically: true, encoding: .utf8)
    let read = try BenchmarkRun(path: file.path)
    #expect(read == run())
    #expect(read.markdown(Self.legend, plots: "Plots") == run().markdown(Self.legend, plots: "Plots"))
  }

  @Test func writingRemovesPlotsOfEarlierRunsAndNoOtherFile() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("new/REPORT.md").path
    let plots = folder.appendingPathComponent("new/some/Plots")
    try run().write(Self.legend, output: page, plots: plots.path)
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: plots.path).sorted() }
    #expect(try names() == ["W2.svg", "WE.svg", "overview.svg"])
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("](some/Plots/W2.svg)"))

    try "".write(to: plots.appendingPathComponent("other.svg"), atomically: true, encoding: .utf8)
    var fewer = run(peers: false)
    fewer.report.results.removeAll { $0.suite == "W2" }
    try fewer.write(Self.legend, output: page, plots: plots.path)
    #expect(try names() == ["WE.svg", "other.svg", "overview.svg"])
    #expect(try !String(contentsOfFile: page, encoding: .utf8).contains("W2.svg"))
  }

  @Test(arguments: [("/a/Plots", "/a", "Plots"), ("/a/Plots", "/a/b/c", "../../Plots"), ("/a", "/a", "."), ("/a", "/a/b", "..")])
  func pathIsRelative(target: String, folder: String, path: String) {
    #expect(BenchmarkRun.relativePath(of: URL(fileURLWithPath: target), from: URL(fileURLWithPath: folder)) == path)
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
