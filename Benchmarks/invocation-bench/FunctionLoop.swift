import DynamicInvocation
import Workloads

/// Runs a workload through a typed call of a `ForeignFunction`, which has no object to fill.
struct FunctionLoop {
  let suite: Suite

  /// Calls `count` times; returns the last result, to be checked.
  func run(count: Int) throws -> Double {
    let function = ForeignFunction(suite.implementation, try MethodSignature(types: suite.types))
    let selector: Selector = "measure"
    let target = Unmanaged<Target>?.none
    var last = 0.0
    switch suite {
    case .W0:
      for _ in 0..<count { try function(target, selector) }
    case .W2:
      for index in 0..<count {
        let sum: Int = try function(target, selector, index, 2)
        last = Double(sum)
      }
    case .W4:
      for index in 0..<count {
        last = try function(
          target, selector, Int32(truncatingIfNeeded: index), 2.0, 3 as Float, 4 as Int8, UnsafeRawPointer?.none, 5 as Int16,
          Pair(a: 3, b: 4), 6.0)
      }
    case .WR:
      for index in 0..<count {
        let moved: Rect = try function(
          target, selector, Rect(x: Double(index), y: 2, width: 3, height: 4), Point(x: 1, y: 2),
          IndexRange(location: 1, length: 2))
        last = moved.origin.x
      }
    }
    return last
  }
}
