import DynamicInvocation
import Workloads

/// The arguments and the result of one suite.
///
/// Each suite is a type of its own, so that each loop is compiled for one suite.
private protocol FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double
}

/// Runs a workload through a typed call of a `ForeignFunction`, which has no object to fill.
struct FunctionLoop {
  let suite: Suite

  /// Calls `count` times, in ``Phase/create`` with a new function each time, and returns the last result, to be
  /// checked.
  func run(_ phase: Phase, count: Int) throws -> Double {
    switch suite {
    case .W0: try run(phase, W0.self, count: count)
    case .W2, .dispatcher, .batch: try run(phase, W2.self, count: count)
    case .W4: try run(phase, W4.self, count: count)
    case .WR: try run(phase, WR.self, count: count)
    case .WE, .swift: preconditionFailure("events and Swift functions have loops of their own")
    }
  }

  private func run<Workload: FunctionWorkload>(_ phase: Phase, _: Workload.Type, count: Int) throws -> Double {
    let selector: MethodSelector = "measure"
    let target = Unmanaged<Target>?.none
    var last = 0.0
    if phase == .create {
      for index in 0..<count { last = try Workload.call(make(), target, selector, index: index) }
    } else {
      let function = try make()
      for index in 0..<count { last = try Workload.call(function, target, selector, index: index) }
    }
    return last
  }

  private func make() throws -> ForeignFunction {
    try ForeignFunction(suite.implementation, MethodSignature(types: suite.types))
  }
}

private enum W0: FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double {
    try function(target, selector)
    return 0
  }
}

private enum W2: FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double {
    let sum: Int = try function(target, selector, index, 2)
    return Double(sum)
  }
}

private enum W4: FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double {
    try function(
      target, selector, Int32(truncatingIfNeeded: index), 2.0, 3 as Float, 4 as Int8, UnsafeRawPointer?.none, 5 as Int16,
      Pair(a: 3, b: 4), 6.0)
  }
}

private enum WR: FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double {
    let moved: Geometry.Rect = try function(
      target, selector, Geometry.Rect(x: Double(index), y: 2, width: 3, height: 4), Geometry.Point(x: 1, y: 2),
      Geometry.IndexRange(location: 1, length: 2))
    return moved.origin.x
  }
}
