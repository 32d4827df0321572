import Foundation

/// The files of the package, as the tests of its pages read them.
enum PackageFiles {
  static let root: URL = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  /// The text of a file.
  static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

  /// The texts of the Swift files in a folder, by the paths in it.
  static func swiftFiles(in folder: String) throws -> [String: String] {
    var texts: [String: String] = [:]
    let url = root.appendingPathComponent(folder)
    for case let path as String in FileManager.default.enumerator(atPath: url.path) ?? .init() where path.hasSuffix(".swift") {
      texts[path] = try String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
    }
    return texts
  }

  /// The lines of the Swift files of a target.
  static func lines(of target: String) throws -> [Substring] {
    try swiftFiles(in: "Sources/\(target)").values.flatMap { $0.split(separator: "\n") }
  }
}
