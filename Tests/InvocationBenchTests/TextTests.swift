import Foundation
import Testing

@testable import BenchmarkSupport

@Suite struct TextTests {
  @Test func columnsAreAsWideAsWhatTheyHold() {
    var table = TextTable([.init("name", .left), .init("ns", .right), .init("", .left)])
    table.append(["longer name", "1.5", ""])
    table.append(["b", "10.25", "x"])
    #expect(table.text == "name            ns\nlonger name    1.5\nb            10.25  x")
  }

  @Test func tableShowsInstructionsOnlyWhenCounted() {
    var row = BenchmarkRow.sample(engine: "direct", ns: 1.363, ratio: 1)
    #expect(!BenchmarkReport(results: [row]).table.contains("instructions"))
    row.instructions = 7
    #expect(BenchmarkReport(results: [row]).table.contains("instructions"))
    #expect(BenchmarkReport(results: [row]).table.contains("1.36  1.00x             7    0.0%          0.0  1.36 .. 1.36"))
  }

  @Test(arguments: [(1.364, "1.36"), (9.996, "10.0"), (47.31, "47.3"), (99.96, "100"), (1240.4, "1240")])
  func threeDigitsHaveNoExponent(value: Double, text: String) { #expect(threeDigits(value) == text) }

  @Test func barFillsAndFitsATerminal() {
    #expect(ProgressBar.text(done: 0, total: 4, name: "a") == "[..............................]   0% a")
    #expect(ProgressBar.text(done: 2, total: 4, name: "a") == "[###############...............]  50% a")
    #expect(ProgressBar.text(done: 4, total: 4, name: "a") == "[##############################] 100% a")
    #expect(ProgressBar.text(done: 9, total: 4, name: String(repeating: "x", count: 99)).count <= 71)
  }
}
