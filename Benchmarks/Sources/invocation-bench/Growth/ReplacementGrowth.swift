import FunctionReplacement
import ReplacedWorkloads

/// Replacements and spies of more functions, and calls within calls; on Linux only.
enum ReplacementGrowth {
  /// Returns the lanes of a number of replacements: made and ended, the oldest first, and beside the function that is called.
  static func replacements(_ count: Int) throws -> [GrowthLane] {
    [
      GrowthLane("ended", expecting: 1) { operations in
        for _ in 0..<operations {
          try withReplacements {
            let all = try (0..<count).map { _ in try unsafe replace("ReplacedWorkloads.echo(_:)", with: { (number: Int) in number }) }
            for replacement in all { replacement.cancel() }
          }
        }
        return Double(operations)
      },
      GrowthLane("beside", expecting: 7) { operations in
        try withReplacements {
          for _ in 0..<count { try unsafe replace("ReplacedWorkloads.echo(_:)", with: { (number: Int) in number }) }
          try unsafe replace("ReplacedWorkloads.descend(_:)", with: { (_: Int) in 7 })
          var sum = 0
          // More than the replacements cost.
          for _ in 0..<operations * 1_000 { sum += descend(1) }
          return Double(sum / 1_000)
        }
      },
    ]
  }

  /// Returns the lane of a number of wrong names, each looked up twice: what is near to a name is searched once.
  static func names(_ count: Int) throws -> [GrowthLane] {
    var round = 0
    return [
      GrowthLane("wrong", expecting: Double(2 * count)) { operations in
        var failures = 0
        for _ in 0..<operations {
          round += 1
          for name in (0..<2 * count).map({ "ReplacedWorkloads.descent\(round)x\($0 % count)(_:)" }) {
            do { _ = try unsafe spy(name) } catch { failures += 1 }
          }
        }
        return Double(failures)
      }
    ]
  }

  /// Returns the lanes of a number of calls within each other, recorded and answered by a closure.
  static func recursion(_ count: Int) throws -> [GrowthLane] {
    [
      GrowthLane("spy", expecting: Double(count)) { operations in
        var sum = 0
        for _ in 0..<operations {
          try withReplacements {
            _ = try unsafe spy("ReplacedWorkloads.descend(_:)")
            sum += descend(count)
          }
        }
        return Double(sum)
      },
      GrowthLane("closure", expecting: Double(count)) { operations in
        var sum = 0
        for _ in 0..<operations {
          try unsafe replacing("ReplacedWorkloads.descend(_:)", with: { (levels: Int) in original { descend(levels) } }) {
            sum += descend(count)
          }
        }
        return Double(sum)
      },
    ]
  }
}
