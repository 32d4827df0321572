import DynamicInvocation
import Foundation
import Synchronization

/// A C compiler of the machine, which compiles the callees of tests.
///
/// A process compiles each library once for each compiler, flags and source, to a temporary folder that is removed at
/// exit. With the variable `CALLEES` it is kept for the next run.
public struct CCompiler: Sendable, Hashable, CustomStringConvertible {
  /// The name of the command, looked up in `PATH`.
  public let command: String

  /// The GNU compiler.
  public static let gcc: CCompiler = CCompiler(command: "gcc")
  /// LLVM's compiler.
  ///
  /// It is the Swift toolchain's if the toolchain is first in `PATH`.
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
    try Self.libraries.value(Key(command: command, flags: flags, source: source)) { number in
      let name = "\(name)-\(command)-\(number)"
      let path = TemporaryFolder.shared.url.appendingPathComponent(name + ".so").path
      try CalleeCache.library(at: path, [command] + flags, source: source) { _ = try compile(source, flags: flags, name: name) }
      return path
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
    try TemporaryFolder.shared.withFolder { try body(compile(source, flags: flags, name: "callee", folder: $0)) }
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
    try Command.require(words, log: folder.appendingPathComponent(name + ".log"))
    return output.path
  }

  private static let availability: Mutex<[String: Bool]> = Mutex([:])
  private static let libraries: MadeOnce<Key, String> = MadeOnce()

  private struct Key: Hashable {
    var command: String
    var flags: [String]
    var source: String
  }
}

extension CCompiler {
  /// A struct or union as clang lays it out.
  public struct RecordLayout: Sendable {
    /// The size in bytes.
    public let size: Int
    /// The alignment in bytes.
    public let alignment: Int
    /// The first bit of each member, also of those without a name.
    public let positions: [Int]
  }

  /// Returns the errors of a C source, or nil if the compiler has none.
  ///
  /// - Parameters:
  ///   - source: The text of the source, which includes no header.
  ///   - target: The target as clang names it; nil for the command's own.
  public func errors(in source: String, target: String? = nil) throws -> String? {
    let result = try check(source, flags: target.map { ["-target", $0] } ?? [])
    return result.status == 0 ? nil : result.text
  }

  /// Returns the layouts of the structs and unions of a C source that have a tag, by keyword and tag; for clang only.
  ///
  /// - Parameters:
  ///   - source: The text of the source, which includes no header.
  ///   - target: The target as clang names it.
  public func recordLayouts(of source: String, target: String) throws -> [String: RecordLayout] {
    let flags = ["-target", target, "-Xclang", "-fdump-record-layouts-simple"]
    let result = try check(source, flags: flags)
    guard result.status == 0 else { throw Command.Failure(words: [command] + flags, status: result.status, output: result.text) }
    var layouts: [String: RecordLayout] = [:]
    var name = ""
    var numbers: [Substring: Int] = [:]
    for line in result.text.split(separator: "\n") {
      let words = line.split(whereSeparator: { " :[],<>".contains($0) })
      switch words.first {
      case "Type": name = words.dropFirst().joined(separator: " ")
      case "Size", "Alignment": numbers[words[0]] = Int(words[1])
      case "FieldOffsets":
        guard let size = numbers["Size"], let alignment = numbers["Alignment"] else { continue }
        layouts[name] = RecordLayout(size: size / 8, alignment: alignment / 8, positions: words.dropFirst().compactMap { Int($0) })
      default: break
      }
    }
    return layouts
  }

  private func check(_ source: String, flags: [String]) throws -> (status: Int32, text: String) {
    try Command.run([command, "-std=gnu11", "-fsyntax-only", "-w"] + flags, on: source, named: "checked.c")
  }
}

/// A compiler with its flags, for one run of the oracle.
public struct Compilation: Sendable, Hashable, CustomStringConvertible {
  /// The compiler.
  public let compiler: CCompiler
  /// Its flags.
  public let flags: [String]

  /// Creates a compilation.
  public init(compiler: CCompiler, flags: [String]) {
    self.compiler = compiler
    self.flags = flags
  }

  /// The compiler and its flags.
  public var description: String { ([compiler.command] + flags).joined(separator: " ") }

  /// Both compilers, without and with optimization.
  public static let all: [Compilation] = CCompiler.all.flatMap { compiler in
    ["-O0", "-O2"].map { Compilation(compiler: compiler, flags: [$0]) }
  }

  /// Both compilers with optimization, as used for the libraries of a program.
  public static let optimized: [Compilation] = CCompiler.all.map { Compilation(compiler: $0, flags: ["-O2"]) }
}

/// A shared library made by a test.
///
/// Its data and functions are read by symbol.
public struct CompiledNumbers {
  private let library: DynamicLibrary

  /// Opens the library at a path.
  public init(path: String) throws { library = try DynamicLibrary(path) }

  /// Calls `void symbol(long *out)` with room for the given number of longs.
  public func measured(by symbol: String, count: Int) throws -> [Int] {
    typealias Measure = @convention(c) (UnsafeMutablePointer<Int>) -> Void
    let measure = unsafeBitCast(try library.symbol(symbol), to: Measure.self)
    return [Int](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: Int.min)
      if let first = buffer.baseAddress { measure(first) }
      initialized = count
    }
  }

  /// The C string that a symbol is the first character of.
  public func text(_ symbol: String) throws -> String {
    String(cString: try library.symbol(symbol).assumingMemoryBound(to: CChar.self))
  }

  /// The longs that a symbol is the first of.
  public func numbers(_ symbol: String, count: Int) throws -> [Int] {
    let first = try library.symbol(symbol).assumingMemoryBound(to: Int.self)
    return [Int](UnsafeBufferPointer(start: first, count: count))
  }
}
