public import Foundation

/// Runs other programs.
public enum Command {
  /// Runs a command of `PATH`, and gives its status and all that it wrote.
  ///
  /// - Parameters:
  ///   - words: The command and its arguments.
  ///   - log: A file for what it writes; nil drops that.
  public static func run(_ words: [String], log: URL? = nil) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    if let log {
      // A file rather than a pipe: it never fills up.
      try Data().write(to: log)
      let handle = try FileHandle(forWritingTo: log)
      process.standardOutput = handle
      process.standardError = handle
    } else {
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    process.waitUntilExit()
    let text = try log.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) } ?? ""
    return (process.terminationStatus, text)
  }

  /// A command that did not do what it was run for.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The command and its arguments.
    public let words: [String]
    /// The exit status.
    public let status: Int32
    /// What the command wrote.
    public let output: String

    /// Creates a failure.
    public init(words: [String], status: Int32, output: String) {
      self.words = words
      self.status = status
      self.output = output
    }

    /// The command and what it wrote.
    public var description: String { "'\(words.joined(separator: " "))' ended with status \(status):\n\(output)" }
  }
}
