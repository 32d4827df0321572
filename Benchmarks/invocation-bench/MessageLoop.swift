import DynamicInvocation
import Workloads

/// An object with another object as its forwarding target.
private final class Relay: Forwarding {
  let target = Target()

  func forwardingTarget(for selector: MethodSelector) -> AnyObject? { target }
}

/// Sends a workload's message to an object.
///
/// The class of the object has the method (a C function, a Swift closure or a thunk), or the object forwards the
/// message to one that has it.
struct MessageLoop {
  let suite: Suite

  /// Sends the message `count` times and returns the last result, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    let selector = engine == .thunk ? ThunkTarget.selector(of: suite) : "measure"
    if engine != .thunk {
      let implementation =
        engine == .method
        ? try closure()
        : Implementation(workload_callee(suite.workload), methodSignature: try MethodSignature(types: suite.types))
      try MethodTable.of(Target.self).replace(selector, implementation)
    }
    let invocation = Invocation(try MethodSignature(types: suite.types), retainsArguments: false)
    let target: AnyObject =
      switch engine {
      case .forwardingTarget: Relay()
      case .forwardInvocation: InvocationProxy(target: Target())
      case .thunk: ThunkTarget()
      default: Target()
      }
    invocation.target = target
    invocation.selector = selector
    return try withExtendedLifetime(target) {
      switch suite {
      case .W0: try send(invocation, InvocationLoop.W0.self, count: count)
      case .W2, .dispatcher, .batch: try send(invocation, InvocationLoop.W2.self, count: count)
      case .W4: try send(invocation, InvocationLoop.W4.self, count: count)
      case .WR: try send(invocation, InvocationLoop.WR.self, count: count)
      case .WE, .swift: preconditionFailure("events and Swift functions have loops of their own")
      }
    }
  }

  private func send<Workload: InvocationWorkload>(_ invocation: Invocation, _: Workload.Type, count: Int) throws -> Double {
    var last = 0.0
    for index in 0..<count {
      try Workload.set(invocation, index: index)
      try invocation.invoke()
      last = try Workload.result(invocation)
    }
    return last
  }

  private func closure() throws -> Implementation {
    switch suite {
    case .W0: try Implementation { (_: Target) in workload_w0(nil, nil) }
    case .W2, .dispatcher, .batch: try Implementation { (_: Target, a: Int, b: Int) -> Int in a &+ b }
    case .W4:
      try Implementation {
        (_: Target, a: Int32, b: Double, c: Float, d: Int8, _: UnsafeRawPointer?, f: Int16, g: Pair, h: Double) -> Double in
        mixed(a, b, c, d, f, g, h)
      }
    case .WR:
      try Implementation { (_: Target, rect: Geometry.Rect, point: Geometry.Point, range: Geometry.IndexRange) -> Geometry.Rect in
        Geometry.Rect(
          x: rect.origin.x + point.x, y: rect.origin.y + point.y, width: rect.size.width + Double(range.location),
          height: rect.size.height + Double(range.length))
      }
    case .WE, .swift: preconditionFailure("events and Swift functions have loops of their own")
    }
  }
}
