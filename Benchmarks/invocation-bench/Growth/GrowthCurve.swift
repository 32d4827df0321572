import BenchmarkSupport
import CallgrindRequests
import Workloads

/// A curve: the cost of one operation by one quantity.
enum GrowthCurve: String, CaseIterable {
  case arguments
  case structure = "struct"
  case handlers, registering, depth, width, releasing, keys, signatures, declarations, threads

  /// The sizes that are measured, ascending.
  var sizes: [Int] {
    switch self {
    case .arguments: [0, 1, 2, 4, 8, 16, 32]
    case .structure: [8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096]
    case .handlers, .registering, .releasing: [1, 2, 5, 10, 30, 100, 300, 1_000]
    case .depth: [1, 4, 16, 64, 256, 1_024]
    case .width: [1, 10, 100, 1_000, 10_000, 100_000]
    case .keys: [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
    case .signatures: [1, 10, 100, 1_000, 10_000, 100_000]
    case .declarations: [1, 4, 15, 30, 60]
    case .threads: [1, 2, 4, 8]
    }
  }

  /// Creates the lanes of a size: this package's engines, then the rivals if they are wanted.
  ///
  /// The signatures that are known are those of the process: the sizes of ``signatures`` must be created in order.
  func lanes(_ size: Int, rivals: Bool) throws -> [GrowthLane] {
    switch self {
    case .arguments: try CallGrowth.arguments(size, rivals: rivals)
    case .structure: try CallGrowth.structure(size, rivals: rivals)
    case .handlers: try ProxyGrowth.handlers(size, rivals: rivals)
    case .registering: try ProxyGrowth.registering(size, rivals: rivals)
    case .depth: try TreeGrowth.depth(size, rivals: rivals)
    case .width: try TreeGrowth.width(size, rivals: rivals)
    case .releasing: TreeGrowth.releasing(size)
    case .keys: try ProxyGrowth.keys(size, rivals: rivals)
    case .signatures: try SignatureGrowth.signatures(size, rivals: rivals)
    case .declarations: SignatureGrowth.declarations(size)
    case .threads: try ThreadGrowth.threads(size, rivals: rivals)
    }
  }

  /// The limits of the growth of this package's engines.
  ///
  /// What does the same at each size has one for the whole operation, what does more has one for each element. There is
  /// none for threads, as valgrind runs one thread at a time.
  var limits: [GrowthLimit] {
    switch self {
    case .arguments: [GrowthLimit(rawValue, "invocation", from: 8, to: 32, per: .element, atMost: 1.2)]
    case .structure: [GrowthLimit(rawValue, "invocation", from: 512, to: 4_096, per: .element, atMost: 1.2)]
    case .handlers: [GrowthLimit(rawValue, "event", from: 100, to: 1_000, per: .element, atMost: 1.2)]
    case .registering:
      [
        GrowthLimit(rawValue, "event", from: 100, to: 1_000, per: .element, atMost: 1.2),
        GrowthLimit(rawValue, "event-token", from: 100, to: 1_000, per: .element, atMost: 1.2),
        GrowthLimit(rawValue, "event-priorities", from: 100, to: 1_000, per: .element, atMost: 1.3),
        GrowthLimit(rawValue, "event-directions", from: 100, to: 1_000, per: .element, atMost: 1.2),
      ]
    case .depth:
      [
        GrowthLimit(rawValue, "event-up", from: 64, to: 1_024, per: .element, atMost: 1.2),
        GrowthLimit(rawValue, "event-down", from: 64, to: 1_024, per: .element, atMost: 1.2),
      ]
    case .width:
      [
        GrowthLimit(rawValue, "event", from: 10, to: 100_000, per: .operation, atMost: 2),
        GrowthLimit(rawValue, "event-unheard", from: 10, to: 100_000, per: .operation, atMost: 1.01),
      ]
    case .releasing:
      [
        GrowthLimit(rawValue, "event-proxy", from: 100, to: 1_000, per: .element, atMost: 1.2),
        GrowthLimit(rawValue, "event-override", from: 100, to: 1_000, per: .element, atMost: 1.2),
      ]
    case .keys: [GrowthLimit(rawValue, "event", from: 1_000, to: 1_000_000, per: .operation, atMost: 2)]
    case .signatures: [GrowthLimit(rawValue, "signature", from: 10_000, to: 100_000, per: .operation, atMost: 1.2)]
    case .declarations: [GrowthLimit(rawValue, "declarations", from: 15, to: 60, per: .element, atMost: 1.2)]
    case .threads: []
    }
  }

  /// The numbers of operations of the two counted runs at a size: fewer where an operation takes longer.
  func operations(_ size: Int) -> (few: Int, many: Int) {
    switch self {
    case .handlers, .registering, .depth, .releasing, .declarations: (20, 60)
    case .structure: (100, 300)
    // The keys and texts take turns, so that each run has all of them equally often.
    case .keys, .signatures: (GrowthSample.most, 3 * GrowthSample.most)
    case .arguments, .width, .threads: (100, 300)
    }
  }
}

/// A choice among many names: the ones that operations use in turn.
enum GrowthSample {
  /// The largest number of chosen names.
  static let most = 1_000

  /// Returns the indices of at most ``most`` of `count` names, at equal distances.
  static func indices(of count: Int) -> [Int] {
    let chosen = min(count, most)
    return (0..<chosen).map { $0 * (count / chosen) }
  }
}

/// One engine of a curve at one size, with everything that it needs set up.
struct GrowthLane {
  /// The name of the engine.
  var engine: String
  /// Runs the given number of operations, and returns the sum of their results.
  var run: (Int) throws -> Double
  /// The result of one operation.
  var expected: Double

  init(_ engine: String, expecting expected: Double, _ run: @escaping (Int) throws -> Double) {
    self.engine = engine
    self.expected = expected
    self.run = run
  }

  /// Returns whether operations have the expected results.
  func isRight() throws -> Bool { try run(3) == 3 * expected }
}

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
