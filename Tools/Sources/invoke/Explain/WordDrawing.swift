import CallExplanations
import DynamicInvocation

/// A drawing of the registers, the stack words and the memory in which a call passes its values.
///
/// Each word is a box of eight bytes, the byte with the lowest address first. Each run of bytes that belong to the same
/// member has a label.
struct WordDrawing {
  private let groups: [CallExplanation.WordGroup]
  private let isColored: Bool
  /// The columns of a byte, with one for the border.
  private let byteWidth: Int

  /// Creates a drawing.
  ///
  /// - Parameters:
  ///   - wordLimit: The maximum number of words of the stack, of copies, and of a result in memory.
  ///   - isColored: Whether each value has an ANSI color.
  init(_ explanation: CallExplanation, wordLimit: Int, isColored: Bool) {
    groups = explanation.wordGroups(limit: wordLimit)
    self.isColored = isColored
    // As narrow as is possible for the labels that fit into the widest byte.
    var width = 3
    for case let run in groups.lazy.flatMap(\.words).flatMap(\.runs) where run.content != .padding {
      let needed = (run.label.escaped.count + run.bytes.count) / run.bytes.count
      if needed <= 8 { width = max(width, needed) }
    }
    byteWidth = width
  }

  /// Returns the drawing as text, without a trailing newline; empty if there are no words.
  ///
  /// - Parameter width: The number of columns of the terminal. Groups that do not fit side by side are below each other.
  func text(width: Int) -> String {
    guard !groups.isEmpty else { return "" }
    var rows: [[(lines: [String], width: Int)]] = []
    var start = 0
    for block in groups.map(lines) {
      if rows.isEmpty || start + block.width > width { (rows, start) = (rows + [[]], 0) }
      rows[rows.count - 1].append(block)
      start += block.width + 3
    }
    let texts = rows.map { row in
      (0..<(row.map(\.lines.count).max() ?? 0)).map { index in
        row.map { $0.lines[safe: index] ?? "".padded(to: $0.width) }.joined(separator: "   ").withoutTrailingBlanks
      }.joined(separator: "\n")
    }
    return texts.joined(separator: "\n\n") + "\n" + legend
  }

  /// The explanation of the symbols that the drawing contains.
  private var legend: String {
    let words = groups.flatMap(\.words)
    let runs = words.flatMap(\.runs)
    var parts = ["lowest byte on the left"]
    if runs.contains(where: { $0.content == .padding }) { parts.append("· padding") }
    if words.contains(where: { Self.cells($0).contains { $0.run == nil } }) { parts.append("blank: not part of a value") }
    if let address = runs.first(where: { $0.content == .address }) {
      parts.append("\(address.label) address of \(address.label.dropFirst())")
    }
    return parts.joined(separator: "; ")
  }

  // MARK: Groups

  /// The bytes of a word that belong to the same member, or to no value.
  private struct Cell {
    var bytes: Range<Int>
    var run: CallExplanation.Run?
  }

  private static func cells(_ word: CallExplanation.Word) -> [Cell] {
    var cells: [Cell] = []
    var end = 0
    for run in word.runs {
      if end < run.bytes.lowerBound { cells.append(Cell(bytes: end..<run.bytes.lowerBound)) }
      cells.append(Cell(bytes: run.bytes, run: run))
      end = run.bytes.upperBound
    }
    if end < 8 { cells.append(Cell(bytes: end..<8)) }
    return cells
  }

  /// Returns the boxes of a group below each other, as lines of the same width.
  private func lines(_ group: CallExplanation.WordGroup) -> (lines: [String], width: Int) {
    let nameWidth = group.words.map(\.name.count).max() ?? 0
    let width = nameWidth + 1 + 8 * byteWidth + 1
    let titles: [CallExplanation.WordGroup.Kind: String] = [
      .general: "general registers", .vector: "vector registers", .stack: "stack", .copies: "copies on the stack", .result: "result",
      .resultMemory: "result in memory",
    ]
    var lines: [String] = []
    func add(_ text: String) { lines.append((String(repeating: " ", count: nameWidth + 1) + text).padded(to: width)) }
    add(" " + (titles[group.kind] ?? ""))
    var above: [Cell]?
    for word in group.words {
      let cells = Self.cells(word)
      add(border(above: above, below: cells))
      lines.append(word.name.padded(to: nameWidth, onLeft: true) + " " + cells.map { "│" + content($0) }.joined() + "│")
      above = cells
    }
    add(border(above: above, below: nil))
    if group.count > group.words.count { add(" ... \(group.count - group.words.count) more words") }
    return (lines, width)
  }

  /// Returns the line between two words, or above the first or below the last.
  private func border(above: [Cell]?, below: [Cell]?) -> String {
    let (up, down) = (Set((above ?? []).map(\.bytes.lowerBound)), Set((below ?? []).map(\.bytes.lowerBound)))
    let line = String(repeating: "─", count: byteWidth - 1)
    let bytes = (1..<8).map { byte in
      (up.contains(byte) ? (down.contains(byte) ? "┼" : "┴") : (down.contains(byte) ? "┬" : "─")) + line
    }
    let (left, right) = above == nil ? ("┌", "┐") : below == nil ? ("└", "┘") : ("├", "┤")
    return left + line + bytes.joined() + right
  }

  /// Returns what is between the borders of a cell.
  private func content(_ cell: Cell) -> String {
    let width = cell.bytes.count * byteWidth - 1
    guard let run = cell.run else { return "".padded(to: width) }
    let text: String
    if run.content == .padding {
      let dot = ("".padded(to: (byteWidth - 1) / 2) + "·").padded(to: byteWidth)
      text = String(repeating: dot, count: cell.bytes.count)
    } else {
      // The longest form that fits: the whole label, the members without the value, the value, or an ellipsis.
      let value = run.argument.map { "a\($0)" } ?? "ret"
      let label = run.label.escaped
      let forms = [label, run.label.hasPrefix(value) ? String(label.dropFirst(value.count)) : value, value]
      let shown = forms.first { !$0.isEmpty && $0.count <= width } ?? "…"
      text = shown.count + 2 <= width ? " " + shown : shown
    }
    let filled = String(text.prefix(width)).padded(to: width)
    guard isColored else { return filled }
    let color = run.argument.map { ["36", "33", "32", "35", "34", "31"][$0 % 6] } ?? "1"
    return "\u{1B}[\(color)m\(filled)\u{1B}[0m"
  }
}

extension String {
  /// Returns the text with blanks up to a width.
  func padded(to width: Int, onLeft: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - count))
    return onLeft ? blanks + self : self + blanks
  }

  /// The text without the blanks at its end.
  var withoutTrailingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }
}
