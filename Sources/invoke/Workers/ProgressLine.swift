import Foundation

/// A line on a terminal that shows the progress of a batch, rewritten at most ten times per second.
struct ProgressLine {
  private let total: Int
  private let start = ContinuousClock.now
  private var shown = ContinuousClock.now
  private var isShown = false

  /// Creates the line for a file.
  ///
  /// Returns nil if standard error is not a terminal, or the file is not a regular file.
  init?(file path: String) {
    guard FileOutput.standardError.isTerminal else { return nil }
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Only a regular file can be read twice; a pipe cannot.
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    let lines = LineReader(descriptor)
    var total = 0
    while lines.next() != nil { total += 1 }
    self.total = total
  }

  /// Shows how many lines are done.
  mutating func advance(to done: Int) {
    let now = ContinuousClock.now
    guard now - shown >= .milliseconds(100) else { return }
    shown = now
    isShown = true
    let elapsed = (now - start).components
    let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    let rate = Int(Double(done) / seconds)
    // An error is ignored: the batch continues if standard error is closed.
    try? FileOutput.standardError.write(Array("\r\u{1B}[K\(done)/\(total) lines, \(rate) a second".utf8))
  }

  /// Erases the line.
  mutating func erase() {
    guard isShown else { return }
    isShown = false
    try? FileOutput.standardError.write(Array("\r\u{1B}[K".utf8))
  }
}
