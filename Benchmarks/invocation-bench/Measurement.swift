import AllocationCounter
import Workloads

/// One row of the report: what one operation of one engine costs.
struct Measurement: Encodable {
  var suite: String
  var phase: String
  var engine: String
  /// Nanoseconds of processor time, the median of the repetitions.
  var ns: Double
  /// The smallest and the largest repetition.
  var minimum: Double
  var maximum: Double
  /// ``ns`` over that of the direct call of the same suite and run.
  var ratio: Double
  /// Heap allocations of one operation, or nil where they cannot be counted.
  var allocations: Double?
}

/// Times loops: calibrates their length, repeats them, counts allocations.
struct Timer {
  /// The processor time that one repetition should take.
  var seconds: Double
  var repetitions: Int

  struct Result {
    var median: Double
    var minimum: Double
    var maximum: Double
    var allocations: Double?
  }

  /// Measures `body`, which runs as many operations as it is told.
  func measure(_ body: (Int) throws -> Void) rethrows -> Result {
    var count = 64
    while true {
      let start = workload_cpu_seconds()
      try body(count)
      let elapsed = workload_cpu_seconds() - start
      if elapsed >= seconds / 4 || count >= 1 << 30 {
        count = max(64, Int(Double(count) * seconds / max(elapsed, 1e-9)))
        break
      }
      count *= 4
    }
    var times: [Double] = []
    for _ in 0..<repetitions {
      let start = workload_cpu_seconds()
      try body(count)
      times.append((workload_cpu_seconds() - start) * 1e9 / Double(count))
    }
    times.sort()
    return Result(
      median: times[times.count / 2], minimum: times[0], maximum: times[times.count - 1],
      allocations: try allocations(body))
  }

  /// Allocations of one operation: the difference of a long and a short loop, so that what a loop itself allocates does not count.
  private func allocations(_ body: (Int) throws -> Void) rethrows -> Double? {
    guard allocation_count() > 0 else { return nil }
    func count(_ operations: Int) throws -> UInt64 {
      let before = allocation_count()
      try body(operations)
      return allocation_count() - before
    }
    return Double(try count(1_100) - count(100)) / 1_000
  }
}
