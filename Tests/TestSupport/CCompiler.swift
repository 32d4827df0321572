import DynamicInvocation
import Foundation

/// A C compiler of the machine, which compiles the callees of tests.
///
/// A process compiles each library once for each compiler, flags and source, to a temporary folder that is removed at
/// exit.
public struct CCompiler: Sendable, Hashable, CustomStringConvertible {
  /// The name of the command, looked up in `PATH`.
  public let command: String

  /// The GNU compiler.
  public static let gcc: CCompiler = CCompiler(command: "gcc")
  /// LLVM's compiler.
  ///
  /// It is that of the Swift toolchain if the toolchain is first in `PATH`.
  public static let clang: CCompiler = CCompiler(command: "clang")
  /// Both compilers.
  public static let all: [CCompiler] = [gcc, clang]

  /// Creates a compiler from the name of its command.
  public init(command: String) { self.command = command }

  /// The name of the command.
  public var description: String { command }

  /// Whether the compiler is installed.
  public var available: Bool {
    Self.availability.withLock { known in
      if let answer = known[command] { return answer }
      let answer = (try? Command.run([command, "--version"]))?.status == 0
      known[command] = answer
      return answer
    }
  }

  /// Compiles a C source to a shared library.
  ///
  /// The language is C11 with GNU extensions. Warnings are not shown, but they are part of the error if the compilation
  /// fails.
  ///
  /// - Parameters:
  ///   - source: The text of the source.
  ///   - flags: Flags such as `-O2`.
  ///   - name: A name for the files, to recognize them in a debugger.
  /// - Returns: The path of the library.
  /// - Throws: ``Command/Failure`` with the command and the output of the compiler.
  public func sharedLibrary(source: String, flags: [String] = [], name: String = "callee") throws -> String {
    let key = Key(command: command, flags: flags, source: source)
    let entry = Self.libraries.withLock { libraries in
      if let entry = libraries[key] { return entry }
      let entry = Entry(number: libraries.count)
      libraries[key] = entry
      return entry
    }
    // Each library has its own lock, so that different libraries are compiled concurrently.
    return try entry.path.withLock { path in
      if let path { return path }
      let made = try compile(source, flags: flags, name: "\(name)-\(command)-\(entry.number)")
      path = made
      return made
    }
  }

  /// Compiles a C source to a shared library whose files are removed when the body returns.
  ///
  /// A library that the body loaded stays usable. Nothing is cached, which suits a long run with many sources.
  ///
  /// - Throws: ``Command/Failure``, and the errors of the body.
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
    // gcc 12 for AArch64 reads a variadic struct of vectors or _Float16 members with a different type than it writes it
    // with, and loses it with optimization.
    let words = [command, "-std=gnu11", "-shared", "-fPIC", "-w", "-fno-strict-aliasing"] + flags + ["-o", output.path, input.path, "-lm"]
    let result = try Command.run(words, log: folder.appendingPathComponent(name + ".log"))
    guard result.status == 0 else { throw Command.Failure(words: words, status: result.status, output: result.text) }
    return output.path
  }

  private static let availability: Locked<[String: Bool]> = Locked([:])
  private static let libraries: Locked<[Key: Entry]> = Locked([:])

  private struct Key: Hashable {
    var command: String
    var flags: [String]
    var source: String
  }

  private final class Entry: Sendable {
    /// Distinguishes its files from those of other libraries, in any order of requests.
    let number: Int
    let path: Locked<String?> = Locked(nil)

    init(number: Int) { self.number = number }
  }
}
