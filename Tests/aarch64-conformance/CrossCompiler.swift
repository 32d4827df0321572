import TestSupport

/// A compiler that makes code for AArch64 on another machine.
enum CrossCompiler: String, CaseIterable, Sendable {
  case gcc, clang
  /// clang for Apple's platforms, whose assembly is translated for Linux.
  case apple

  /// Those of AArch64 Linux.
  static let linux: [CrossCompiler] = [.gcc, .clang]

  /// The GNU compiler, which also assembles and links.
  private static let gnu = "aarch64-linux-gnu-gcc"

  /// The emulator: Debian's packages have it by one name or the other.
  static let emulator: String =
    CCompiler(command: "qemu-aarch64").available ? "qemu-aarch64" : "qemu-aarch64-static"

  /// All that is needed.
  static let commands: [String] = [gnu, "clang", emulator]

  /// The words that begin a compilation.
  var words: [String] {
    switch self {
    // gcc 12 reads a variadic struct of vectors or _Float16 members as another type than it writes, and so loses it when it optimizes.
    case .gcc: [Self.gnu, "-fno-strict-aliasing"]
    case .clang: ["clang", "--target=aarch64-linux-gnu", "-isystem", "/usr/aarch64-linux-gnu/include"]
    // Variables of a thread need Apple's runtime; there is one caller at a time.
    case .apple:
      ["clang", "--target=arm64-apple-macosx", "-D_Thread_local=", "-fno-stack-protector", "-mllvm", "-aarch64-neon-syntax=generic"]
    }
  }

  /// The words of a link; static, so that the emulator needs no folder of libraries.
  static let link: [String] = [gnu, "-static", "-pthread"]
}

/// A compiler with an optimization.
struct CrossCompilation: Sendable, Hashable, CustomStringConvertible {
  let compiler: CrossCompiler
  let optimization: String

  var description: String { "\(compiler.rawValue) -\(optimization)" }
}
