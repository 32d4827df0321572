import DynamicInvocation
import Workloads

/// The object that every measured message goes to; the callees do not look at it.
final class Target {}

/// Runs a workload through an `Invocation`.
struct InvocationLoop {
  let suite: Suite
  private let target = Target()
  private let selector: Selector = "measure"

  /// Runs a phase `count` times; returns the last result, to be checked.
  func run(_ phase: Phase, count: Int) throws -> Double {
    let implementation = suite.implementation
    switch phase {
    case .invoke:
      let invocation = try make()
      try set(invocation, index: count - 1)
      for _ in 0..<count { try invocation.invoke(using: implementation) }
      return try result(invocation)
    case .set:
      let invocation = try make()
      var last = 0.0
      for index in 0..<count {
        try set(invocation, index: index)
        try invocation.invoke(using: implementation)
        last = try result(invocation)
      }
      return last
    case .create:
      var last = 0.0
      for index in 0..<count {
        let invocation = try make()
        try set(invocation, index: index)
        try invocation.invoke(using: implementation)
        last = try result(invocation)
      }
      return last
    }
  }

  private func make() throws -> Invocation {
    let invocation = Invocation(try MethodSignature(types: suite.types), retainsArguments: false)
    invocation.target = target
    invocation.selector = selector
    return invocation
  }

  @inline(__always)
  private func set(_ invocation: Invocation, index: Int) throws {
    switch suite {
    case .W0: break
    case .W2:
      try invocation.setArgument(index, at: 2)
      try invocation.setArgument(2, at: 3)
    case .W4:
      try invocation.setArgument(Int32(truncatingIfNeeded: index), at: 2)
      try invocation.setArgument(2.0, at: 3)
      try invocation.setArgument(3 as Float, at: 4)
      try invocation.setArgument(4 as Int8, at: 5)
      try invocation.setArgument(UnsafeRawPointer?.none, at: 6)
      try invocation.setArgument(5 as Int16, at: 7)
      try invocation.setArgument(Pair(a: 3, b: 4), at: 8)
      try invocation.setArgument(6.0, at: 9)
    case .WR:
      try invocation.setArgument(Rect(x: Double(index), y: 2, width: 3, height: 4), at: 2)
      try invocation.setArgument(Point(x: 1, y: 2), at: 3)
      try invocation.setArgument(IndexRange(location: 1, length: 2), at: 4)
    }
  }

  @inline(__always)
  private func result(_ invocation: Invocation) throws -> Double {
    switch suite {
    case .W0: 0
    case .W2: Double(try invocation.returnValue(as: Int.self))
    case .W4: try invocation.returnValue(as: Double.self)
    case .WR: try invocation.returnValue(as: Rect.self).origin.x
    }
  }
}
