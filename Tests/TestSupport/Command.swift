import DynamicInvocation
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

  /// Writes a source to a folder of its own, runs a compiler on it, and returns its status and its output.
  public static func run(_ words: [String], on source: String, named name: String) throws -> (status: Int32, text: String) {
    try TemporaryFolder.shared.withFolder { folder in
      let file = folder.appendingPathComponent(name)
      try Data(source.utf8).write(to: file)
      return try run(words + [file.path], log: folder.appendingPathComponent("log"))
    }
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

/// A folder for the files of one test process, removed when the process exits.
public final class TemporaryFolder: Sendable {
  /// The folder of this process.
  public static let shared: TemporaryFolder = TemporaryFolder()

  /// The location of the folder.
  public let url: URL

  private init() {
    let name = "swift-invocation-tests-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
    url = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("no temporary folder: \(error)")
    }
    // Libraries that are still loaded stay usable without their files.
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.shared.url) }
  }

  /// Runs a body with a new folder in it, which is removed when the body returns.
  public func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = url.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}

/// What is made once for each key, such as a compiled library.
///
/// Each key has its own lock, so that different values are made concurrently.
final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Entry: Sendable {
    /// Distinguishes its files from those of other entries, in any order of requests.
    let number: Int
    let value: Locked<Value?> = Locked(nil)

    init(number: Int) { self.number = number }
  }

  private let entries: Locked<[Key: Entry]> = Locked([:])

  /// Returns the value of a key; what could not be made is tried again.
  ///
  /// - Parameter make: Makes the value; its argument is another number for each key.
  func value(_ key: Key, _ make: (Int) throws -> Value) rethrows -> Value {
    let entry = entries.withLock { entries in
      if let entry = entries[key] { return entry }
      let entry = Entry(number: entries.count)
      entries[key] = entry
      return entry
    }
    return try entry.value.withLock { value in
      if let value { return value }
      let made = try make(entry.number)
      value = made
      return made
    }
  }
}
