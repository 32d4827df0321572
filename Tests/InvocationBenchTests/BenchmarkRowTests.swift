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
