import DynamicInvocation

/// The lines of a batch: requests, and lines that are answered with an error because they are not requests.
struct BatchLines {
  enum Line {
    case request([UInt8])
    case refused(InvocationError)
  }

  let reader: LineReader
  /// Whether the previous line was blank.
  ///
  /// A blank line is answered with an error unless it is the last, which only the next line shows.
  private var hasBlank = false
  private var waiting: Line?

  init(_ reader: LineReader) { self.reader = reader }

  /// Returns the next line of the bytes that were read already, or nil if no line is complete.
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
