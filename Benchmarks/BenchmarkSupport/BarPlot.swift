/// A chart of a report: a bar per row, grouped by suite and phase, on a logarithmic axis.
package struct BarPlot {
  private let groups: [Group]
  private let scale: LogScale
  private let legend: Legend
  private let note: String?

  /// The rows of one suite and phase.
  private struct Group {
    var caption: String
    var rows: [BenchmarkRow]
  }

  /// Creates the chart.
  ///
  /// `legend` contains the headings of groups and the kinds of engines. `note` is a line above the bars.
  package init(_ report: BenchmarkReport, legend: Legend = Legend(), note: String? = nil) {
    var groups: [Group] = []
    var last: String?
    for row in report.results {
      let key = "\(row.suite)/\(row.phase)"
      if key != last { groups.append(Group(caption: legend.heading(row.suite, row.phase), rows: [])) }
      last = key
      groups[groups.count - 1].rows.append(row)
    }
    self.groups = groups
    self.legend = legend
    self.note = note
    scale = LogScale(holding: report.results.map(\.ns).filter { $0 > 0 })
  }

  /// The chart as an SVG document.
  package var svg: String {
    let rowHeight = 17.0
    // A character of the font is about 6.5 points wide.
    let left = groups.flatMap(\.rows).map { 32 + 6.5 * Double($0.engine.count) }.reduce(104, max).rounded(.up)
    let axis = 560.0
    let top = note == nil ? 106.0 : 126.0
    var body: [String] = []
    var y = top
    for group in groups {
      y += 12
      body.append(text(16, y + 11, group.caption, "caption"))
      y += 18
      for row in group.rows {
        let length = max(1, axis * scale.position(max(row.ns, scale.lower)))
        body.append(text(left - 8, y + 12, row.engine, "engine"))
        body.append(
          #"<rect class="bar \#(legend.kind(row.engine).rawValue)" x="\#(left)" y="\#(y + 2)" width="\#(decimal(length, 1))" height="\#(rowHeight - 4)" rx="2"/>"#
        )
        let label = "\(threeDigits(row.ns)) ns" + (row.engine == "direct" ? "" : " · \(threeDigits(row.ratio))x")
        body.append(text(left + length + 6, y + 12, label, "label"))
        y += rowHeight
      }
    }
    let bottom = y + 8
    var grid: [String] = []
    for tick in scale.ticks {
      let x = decimal(left + axis * scale.position(tick), 1)
      grid.append(#"<line class="grid" x1="\#(x)" y1="\#(top)" x2="\#(x)" y2="\#(bottom)"/>"#)
      let name = tick >= 1 ? decimal(tick, 0) : "\(tick)"
      grid.append(#"<text class="tick" x="\#(x)" y="\#(top - 6)">\#(name)</text>"#)
      grid.append(#"<text class="tick" x="\#(x)" y="\#(bottom + 14)">\#(name)</text>"#)
    }
    let title = "Nanoseconds per operation"
    let subtitle = "logarithmic scale; after the dot: how many times a direct call of the same callee"
    let width = left + axis + 136
    let height = bottom + 30
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(decimal(width, 0))" height="\(decimal(height, 0))" \
      viewBox="0 0 \(decimal(width, 0)) \(decimal(height, 0))" role="img" aria-label="\(title)">
      <title>\(title)</title>
      <style>
      \(Self.style)
      </style>
      <rect class="page" width="100%" height="100%" rx="6"/>
      \(text(16, 26, title, "title"))
      \(text(16, 46, subtitle, "subtitle"))
      \(key(y: 66).joined(separator: "\n"))
      \(note.map { text(16, 86, $0, "subtitle") } ?? "")
      \((grid + body).joined(separator: "\n"))
      </svg>

      """
  }

  private func text(_ x: Double, _ y: Double, _ string: String, _ style: String) -> String {
    #"<text class="\#(style)" x="\#(decimal(x, 1))" y="\#(decimal(y, 1))">\#(string.escapedForXML)</text>"#
  }

  /// Returns the key of the colors: a square and a name for each kind of engine.
  private func key(y: Double) -> [String] {
    let kinds = Set(groups.flatMap(\.rows).map { legend.kind($0.engine) })
    var x = 16.0
    return EngineKind.allCases.filter(kinds.contains).map { kind in
      defer { x += 110 }
      return #"<rect class="\#(kind.rawValue)" x="\#(decimal(x, 1))" y="\#(decimal(y - 10, 1))" width="12" height="12" rx="2"/>"#
        + text(x + 18, y, kind.caption, "subtitle")
    }
  }
}
