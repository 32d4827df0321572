import Foundation
import Testing

import BenchmarkSupport

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `Benchmarks/report.py`, with rows as the program and its peers write them.
@Suite(.enabled(if: Tool("python3") != nil)) struct ReportScriptTests {
  private static let script = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../report.py").standardized.path

  private static let ours = BenchmarkReport(
    results: [
      .sample(phase: "invoke", engine: "direct", ns: 1.5, ratio: 1), .sample(phase: "invoke", engine: "ffi_call", ns: 45, ratio: 30),
      .sample(phase: "invoke", engine: "invocation", ns: 3, ratio: 2), .sample(phase: "invoke", engine: "avcall", ns: 9, ratio: 6),
      .sample(phase: "set", engine: "direct", ns: 1.5, ratio: 1),
      .sample(phase: "set", engine: "invocation", ns: 6.604, ratio: 4.45, spread: 0.028),
      .sample(suite: "WE", phase: "boxed", engine: "event", ns: 16.3, ratio: 8.98),
    ], wrong: ["WR/set/avcall"], rounds: 21)
  private static let avcall = BenchmarkReport(
    results: [
      .sample(phase: "invoke", engine: "direct", ns: 1.6, ratio: 1), .sample(phase: "invoke", engine: "avcall", ns: 8, ratio: 5),
    ], wrong: ["WR/invoke/avcall", "WR/set/avcall"])
  private static let qt = BenchmarkReport(results: [
    .sample(phase: "set", engine: "direct", ns: 2.5, ratio: 1), .sample(phase: "set", engine: "qt6", ns: 250, ratio: 100),
  ])
  private static let growth = GrowthReport(points: [
    GrowthPoint(curve: "keys", engine: "event", size: 1, ns: 5), GrowthPoint(curve: "keys", engine: "event", size: 1_000, ns: 10),
    GrowthPoint(curve: "registering", engine: "event-token", size: 1, ns: 44),
    GrowthPoint(curve: "arguments", engine: "invocation", size: 0, ns: 3),
  ])

  /// Writes reports into a folder, runs the script there with words, and calls `body` with its output and the folder.
  private func run(_ words: String, _ body: (_ output: String, URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in try [
      ("ours", Self.ours.jsonText()), ("avcall", Self.avcall.jsonText()), ("qt", Self.qt.jsonText()), ("growth", Self.growth.jsonText()),
    ] { try text.write(to: folder.appendingPathComponent(name + ".json"), atomically: true, encoding: .utf8) }
    let command = #"cd "$0" && report() { python3 "$1" "${@:2}" >>output || exit 1; } && "# + words
    let ran = try #require(try Tool("bash")?.run(["-c", command.replacing("report ", with: "report '\(Self.script)' "), folder.path]))
    try #require(ran.status == 0, "\(ran.errors)")
    try body(String(contentsOf: folder.appendingPathComponent("output"), encoding: .utf8), folder)
  }

  private static let page =
    "report run run.json ours.json --growth growth.json --peers qt.json avcall.json --versions 'qt=Qt 6.4' --absent 'luajit=is not here'"
    + " && report page run.json REPORT.md Plots"

  @Test func tableHasTheRowsOfPeersByRatio() throws {
    try run("report table ours.json avcall.json qt.json") { output, _ in
      #expect(
        output == """
          phase   engine      W2 ns  ratio  WE ns  ratio
          invoke  direct       1.50  1.00x      -
          invoke  invocation   3.00  2.00x      -
          invoke  avcall       8.00  5.00x      -
          invoke  ffi_call     45.0  30.0x      -
          set     direct       1.50  1.00x      -
          set     invocation   6.60  4.45x      -
          set     qt6           250   100x      -
          boxed   event           -          16.3  8.98x

          not timed, as the result is wrong: WR/set/avcall, WR/invoke/avcall

          """)
    }
  }

  @Test func comparisonMarksChangesBeyondTheLargerSpread() throws {
    func report(_ ratios: [(String, Double, Double)]) throws -> String {
      try BenchmarkReport(results: ratios.map { .sample(engine: $0, ns: 4, ratio: $1, spread: $2) }).jsonText()
    }
    let old = try report([("ffi_call", 30, 0.02), ("invocation", 4, 0.02), ("function", 2, 0.3), ("gone", 2, 0)])
    let new = try report([("ffi_call", 30.3, 0.01), ("invocation", 3, 0.01), ("function", 2.5, 0.01), ("avcall", 2, 0)])
    try run("echo '\(old)' >old.json && echo '\(new)' >new.json && report compare old.json new.json") { output, _ in
      #expect(
        output == """
          row                old ratio  new ratio  change  spread
          W2/set/ffi_call       30.00x     30.30x   +1.0%    2.0%
          W2/set/invocation      4.00x      3.00x  -25.0%    2.0%  * faster
          W2/set/function        2.00x      2.50x  +25.0%   30.0%
          not in the old report: W2/set/avcall
          only in the old report: W2/set/gone
          1 of 3 rows changed by more than the spread

          """)
    }
  }

  @Test func pageHasASectionForEachSuiteAndCurve() throws {
    try run(Self.page) { _, folder in
      let page = try String(contentsOf: folder.appendingPathComponent("REPORT.md"), encoding: .utf8)
      #expect(
        page.contains(
          """
          ## W2: two integers

          Types: `q@:qq`

          | phase | engine | ratio | ns | allocations | spread |
          |---|---|---:|---:|---:|---:|
          | invoke | direct | 1.00x | 1.50 | 0.0 | 0.0% |
          | invoke | invocation | 2.00x | 3.00 | 0.0 | 0.0% |
          | invoke | avcall | 5.00x | 8.00 | 0.0 | 0.0% |
          | invoke | ffi_call | 30.0x | 45.0 | 0.0 | 0.0% |
          | set | direct | 1.00x | 1.50 | 0.0 | 0.0% |
          | set | invocation | 4.45x | 6.60 | 0.0 | 2.8% |
          | set | qt6 | 100x | 250 | 0.0 | 0.0% |

          Compare the times of these, not the ratios, as the direct call of their process took over a fifth more or less:

          - `W2/set/qt6`: 2.50 ns

          """))
      for text in [
        "| qt | Qt 6.4 |", "| luajit | not measured, as it is not here |", "| rounds, without peers | 21 |",
        "| qt6 | other | methods of Qt's meta-objects |", "- `WR/invoke/avcall`", "### keys: send an event to the handler of its key",
        "| 1,000 | 10.0 |",
      ] { #expect(page.contains(text), "\(text)") }
      for line in page.split(separator: "\n") where !line.hasPrefix("|") { #expect(line.count <= 120, "\(line)") }
    }
  }

  @Test func plotsAreWellFormed() throws {
    try run(Self.page + " && report plot ours.json bars.svg qt.json && report plot growth.json growth.svg") { _, folder in
      for (name, texts) in [
        ("Plots/overview.svg", [">6.60 ns · 4.45x<", ">this package, an Invocation<"]), ("Plots/WE.svg", [">16.3 ns · 8.98x<"]),
        ("Plots/growth.svg", [#"<polyline class="line dash0""#, ">1,000<"]),
        ("bars.svg", [">qt6<", #"class="bar libffi""#]), ("growth.svg", [">event-token<"]),
      ] {
        let svg = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        #expect(XMLParser(data: Data(svg.utf8)).parse(), "\(name)")
        for text in texts { #expect(svg.contains(text), "\(name): \(text)") }
      }
    }
  }
}
