import Foundation

/// The line on standard error that tells how far the run is, when a person may be looking.
enum Progress {
  private static let isShown: Bool = isatty(STDERR_FILENO) == 1

  /// Shows how many signatures are done, how quickly, and how long the rest will take.
  static func show(_ done: Int, of total: Int, since start: ContinuousClock.Instant) {
    let seconds = start.duration(to: .now) / .seconds(1)
    guard seconds > 0 else { return }
    let pace = Double(done) / seconds
    say("\(done)/\(total) signatures, \(Int(pace)) a second, \(Int(Double(total - done) / max(pace, 0.001))) s left")
  }

  /// Replaces the line.
  static func say(_ text: String) { write("\r\u{1B}[K" + text) }

  /// Takes the line away.
  static func clear() { write("\r\u{1B}[K") }

  private static func write(_ text: String) {
    if isShown { FileHandle.standardError.write(Data(text.utf8)) }
  }
}
