import DynamicInvocation
import Foundation

/// The Swift compiler of the machine, which compiles the libraries of tests.
///
/// A process compiles each library once, to a temporary folder that is removed at exit.
public enum SwiftCompiler {
  /// Ways to compile a library, which differ in the symbols that it exports.
  public enum Mode: String, CaseIterable, Sendable {
    case plain
    case optimized
    case evolution
    case optimizedEvolution

    /// The flags of the compiler.
    public var flags: [String] {
      let optimization = self == .optimized || self == .optimizedEvolution ? ["-O"] : ["-Onone"]
      let evolution = self == .evolution || self == .optimizedEvolution ? ["-enable-library-evolution"] : []
      return optimization + evolution
    }
  }

  private static let libraries: Locked<[String: String]> = Locked([:])

  /// Compiles a Swift source to a shared library.
  ///
  /// - Parameters:
  ///   - source: The text of the source.
  ///   - module: The name of the module.
  ///   - flags: Flags such as `-O`.
  ///   - copy: A number that tells copies of one library apart.
  /// - Returns: The path of the library.
  /// - Throws: ``Command/Failure`` with the command and the output of the compiler.
  public static func sharedLibrary(source: String, module: String, flags: [String] = [], copy: Int = 0) throws -> String {
    let key = ([module, "\(copy)"] + flags + [source]).joined(separator: "\u{0}")
    return try libraries.withLock { libraries in
      if let path = libraries[key] { return path }
      let folder = TemporaryFolder.shared.url.appendingPathComponent("\(module)-\(libraries.count)", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("\(module).swift")
      try source.write(to: file, atomically: true, encoding: .utf8)
      let path = folder.appendingPathComponent("lib\(module).so").path
      let log = folder.appendingPathComponent("log")
      let words =
        ["swiftc", "-emit-library", "-parse-as-library", "-suppress-warnings", "-module-name", module, "-o", path, file.path] + flags
      let (status, text) = try Command.run(words, log: log)
      guard status == 0 else { throw Command.Failure(words: words, status: status, output: text) }
      libraries[key] = path
      return path
    }
  }

  /// The path of one of the toolchain's shared libraries, or nil if the compiler is not in a toolchain.
  public static func toolchainLibrary(_ name: String) -> String? { libraryFolder?.appendingPathComponent(name).path }

  private static let libraryFolder: URL? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    for folder in folders {
      let compiler = URL(fileURLWithPath: String(folder)).appendingPathComponent("swiftc").resolvingSymlinksInPath()
      let libraries = compiler.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("lib/swift/linux")
      if FileManager.default.fileExists(atPath: libraries.appendingPathComponent("libswiftCore.so").path) { return libraries }
    }
    return nil
  }()

  /// Demangles names by the toolchain's `swift-demangle`, each to a text; nil if there is no such program.
  public static func demangle(_ names: [String]) throws -> [String]? {
    let file = TemporaryFolder.shared.url.appendingPathComponent("names-\(UUID().uuidString)")
    let log = TemporaryFolder.shared.url.appendingPathComponent("texts-\(UUID().uuidString)")
    try (names.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    let (status, text) = try Command.run(["sh", "-c", "swift-demangle --compact < '\(file.path)'"], log: log)
    guard status == 0 else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    return lines.count >= names.count ? Array(lines.prefix(names.count)) : nil
  }
}
