import DynamicInvocation

/// The lines of a batch: requests, and what is answered without being one.
struct BatchLines {
  enum Line {
    case request([UInt8])
    case refused(InvocationError)
  }

  let reader: LineReader
  /// A blank line is answered with an error, but for one at the end: only the next line tells.
  private var hasBlank = false
  private var waiting: Line?

  init(_ reader: LineReader) { self.reader = reader }

  /// Returns the next line of what was read already, or nil when there is no whole one.
  mutating func buffered() -> Line? {
    if let line = waiting {
      waiting = nil
      return line
    }
    while let read = reader.buffered() {
      let hadBlank = hasBlank
      let line: Line
      switch read {
      case .bytes(let bytes):
        hasBlank = bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        line = .request(bytes)
      case .tooLong:
        hasBlank = false
        line = .refused(InvocationError(.limitExceeded, "the line is longer than \(LineReader.longestLine) bytes"))
      }
      guard hadBlank else {
        if hasBlank { continue }
        return line
      }
      if !hasBlank { waiting = line }
      return .refused(.malformedRequest("the line is blank"))
    }
    return nil
  }
}
