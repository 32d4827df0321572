import Foundation
import Testing

@testable import BenchmarkSupport

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
