import Foundation
import Testing

import BenchmarkSupport

@Suite struct BenchmarkReportTests {
  @Test func ratioComesFromEachRoundsOwnPair() {
    // The machine is three times as slow in two rounds: the medians of the times lie in different states, the ratios do not.
    let row = BenchmarkRow(
      suite: "W2", phase: "set", engine: "invocation", times: [4, 4, 12, 12, 12], direct: [2, 2, 6, 6, 6], allocations: 0)
    #expect([row.ratio, row.spread, row.ns, row.minimum, row.maximum] == [2, 0, 12, 4, 12])
    #expect(row.name == "W2/set/invocation")
  }

  @Test func jsonHasTheKeysOfTheFormatAndReadsBack() throws {
    let report = BenchmarkReport(results: [.sample(engine: "invocation", ns: 4.1, ratio: 2.9)], rounds: 21)
    let text = try report.jsonText()
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let row = try #require((object["results"] as? [[String: Any]])?.first)
    #expect(
      Set(row.keys) == ["suite", "phase", "engine", "ns", "ratio", "allocations", "spread", "minimum", "maximum"])
    #expect(try JSONDecoder().decode(BenchmarkReport.self, from: Data(text.utf8)) == report)
  }

  @Test func unknownAllocationsAreNull() throws {
    var row = BenchmarkRow.sample(engine: "direct", ns: 1, ratio: 1)
    row.allocations = nil
    #expect(try BenchmarkReport(results: [row]).jsonText().contains(#""allocations" : null"#))
  }

  @Test func columnsAreAsWideAsWhatTheyHold() {
    let text = textTable(["name", ">ns", ""], [["longer name", "1.5", ""], ["b", "10.25", "x"]])
    #expect(text == "name            ns\nlonger name    1.5\nb            10.25  x")
  }
}

extension BenchmarkRow {
  /// A row whose ratio scatters by `spread`.
  static func sample(
    suite: String = "W2", phase: String = "set", engine: String, ns: Double, ratio: Double, spread: Double = 0
  ) -> BenchmarkRow {
    var row = BenchmarkRow(suite: suite, phase: phase, engine: engine, times: [ns], direct: [ns], allocations: 0)
    (row.ratio, row.spread) = (ratio, spread)
    return row
  }
}

@Suite struct GrowthLimitTests {
  private func verdict(_ small: Double?, _ large: Double?, per unit: GrowthLimit.Unit = .operation, atMost factor: Double = 1.2)
    -> GrowthVerdict
  {
    let points = [(10, small), (1_000, large)].map { GrowthPoint(curve: "keys", engine: "event", size: $0, instructions: $1) }
    let others = [GrowthPoint(curve: "keys", engine: "other", size: 1_000, instructions: 1)]
    return GrowthLimit("event", from: 10, to: 1_000, per: unit, atMost: factor).verdict("keys", GrowthReport(points: others + points))
  }

  @Test(arguments: [(100.0, true), (120, true), (121, false), (99, true)])
  func operationMayGrowByTheFactor(large: Double, passes: Bool) {
    #expect(verdict(100, large).growth == large / 100)
    #expect(verdict(100, large).passes == passes)
  }

  @Test(arguments: [(10_000.0, true), (12_000, true), (12_100, false), (500, true)])
  func costPerElementMayGrowByTheFactor(large: Double, passes: Bool) {
    #expect(verdict(100, large, per: .element).passes == passes)
  }

  @Test(arguments: [(nil, 1), (1, nil), (0, 1), (1, 0)] as [(Double?, Double?)])
  func whatIsNotCountedFails(small: Double?, large: Double?) {
    #expect(verdict(small, large).growth == nil)
    #expect(!verdict(small, large).passes)
  }

  @Test func textNamesWhatFailed() {
    #expect(
      GrowthVerdict.text([verdict(91, 99, atMost: 2), verdict(1, 200, per: .element)]) == """
        curve  engine  sizes       instructions  per        growth  limit
        keys   event   10 .. 1000  91 .. 99      operation   1.09x  2.00x
        keys   event   10 .. 1000  1 .. 200      element     2.00x  1.20x  FAILED

        1 of 2 limits failed
        """)
  }
}
