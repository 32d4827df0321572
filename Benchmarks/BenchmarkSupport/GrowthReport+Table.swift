extension GrowthReport {
  /// The report as text: for each curve a table with a line per size and a column per engine.
  ///
  /// The cells are times, or instructions where no time was measured.
  package func text(_ legend: GrowthLegend = GrowthLegend()) -> String {
    curves.map { curve in
      let unit = isTimed(curve) ? "ns" : "instructions"
      let heading = legend.curves[curve].map { "\(curve): \($0.caption), \(unit) by \($0.axis)" } ?? "\(curve), \(unit)"
      return heading + "\n" + table(curve).text
    }.joined(separator: "\n\n")
  }

  /// The report as sections of a Markdown document.
  func markdown(_ legend: GrowthLegend) -> [String] {
    curves.flatMap { curve in
      var blocks = ["### " + (legend.curves[curve].map { "\(curve): \($0.caption), by \($0.axis)" } ?? curve)]
      let captions = engines(of: curve).compactMap { name in legend.curves[curve]?.engines[name].map { "- `\(name)`: \($0.caption)" } }
      if !captions.isEmpty { blocks.append(captions.joined(separator: "\n")) }
      return blocks + [table(curve).markdown]
    }
  }

  private func isTimed(_ curve: String) -> Bool { points.contains { $0.curve == curve && $0.ns != nil } }

  private func table(_ curve: String) -> TextTable {
    let engines = engines(of: curve)
    let timed = isTimed(curve)
    var table = TextTable([.init("", .right)] + engines.map { .init($0, .right) })
    for size in sizes(of: curve) {
      let cells = engines.map { engine in
        guard let point = point(curve, engine, size) else { return "-" }
        return timed ? point.ns.map(threeDigits) ?? "-" : point.instructions.map { decimal($0, 0) } ?? "-"
      }
      table.append([grouped(size)] + cells)
    }
    return table
  }
}

/// Formats a number with a comma between groups of three digits.
func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number).reversed().enumerated() {
    if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}
