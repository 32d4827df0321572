import DynamicInvocation
import Workloads

/// C calls a Swift method of an event's types, a closure with objects among its parameters, as often as it would call the callee.
struct HandlerLoop {
  /// Returns what the calls added to the sum, to be checked.
  func run(count: Int) throws -> Double {
    let implementation = try Implementation { (_: Target, source: Button, button: Button, tag: Int, rect: Rect, other: Button?) in
      handle(source, button, tag, rect, other)
    }
    let (target, source, button) = (Target(), Button(), Button())
    return withExtendedLifetime((implementation, target)) {
      workload_run_handler(implementation.pointer, Unmanaged.passUnretained(target).toOpaque(), source.address, button.address, count)
    }
  }
}
