import DynamicInvocation
import Workloads

/// C calls a Swift method of an event's types, with objects among its parameters, as often as it would call the callee: a closure, or a thunk.
struct HandlerLoop {
  /// Returns what the calls added to the sum, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    let implementation = engine == .thunk ? thunk() : try closure()
    let (target, source, button) = (ThunkTarget(), Button(), Button())
    return withExtendedLifetime((implementation, target)) {
      workload_run_handler(implementation.pointer, Unmanaged.passUnretained(target).toOpaque(), source.address, button.address, count)
    }
  }

  private func closure() throws -> Implementation {
    try Implementation { (_: ThunkTarget, source: Button, button: Button, tag: Int, rect: Rect, other: Button?) in
      handle(source, button, tag, rect, other)
    }
  }

  private func thunk() -> Implementation {
    guard let implementation = MethodTable.of(ThunkTarget.self).implementation(for: ThunkTarget.selector(of: .WE)) else {
      preconditionFailure("the list of thunks lacks a method")
    }
    return implementation
  }
}
