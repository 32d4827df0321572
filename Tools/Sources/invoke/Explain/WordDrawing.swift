import CallExplanations
@_spi(Tools) import DynamicInvocation

/// A drawing of the registers, the stack words and the memory in which a call passes its values.
///
/// Each word is a box of eight bytes, the byte with the lowest address first. Each run of bytes that belong to the same
/// member has a label.
struct WordDrawing {
  let explanation: CallExplanation
  let groups: [CallExplanation.WordGroup]

  /// Creates a drawing with at most the given number of words of the stack, of copies, and of a result in memory.
  init(_ explanation: CallExplanation, wordLimit: Int) {
    self.explanation = explanation
    groups = explanation.wordGroups(limit: wordLimit)
  }

  /// The bytes of a word that belong to the same member, or to no value.
  struct Cell {
    var bytes: Range<Int>
    var run: CallExplanation.Run?
  }

  /// Returns the cells of a word, in order.
  static func cells(_ word: CallExplanation.Word) -> [Cell] {
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

  /// Returns the smallest size of a byte, from a minimum to a maximum, for which each label fits that fits at the
  /// maximum.
  ///
  /// `length` is the size of a label with the space around it.
  func byteSize(from minimum: Int, to maximum: Int, length: (String) -> Int) -> Int {
    var size = minimum
    for case let run in groups.lazy.flatMap(\.words).flatMap(\.runs) where run.content != .padding {
      let needed = (length(run.label.escaped) + run.bytes.count - 1) / run.bytes.count
      if needed <= maximum { size = max(size, needed) }
    }
    return size
  }

  /// Returns blocks in rows that are not wider than a limit, save a row of one block.
  static func rows<Block>(_ blocks: [Block], upTo limit: Int, gap: Int, width: (Block) -> Int) -> [[Block]] {
    var rows: [[Block]] = []
    var start = 0
    for block in blocks {
      if rows.isEmpty || start + width(block) > limit {
        rows.append([])
        start = 0
      }
      rows[rows.count - 1].append(block)
      start += width(block) + gap
    }
    return rows
  }

  /// Returns the label of a run, or the longest shorter form that fits: the members without the value, the value, or an
  /// ellipsis.
  static func label(_ run: CallExplanation.Run, fits: (String) -> Bool) -> String {
    let value = name(ofValue: run.argument)
    let label = run.label.escaped
    let forms = [label, run.label.hasPrefix(value) ? String(label.dropFirst(value.count)) : value, value]
    return forms.first { !$0.isEmpty && fits($0) } ?? "…"
  }

  /// The name of a value in labels.
  static func name(ofValue argument: Int?) -> String { argument.map { "a\($0)" } ?? "ret" }

  /// Returns the title of a group.
  static func title(_ group: CallExplanation.WordGroup) -> String {
    switch group.kind {
    case .general: "general registers"
    case .vector: "vector registers"
    case .stack: "stack"
    case .copies: "copies on the stack"
    case .result: "result"
    case .resultMemory: "result in memory"
    }
  }

  /// Returns the text for the words of a group that are not shown, or nil if all of them are.
  static func rest(_ group: CallExplanation.WordGroup) -> String? {
    group.count > group.words.count ? "... \(group.count - group.words.count) more words" : nil
  }

  /// The explanation of the symbols that the drawing contains.
  var legend: String {
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
}

// MARK: - Text

extension WordDrawing {
  /// Returns the drawing as text, without a trailing newline; empty if there are no words.
  ///
  /// - Parameters:
  ///   - width: The number of columns of the terminal. Groups that do not fit side by side are below each other.
  ///   - isColored: Whether each value has an ANSI color.
  func text(width: Int, isColored: Bool) -> String {
    guard !groups.isEmpty else { return "" }
    // A byte has two columns at least, and one for the border.
    let byteWidth = byteSize(from: 3, to: 8) { $0.count + 1 }
    let blocks = groups.map { TextBlock($0, byteWidth: byteWidth, isColored: isColored) }
    let rows = Self.rows(blocks, upTo: width, gap: 3, width: \.width).map { row in
      let height = row.map(\.lines.count).max() ?? 0
      return (0..<height).map { index in
        row.map { $0.lines[safe: index] ?? "".padded(to: $0.width) }.joined(separator: "   ").withoutTrailingBlanks
      }.joined(separator: "\n")
    }
    return rows.joined(separator: "\n\n") + "\n" + legend
  }
}

/// The boxes of a group, below each other.
private struct TextBlock {
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
    add(" " + WordDrawing.title(group))
    var above: [WordDrawing.Cell]?
    for word in group.words {
      let cells = WordDrawing.cells(word)
      add(border(above: above, below: cells))
      lines.append(word.name.padded(to: nameWidth, onLeft: true) + " " + cells.map { "│" + content($0) }.joined() + "│")
      above = cells
    }
    add(border(above: above, below: nil))
    if let rest = WordDrawing.rest(group) { add(" " + rest) }
  }

  private mutating func add(_ text: String) { lines.append(("".padded(to: nameWidth + 1) + text).padded(to: width)) }

  /// Returns the line between two words, or above the first or below the last.
  private func border(above: [WordDrawing.Cell]?, below: [WordDrawing.Cell]?) -> String {
    let (up, down) = (Set((above ?? []).map(\.bytes.lowerBound)), Set((below ?? []).map(\.bytes.lowerBound)))
    let line = String(repeating: "─", count: byteWidth - 1)
    let bytes = (1..<8).map { byte in
      (up.contains(byte) ? (down.contains(byte) ? "┼" : "┴") : (down.contains(byte) ? "┬" : "─")) + line
    }
    let (left, right) = above == nil ? ("┌", "┐") : below == nil ? ("└", "┘") : ("├", "┤")
    return left + line + bytes.joined() + right
  }

  /// Returns what is between the borders of a cell.
  private func content(_ cell: WordDrawing.Cell) -> String {
    let width = cell.bytes.count * byteWidth - 1
    guard let run = cell.run else { return "".padded(to: width) }
    let text: String
    if run.content == .padding {
      let dot = ("".padded(to: (byteWidth - 1) / 2) + "·").padded(to: byteWidth)
      text = String(repeating: dot, count: cell.bytes.count)
    } else {
      let label = WordDrawing.label(run) { $0.count <= width }
      text = label.count + 2 <= width ? " " + label : label
    }
    let filled = String(text.prefix(width)).padded(to: width)
    return isColored ? "\u{1B}[\(Self.color(run.argument))m\(filled)\u{1B}[0m" : filled
  }

  /// Returns the parameters of the ANSI color of a value: bold for the result.
  private static func color(_ argument: Int?) -> String {
    argument.map { ["36", "33", "32", "35", "34", "31"][$0 % 6] } ?? "1"
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
