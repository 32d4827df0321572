/// Text in columns that are as wide as their contents.
package struct TextTable {
  package enum Alignment { case left, right }

  package struct Column {
    package var title: String
    package var alignment: Alignment

    package init(_ title: String, _ alignment: Alignment) {
      self.title = title
      self.alignment = alignment
    }
  }

  private let columns: [Column]
  private var lines: [[String]]

  package init(_ columns: [Column]) {
    self.columns = columns
    lines = [columns.map(\.title)]
  }

  /// Appends a line with one cell per column.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "a cell for each column")
    lines.append(cells)
  }

  /// Whether no line was appended.
  var isEmpty: Bool { lines.count == 1 }

  /// All lines, the titles first, without trailing spaces and without a newline after the last line.
  package var text: String {
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      var text = ""
      for (column, cell) in line.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        text += column == 0 ? "" : "  "
        text += columns[column].alignment == .left ? cell + blanks : blanks + cell
      }
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }

  /// The table in Markdown, without a newline after the last line.
  package var markdown: String {
    let rule = "|" + columns.map { $0.alignment == .left ? "---|" : "---:|" }.joined()
    var rows = lines.map { "| " + $0.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |" }
    rows.insert(rule, at: 1)
    return rows.joined(separator: "\n")
  }
}
