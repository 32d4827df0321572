import BenchmarkSupport
import Testing

@Suite struct ComparisonTests {
  private let old = BenchmarkReport(results: [
    .sample(engine: "ffi_call", ns: 50, ratio: 30, spread: 0.02),
    .sample(engine: "invocation", ns: 4, ratio: 4, spread: 0.02),
    .sample(engine: "function", ns: 4, ratio: 2, spread: 0.3),
    .sample(engine: "gone", ns: 4, ratio: 2),
  ])
  private let new = BenchmarkReport(results: [
    .sample(engine: "ffi_call", ns: 50, ratio: 30.3, spread: 0.01),
    .sample(engine: "invocation", ns: 4, ratio: 3, spread: 0.01),
    .sample(engine: "function", ns: 4, ratio: 2.5, spread: 0.01),
    .sample(engine: "avcall", ns: 4, ratio: 2),
  ])

  @Test func onlyChangesBeyondTheLargerSpreadCount() {
    let changes = Comparison(old: old, new: new).changes
    #expect(changes.map(\.name) == ["W2/set/ffi_call", "W2/set/invocation", "W2/set/function"])
    #expect(changes.map(\.isBeyondSpread) == [false, true, false])
    #expect(changes[1].share == -0.25)
  }

  @Test func rowsOfOneReportOnlyAreNamed() {
    let comparison = Comparison(old: old, new: new)
    #expect(comparison.added == ["W2/set/avcall"])
    #expect(comparison.missing == ["W2/set/gone"])
  }

  @Test func textMarksAndCounts() {
    let lines = Comparison(old: old, new: new).text.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("row"))
    #expect(lines[1] == "W2/set/ffi_call       30.00x     30.30x   +1.0%    2.0%")
    #expect(lines[2] == "W2/set/invocation      4.00x      3.00x  -25.0%    2.0%  * faster")
    #expect(lines[3].hasSuffix("30.0%"))
    #expect(lines[4] == "not in the baseline: W2/set/avcall")
    #expect(lines[5] == "only in the baseline: W2/set/gone")
    #expect(lines[6] == "1 of 3 rows changed by more than the spread")
  }

  @Test func sameReportHasNoMark() {
    let comparison = Comparison(old: old, new: old)
    #expect(comparison.changes.allSatisfy { !$0.isBeyondSpread && $0.share == 0 })
    #expect(comparison.added.isEmpty && comparison.missing.isEmpty)
  }
}
