import Foundation
import TestSupport
import Testing

/// The landing page of each module lists every public type of the module in a topic group, and the articles name tests that exist.
@Suite(.measured) struct DocumentationTopicsTests {
  /// The names of the public types at the top level of a module's files.
  private static func declarations(of module: String) throws -> Set<String> {
    var names: Set<String> = []
    // What the documentation hides is not listed either.
    var isHidden = false
    for line in try PackageFiles.lines(of: module) where "@/p".contains(line.first ?? " ") {
      if line.contains("@_spi(") || line.contains("@_documentation(visibility: internal)") || line.hasPrefix("@available(*, deprecated") {
        isHidden = true
      }
      let pattern = #/(?:@\w+(?:\([^)]*\))? )*public (?:final |indirect )*(?:struct|class|enum|actor|protocol|typealias) (\w+).*/#
      guard !line.hasPrefix("//"), line.contains("public "), let match = line.wholeMatch(of: pattern) else {
        if !line.hasPrefix("@") && !line.hasPrefix("///") { isHidden = false }
        continue
      }
      if !isHidden, !match.1.hasPrefix("_") { names.insert(String(match.1)) }
      isHidden = false
    }
    return names
  }

  @Test(
    "Every public type is in a topic group of its module's page",
    arguments: [
      "TypeEncodings", "DeclarationReading", "SwiftFunctions", "CallFrames", "CallExplanations", "DynamicInvocation", "InvocationRecords",
      "EventRouting",
    ])
  func topics(module: String) throws {
    let text = try PackageFiles.text("Sources/\(module)/\(module).docc/\(module).md")
    let topics = try require(text.range(of: "## Topics"))
    let listed = Set(text[topics.upperBound...].matches(of: #/- ``(\w+)/#).map { String($0.1) })
    let declared = try Self.declarations(of: module)
    expect(!declared.isEmpty)
    expectEqual(declared.subtracting(listed), [])
  }

  @Test("Every test that an article names exists", arguments: ["Limits", "Security"])
  func names(article: String) throws {
    let text = try PackageFiles.text("Sources/DynamicInvocation/DynamicInvocation.docc/\(article).md")
    let named = text.matches(of: /`([A-Za-z0-9]+Tests)\/([A-Za-z0-9]+)`/).map { (suite: String($0.1), function: String($0.2)) }
    expect(named.count > 10)
    let sources = try PackageFiles.swiftFiles(in: "Tests").merging(PackageFiles.swiftFiles(in: "Tools/Tests")) { $1 }
    for (suite, function) in named {
      let source = sources.first { $0.key.hasSuffix("/\(suite).swift") }?.value
      expect(source?.contains("func \(function)(") == true && source?.contains("@Test") == true, "\(suite)/\(function)")
    }
    // No row of the table without its test.
    for line in text.split(separator: "\n") where article == "Limits" && line.hasPrefix("| ") && !line.hasPrefix("| What") {
      expect(line.contains("Tests/") || line.contains("Scripts/refused/"), "\(line)")
    }
  }
}
