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
    baseline.rows.append(GateRow(row: "WE/typed/event", allocations: nil, instructions: nil))
    let text = try baseline.text()
    #expect(text.split(separator: "\n").contains(#"    {"allocations":0,"instructions":90,"row":"W2/set/invocation"},"#))
    #expect(try JSONDecoder().decode(GateBaseline.self, from: Data(text.utf8)) == baseline)
  }

  @Test func countsAreRounded() {
    #expect(GateRow(row: "a", allocations: 1.0004, instructions: 182.918) == GateRow(row: "a", allocations: 1, instructions: 183))
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
}

@Suite struct GateComparisonTests {
  private typealias Counts = (allocations: Double?, instructions: Double?)

  private func compare(_ now: Counts, _ baseline: Counts) -> GateComparison {
    GateComparison(
      [GateRow(row: "a", allocations: now.allocations, instructions: now.instructions)],
      baseline: [GateRow(row: "a", allocations: baseline.allocations, instructions: baseline.instructions)])
  }

  @Test(
    arguments: [
      (1, 500, 1, 500, []),
      (1, 500, 0, 500, ["allocations 1, in the baseline 0"]),
      (1.001, 500, 1, 500, ["allocations 1.001, in the baseline 1"]),
      (0, 103, 0, 100, []),
      (0, 104, 0, 100, ["own instructions 104, in the baseline 100 (+4.0%)"]),
      (2, 200, 1, 100, ["allocations 2, in the baseline 1", "own instructions 200, in the baseline 100 (+100.0%)"]),
      (0, 1, 0, 0, ["own instructions 1, in the baseline 0 (+inf%)"]),
      (0, 0, 0, 0, []),
      (nil, nil, 1, 100, []),
      (0, 100, nil, nil, ["the baseline has no allocations of it", "the baseline has no instructions of it"]),
    ] as [(Double?, Double?, Double?, Double?, [String])])
  func failures(allocations: Double?, instructions: Double?, oldAllocations: Double?, oldInstructions: Double?, failures: [String]) {
    let comparison = compare((allocations, instructions), (oldAllocations, oldInstructions))
    #expect(comparison.failed.flatMap(\.failures) == failures)
    #expect(comparison.text.hasSuffix("\(failures.isEmpty ? 0 : 1) of 1 rows failed"))
    for failure in failures { #expect(comparison.text.contains("FAILED: a: \(failure)")) }
  }

  @Test(arguments: [(0.0, 98.0, 0), (0, 97, 0), (0, 96, 1), (1, 100, 0), (0, 100, 0)])
  func fewerInstructionsPassWithAHintBeyondThreePercent(allocations: Double, now: Double, hints: Int) {
    let comparison = compare((allocations, now), (allocations, 100))
    #expect(comparison.failed.isEmpty)
    #expect(comparison.verdicts[0].hints.count == hints)
  }

  @Test func fewerAllocationsPassWithAHint() {
    #expect(compare((0, 100), (1, 100)).text.contains("better: a: allocations 0, in the baseline 1; make gates-update"))
  }

  @Test func aRowOfOneSideOnlyFails() {
    let comparison = GateComparison(
      [GateRow(row: "new", allocations: 0, instructions: 1)], baseline: [GateRow(row: "old", allocations: 0, instructions: 1)])
    #expect(comparison.failed.map(\.failures) == [["the baseline does not have it"], ["the benchmark does not have it any more"]])
  }

  @Test func tableHasALineForEachRow() {
    let lines = compare((1.5, 89), (2, 100)).text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "row  allocations  baseline  instructions  baseline  change")
    #expect(lines[1] == "a          1.500         2            89       100  -11.0%  better")
  }
}
