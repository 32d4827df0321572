import Foundation
import Testing

/// `invoke events`: the page of a list.
@Suite struct EventsTests {
  @Test("M8: the controller hears of A and C, never of B") func twoEvents() throws {
    let run = try Program.run(["events"])
    #expect(run.status == 0)
    #expect(run.lines.contains("A from collection cell: handled by controller"))
    #expect(run.lines.contains("B from collection cell: handled by controller"))
    #expect(run.lines.contains { $0.contains("table cell: sent on as C(") })
    #expect(
      run.lines.suffix(2) == [
        "controller.selected(from its cell, tag 2, width 80.0, other nil)",
        "controller.opened(from its cell, tag 42, width 80.0, other nil)",
      ])
    #expect(run.errors == "")
  }

  @Test func aKeyThatNobodyHandles() throws {
    let run = try Program.run(["events", "a"])
    #expect(run.status == 0)
    #expect(run.lines.first == "a from collection cell: unhandled")
    #expect(run.output.contains("did you mean \"A\" of controller"))
    #expect(run.errors.contains("no handler handled \"a\""))
  }

  @Test func pictures() throws {
    let mermaid = try Program.run(["events", "B", "--mermaid", "-"])
    #expect(mermaid.status == 0)
    #expect(mermaid.lines.first == "flowchart TD")
    #expect(mermaid.output.contains("table cell<br/>B"))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString).dot")
    defer { try? FileManager.default.removeItem(at: folder) }
    let dot = try Program.run(["events", "B", "--dot", folder.path])
    #expect(dot.status == 0 && dot.output.contains("handled by controller"))
    #expect(try String(contentsOf: folder, encoding: .utf8).hasPrefix("digraph tree {"))
  }

  @Test("Keys of anybody are shown, not obeyed", arguments: [[], ["--mermaid", "-"], ["--dot", "-"]])
  func keysOfAnybody(options: [String]) throws {
    let run = try Program.run(["events", "\u{1B}c\u{9B}\u{202E}"] + options)
    let obeyed = (run.output + run.errors).unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n" || $0.properties.isBidiControl
    }
    #expect(obeyed.isEmpty, "\(run.output.debugDescription)")
  }

  @Test func aPictureThatCannotBeWritten() throws {
    let run = try Program.run(["events", "--dot", "/nowhere/at/all.dot"])
    #expect(run.status == 1)
    #expect(run.errors == "Error: /nowhere/at/all.dot cannot be written: No such file or directory\n")
  }
}
