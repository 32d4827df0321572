import Foundation

/// The chart of one curve: a line per engine, both axes logarithmic.
struct GrowthPanel {
  /// The size of a panel, with its title and its axes.
  static let size = (width: 440.0, height: 262.0)

  private let title: String
  private let axis: String
  private let lines: [Line]
  private let sizes: [Int]
  private let scale: LogScale

  /// The points of one engine.
  private struct Line {
    var name: String
    var kind: EngineKind
    /// The index of the engine among those of its kind, which determines how the line is dashed.
    var place: Int
    var points: [(size: Int, cost: Double)]
  }

  // The area between the axes, within the panel.
  private let left = 70.0
  private let right = 428.0
  private let top = 48.0
  private let bottom = 218.0

  /// Creates the chart of a curve.
  ///
  /// The vertical axis shows times, or instructions if no point was timed.
  init(_ curve: String, of report: GrowthReport, legend: GrowthLegend) {
    let isTimed = report.points.contains { $0.curve == curve && $0.ns != nil }
    title = legend.curves[curve]?.caption ?? curve
    axis = legend.curves[curve]?.axis ?? "size"
    sizes = report.sizes(of: curve)
    var counts: [EngineKind: Int] = [:]
    lines = report.engines(of: curve).map { engine in
      let kind = legend.kind(curve, engine)
      defer { counts[kind, default: 0] += 1 }
      let points = report.points.filter { $0.curve == curve && $0.engine == engine }.sorted { $0.size < $1.size }
      return Line(
        name: engine, kind: kind, place: counts[kind, default: 0],
        points: points.compactMap { point in
          (isTimed ? point.ns : point.instructions).flatMap { $0 > 0 ? (point.size, $0) : nil }
        })
    }
    scale = LogScale(holding: lines.flatMap(\.points).map(\.cost))
  }

  /// Returns the panel as SVG elements, with its upper left corner at a point.
  func elements(x: Double, y: Double) -> [String] {
    [#"<g transform="translate(\#(decimal(x, 1)) \#(decimal(y, 1)))">"#, text(left, 18, title, "caption")]
      + key + grid + lines.flatMap(curve) + [text((left + right) / 2, bottom + 32, axis, "tick"), "</g>"]
  }

  /// The position of a size; a size of 0 is half a step of two before the smallest other one.
  private func position(_ size: Int) -> Double {
    let positive = sizes.filter { $0 > 0 }
    let smallest = Double(positive.first ?? 1)
    let first = sizes.first == 0 ? smallest / 2 : smallest
    let last = max(Double(positive.last ?? 1), first * 2)
    let share = (log10(size > 0 ? Double(size) : first) - log10(first)) / (log10(last) - log10(first))
    return left + 8 + (right - left - 16) * share
  }

  private func height(_ cost: Double) -> Double { bottom - (bottom - top) * scale.position(cost) }

  private func curve(_ line: Line) -> [String] {
    let style = "\(line.kind.rawValue) dash\(min(line.place, 2))"
    let points = line.points.map { (decimal(position($0.size), 1), decimal(height($0.cost), 1)) }
    guard !points.isEmpty else { return [] }
    let path = points.map { "\($0.0),\($0.1)" }.joined(separator: " ")
    return [#"<polyline class="line \#(style)" points="\#(path)"/>"#]
      + points.map { #"<circle class="\#(line.kind.rawValue)" cx="\#($0.0)" cy="\#($0.1)" r="2.5"/>"# }
  }

  /// A sample and a name for each line.
  private var key: [String] {
    var x = left
    return lines.flatMap { line -> [String] in
      // A character of the font is about 6.5 points wide.
      defer { x += 44 + 6.5 * Double(line.name.count) }
      let style = "line \(line.kind.rawValue) dash\(min(line.place, 2))"
      return [
        #"<line class="\#(style)" x1="\#(decimal(x, 1))" y1="32" x2="\#(decimal(x + 22, 1))" y2="32"/>"#,
        text(x + 27, 36, line.name, "subtitle"),
      ]
    }
  }

  private var grid: [String] {
    var elements: [String] = []
    let ticks = scale.ticks
    // On a long axis only powers of ten, so that the numbers do not overlap.
    for tick in ticks where ticks.count <= 8 || log10(tick) == log10(tick).rounded() {
      let y = height(tick)
      elements.append(rule(left, y, right, y))
      elements.append(text(left - 6, y + 4, tick >= 1 ? grouped(Int(tick.rounded())) : "\(tick)", "tick engine"))
    }
    var end = -Double.infinity
    for size in sizes {
      let x = position(size)
      elements.append(rule(x, bottom, x, bottom + 4))
      let name = grouped(size)
      let half = 3.2 * Double(name.count)
      guard x - half > end + 6 else { continue }
      end = x + half
      elements.append(text(x, bottom + 16, name, "tick"))
    }
    return elements
  }

  private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    #"<line class="grid" x1="\#(decimal(x1, 1))" y1="\#(decimal(y1, 1))" x2="\#(decimal(x2, 1))" y2="\#(decimal(y2, 1))"/>"#
  }

  private func text(_ x: Double, _ y: Double, _ string: String, _ style: String) -> String {
    #"<text class="\#(style)" x="\#(decimal(x, 1))" y="\#(decimal(y, 1))">\#(string.escapedForXML)</text>"#
  }
}
