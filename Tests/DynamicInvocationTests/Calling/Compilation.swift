import Testing
import TestSupport

/// A compiler with the flags of one run of the oracle.
struct Compilation: Sendable, CustomTestStringConvertible {
  let compiler: CCompiler
  let flags: [String]

  var testDescription: String { "\(compiler) \(flags.joined(separator: " "))" }

  /// Both compilers, without and with optimization.
  static let all: [Compilation] = CCompiler.all.flatMap { compiler in
    ["-O0", "-O2"].map { Compilation(compiler: compiler, flags: [$0]) }
  }

  /// Both compilers, optimizing: what a program's libraries are made with.
  static let optimized: [Compilation] = CCompiler.all.map { Compilation(compiler: $0, flags: ["-O2"]) }
}
