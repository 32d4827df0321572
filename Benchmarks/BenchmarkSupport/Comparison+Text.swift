extension Comparison {
  /// The comparison as text: a line per row, with a mark on changes beyond the spread.
  package var text: String {
    var table = TextTable([
      .init("row", .left), .init("old ratio", .right), .init("new ratio", .right), .init("change", .right), .init("spread", .right),
      .init("", .left),
    ])
    for change in changes {
      let mark = change.isBeyondSpread ? (change.share < 0 ? "* faster" : "* slower") : ""
      table.append([
        change.name, decimal(change.old, 2) + "x", decimal(change.new, 2) + "x", (change.share > 0 ? "+" : "") + percent(change.share),
        percent(change.spread), mark,
      ])
    }
    var lines = [table.text]
    if !added.isEmpty { lines.append("not in the baseline: " + added.joined(separator: ", ")) }
    if !missing.isEmpty { lines.append("only in the baseline: " + missing.joined(separator: ", ")) }
    let marked = changes.count(where: \.isBeyondSpread)
    lines.append("\(marked) of \(changes.count) rows changed by more than the spread")
    return lines.joined(separator: "\n")
  }
}
