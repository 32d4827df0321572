public import Foundation
import Synchronization

/// Runs other programs.
public enum Command {
  /// Runs a command of `PATH`, and returns its status and its output.
  ///
  /// - Parameters:
  ///   - words: The command and its arguments.
  ///   - log: A file for the output; nil discards it.
  public static func run(_ words: [String], log: URL? = nil) throws -> (status: Int32, text: String) {
    // A file rather than a pipe, because a pipe's buffer can become full.
    let path = log?.path ?? "/dev/null"
    let status = try run(words, input: "/dev/null", output: path, errors: path)
    return (status, try log.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) } ?? "")
  }

  /// Runs a program to its end with files as its standard streams, and returns its status, or the signal that ended it.
  ///
  /// Its CPU time is counted for the test that runs.
  ///
  /// - Parameters:
  ///   - words: The program, a path or a name of `PATH`, and its arguments.
  ///   - environment: Variables besides this process's; they replace variables of the same name.
  ///   - input: The path of its standard input.
  ///   - output: The path of its standard output, which is made empty.
  ///   - errors: The path of its standard error; one file for both if it is also the output's.
  /// - Throws: ``Failure`` if it cannot be started.
  public static func run(
    _ words: [String], environment: [String: String] = [:], input: String, output: String, errors: String
  ) throws -> Int32 {
    #if canImport(Darwin) || canImport(Android)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    if errors == output {
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    }
    // The program does not get the descriptors of other tests: it would hold the ends of their pipes open. It blocks no signals,
    // unlike the threads of tests.
    var (none, flags) = (sigset_t(), POSIX_SPAWN_SETSIGMASK)
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      for descriptor in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.compactMap({ Int32($0) }) ?? []
      where descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    posix_spawnattr_setflags(&attributes, numericCast(flags))

    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    var process = pid_t()
    let failure = withCStrings(words) { arguments in
      withCStrings(variables) { posix_spawnp(&process, words.first ?? "", &actions, &attributes, arguments, $0) }
    }
    guard failure == 0 else { throw Failure(words: words, status: 127, output: String(cString: strerror(failure))) }
    var (status, usage) = (Int32(0), rusage())
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    CPUTime.count(usage)
    return status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f
  }

  private static func withCStrings<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let strings = texts.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    return body(strings)
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
    /// Distinguishes its files from other entries' files, in any order of requests.
    let number: Int
    let value: Mutex<Value?> = Mutex(nil)

    init(number: Int) { self.number = number }
  }

  private let entries: Mutex<[Key: Entry]> = Mutex([:])

  /// Returns the value of a key; what could not be made is tried again.
  ///
  /// - Parameter make: Makes the value; its argument is another number for each key.
  func value<Failure>(_ key: Key, _ make: (Int) throws(Failure) -> Value) throws(Failure) -> Value {
    let entry = entries.withLock { entries in
      if let entry = entries[key] { return entry }
      let entry = Entry(number: entries.count)
      entries[key] = entry
      return entry
    }
    return try entry.value.withLock { (value) throws(Failure) in
      if let value { return value }
      let made = try make(entry.number)
      value = made
      return made
    }
  }
}
