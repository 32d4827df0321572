import BenchmarkSupport
import Foundation
import Testing

@Suite struct GateBaselineTests {
  private func baseline(_ rows: [(String, Double)], architecture: String = "x86_64", compiler: String = "Clang 1") -> GateBaseline {
    GateBaseline(
      architecture: architecture, compiler: compiler, rows: rows.map { GateRow(row: $0.0, allocations: 0, instructions: $0.1) })
  }

  @Test func textHasALineForEachRowAndReadsBack() throws {
    var baseline = baseline([("W2/set/invocation", 90), ("W2/create/invocation", 507)], compiler: "Clang \"21\"")
    baseline.rows[1].allocations = 1
    baseline.rows.append(GateRow(row: "WE/typed/event", allocations: nil, instructions: nil))
    let text = try baseline.text()
    let lines = text.split(separator: "\n")
    #expect(lines.contains(#"    {"allocations":0,"instructions":90,"row":"W2/set/invocation"},"#))
    #expect(lines.contains(#"    {"allocations":1,"instructions":507,"row":"W2/create/invocation"},"#))
    #expect(text.hasSuffix("}\n"))
    #expect(try JSONDecoder().decode(GateBaseline.self, from: Data(text.utf8)) == baseline)
  }

  @Test func countsAreRounded() {
    let row = GateRow(row: "a", allocations: 1.0004, instructions: 182.918)
    #expect(row == GateRow(row: "a", allocations: 1, instructions: 183))
    #expect(GateRow(row: "a", allocations: 0.0011, instructions: nil).allocations == 0.001)
  }

  @Test func updateOfSomeRowsKeepsTheOthersAndTheOrder() {
    let old = baseline([("W0/a", 1), ("W2/a", 2), ("W2/gone", 3), ("WE/a", 4)])
    let new = old.updated(with: baseline([("W2/a", 20), ("W2/new", 30)])) { $0.hasPrefix("W2/") }
    #expect(new == baseline([("W0/a", 1), ("W2/a", 20), ("WE/a", 4), ("W2/new", 30)]))
  }

  @Test func updateOfAllRowsIsWhatWasMeasured() {
    let measured = baseline([("W0/a", 10), ("W0/b", 11)])
    #expect(baseline([("W0/a", 1), ("W0/gone", 2)]).updated(with: measured) { _ in true } == measured)
  }

  @Test func countsOfAnotherCompilerOrArchitectureAreNotMixed() {
    let old = baseline([("W0/a", 1), ("W2/a", 2)])
    for measured in [baseline([("W2/a", 3)], architecture: "arm64"), baseline([("W2/a", 3)], compiler: "Clang 2")] {
      #expect(old.updated(with: measured) { $0.hasPrefix("W2/") } == measured)
    }
  }

  @Test func aFileThatIsNoneIsRefused() {
    #expect(throws: (any Error).self) { try GateBaseline(path: "/nonexistent/gates.json") }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(GateBaseline.self, from: Data(#"{"rows": []}"#.utf8)) }
  }
}

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
