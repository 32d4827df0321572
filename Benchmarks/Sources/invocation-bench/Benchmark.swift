import BenchmarkSupport
import CallgrindRequests
import Foundation
import Workloads

/// Runs loops and creates the rows of the report.
struct Benchmark {
  /// The loops to report, sorted as in ``Loop/all``.
  let loops: [Loop]
  let seconds: Double
  let rounds: Int
  /// The counter of instructions; nil if instructions are not counted.
  let counter: InstructionCounter?

  /// Measures one suite after another.
  ///
  /// The loops of a suite run in alternation: loops that run one shortly after the other run at the same machine speed, and
  /// a ratio is computed within each round. The direct call of each phase is measured even if it is not reported.
  func run() throws -> BenchmarkReport {
    let suites = Suite.allCases.map { suite in loops.filter { $0.suite == suite } }.map { wanted in
      wanted.filter { $0.engine != .direct && !wanted.contains($0.base) }.map(\.base).uniqued() + wanted
    }
    var progress = ProgressLine(total: suites.joined().count * rounds + (counter == nil ? 0 : 1))
    defer { progress.finish() }
    let instructions = try counter?.count(loops)
    if counter != nil { progress.advance("instructions") }
    let robin = RoundRobin(seconds: seconds, rounds: rounds, clock: workload_cpu_seconds)
    var rows: [BenchmarkRow] = []
    for measured in suites {
      let times = try robin.measure(
        measured.map { loop in Lane(name: loop.name) { _ = try loop.run(count: $0) } },
        progress: { progress.advance($0.name) })
      let byLoop = Dictionary(uniqueKeysWithValues: zip(measured, times))
      for loop in loops {
        guard let own = byLoop[loop], let direct = byLoop[loop.base] else { continue }
        var row = BenchmarkRow(
          suite: loop.suite.rawValue, phase: loop.phase.rawValue, engine: loop.engine.rawValue, times: own, direct: direct,
          allocations: try loop.allocations())
        row.instructions = instructions?[loop.name]?.total
        rows.append(row)
      }
    }
    return BenchmarkReport(results: rows, rounds: rounds)
  }
}

extension Sequence where Element: Hashable {
  /// Returns the elements without duplicates, in the order of their first occurrence.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension InstructionCounter {
  /// Returns a counter of this program's instructions.
  static func ofThisExecutable() throws -> InstructionCounter {
    guard let path = Bundle.main.executablePath else { throw InstructionCounterError.noExecutable }
    return try InstructionCounter(executable: path)
  }

  /// Returns the instructions of one operation of each loop by its name: the minimum of its ``Loop/variants``.
  func count(_ loops: [Loop]) throws -> [String: InstructionCount] {
    let variants = loops.flatMap(\.variants)
    let names = variants.map(\.variantName)
    let counts = try count(names, arguments: ["measure", "--count"] + names)
    let pairs = variants.compactMap { loop in counts[loop.variantName].map { (loop.name, $0) } }
    return Dictionary(pairs) { $0.own <= $1.own ? $0 : $1 }
  }

  /// Performs the two runs of a row that `count` requires, in this program, which a counter has started.
  static func dumpRuns(
    _ name: String, operations: (few: Int, many: Int) = InstructionCounter.operations, _ run: (Int) throws -> Double
  ) rethrows {
    for count in [operations.few, operations.many] {
      try dumpName(name, operations: count).withCString { name in
        callgrind_forget_counts()
        _ = try run(count)
        callgrind_write_counts(name)
      }
    }
  }
}
