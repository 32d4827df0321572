import DynamicInvocation
import Foundation

/// Reads a file descriptor line by line.
///
/// Lines may contain any bytes.
///
/// A line is returned as soon as it is complete, so that another process can wait for each answer before it sends the
/// next request.
final class LineReader {
  /// A line without its newline, or the information that a line was too long to store.
  enum Line {
    case bytes([UInt8])
    case tooLong

    /// Whether there are only blanks.
    var isBlank: Bool { if case .bytes(let bytes) = self { bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } } else { false } }
  }

  /// The maximum number of bytes of a line of a batch.
  static let longestLine = 1 << 24

  private let descriptor: CInt
  private let limit: Int
  private let takesUnended: Bool
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  /// The bytes that were read; a line begins at ``start``, and does not end before ``searched``.
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var isTooLong = false
  /// Whether there is no more input.
  private(set) var isAtEnd = false
  /// The error number of a failed read, or 0.
  private(set) var failure: CInt = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes of a line.
  ///   - takesUnended: Whether bytes after the last newline are a line.
  init(_ descriptor: CInt, limit: Int = longestLine, takesUnended: Bool = true) {
    self.descriptor = descriptor
    self.limit = limit
    self.takesUnended = takesUnended
  }

  /// Reads up to the end of a line and returns it; nil at the end of the input.
  ///
  /// - Parameter wait: Called each time before more bytes are read.
  func next(beforeReading wait: () -> Void = {}) -> Line? {
    while true {
      if let line = buffered() { return line }
      if isAtEnd { return nil }
      wait()
      fill()
    }
  }

  /// Returns the next line of the bytes that were read already, or nil if no line is complete.
  func buffered() -> Line? {
    let end = newline()
    searched = end ?? bytes.count
    if searched - start > limit { (isTooLong, start) = (true, searched) }
    let isUnended = isAtEnd && takesUnended && (isTooLong || start < searched)
    guard end != nil || isUnended else { return nil }
    defer {
      start = min(searched + 1, bytes.count)
      (searched, isTooLong) = (start, false)
    }
    return isTooLong ? .tooLong : .bytes(Array(bytes[start..<searched]))
  }

  private func newline() -> Int? {
    bytes.withUnsafeBytes { bytes in
      guard searched < bytes.count, let base = bytes.baseAddress, let found = memchr(base + searched, 0x0A, bytes.count - searched) else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Reads once; on a nonblocking descriptor it may read nothing.
  ///
  /// - Returns: Whether any bytes were read.
  @discardableResult
  func fill() -> Bool {
    guard !isAtEnd else { return false }
    bytes.removeFirst(start)
    (start, searched) = (0, searched - start)
    var count = -1
    repeat { count = read(descriptor, &chunk, chunk.count) } while count < 0 && errno == EINTR
    if count < 0, errno != EAGAIN { failure = errno }
    isAtEnd = count == 0 || failure != 0
    bytes += chunk.prefix(max(count, 0))
    return count > 0
  }
}

/// Writes to a file descriptor without buffering, so that nothing is lost if a callee ends the process.
struct FileOutput {
  static let standardOutput = FileOutput(descriptor: 1)
  static let standardError = FileOutput(descriptor: 2)

  let descriptor: CInt

  /// Whether the descriptor is a terminal.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The number of columns of a terminal, or nil if the descriptor is not a terminal or the size is unknown.
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
