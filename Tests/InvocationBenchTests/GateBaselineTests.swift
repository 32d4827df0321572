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
