import DynamicInvocation
import Foundation
public import SwiftFunctions

/// The Swift compiler of the machine, which compiles the libraries of tests.
///
/// A process compiles each library once, to a temporary folder that is removed at exit. With the variable `CALLEES` it is
/// kept for the next run, unless it belongs to a module that another one imports.
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

  private static let libraries: MadeOnce<String, String> = MadeOnce()

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
    return try libraries.value(key) { number in
      let folder = TemporaryFolder.shared.url.appendingPathComponent("\(module)-\(number)", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appendingPathComponent("lib\(module).so").path
      try CalleeCache.library(at: path, ["swiftc", module, "\(copy)"] + flags, source: source) {
        let file = folder.appendingPathComponent("\(module).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let words =
          ["swiftc", "-emit-library", "-parse-as-library", "-suppress-warnings", "-module-name", module, "-o", path, file.path] + flags
        try Command.require(words, log: folder.appendingPathComponent("log"))
      }
      return path
    }
  }

  /// Compiles and opens a Swift library, whose functions are called as they are declared.
  ///
  /// - Throws: As ``sharedLibrary(source:module:flags:copy:)``.
  public static func library(source: String, module: String, flags: [String] = []) throws -> SwiftLibrary {
    try unsafe SwiftLibrary(sharedLibrary(source: source, module: module, flags: flags)).trusting(.declarations)
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
    let words = ["sh", "-c", #"swift-demangle --compact < "$0""#]
    let (status, text) = try Command.run(words, on: names.joined(separator: "\n") + "\n", named: "names")
    guard status == 0 else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    return lines.count >= names.count ? Array(lines.prefix(names.count)) : nil
  }
}

/// How the Swift compiler passes the values of types, read from its intermediate language.
///
/// Each type is the parameter of a function, the result of a second one, and, as the member of a struct, the parameter of a
/// third one. The first two are compared with what the engine decides by the types that a compiled library returns.
public struct SwiftCallProbe: Sendable {
  /// A type and how it is passed.
  public struct Row: Sendable {
    /// The source text.
    public let text: String
    /// The type.
    public let type: any Any.Type
    /// Whether a parameter, a result, and a struct with such a member are passed by address.
    public let isIndirect: (parameter: Bool, result: Bool, member: Bool)
    /// The struct with a member.
    public let member: any Any.Type
  }

  /// The types that the compiler accepts.
  public let rows: [Row]

  /// Compiles functions with types.
  ///
  /// - Parameters:
  ///   - types: The types. Types that the compiler refuses are left out.
  ///   - prelude: The source before the functions: imports, and declarations of types.
  ///   - module: The name of the module.
  ///   - flags: Flags of the compiler.
  /// - Throws: ``Command/Failure`` with the output of the compiler.
  public init(_ types: [String], prelude: String, module: String, flags: [String] = []) throws {
    let folder = TemporaryFolder.shared.url.appendingPathComponent("probe-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("\(module).swift")
    let log = folder.appendingPathComponent("log")
    let common = ["-parse-as-library", "-suppress-warnings", "-module-name", module, file.path] + flags

    // Which types can be parameters and members.
    let first = prelude.split(separator: "\n", omittingEmptySubsequences: false).count
    try (prelude + "\n" + types.indices.map { Self.declarations($0, types[$0]) }.joined(separator: "\n") + "\n").write(
      to: file, atomically: true, encoding: .utf8)
    let (_, text) = try Command.run(["swiftc", "-typecheck", "-continue-building-after-errors"] + common, log: log)
    var refused: Set<Int> = []
    for line in text.split(separator: "\n") where line.contains("error:") {
      guard let match = line.firstMatch(of: /\.swift:([0-9]+):/), let number = Int(match.1) else { continue }
      guard number > first else { throw Command.Failure(words: common, status: 1, output: String(line)) }
      refused.insert(number - first - 1)
    }
    let accepted = types.indices.filter { !refused.contains($0) }.map { types[$0] }
    let body = accepted.enumerated().map { index, type in
      """
      public struct Member\(index) { var number = 1; var member: \(type); public init(_ member: \(type)) { self.member = member } }
      @_silgen_name("probe_p\(index)") public func p\(index)(_ value: \(type)) {}
      @_silgen_name("probe_r\(index)") public func r\(index)() -> \(type) { fatalError() }
      @_silgen_name("probe_m\(index)") public func m\(index)(_ value: Member\(index)) {}
      """
    }
    let list = accepted.indices.map { "    list.append(\(accepted[$0]).self); list.append(Member\($0).self)" }.joined(separator: "\n")
    let returning = "public func probe_types() -> [Any.Type] {\n  var list: [Any.Type] = []\n\(list)\n  return list\n}"
    try (prelude + "\n" + body.joined(separator: "\n") + "\n" + returning + "\n").write(to: file, atomically: true, encoding: .utf8)

    // How they are passed.
    let (status, sil) = try Command.run(["swiftc", "-emit-silgen"] + common, log: log)
    guard status == 0 else { throw Command.Failure(words: common, status: status, output: String(sil.suffix(4_000))) }
    var conventions: [String: Substring] = [:]
    for line in sil.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^sil .*@probe_([prm][0-9]+) : \$(@convention.*) \{/) else { continue }
      conventions[String(match.1)] = match.2
    }
    func isIndirect(_ name: String, _ mark: String) throws -> Bool {
      guard let convention = conventions[name] else { throw Command.Failure(words: common, status: 0, output: "no function \(name)") }
      return convention.contains(mark)
    }

    // The types.
    let path = folder.appendingPathComponent("lib\(module).so").path
    let (built, output) = try Command.run(["swiftc", "-emit-library", "-o", path] + common, log: log)
    guard built == 0 else { throw Command.Failure(words: common, status: built, output: String(output.suffix(4_000))) }
    let library = try unsafe SwiftLibrary(path).trusting(.declarations)
    let loaded: [Any.Type] = try library.function("\(module).probe_types()")()
    rows = try accepted.enumerated().map { index, text in
      Row(
        text: text, type: loaded[2 * index],
        isIndirect: (
          try isIndirect("p\(index)", "(@in_guaranteed "), try isIndirect("r\(index)", "@out "),
          try isIndirect("m\(index)", "(@in_guaranteed ")
        ), member: loaded[2 * index + 1])
    }
  }

  /// A line with a type in each place.
  private static func declarations(_ index: Int, _ type: String) -> String {
    "@frozen public struct Checked\(index) { public var member: \(type) }; "
      + "public func checked\(index)(_ value: \(type)) -> [\(type)] { [value] }"
  }
}
