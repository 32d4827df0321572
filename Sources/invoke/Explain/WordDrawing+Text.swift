import CallExplanations
import DynamicInvocation

extension WordDrawing {
  private static let gap = 3

  /// Returns the drawing as text, without a trailing newline; empty if there are no words.
  ///
  /// - Parameters:
  ///   - width: The number of columns of the terminal. Groups that do not fit side by side are below each other.
  ///   - isColored: Whether each value has an ANSI color.
  func text(width: Int, isColored: Bool) -> String {
    guard !groups.isEmpty else { return "" }
    // A byte has two columns at least, and one for the border.
    let byteWidth = byteSize(from: 3, to: 8) { $0.count + 1 }
    let blocks = groups.map { Block($0, byteWidth: byteWidth, isColored: isColored) }
    var lines: [String] = []
    var row: [Block] = []
    func end() {
      if !lines.isEmpty { lines.append("") }
      let height = row.map(\.lines.count).max() ?? 0
      for index in 0..<height {
        let cells = row.map { $0.lines.indices.contains(index) ? $0.lines[index] : String(repeating: " ", count: $0.width) }
        lines.append(Self.trimmed(cells.joined(separator: String(repeating: " ", count: Self.gap))))
      }
      row = []
    }
    for block in blocks {
      let rowWidth = row.reduce(block.width) { $0 + $1.width + Self.gap }
      if !row.isEmpty, rowWidth > width { end() }
      row.append(block)
    }
    end()
    return (lines + [legend]).joined(separator: "\n")
  }

  private static func trimmed(_ line: String) -> String { String(line.reversed().drop { $0 == " " }.reversed()) }
}

/// The boxes of a group, below each other.
private struct Block {
  /// The lines, each of which occupies ``width`` columns.
  private(set) var lines: [String] = []
  let width: Int

  private let byteWidth: Int
  private let nameWidth: Int
  private let isColored: Bool

  init(_ group: CallExplanation.WordGroup, byteWidth: Int, isColored: Bool) {
    self.byteWidth = byteWidth
    self.isColored = isColored
    nameWidth = group.words.map(\.name.count).max() ?? 0
    width = nameWidth + 1 + 8 * byteWidth + 1
    add("", " " + WordDrawing.title(group))
    var above: [WordDrawing.Cell]?
    for word in group.words {
      let cells = WordDrawing.cells(word)
      add("", border(above: above, below: cells))
      lines.append(padded(word.name) + cells.map { "│" + content($0) }.joined() + "│")
      above = cells
    }
    add("", border(above: above, below: nil))
    if let rest = WordDrawing.rest(group) { add("", " " + rest) }
  }

  private mutating func add(_ name: String, _ text: String) {
    lines.append(padded(name) + text + String(repeating: " ", count: max(0, 8 * byteWidth + 1 - text.count)))
  }

  /// Returns a name, aligned to the right, and the space after it.
  private func padded(_ name: String) -> String { String(repeating: " ", count: nameWidth - name.count) + name + " " }

  /// Returns the line between two words, or above the first or below the last.
  private func border(above: [WordDrawing.Cell]?, below: [WordDrawing.Cell]?) -> String {
    let up = Set((above ?? []).map(\.bytes.lowerBound))
    let down = Set((below ?? []).map(\.bytes.lowerBound))
    let line = String(repeating: "─", count: byteWidth - 1)
    var text = above == nil ? "┌" : below == nil ? "└" : "├"
    for byte in 0..<8 {
      if byte > 0 {
        switch (up.contains(byte), down.contains(byte)) {
        case (true, true): text += "┼"
        case (true, false): text += "┴"
        case (false, true): text += "┬"
        case (false, false): text += "─"
        }
      }
      text += line
    }
    return text + (above == nil ? "┐" : below == nil ? "┘" : "┤")
  }

  /// Returns what is between the borders of a cell.
  private func content(_ cell: WordDrawing.Cell) -> String {
    let width = cell.bytes.count * byteWidth - 1
    guard let run = cell.run else { return String(repeating: " ", count: width) }
    let text: String
    if run.content == .padding {
      let before = String(repeating: " ", count: (byteWidth - 1) / 2)
      let after = String(repeating: " ", count: byteWidth - 1 - before.count)
      text = String(repeating: before + "·" + after, count: cell.bytes.count)
    } else {
      let label = WordDrawing.label(run) { $0.count <= width }
      text = label.count + 2 <= width ? " " + label : label
    }
    let filled = String(text.prefix(width)) + String(repeating: " ", count: max(0, width - text.count))
    return isColored ? "\u{1B}[\(Self.color(run.argument))m\(filled)\u{1B}[0m" : filled
  }

  /// Returns the parameters of the ANSI color of a value: bold for the result.
  private static func color(_ argument: Int?) -> String {
    guard let argument else { return "1" }
    let colors = ["36", "33", "32", "35", "34", "31"]
    return colors[argument % colors.count]
  }
}
