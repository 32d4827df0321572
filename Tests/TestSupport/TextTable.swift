import Foundation

/// Test cases in a text file: sections that begin with `== title`, with a case on each line, whose parts ` => ` separates.
///
/// The character ⏎ stands for the end of a line, ␣ for a blank at its end. Text before the first section is a comment, and so is a
/// line that begins with `--`.
package struct TextTable: Sendable {
  /// A test case.
  package struct Row: Sendable, CustomStringConvertible {
    private let parts: [String]

    init(_ line: Substring) {
      let parts = line.split(separator: " => ", omittingEmptySubsequences: false)
      self.parts = parts.map { String($0).replacing("⏎", with: "\n").replacing("␣", with: " ") }
    }

    package subscript(index: Int) -> String { index < parts.count ? parts[index] : "" }

    /// A part as a number, or nil if it is not a number.
    package func number(_ index: Int) -> Int? { Int(self[index]) }

    /// The texts of a part between separators.
    package func list(_ index: Int, _ separator: String = ", ") -> [String] { self[index].components(separatedBy: separator) }

    package var description: String { self[0] }
  }

  private let sections: [String: [Row]]

  /// Reads a file in the folder of a test.
  package init(_ name: String, beside test: String = #filePath) {
    let file = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent(name)
    var sections: [String: [Row]] = [:]
    var title: String?
    for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
      if line.hasPrefix("== ") {
        title = String(line.dropFirst(3))
      } else if let title, !line.hasPrefix("-- ") {
        sections[title, default: []].append(Row(line))
      }
    }
    self.sections = sections
  }

  /// The cases of a section, which has some.
  package func rows(_ title: String) -> [Row] {
    guard let rows = sections[title] else { preconditionFailure("no section '\(title)'") }
    return rows
  }
}
