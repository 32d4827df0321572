import BenchmarkSupport
import CallgrindRequests
import Workloads

/// Measures the curves.
struct GrowthBenchmark {
  let curves: [GrowthCurve]
  /// The duration of one lane in one round.
  let seconds: Double
  let rounds: Int

  init(curves: [GrowthCurve], isQuick: Bool) {
    self.curves = curves
    seconds = isQuick ? 0.000_5 : 0.01
    rounds = isQuick ? 3 : 9
  }

  /// Times the engines of one size after the other; those of a size run in alternation.
  func run() throws -> GrowthReport {
    let groups = curves.flatMap { curve in curve.sizes.map { (curve, $0) } }
    var progress = ProgressBar(total: groups.count)
    defer { progress.finish() }
    let robin = RoundRobin(seconds: seconds, rounds: rounds, clock: workload_cpu_seconds)
    var points: [GrowthPoint] = []
    for (curve, size) in groups {
      let lanes = try Self.checked(curve, size, rivals: true)
      let times = try robin.measure(lanes.map { lane in Lane(name: lane.engine) { _ = try lane.run($0) } }, progress: { _ in })
      points += zip(lanes, times).map {
        GrowthPoint(curve: curve.rawValue, engine: $0.engine, size: size, ns: Sample($1).median)
      }
      progress.advance("\(curve.rawValue)/\(size)")
    }
    return GrowthReport(points: points)
  }

  /// Counts the instructions of the points that limits name, by running this program under valgrind.
  func counted(_ counter: InstructionCounter) throws -> GrowthReport {
    let rows = curves.flatMap(Self.countedRows)
    let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.point.name, $0) })
    let counts = try counter.count(rows.map(\.point.name), arguments: ["growth", "--count"] + curves.map(\.rawValue)) { name in
      byName[name].map { $0.curve.operations($0.point.size) } ?? InstructionCounter.operations
    }
    return GrowthReport(
      points: rows.map { row in
        var point = row.point
        point.instructions = counts[point.name]?.total
        return point
      })
  }

  /// Performs the runs that `InstructionCounter.count` requires.
  ///
  /// Nothing is counted while a size is set up, which takes most of the time.
  func countRuns() throws {
    for curve in curves {
      let rows = Self.countedRows(curve)
      for size in curve.sizes where rows.contains(where: { $0.point.size == size }) {
        let lanes = try Self.checked(curve, size, rivals: false)
        callgrind_start_counting()
        for lane in lanes where rows.contains(where: { $0.point.size == size && $0.point.engine == lane.engine }) {
          let (few, many) = curve.operations(size)
          // Not counted: what is created by the first operations.
          _ = try lane.run(few)
          for operations in [few, many] {
            let name = GrowthPoint(curve: curve.rawValue, engine: lane.engine, size: size).name
            try InstructionCounter.dumpName(name, operations: operations).withCString { name in
              callgrind_forget_counts()
              _ = try lane.run(operations)
              callgrind_write_counts(name)
            }
          }
        }
        callgrind_stop_counting()
      }
    }
  }

  /// Returns the points that the limits of a curve name, each once.
  private static func countedRows(_ curve: GrowthCurve) -> [(curve: GrowthCurve, point: GrowthPoint)] {
    var seen: Set<String> = []
    return curve.limits.flatMap { limit in
      [limit.small, limit.large].map { GrowthPoint(curve: limit.curve, engine: limit.engine, size: $0) }
    }.filter { seen.insert($0.name).inserted }.map { (curve, $0) }
  }

  /// Returns the lanes of a size after checking each.
  private static func checked(_ curve: GrowthCurve, _ size: Int, rivals: Bool) throws -> [GrowthLane] {
    let lanes = try curve.lanes(size, rivals: rivals)
    for lane in lanes {
      guard try lane.isRight() else { throw WrongResult(row: "\(curve.rawValue)/\(size)/\(lane.engine)") }
    }
    return lanes
  }
}
