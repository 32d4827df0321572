import Foundation

/// Writes to a file descriptor without buffering, so that nothing is lost if a callee ends the process.
struct FileOutput {
  static let standardOutput = FileOutput(descriptor: 1)
  static let standardError = FileOutput(descriptor: 2)

  let descriptor: CInt

  /// Whether the descriptor is a terminal.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The number of columns of a terminal, or nil if the descriptor is no terminal or its size is unknown.
  var columnCount: Int? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes all bytes.
  ///
  /// - Throws: ``Failure`` if the system reports an error.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written) }
      if count < 0, errno != EINTR { throw Failure(number: errno) }
      written += max(count, 0)
    }
  }

  /// Writes a text and a newline.
  func write(line: String) throws(Failure) { try write(Array(line.utf8) + [0x0A]) }

  /// Writes a value and a newline.
  func write(line value: JSONValue) throws(Failure) {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    bytes.append(0x0A)
    try write(bytes)
  }

  /// A write that failed.
  struct Failure: Error, CustomStringConvertible {
    let number: CInt

    var description: String { "the output cannot be written: \(systemMessage(number))" }
  }
}

/// Returns the system's message for an error number.
func systemMessage(_ number: CInt) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
