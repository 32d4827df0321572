#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// Reports errors to the user on standard error.
  enum ReportedError {
    /// Writes a message to standard error and returns the exit status 1.
    static func report(_ message: String) -> ExitCode {
      let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escaped }
      try? FileOutput.standardError.write(line: "Error: " + lines.joined(separator: "\n"))
      return .failure
    }
  }

  extension InvocationError {
    /// Writes the error to standard error and returns the exit status 1.
    ///
    /// A malformed encoding is shown with a mark under the wrong byte.
    func reported(hint: String? = nil) -> ExitCode {
      var message = description
      if let hint { message += "; " + hint }
      if let encoding, let byteOffset { message += "\n" + Self.marked(encoding, byteOffset: byteOffset) }
      return ReportedError.report(message)
    }

    /// Returns the text around a byte, and a caret under it.
    private static func marked(_ text: String, byteOffset: Int) -> String {
      let reach = 60
      let bytes = Array(text.utf8)
      let offset = min(max(byteOffset, 0), bytes.count)
      let first = max(0, offset - reach)
      let last = min(bytes.count, offset + reach)
      // Each byte that is not printable ASCII is shown as one character, so that the caret is under the right one.
      let shown = bytes[first..<last].map { $0 >= 0x20 && $0 < 0x7F ? Character(Unicode.Scalar($0)) : "?" }
      let before = first > 0 ? "..." : ""
      let after = last < bytes.count ? "..." : ""
      return "  " + before + String(shown) + after + "\n  " + String(repeating: " ", count: before.count + offset - first) + "^"
    }
  }
#endif
