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
