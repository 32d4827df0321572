import Foundation
import TestSupport
import Testing

/// The articles name the tests that show what they say; each of these must exist.
@Suite(.measured) struct ArticleTests {
  private static let package: URL = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every test that an article names exists", arguments: ["Limits", "Security"])
  func names(article: String) throws {
    let path = "Sources/DynamicInvocation/DynamicInvocation.docc/\(article).md"
    let text = try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
    let named = text.matches(of: /`([A-Za-z0-9]+Tests)\/([A-Za-z0-9]+)`/).map { (suite: String($0.1), function: String($0.2)) }
    #expect(named.count > 10)
    var sources: [String: String] = [:]
    let files = FileManager.default.enumerator(at: Self.package.appendingPathComponent("Tests"), includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.lastPathComponent.hasSuffix("Tests.swift") else { continue }
      sources[file.deletingPathExtension().lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
    }
    for (suite, function) in named {
      let source = sources[suite]
      #expect(source?.contains("func \(function)(") == true, "\(suite)/\(function)")
      #expect(source?.contains("@Test") == true)
    }
    // No row of the table without its test.
    for line in text.split(separator: "\n") where article == "Limits" && line.hasPrefix("| ") && !line.hasPrefix("| What") {
      #expect(line.contains("Tests/"), "\(line)")
    }
  }
}
