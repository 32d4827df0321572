import BenchmarkSupport
import Workloads

/// Runs loops and makes the rows of the report.
struct Benchmark {
  /// The loops to report, sorted as in ``Loop/all``.
  let loops: [Loop]
  let seconds: Double
  let rounds: Int
  /// Counts instructions too, where there is one.
  let counter: InstructionCounter?

  /// Measures suite after suite; the loops of one suite take turns.
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

  /// The loops of a suite with the direct call of each phase before them, whether or not it is reported: close neighbours in
  /// time share the machine's speed, and a ratio is taken within each round.
  private func lanes(_ suite: Suite) -> [Loop] {
    var lanes: [Loop] = []
    for phase in Phase.allCases {
      let wanted = loops.filter { $0.suite == suite && $0.phase == phase }
      guard let first = wanted.first else { continue }
      lanes += (first.engine == .direct ? [] : [first.base]) + wanted
    }
    return lanes
  }
}
