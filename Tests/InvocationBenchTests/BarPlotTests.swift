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
    let svg = BarPlot(report, captions: ["W2/invoke": "The call < alone"]).svg
    #expect(svg.contains(">1.36 ns<"))
    #expect(svg.contains(">47.3 ns · 28.9x<"))
    #expect(svg.contains(">The call &lt; alone<"))
    #expect(svg.contains(">W2 set<"))
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
