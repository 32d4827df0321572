import Foundation

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
