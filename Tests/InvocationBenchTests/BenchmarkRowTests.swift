import BenchmarkSupport
import Foundation
import Testing

@Suite struct BenchmarkRowTests {
  @Test func ratioComesFromEachRoundsOwnPair() {
    // The machine is three times as slow in two rounds: the medians of the times lie in different states, the ratios do not.
    let row = BenchmarkRow(
      suite: "W2", phase: "set", engine: "invocation", times: [4, 4, 12, 12, 12], direct: [2, 2, 6, 6, 6], allocations: 0)
    #expect(row.ratio == 2)
    #expect(row.spread == 0)
    #expect(row.ns == 12)
    #expect(row.minimum == 4)
    #expect(row.maximum == 12)
    #expect(row.name == "W2/set/invocation")
  }

  @Test func jsonHasTheKeysOfTheFormat() throws {
    let report = BenchmarkReport(results: [.sample(engine: "invocation", ns: 4.1, ratio: 2.9)])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: [[String: Any]]])
    let row = try #require(object["results"]?.first)
    #expect(Set(row.keys).isSuperset(of: ["suite", "phase", "engine", "ns", "ratio", "allocations"]))
    #expect(row["suite"] as? String == "W2")
    #expect(row["phase"] as? String == "set")
    #expect(row["engine"] as? String == "invocation")
    #expect(row["ns"] as? Double == 4.1)
    #expect(row["ratio"] as? Double == 2.9)
    #expect(row["allocations"] as? Int == 0)
    #expect(row["instructions"] == nil)
  }

  @Test func unknownAllocationsAreNull() throws {
    var row = BenchmarkRow.sample(engine: "direct", ns: 1, ratio: 1)
    row.allocations = nil
    #expect(try BenchmarkReport(results: [row]).json().contains(#""allocations" : null"#))
  }

  @Test func reportSurvivesItsJSON() throws {
    var counted = BenchmarkRow.sample(engine: "function", ns: 14.25, ratio: 5.5)
    counted.instructions = 41
    let report = BenchmarkReport(results: [.sample(engine: "direct", ns: 1.36, ratio: 1), counted])
    #expect(try JSONDecoder().decode(BenchmarkReport.self, from: Data(report.json().utf8)) == report)
  }

  @Test func wrongRowsAndRoundsSurviveJSONAndAreAbsentWhenThereAreNone() throws {
    let report = BenchmarkReport(results: [.sample(engine: "direct", ns: 1, ratio: 1)], wrong: ["WR/set/avcall"], rounds: 21)
    #expect(try JSONDecoder().decode(BenchmarkReport.self, from: Data(report.json().utf8)) == report)
    let text = try BenchmarkReport(results: report.results).json()
    #expect(!text.contains("wrong") && !text.contains("rounds"))
  }

  @Test func readsARowOfTheBareFormat() throws {
    let json = #"{"results": [{"suite": "W2", "phase": "set", "engine": "qt6", "ns": 27, "ratio": 16.4, "allocations": 2}]}"#
    let row = try #require(try JSONDecoder().decode(BenchmarkReport.self, from: Data(json.utf8)).results.first)
    #expect(row.allocations == 2)
    #expect(row.spread == 0)
    #expect(row.minimum == 27)
  }

  @Test func fileThatIsNotThereThrows() {
    #expect(throws: (any Error).self) { try BenchmarkReport(path: "/nonexistent/report.json") }
  }
}

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

@Suite struct ComparisonTests {
  private let old = BenchmarkReport(results: [
    .sample(engine: "ffi_call", ns: 50, ratio: 30, spread: 0.02),
    .sample(engine: "invocation", ns: 4, ratio: 4, spread: 0.02),
    .sample(engine: "function", ns: 4, ratio: 2, spread: 0.3),
    .sample(engine: "gone", ns: 4, ratio: 2),
  ])
  private let new = BenchmarkReport(results: [
    .sample(engine: "ffi_call", ns: 50, ratio: 30.3, spread: 0.01),
    .sample(engine: "invocation", ns: 4, ratio: 3, spread: 0.01),
    .sample(engine: "function", ns: 4, ratio: 2.5, spread: 0.01),
    .sample(engine: "avcall", ns: 4, ratio: 2),
  ])

  @Test func onlyChangesBeyondTheLargerSpreadCount() {
    let changes = Comparison(old: old, new: new).changes
    #expect(changes.map(\.name) == ["W2/set/ffi_call", "W2/set/invocation", "W2/set/function"])
    #expect(changes.map(\.isBeyondSpread) == [false, true, false])
    #expect(changes[1].share == -0.25)
  }

  @Test func rowsOfOneReportOnlyAreNamed() {
    let comparison = Comparison(old: old, new: new)
    #expect(comparison.added == ["W2/set/avcall"])
    #expect(comparison.missing == ["W2/set/gone"])
  }

  @Test func textMarksAndCounts() {
    let lines = Comparison(old: old, new: new).text.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("row"))
    #expect(lines[1] == "W2/set/ffi_call       30.00x     30.30x   +1.0%    2.0%")
    #expect(lines[2] == "W2/set/invocation      4.00x      3.00x  -25.0%    2.0%  * faster")
    #expect(lines[3].hasSuffix("30.0%"))
    #expect(lines[4] == "not in the baseline: W2/set/avcall")
    #expect(lines[5] == "only in the baseline: W2/set/gone")
    #expect(lines[6] == "1 of 3 rows changed by more than the spread")
  }

  @Test func sameReportHasNoMark() {
    let comparison = Comparison(old: old, new: old)
    #expect(comparison.changes.allSatisfy { !$0.isBeyondSpread && $0.share == 0 })
    #expect(comparison.added.isEmpty && comparison.missing.isEmpty)
  }
}
