import BenchmarkSupport
import Testing

@Suite struct GateComparisonTests {
  private func row(_ allocations: Double?, _ instructions: Double?, _ name: String = "W2/set/invocation") -> GateRow {
    GateRow(row: name, allocations: allocations, instructions: instructions)
  }

  private func verdict(_ now: GateRow, _ baseline: GateRow) -> GateVerdict {
    GateComparison([now], baseline: [baseline]).verdicts[0]
  }

  @Test func theSameCountsPass() {
    let comparison = GateComparison([row(1, 500)], baseline: [row(1, 500)])
    #expect(comparison.failed.isEmpty)
    #expect(comparison.verdicts.map(\.hints) == [[]])
  }

  @Test func anAddedAllocationFailsAndIsNamed() {
    let comparison = GateComparison([row(1, 500)], baseline: [row(0, 500)])
    #expect(comparison.failed.map(\.name) == ["W2/set/invocation"])
    #expect(comparison.text.contains("FAILED: W2/set/invocation: allocations 1, in the baseline 0"))
  }

  @Test func oneAllocationInAThousandOperationsFails() {
    #expect(verdict(row(1.001, 500), row(1, 500)).failures == ["allocations 1.001, in the baseline 1"])
  }

  @Test(arguments: [(102.0, true), (103, true), (104, false), (111, false), (200, false)])
  func instructionsMayGrowByThreePercent(now: Double, passes: Bool) {
    #expect(verdict(row(0, now), row(0, 100)).failures.isEmpty == passes)
  }

  @Test func addedInstructionsAreNamedWithTheirShare() {
    let text = GateComparison([row(0, 111)], baseline: [row(0, 100)]).text
    #expect(text.contains("FAILED: W2/set/invocation: own instructions 111, in the baseline 100 (+11.0%)"))
    #expect(text.hasSuffix("1 of 1 rows failed"))
  }

  @Test func bothFailuresAreSaid() { #expect(verdict(row(2, 200), row(1, 100)).failures.count == 2) }

  @Test(arguments: [(98.0, 0), (97, 0), (96, 1)])
  func fewerInstructionsPassWithAHintBeyondThreePercent(now: Double, hints: Int) {
    let verdict = verdict(row(0, now), row(0, 100))
    #expect(verdict.failures.isEmpty)
    #expect(verdict.hints.count == hints)
  }

  @Test func fewerAllocationsPassWithAHint() {
    let comparison = GateComparison([row(0, 100)], baseline: [row(1, 100)])
    #expect(comparison.failed.isEmpty)
    #expect(comparison.text.contains("better: W2/set/invocation: allocations 0, in the baseline 1; make gates-update"))
  }

  @Test func aRowThatTheBaselineLacksFails() {
    let comparison = GateComparison([row(0, 100), row(0, 100, "W2/new")], baseline: [row(0, 100)])
    #expect(comparison.failed.map(\.name) == ["W2/new"])
    #expect(comparison.text.contains("FAILED: W2/new: the baseline does not have it"))
  }

  @Test func aRowThatIsGoneFails() {
    let comparison = GateComparison([row(0, 100)], baseline: [row(0, 100, "W2/old"), row(0, 100)])
    #expect(comparison.verdicts.map(\.name) == ["W2/set/invocation", "W2/old"])
    #expect(comparison.failed.map(\.failures) == [["the benchmark does not have it any more"]])
  }

  @Test func whatIsNotCountedHereIsNotCompared() {
    let verdict = verdict(row(nil, nil), row(1, 100))
    #expect(verdict.failures.isEmpty && verdict.hints.isEmpty)
    #expect(verdict.change == nil)
  }

  @Test func aBaselineWithoutTheCountsFails() {
    #expect(
      verdict(row(0, 100), row(nil, nil)).failures
        == ["the baseline has no allocations of it", "the baseline has no instructions of it"])
  }

  @Test func noInstructionsBeforeAndSomeNowFail() {
    #expect(verdict(row(0, 1), row(0, 0)).failures.count == 1)
    #expect(verdict(row(0, 0), row(0, 0)).failures.isEmpty)
  }

  @Test func tableHasALineForEachRow() {
    let lines = GateComparison([row(1.5, 89, "a"), row(nil, 100, "b")], baseline: [row(2, 100, "a"), row(0, 100, "b")]).text
      .split(separator: "\n").map(String.init)
    #expect(lines[0] == "row  allocations  baseline  instructions  baseline  change")
    #expect(lines[1] == "a          1.500         2            89       100  -11.0%  better")
    #expect(lines[2] == "b              -         0           100       100    0.0%  ok")
  }
}
