import Foundation
import Synchronization

/// A C compiler of the machine, which makes the callees that tests call.
///
/// Libraries are made once for each compiler, flags and source in a process, in a temporary folder that is removed at exit.
public struct CCompiler: Sendable, Hashable, CustomStringConvertible {
  /// The name of the command, looked up in `PATH`.
  public let command: String

  /// The GNU compiler.
  public static let gcc: CCompiler = CCompiler(command: "gcc")
  /// LLVM's compiler; the one of the Swift toolchain where that is first in `PATH`.
  public static let clang: CCompiler = CCompiler(command: "clang")
  /// Both compilers.
  public static let all: [CCompiler] = [gcc, clang]

  /// Creates a compiler from the name of its command.
  public init(command: String) { self.command = command }

  /// The name of the command.
  public var description: String { command }

  /// Whether the machine has the compiler.
  public var available: Bool {
    Self.availability.withLock { known in
      if let answer = known[command] { return answer }
      let answer = (try? Self.run([command, "--version"], output: nil))?.status == 0
      known[command] = answer
      return answer
    }
  }

  /// Compiles a C source to a shared library.
  ///
  /// The language is C11 with GNU extensions. Warnings are not shown, but part of the error when compiling fails.
  ///
  /// - Parameters:
  ///   - source: The text of the source.
  ///   - flags: Flags such as `-O2`.
  ///   - name: A name for the files, to recognize them in a debugger.
  /// - Returns: The path of the library.
  /// - Throws: ``Failure`` with the command and all that the compiler said.
  public func sharedLibrary(source: String, flags: [String] = [], name: String = "callee") throws -> String {
    let key = Key(command: command, flags: flags, source: source)
    let (entry, number) = Self.libraries.withLock { libraries in
      if let entry = libraries[key] { return (entry, libraries.count) }
      let entry = Entry()
      libraries[key] = entry
      return (entry, libraries.count)
    }
    // Each library has its own lock, so that different ones are compiled at the same time.
    return try entry.path.withLock { path in
      if let path { return path }
      let made = try compile(source, flags: flags, name: "\(name)-\(command)-\(number)")
      path = made
      return made
    }
  }

  /// Compiles a C source to a shared library whose files are removed when the body returns.
  ///
  /// A library that the body loaded stays usable. Nothing is remembered: the way for a long run of many sources.
  ///
  /// - Throws: ``Failure``, and what the body throws.
  public func withTemporaryLibrary<Result>(
    source: String, flags: [String] = [], _ body: (_ path: String) throws -> Result
  ) throws -> Result {
    let folder = TemporaryFolder.shared.url.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(compile(source, flags: flags, name: "callee", folder: folder))
  }

  private func compile(
    _ source: String, flags: [String], name: String, folder: URL = TemporaryFolder.shared.url
  ) throws -> String {
    let input = folder.appendingPathComponent(name + ".c")
    let output = folder.appendingPathComponent(name + ".so")
    try Data(source.utf8).write(to: input)
    let words = [command, "-std=gnu11", "-shared", "-fPIC", "-w"] + flags + ["-o", output.path, input.path, "-lm"]
    let result = try Self.run(words, output: folder.appendingPathComponent(name + ".log"))
    guard result.status == 0 else {
      throw Failure(command: words.joined(separator: " "), status: result.status, output: result.text)
    }
    return output.path
  }

  /// Runs a command of `PATH`, and gives its status and all that it wrote.
  private static func run(_ words: [String], output: URL?) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    if let output {
      // A file rather than a pipe: it never fills up.
      try Data().write(to: output)
      let handle = try FileHandle(forWritingTo: output)
      process.standardOutput = handle
      process.standardError = handle
    } else {
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    process.waitUntilExit()
    let text = try output.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) } ?? ""
    return (process.terminationStatus, text)
  }

  private static let availability: Mutex<[String: Bool]> = Mutex([:])
  private static let libraries: Mutex<[Key: Entry]> = Mutex([:])

  private struct Key: Hashable {
    var command: String
    var flags: [String]
    var source: String
  }

  private final class Entry: Sendable {
    let path: Mutex<String?> = Mutex(nil)
  }
}

extension CCompiler {
  /// A source that a compiler did not take.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The whole command.
    public let command: String
    /// The exit status.
    public let status: Int32
    /// What the compiler wrote.
    public let output: String

    /// The command and what the compiler wrote.
    public var description: String { "'\(command)' ended with status \(status):\n\(output)" }
  }
}
