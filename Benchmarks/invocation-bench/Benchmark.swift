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
  /// The loops of a suite run in alternation.
  func run() throws -> BenchmarkReport {
    let lanes = Suite.allCases.map(lanes)
    let steps = lanes.reduce(0) { $0 + $1.count } * rounds + (counter == nil ? 0 : 1)
    var progress = ProgressBar(total: steps)
    defer { progress.finish() }
    let instructions = try counter?.count(loops)
    if counter != nil { progress.advance("instructions") }
    let robin = RoundRobin(seconds: seconds, rounds: rounds, clock: workload_cpu_seconds)
    var rows: [BenchmarkRow] = []
    for measured in lanes {
      let times = try robin.measure(
        measured.map { loop in Lane(name: loop.name) { _ = try loop.run(count: $0) } },
        progress: { progress.advance($0.name) })
      let byName = Dictionary(uniqueKeysWithValues: zip(measured.map(\.name), times))
      for loop in loops {
        guard let own = byName[loop.name], let direct = byName[loop.base.name] else { continue }
        var row = BenchmarkRow(
          suite: loop.suite.rawValue, phase: loop.phase.rawValue, engine: loop.engine.rawValue, times: own, direct: direct,
          allocations: try loop.allocations())
        row.instructions = instructions?[loop.name]?.total
        rows.append(row)
      }
    }
    return BenchmarkReport(results: rows)
  }

  /// Returns the loops of a suite, with the direct call of each phase before them even if it is not reported.
  ///
  /// Loops that run one shortly after the other run at the same machine speed, and a ratio is computed within each
  /// round.
  private func lanes(_ suite: Suite) -> [Loop] {
    var lanes: [Loop] = []
    for phase in Phase.allCases {
      let wanted = loops.filter { $0.suite == suite && $0.phase == phase }
      guard let first = wanted.first else { continue }
      lanes += (first.engine == first.base.engine ? [] : [first.base]) + wanted
    }
    return lanes
  }
}

/// Runs loops for an ``InstructionCounter``, which started this program under valgrind.
struct CountedLoops {
  let loops: [Loop]

  /// Performs the runs that `InstructionCounter.count` requires.
  func run() throws {
    // Warm up before counting starts: objects that are created once, and tables that grow, are not counted. This is
    // also faster.
    for loop in loops { _ = try loop.run(count: 100) }
    callgrind_start_counting()
    for loop in loops {
      for operations in [InstructionCounter.operations.few, InstructionCounter.operations.many] {
        try InstructionCounter.dumpName(loop.variantName, operations: operations).withCString { name in
          callgrind_forget_counts()
          _ = try loop.run(count: operations)
          callgrind_write_counts(name)
        }
      }
    }
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
}
