public import Foundation

/// Runs other programs.
public enum Command {
  /// Runs a command of `PATH`, and returns its status and its output.
  ///
  /// - Parameters:
  ///   - words: The command and its arguments.
  ///   - log: A file for the output; nil discards it.
  public static func run(_ words: [String], log: URL? = nil) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    if let log {
      // A file rather than a pipe, because a pipe's buffer can become full.
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

  /// Runs a command of `PATH` that must succeed, and returns its output.
  ///
  /// - Throws: ``Failure`` if its status is not 0.
  @discardableResult
  public static func require(_ words: [String], log: URL) throws -> String {
    let (status, text) = try run(words, log: log)
    guard status == 0 else { throw Failure(words: words, status: status, output: text) }
    return text
  }

  /// Runs a command of `PATH`, and returns its status and its output, without a file that stays.
  public static func output(_ words: [String]) throws -> (status: Int32, text: String) {
    try TemporaryFolder.shared.withFolder { try run(words, log: $0.appendingPathComponent("log")) }
  }

  /// The error of a command that failed.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The command and its arguments.
    public let words: [String]
    /// The exit status.
    public let status: Int32
    /// The output of the command.
    public let output: String

    /// Creates a failure.
    public init(words: [String], status: Int32, output: String) {
      self.words = words
      self.status = status
      self.output = output
    }

    /// The command and its output.
    public var description: String { "'\(words.joined(separator: " "))' ended with status \(status):\n\(output)" }
  }
}
