import DynamicInvocation
import Logging

/// Lines from any thread, also a logger's: the level and the message.
final class LogLines: Sendable {
  private let lines: Locked<[String]> = Locked([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  func all(containing text: String) -> [String] { all.filter { $0.contains(text) } }

  /// A logger that writes here.
  func logger(level: Logger.Level = .warning) -> Logger {
    var logger = Logger(label: "test") { _ in Handler(lines: self) }
    logger.logLevel = level
    return logger
  }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add("\(event.level) \(event.message)") }
  }
}
