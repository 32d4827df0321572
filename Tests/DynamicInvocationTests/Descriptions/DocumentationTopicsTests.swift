import Foundation
import TestSupport
import Testing

/// The landing page of each module lists every public type of the module in a topic group.
@Suite(.measured) struct DocumentationTopicsTests {
  private static let package: URL = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The names of the public types and global functions at the top level of a module's files.
  private static func declarations(of module: String) throws -> Set<String> {
    var names: Set<String> = []
    let files = FileManager.default.enumerator(at: package.appendingPathComponent("Sources/\(module)"), includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      // What the documentation hides is not listed either.
      var isHidden = false
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if line.contains("@_documentation(visibility: internal)") || line.contains("@_spi(") || line.hasPrefix("@available(*, deprecated") { isHidden = true }
        let pattern = #/(?:@\w+(?:\([^)]*\))? )*public (?:final |indirect )*(?:struct|class|enum|actor|protocol|typealias) (\w+).*/#
        if let match = line.wholeMatch(of: pattern), !isHidden, !match.1.hasPrefix("_") { names.insert(String(match.1)) }
        if !line.hasPrefix("@") && !line.hasPrefix("///") { isHidden = false }
      }
    }
    return names
  }

  @Test(
    "Every public type is in a topic group of its module's page",
    arguments: [
      "TypeEncodings", "DeclarationReading", "SwiftFunctions", "CallFrames", "CallExplanations", "DynamicInvocation",
      "InvocationRecords", "EventRouting",
    ])
  func topics(module: String) throws {
    let page = Self.package.appendingPathComponent("Sources/\(module)/\(module).docc/\(module).md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let topics = try #require(text.range(of: "## Topics"))
    let listed = Set(text[topics.upperBound...].matches(of: #/- ``(\w+)/#).map { String($0.1) })
    let declared = try Self.declarations(of: module)
    #expect(!declared.isEmpty)
    #expect(declared.subtracting(listed) == [])
  }
}
