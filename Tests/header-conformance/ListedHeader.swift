import Foundation
import TestSupport

/// A line of the list of headers: a header with those that it needs before it, and options of the compiler.
struct ListedHeader {
  /// The headers, separated by commas in the line; the last one is compared.
  var headers: [String]
  /// Options, of which `pkg:NAME` is what pkg-config states for a package.
  var options: [String]

  /// The name of the header that is compared.
  var name: String { headers.last ?? "" }

  /// The directives that include the headers.
  var includes: String { headers.map { "#include <\($0)>\n" }.joined() }

  /// Reads a line; nil for an empty line or a comment.
  init?(_ line: Substring) {
    let words = line.split(separator: " ").map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    headers = first.split(separator: ",").map(String.init)
    options = Array(words.dropFirst())
  }

  /// Returns the headers of a list.
  static func list(at path: String) throws -> [ListedHeader] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { ListedHeader($0) }
  }

  /// The options of the compiler; nil if pkg-config knows no such package.
  func compilerOptions() throws -> [String]? {
    var result: [String] = []
    for option in options {
      guard option.hasPrefix("pkg:") else {
        result.append(option)
        continue
      }
      let run = try Command.output(["pkg-config", "--cflags", String(option.dropFirst(4))])
      guard run.status == 0 else { return nil }
      result += run.text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    return result
  }

  /// Whether the headers are installed.
  func isInstalled(_ options: [String]) throws -> Bool {
    let checks = headers.map { "#if !__has_include(<\($0)>)\n#error missing\n#endif\n" }.joined()
    return try CheckFolder().run([CCompiler.gcc.command, "-E"] + options, on: checks, named: "installed.c").status == 0
  }
}

extension Command {
  /// Runs a command, and returns its status and its output.
  static func output(_ words: [String]) throws -> (status: Int32, text: String) {
    let log = TemporaryFolder.shared.url.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: log) }
    return try run(words, log: log)
  }
}

/// A folder for the sources of one header.
struct CheckFolder: ~Copyable {
  let url: URL

  init() throws {
    url = TemporaryFolder.shared.url.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a source, and runs a compiler on it.
  func run(_ words: [String], on source: String, named name: String) throws -> (status: Int32, text: String) {
    let path = url.appendingPathComponent(name)
    try Data(source.utf8).write(to: path)
    return try Command.output(words + [path.path])
  }
}
