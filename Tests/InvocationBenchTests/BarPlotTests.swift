import BenchmarkSupport
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct BarPlotTests {
  private let report = BenchmarkReport(results: [
    .sample(phase: "invoke", engine: "direct", ns: 1.36, ratio: 1),
    .sample(phase: "invoke", engine: "ffi_call", ns: 47.31, ratio: 28.9),
    .sample(phase: "set", engine: "direct", ns: 1.36, ratio: 1),
    .sample(phase: "set", engine: "a<b & \"c\"", ns: 13.6, ratio: 10),
  ])

  @Test func isWellFormedXML() throws {
    let reader = Elements()
    let parser = XMLParser(data: Data(BarPlot(report).svg.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.attributes(of: "svg").count == 1)
    #expect(reader.bars.count == 4)
    #expect(reader.texts.contains("a<b & \"c\""))
  }

  @Test func barsGrowWithTheLogarithm() throws {
    let reader = Elements()
    let parser = XMLParser(data: Data(BarPlot(report).svg.utf8))
    parser.delegate = reader
    #expect(parser.parse())
    let widths = reader.bars.compactMap { $0["width"].flatMap(Double.init) }
    try #require(widths.count == 4)
    #expect(widths[0] == widths[2])
    // 1 to 50 ns on 560 points: the direct call is log(1.36)/log(50) of it, ten times as much is a decade further.
    #expect(abs(widths[0] - 560 * log(1.36) / log(50)) < 0.1)
    #expect(abs((widths[3] - widths[2]) - 560 * log(10) / log(50)) < 0.2)
  }

  @Test func labelsSayTimeAndRatio() {
    let legend = Legend(suites: ["W2": .init(caption: "Two < three", types: "q@:qq")], phases: ["invoke": "the call alone"])
    let svg = BarPlot(report, legend: legend).svg
    #expect(svg.contains(">1.36 ns<"))
    #expect(svg.contains(">47.3 ns · 28.9x<"))
    #expect(svg.contains(">Two &lt; three: the call alone (W2/invoke)<"))
    #expect(svg.contains(">W2 set<"))
  }

  @Test func colorsTellWhoseAnEngineIs() {
    let legend = Legend(engines: ["ffi_call": .init(caption: "", kind: .libffi), "invocation": .init(caption: "", kind: .own)])
    var rows = report.results
    #expect(!BarPlot(BenchmarkReport(results: rows), legend: legend).svg.contains(">this package<"))
    rows.append(.sample(phase: "set", engine: "invocation", ns: 3, ratio: 2))
    let svg = BarPlot(BenchmarkReport(results: rows), legend: legend).svg
    for kind in EngineKind.allCases {
      #expect(svg.contains("<rect class=\"\(kind.rawValue)\""))
      #expect(svg.contains("<rect class=\"bar \(kind.rawValue)\""))
      #expect(svg.contains(".\(kind.rawValue) { fill: #"))
    }
    #expect(svg.contains(">this package<"))
  }

  @Test func noteIsEscapedAndMovesTheBars() {
    let svg = BarPlot(report, note: "a < b").svg
    #expect(svg.contains(">a &lt; b<"))
    #expect(svg.contains(#"height="292""#))
    #expect(BarPlot(report).svg.contains(#"height="272""#))
  }

  @Test func longNamesStayOnThePage() throws {
    let name = "NotificationCenter"
    let svg = BarPlot(BenchmarkReport(results: [.sample(engine: name, ns: 1, ratio: 1)])).svg
    let label = try #require(svg.split(separator: "\n").first { $0.contains(name) })
    let end = try #require(label.split(separator: #"x=""#).last?.split(separator: "\"").first.flatMap { Double($0) })
    #expect(end >= 7 * Double(name.count))
  }

  @Test func emptyReportIsStillAPicture() {
    #expect(XMLParser(data: Data(BarPlot(BenchmarkReport(results: [])).svg.utf8)).parse())
  }

  /// Notes what a document holds.
  private final class Elements: NSObject, XMLParserDelegate {
    private var elements: [(name: String, attributes: [String: String])] = []
    private(set) var texts: [String] = []

    var bars: [[String: String]] { attributes(of: "rect").filter { $0["class"]?.hasPrefix("bar") ?? false } }

    func attributes(of name: String) -> [[String: String]] { elements.filter { $0.name == name }.map(\.attributes) }

    func parser(
      _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      elements.append((elementName, attributes))
      texts.append("")
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { texts[texts.count - 1] += string }

    // What follows belongs to the element around it.
    func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?) {
      texts.append("")
    }
  }
}
