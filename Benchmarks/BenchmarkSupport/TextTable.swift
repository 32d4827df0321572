import Foundation

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
}

/// Formats a number with a number of decimals.
func decimal(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// Formats a fraction in percent.
func percent(_ share: Double) -> String { decimal(share * 100, 1) + "%" }

/// Formats a number with three significant digits and without an exponent: 1.36, 47.3, 1240.
func threeDigits(_ value: Double) -> String {
  switch abs(value) {
  case ..<9.995: decimal(value, 2)
  case ..<99.95: decimal(value, 1)
  default: decimal(value, 0)
  }
}

/// A line on standard error that shows the progress.
///
/// It is not shown if standard error is not a terminal.
package struct ProgressBar {
  private let total: Int
  private let isShown: Bool
  private var done = 0
  private var shown = ""

  package init(total: Int) {
    self.total = total
    isShown = isatty(FileHandle.standardError.fileDescriptor) == 1
  }

  /// Advances by one step, which has the given name.
  package mutating func advance(_ name: String) {
    done += 1
    guard isShown else { return }
    let text = Self.text(done: done, total: total, name: name)
    guard text != shown else { return }
    shown = text
    write("\r\u{1B}[K" + text)
  }

  /// Erases the line, so that later output begins on an empty line.
  package func finish() {
    if isShown { write("\r\u{1B}[K") }
  }

  /// Returns the line.
  ///
  /// It has at most 70 characters, which fit the narrowest usual terminal.
  static func text(done: Int, total: Int, name: String) -> String {
    let width = 30
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    let filled = Int(share * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    let number = decimal((share * 100).rounded(.down), 0)
    return "[\(bar)] \(String(repeating: " ", count: 3 - number.count))\(number)% \(name.prefix(33))"
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

extension Decodable {
  /// Reads a value from a file of JSON text.
  init(jsonPath path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

extension Encodable {
  /// Returns the value as JSON text with sorted keys and a line for each member.
  func jsonText() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
