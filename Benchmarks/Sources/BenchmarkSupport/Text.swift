import Foundation

/// Returns cells as text in columns that are as wide as their contents, without a newline at the end.
///
/// The cells of a column are aligned at the right if its title begins with `>`, which is not shown.
package func textTable(_ titles: [String], _ rows: [[String]]) -> String {
  let isNumber = titles.map { $0.hasPrefix(">") }
  let lines = [zip(titles, isNumber).map { String($0.dropFirst($1 ? 1 : 0)) }] + rows
  let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  return lines.map { line in
    var text = ""
    for (column, cell) in line.enumerated() {
      let blanks = String(repeating: " ", count: widths[column] - cell.count)
      text += (column == 0 ? "" : "  ") + (isNumber[column] ? blanks + cell : cell + blanks)
    }
    while text.last == " " { text.removeLast() }
    return text
  }.joined(separator: "\n")
}

/// Formats a number with a number of decimals.
func decimal(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// Formats a fraction in percent.
func percent(_ share: Double) -> String { decimal(share * 100, 1) + "%" }

/// A line on standard error that shows the progress, if standard error is a terminal.
package struct ProgressLine {
  private let total: Int
  private let isShown = isatty(FileHandle.standardError.fileDescriptor) == 1
  private var done = 0

  package init(total: Int) { self.total = total }

  /// Advances by one step, which has the given name.
  package mutating func advance(_ name: String) {
    done += 1
    if isShown { write("\r\u{1B}[K\(done) of \(total): \(name.prefix(50))") }
  }

  /// Erases the line, so that later output begins on an empty line.
  package func finish() { if isShown { write("\r\u{1B}[K") } }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

extension Decodable {
  /// Reads a value from a file of JSON text.
  package init(jsonPath path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

extension Encodable {
  /// Returns the value as JSON text with sorted keys and a line for each member.
  package func jsonText() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
