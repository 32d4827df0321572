import Foundation
import TestSupport
import Testing

@Suite(.measured)
struct VersionTests {
  @Test("The version that invoke prints is the first version of the changelog")
  func version() throws {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let changes = try String(contentsOf: package.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let heading = try #require(changes.split(separator: "\n").first { $0.hasPrefix("## ") && $0 != "## Unreleased" })
    let run = try Program.run(["--version"])
    #expect(run.lines == [String(heading.dropFirst(3))])
    #expect(heading.wholeMatch(of: #/## \d+\.\d+\.\d+/#) != nil)
  }
}
