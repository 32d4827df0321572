import Foundation
import TestSupport
import Testing

/// `invoke events`: the page of a list.
@Suite(.measured, .enabled(if: Program.isThere, "needs the trait Tools")) struct EventsTests {
  @Test("The controller hears of A and C, never of B (E6.1)") func twoEvents() throws {
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
    let run = try Program.run(["events", "A", "a"])
    #expect(run.status == 1)
    #expect(run.lines.contains("a from collection cell: unhandled"))
    #expect(run.output.contains("did you mean \"A\" of controller"))
    // One line, and no warning that repeats the report.
    #expect(run.errors == "Error: nobody handled \"a\"\n")
  }

  @Test func reportsAsJSON() throws {
    let run = try Program.run(["events", "--json", "B", "a"])
    #expect(run.status == 1)
    let reports = try run.lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    #expect(reports.count == 2)
    #expect(reports[0]?["key"] as? String == "B" && reports[0]?["handled"] as? Bool == true)
    #expect(reports[0]?["handledBy"] as? [String] == ["controller"])
    let visits = try #require(reports[0]?["visits"] as? [[String: Any]])
    let sentOn = visits.compactMap { $0["sentOn"] as? [String: Any] }
    #expect(sentOn.first?["key"] as? String == "C" && (sentOn.first?["arguments"] as? [String])?.isEmpty == false)
    #expect(reports[1]?["handled"] as? Bool == false)
    #expect((reports[1]?["diagnosis"] as? String)?.contains("did you mean \"A\"") == true)
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
