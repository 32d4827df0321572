/// A chart of a ``GrowthReport``: a small panel per curve.
package struct GrowthPlot {
  private let report: GrowthReport
  private let legend: GrowthLegend
  private let note: String?

  /// Creates the chart.
  ///
  /// `note` is a line above the panels.
  package init(_ report: GrowthReport, legend: GrowthLegend = GrowthLegend(), note: String? = nil) {
    self.report = report
    self.legend = legend
    self.note = note
  }

  /// The chart as an SVG document.
  package var svg: String {
    let columns = 2
    let panel = GrowthPanel.size
    let curves = report.curves
    let rows = (curves.count + columns - 1) / columns
    let top = note == nil ? 78.0 : 98.0
    let width = decimal(Double(columns) * panel.width + 16, 0)
    let height = decimal(top + Double(rows) * panel.height + 8, 0)
    let title = report.points.contains { $0.ns != nil } ? "Nanoseconds per operation" : "Instructions per operation"
    let body = curves.enumerated().flatMap { index, curve in
      GrowthPanel(curve, of: report, legend: legend).elements(
        x: Double(index % columns) * panel.width, y: top + Double(index / columns) * panel.height)
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-label="\(title)">
      <title>\(title)</title>
      <style>
      \(BarPlot.style)
      \(Self.style)
      </style>
      <rect class="page" width="100%" height="100%" rx="6"/>
      <text class="title" x="16" y="26">\(title)</text>
      <text class="subtitle" x="16" y="46">both axes logarithmic</text>
      \(key(y: 66).joined(separator: "\n"))
      \(note.map { #"<text class="subtitle" x="16" y="86">\#($0.escapedForXML)</text>"# } ?? "")
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  /// Returns the key of the colors: a square and a name for each kind of engine.
  private func key(y: Double) -> [String] {
    let kinds = Set(report.points.map { legend.kind($0.curve, $0.engine) })
    return EngineKind.allCases.filter(kinds.contains).enumerated().map { index, kind in
      let x = 16 + 110 * index
      return #"<rect class="\#(kind.rawValue)" x="\#(x)" y="\#(decimal(y - 10, 0))" width="12" height="12" rx="2"/>"#
        + #"<text class="subtitle" x="\#(x + 18)" y="\#(decimal(y, 0))">\#(kind.caption)</text>"#
    }
  }

  /// The style of lines, in the colors of ``BarPlot/style``.
  private static let style = """
    text.tick.engine { text-anchor: end; }
    .line { stroke-width: 2; stroke-linejoin: round; }
    .line.own { fill: none; stroke: #0969da; }
    .line.libffi { fill: none; stroke: #bf8700; }
    .line.other { fill: none; stroke: #a475f9; }
    .line.direct { fill: none; stroke: #818b98; }
    .dash1 { stroke-dasharray: 7 4; }
    .dash2 { stroke-dasharray: 2 3; }
    @media (prefers-color-scheme: dark) {
    .line.own { stroke: #4493f8; }
    .line.libffi { stroke: #d29922; }
    }
    """
}
