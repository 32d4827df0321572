import DynamicInvocation
import Workloads

/// Runs a workload through a closure that C calls and that forwards each call to the callee.
struct ForwardLoop {
  let suite: Suite

  /// Makes `count` calls and returns the last result, to be checked.
  func run(count: Int) throws -> Double {
    let implementation = suite.implementation
    let closure = try Closure(MethodSignature(types: suite.types)) { call in try call.forward(to: implementation) }
    return withExtendedLifetime(closure) { workload_run_callback(suite.workload, closure.pointer, count) }
  }
}
