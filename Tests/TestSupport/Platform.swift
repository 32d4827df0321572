import Foundation

/// How much the tests of generated types try.
///
/// Compilers take long for all of them: `make test` tries a sample of each kind, and with the variable `THOROUGH` all, as .ci/run does.
public enum Extent {
  /// Whether everything is tried.
  public static let isThorough: Bool = ProcessInfo.processInfo.environment["THOROUGH"] != nil

  /// The numbers of the batches to try: the first ones, or all.
  public static func batches(_ sample: Int, of all: Int) -> Range<Int> { 0..<(isThorough ? all : sample) }
}

/// What the platform that runs the tests has, for tests that need more than the engine does.
public enum Platform {
  /// Whether libraries are ELF files: the tests' assembly is written for their assembler, and Swift functions are found in them by name.
  public static let hasELF: Bool = {
    #if canImport(Darwin) || os(Windows)
      false
    #else
      true
    #endif
  }()

  #if arch(x86_64) || canImport(Darwin)
    /// The encoding of a plain `char` of C, which is unsigned on AArch64 Linux.
    public static let char: String = "c"
  #else
    /// The encoding of a plain `char` of C, which is unsigned on AArch64 Linux.
    public static let char: String = "C"
  #endif

  /// Whether `__float128` is a type of its own; on AArch64 Linux it is `long double`.
  public static let hasFloat128: Bool = {
    #if arch(x86_64)
      true
    #else
      false
    #endif
  }()

  #if canImport(Darwin)
    /// The file name of the library with the functions of `stdlib.h` and `string.h`.
    public static let cLibrary: String = "libSystem.B.dylib"
    /// The file name of the library with the functions of `math.h`.
    public static let mathLibrary: String = "libSystem.B.dylib"
  #else
    /// The file name of the library with the functions of `stdlib.h` and `string.h`.
    public static let cLibrary: String = "libc.so.6"
    /// The file name of the library with the functions of `math.h`.
    public static let mathLibrary: String = "libm.so.6"
  #endif

  /// Whether `/proc` tells of the process, as on Linux.
  public static let hasProcessFiles: Bool = {
    #if os(Linux) || os(Android)
      true
    #else
      false
    #endif
  }()
}
