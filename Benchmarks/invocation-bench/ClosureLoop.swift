import DynamicInvocation
import Workloads

/// Runs a workload in the opposite direction: C calls a `Closure` as often as it would call the callee.
struct ClosureLoop {
  let suite: Suite

  /// Makes `count` calls and returns the last result, to be checked.
  func run(count: Int) throws -> Double {
    let closure = try make()
    return withExtendedLifetime(closure) { workload_run_callback(suite.workload, closure.pointer, count) }
  }

  private func make() throws -> Closure {
    switch suite {
    case .W0:
      try Closure(types: suite.types) { (_: Unmanaged<Target>?, _: MethodSelector?) in workload_w0(nil, nil) }
    case .W2, .dispatcher, .batch:
      try Closure(types: suite.types) { (_: Unmanaged<Target>?, _: MethodSelector?, a: Int, b: Int) -> Int in a &+ b }
    case .W4:
      try Closure(types: suite.types) {
        (
          _: Unmanaged<Target>?, _: MethodSelector?, a: Int32, b: Double, c: Float, d: Int8, _: UnsafeRawPointer?, f: Int16, g: Pair,
          h: Double
        ) -> Double in
        mixed(a, b, c, d, f, g, h)
      }
    case .WR:
      try Closure(types: suite.types) {
        (_: Unmanaged<Target>?, _: MethodSelector?, rect: Geometry.Rect, point: Geometry.Point, range: Geometry.IndexRange) -> Geometry.Rect
        in
        Geometry.Rect(
          x: rect.origin.x + point.x, y: rect.origin.y + point.y, width: rect.size.width + Double(range.location),
          height: rect.size.height + Double(range.length))
      }
    case .WE, .swift: preconditionFailure("events and Swift functions have loops of their own")
    }
  }
}
