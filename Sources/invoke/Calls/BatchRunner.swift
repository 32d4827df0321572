import DynamicInvocation

/// Answers JSON Lines with JSON Lines, in order.
struct BatchRunner {
  private let lines: LineReader
  private let output: FileOutput
  private let caller = Caller()
  private var progress: ProgressLine?

  init(_ lines: LineReader, output: FileOutput, progress: ProgressLine?) {
    self.lines = lines
    self.output = output
    self.progress = progress
  }

  /// Answers every line.
  ///
  /// An answer is written before the next call begins.
  mutating func run() throws(FileOutput.Failure) {
    // A blank line is answered with an error, but for one at the end: only the next line tells.
    var hasBlank = false
    while let line = lines.next() {
      if hasBlank { try answerBlank() }
      hasBlank = false
      if case .bytes(let bytes) = line, bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
        hasBlank = true
        continue
      }
      try output.write(line: answer(line))
      progress?.advance()
    }
    progress?.erase()
  }

  private mutating func answerBlank() throws(FileOutput.Failure) {
    try output.write(line: InvocationError.malformedRequest("the line is blank").line)
    progress?.advance()
  }

  private func answer(_ line: LineReader.Line) -> JSONValue {
    guard case .bytes(let bytes) = line else {
      return InvocationError(.limitExceeded, "the line is longer than \(LineReader.longestLine) bytes").line
    }
    do throws(InvocationError) {
      return try caller.answer(CallRequest(line: bytes)).line
    } catch {
      return error.line
    }
  }
}
