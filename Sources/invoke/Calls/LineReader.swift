import DynamicInvocation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Reads a file descriptor line by line, whatever its bytes.
///
/// A line is given as soon as it is there, so that another process can wait for each answer before it asks again.
final class LineReader {
  /// A line without its end, or how long one was that is too long to keep.
  enum Line {
    case bytes([UInt8])
    case tooLong
  }

  /// The most bytes of a line.
  static let longestLine = 1 << 24

  private let descriptor: CInt
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var start = 0
  private var end = 0
  /// The error number of a failed read, or 0.
  private(set) var failure: CInt = 0

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// Reads the next line; nil at the end.
  ///
  /// The last line needs no newline.
  func next() -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    var hasBytes = false
    while start < end || fill() {
      let stop = newline() ?? end
      if line.count + stop - start > Self.longestLine { isTooLong = true }
      if isTooLong { line = [] } else { line += chunk[start..<stop] }
      hasBytes = true
      start = stop
      if stop < end {
        start += 1
        return isTooLong ? .tooLong : .bytes(line)
      }
    }
    return hasBytes ? isTooLong ? .tooLong : .bytes(line) : nil
  }

  private func newline() -> Int? {
    chunk.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, end - start) else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private func fill() -> Bool {
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { failure = errno }
      start = 0
      end = max(count, 0)
      return count > 0
    }
  }
}
