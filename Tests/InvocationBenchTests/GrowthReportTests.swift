import Foundation
import Testing

@testable import BenchmarkSupport

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct GrowthReportTests {
  private static let legend = GrowthLegend(curves: [
    "keys": .init(
      caption: "send & count", axis: "keys",
      engines: ["event": .init(caption: "an event", kind: .own), "dictionary": .init(caption: "closures", kind: .other)])
  ])

  private let report = GrowthReport(points: [
    GrowthPoint(curve: "keys", engine: "event", size: 1, ns: 5.123456),
    GrowthPoint(curve: "keys", engine: "event", size: 1_000_000, ns: 10),
    GrowthPoint(curve: "keys", engine: "dictionary", size: 1, ns: 44),
    GrowthPoint(curve: "width", engine: "event", size: 0, instructions: 1011),
    GrowthPoint(curve: "width", engine: "event", size: 100_000, instructions: 1011),
  ])

  @Test func textHasATableForEachCurve() {
    #expect(
      report.text(Self.legend) == """
        keys: send & count, ns by keys
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

  @Test func plotHasALineForEachEngineInTheColorOfItsKind() {
    let svg = GrowthPlot(report, legend: Self.legend, note: "a < b").svg
    #expect(XMLParser(data: Data(svg.utf8)).parse())
    #expect(svg.components(separatedBy: "<polyline ").count == 4)
    #expect(svg.contains(#"<polyline class="line own dash0""#))
    #expect(svg.contains(#"<polyline class="line other dash0""#))
    for text in [">send &amp; count<", ">a &lt; b<", ">dictionary<", ">this package<", ">1,000,000<"] { #expect(svg.contains(text)) }
  }

  @Test func pointsOfAPlotStayWithinTheirPanel() throws {
    let svg = GrowthPlot(report, legend: Self.legend).svg
    for line in svg.split(separator: "\n") where line.hasPrefix("<circle") {
      let numbers = line.split(separator: "\"").compactMap { Double($0) }
      try #require(numbers.count == 3)
      #expect(numbers[0] > 0 && numbers[0] < GrowthPanel.size.width, "\(line)")
      #expect(numbers[1] > 0 && numbers[1] < GrowthPanel.size.height, "\(line)")
    }
  }

  @Test func emptyReportIsStillAPicture() {
    #expect(XMLParser(data: Data(GrowthPlot(GrowthReport(points: [])).svg.utf8)).parse())
  }

  @Test func secondEngineOfAKindIsDashed() {
    let points = ["event-up", "event-down"].map { GrowthPoint(curve: "depth", engine: $0, size: 1, ns: 1) }
    let legend = GrowthLegend(curves: [
      "depth": .init(
        caption: "", axis: "", engines: ["event-up": .init(caption: "", kind: .own), "event-down": .init(caption: "", kind: .own)])
    ])
    let svg = GrowthPlot(GrowthReport(points: points), legend: legend).svg
    #expect(svg.contains(#"<polyline class="line own dash0""#))
    #expect(svg.contains(#"<polyline class="line own dash1""#))
  }
}
