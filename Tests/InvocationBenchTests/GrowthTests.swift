@testable import BenchmarkSupport
import Foundation
import Testing

@Suite struct GrowthReportTests {
  private let report = GrowthReport(points: [
    GrowthPoint(curve: "keys", engine: "event", size: 1, ns: 5.123456),
    GrowthPoint(curve: "keys", engine: "event", size: 1_000_000, ns: 10),
    GrowthPoint(curve: "keys", engine: "dictionary", size: 1, ns: 44),
    GrowthPoint(curve: "width", engine: "event", size: 0, instructions: 1011),
    GrowthPoint(curve: "width", engine: "event", size: 100_000, instructions: 1011),
  ])

  @Test func textHasATableForEachCurve() {
    #expect(
      report.text == """
        keys, ns
                   event  dictionary
                1   5.12        44.0
        1,000,000   10.0           -

        width, instructions
                 event
              0   1011
        100,000   1011
        """)
  }

  @Test func jsonReadsBackWithFourDecimals() throws {
    let text = try report.json()
    var expected = report
    expected.points[0].ns = 5.1235
    #expect(try JSONDecoder().decode(GrowthReport.self, from: Data(text.utf8)) == expected)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000"), (-100, "-100")])
  func numbersHaveGroupsOfThreeDigits(number: Int, text: String) { #expect(grouped(number) == text) }
}

@Suite struct GrowthLimitTests {
  private func report(_ small: Double?, _ large: Double?) -> GrowthReport {
    GrowthReport(points: [
      GrowthPoint(curve: "keys", engine: "event", size: 10, instructions: small),
      GrowthPoint(curve: "keys", engine: "event", size: 1_000, instructions: large),
      GrowthPoint(curve: "keys", engine: "dictionary", size: 1_000, instructions: 1),
    ])
  }

  private func limit(_ unit: GrowthLimit.Unit, _ factor: Double) -> GrowthLimit {
    GrowthLimit("keys", "event", from: 10, to: 1_000, per: unit, atMost: factor)
  }

  @Test(arguments: [(100.0, true), (120, true), (121, false), (99, true)])
  func operationMayGrowByTheFactor(large: Double, passes: Bool) {
    let verdict = limit(.operation, 1.2).verdict(report(100, large))
    #expect(verdict.growth == large / 100)
    #expect(verdict.passes == passes)
  }

  @Test(arguments: [(10_000.0, true), (12_000, true), (12_100, false), (500, true)])
  func costPerElementMayGrowByTheFactor(large: Double, passes: Bool) {
    #expect(limit(.element, 1.2).verdict(report(100, large)).passes == passes)
  }

  @Test func whatIsNotCountedFails() {
    for report in [report(nil, 1), report(1, nil), report(0, 1), report(1, 0)] {
      let verdict = limit(.operation, 2).verdict(report)
      #expect(verdict.growth == nil)
      #expect(!verdict.passes)
    }
  }

  @Test func sizeThatIsNotInTheReportFails() {
    let verdict = GrowthLimit("keys", "event", from: 10, to: 100, per: .operation, atMost: 2).verdict(report(1, 1))
    #expect(verdict.large == nil)
    #expect(!verdict.passes)
  }

  @Test func textNamesWhatFailed() {
    let text = GrowthVerdict.text([limit(.operation, 2).verdict(report(91, 99)), limit(.element, 1.2).verdict(report(1, 200))])
    #expect(
      text == """
        curve  engine  sizes        instructions  per        growth  limit
        keys   event   10 .. 1,000  91 .. 99      operation   1.09x  2.00x
        keys   event   10 .. 1,000  1 .. 200      element     2.00x  1.20x  FAILED

        1 of 2 limits failed
        """)
  }
}
