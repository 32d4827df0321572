import BenchmarkSupport
import CallgrindRequests
import Dispatch
import Synchronization
import Workloads

/// A curve: the cost of one operation by one quantity.
struct GrowthCurve: Sendable {
  let name: String
  /// The sizes that are measured, ascending.
  let sizes: [Int]
  /// The limits of the growth.
  ///
  /// What does the same at each size has one for the whole operation, what does more has one for each element. There is
  /// none for threads, as valgrind runs one thread at a time.
  let limits: [GrowthLimit]
  /// The numbers of operations of the two counted runs: fewer where an operation takes longer.
  let operations: (few: Int, many: Int)
  /// Creates the lanes of a size.
  ///
  /// Signatures stay known to the process: the sizes of "signatures" must be created in order.
  let lanes: @Sendable (Int) throws -> [GrowthLane]

  /// All curves, in the order of the report.
  static var all: [GrowthCurve] {
    let some = [1, 2, 5, 10, 30, 100, 300, 1_000]
    let (few, usual) = ((20, 60), (100, 300))
    // The keys and texts take turns, so that each run has all of them equally often.
    let turns = (GrowthSample.most, 3 * GrowthSample.most)
    func each(_ engine: String, _ small: Int, _ large: Int, _ factor: Double = 1.2) -> GrowthLimit {
      GrowthLimit(engine, from: small, to: large, per: .element, atMost: factor)
    }
    func whole(_ engine: String, _ small: Int, _ large: Int, _ factor: Double) -> GrowthLimit {
      GrowthLimit(engine, from: small, to: large, per: .operation, atMost: factor)
    }
    return [
      .init("arguments", [0, 1, 2, 4, 8, 16, 32], [each("invocation", 8, 32)], usual, CallGrowth.arguments),
      .init("struct", [8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096], [each("invocation", 512, 4_096)], usual, CallGrowth.structure),
      .init("hooks", [1, 10, 30, 100], [each("message", 10, 100)], few, CallGrowth.hooks),
      .init("handlers", some, [each("event", 100, 1_000)], few, ProxyGrowth.handlers),
      .init(
        "registering", some,
        [
          each("event", 100, 1_000), each("event-token", 100, 1_000), each("event-priorities", 100, 1_000, 1.3),
          each("event-directions", 100, 1_000),
        ], (4, 12), ProxyGrowth.registering),
      .init("depth", [1, 4, 16, 64, 256, 1_024], [each("event-up", 64, 1_024), each("event-down", 64, 1_024)], few, TreeGrowth.depth),
      .init(
        "width", [1, 10, 100, 1_000, 10_000, 100_000], [whole("event", 10, 100_000, 2), whole("event-unheard", 10, 100_000, 1.01)],
        usual, TreeGrowth.width),
      .init("releasing", some, [each("event-proxy", 100, 1_000), each("event-override", 100, 1_000)], few, TreeGrowth.releasing),
      .init(
        "ending", some,
        ["event-keys", "event-owners", "event-all-keys", "event-last"].map { each($0, 100, 1_000) }, (4, 12), ProxyGrowth.ending),
      .init("prefixes", some, [whole("event-blocked", 10, 1_000, 1.2), each("event-ended", 100, 1_000)], (4, 12), ProxyGrowth.prefixes),
      .init("unhandled", [10, 100, 1_000, 10_000], [whole("event", 1_000, 10_000, 1.2)], (4, 12), ProxyGrowth.unhandled),
      .init("keys", [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000], [whole("event", 1_000, 1_000_000, 2)], turns, ProxyGrowth.keys),
      .init(
        "signatures", [1, 10, 100, 1_000, 10_000, 100_000], [whole("signature", 10_000, 100_000, 1.2)], turns, SignatureGrowth.signatures),
      .init("declarations", [1, 4, 15, 30, 60], [each("declarations", 15, 60)], few, SignatureGrowth.declarations),
      .init("threads", [1, 2, 4, 8], [], usual, ThreadGrowth.threads),
    ] + replacements
  }

  /// The curves of replacements, which are made on Linux.
  private static var replacements: [GrowthCurve] {
    #if os(Linux)
      let sizes = [1, 10, 100, 1_000]
      return [
        .init(
          "replacements", sizes,
          [
            GrowthLimit("ended", from: 10, to: 100, per: .element, atMost: 1.2),
            GrowthLimit("beside", from: 10, to: 100, per: .operation, atMost: 1.05),
          ], (2, 6), ReplacementGrowth.replacements),
        .init("names", [1, 3, 10], [GrowthLimit("wrong", from: 1, to: 10, per: .element, atMost: 1.2)], (1, 3), ReplacementGrowth.names),
        .init(
          "recursion", sizes,
          ["spy", "closure"].map { GrowthLimit($0, from: 100, to: 1_000, per: .element, atMost: 1.2) }, (2, 6), ReplacementGrowth.recursion),
      ]
    #else
      return []
    #endif
  }

  private init(
    _ name: String, _ sizes: [Int], _ limits: [GrowthLimit], _ operations: (Int, Int),
    _ lanes: @escaping @Sendable (Int) throws -> [GrowthLane]
  ) {
    (self.name, self.sizes, self.limits, self.lanes) = (name, sizes, limits, lanes)
    self.operations = operations
  }

  /// Returns the lanes of a size after checking each.
  func checkedLanes(_ size: Int) throws -> [GrowthLane] {
    let lanes = try lanes(size)
    for lane in lanes {
      guard try lane.run(3) == 3 * lane.expected else { throw WrongResult(row: "\(name)/\(size)/\(lane.engine)") }
    }
    return lanes
  }

  /// The points that the limits name, each once.
  var countedPoints: [GrowthPoint] {
    limits.flatMap { limit in [(limit.engine, limit.small), (limit.engine, limit.large)] }.map {
      GrowthPoint(curve: name, engine: $0, size: $1)
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
}

/// Measures the curves.
struct GrowthBenchmark: Sendable {
  let curves: [GrowthCurve]

  /// Times one size after the other; the engines of a size run in alternation.
  ///
  /// A quick run has three sizes of each curve.
  func run(isQuick: Bool) throws -> GrowthReport {
    let groups = curves.flatMap { curve in curve.sizes.prefix(isQuick ? 3 : .max).map { (curve, $0) } }
    var progress = ProgressLine(total: groups.count)
    defer { progress.finish() }
    let robin = RoundRobin(seconds: isQuick ? 0.000_5 : 0.01, rounds: isQuick ? 3 : 9, clock: workload_cpu_seconds)
    var points: [GrowthPoint] = []
    for (curve, size) in groups {
      let lanes = try curve.checkedLanes(size)
      let times = try robin.measure(lanes.map { lane in Lane(name: lane.engine) { _ = try lane.run($0) } }, progress: { _ in })
      points += zip(lanes, times).map { GrowthPoint(curve: curve.name, engine: $0.engine, size: size, ns: Sample($1).median) }
      progress.advance("\(curve.name)/\(size)")
    }
    return GrowthReport(points: points)
  }

  /// Counts the instructions of the points that limits name, by running this program under valgrind once for each curve.
  ///
  /// As many run at a time as there are processors; the counts of one do not depend on the others.
  func counted(_ counter: InstructionCounter) throws -> GrowthReport {
    let results: Mutex<[Result<[GrowthPoint], any Error>?]> = Mutex(Array(repeating: nil, count: curves.count))
    DispatchQueue.concurrentPerform(iterations: curves.count) { index in
      let result = Result { try self.counted(curves[index], counter) }
      results.withLock { $0[index] = result }
    }
    return GrowthReport(points: try results.withLock { $0 }.flatMap { try $0?.get() ?? [] })
  }

  private func counted(_ curve: GrowthCurve, _ counter: InstructionCounter) throws -> [GrowthPoint] {
    guard !curve.limits.isEmpty else { return [] }
    let counts = try counter.count(curve.countedPoints.map(\.name), arguments: ["growth", "--count", curve.name]) { _ in curve.operations }
    return curve.countedPoints.map { point in
      GrowthPoint(curve: point.curve, engine: point.engine, size: point.size, instructions: counts[point.name]?.total)
    }
  }

  /// Performs the runs that `InstructionCounter.count` requires.
  ///
  /// Nothing is counted while a size is set up, which takes most of the time.
  func countRuns() throws {
    for curve in curves {
      let names = Set(curve.countedPoints.map(\.name))
      for size in Set(curve.countedPoints.map(\.size)).sorted() {
        let lanes = try curve.checkedLanes(size)
        callgrind_start_counting()
        for lane in lanes {
          let name = GrowthPoint(curve: curve.name, engine: lane.engine, size: size).name
          guard names.contains(name) else { continue }
          // Not counted: what is created by the first operations.
          _ = try lane.run(curve.operations.few)
          try InstructionCounter.dumpRuns(name, operations: curve.operations, lane.run)
        }
        callgrind_stop_counting()
      }
    }
  }
}
