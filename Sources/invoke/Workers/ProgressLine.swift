#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A line on a terminal that tells how far a batch is, rewritten in place ten times a second.
struct ProgressLine {
  private let total: Int
  private let start = ContinuousClock.now
  private var shown = ContinuousClock.now
  private var done = 0
  private var isShown = false

  /// Creates the line for a file; nil unless standard error is a terminal.
  init?(file path: String) {
    guard isatty(FileOutput.standardError.descriptor) == 1 else { return nil }
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // A pipe could be read only once.
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    let lines = LineReader(descriptor)
    var total = 0
    while lines.next() != nil { total += 1 }
    self.total = total
  }

  /// Counts lines.
  mutating func advance(by count: Int) {
    done += count
    let now = ContinuousClock.now
    guard now - shown >= .milliseconds(100) else { return }
    shown = now
    isShown = true
    let elapsed = (now - start).components
    let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    let rate = Int(Double(done) / seconds)
    // Standard error may go away; the batch goes on.
    try? FileOutput.standardError.write(Array("\r\u{1B}[K\(done)/\(total) lines, \(rate) a second".utf8))
  }

  /// Clears the line.
  mutating func erase() {
    guard isShown else { return }
    isShown = false
    try? FileOutput.standardError.write(Array("\r\u{1B}[K".utf8))
  }
}
