import Foundation

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
  ///   - target: The target as clang names it; nil for that of the command.
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
    let folder = TemporaryFolder.shared.url.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appendingPathComponent("checked.c")
    try Data(source.utf8).write(to: input)
    return try Command.run(
      [command, "-std=gnu11", "-fsyntax-only", "-w"] + flags + [input.path], log: folder.appendingPathComponent("checked.log"))
  }
}
