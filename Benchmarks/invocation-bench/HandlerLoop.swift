import DynamicInvocation
import Workloads

/// Calls a Swift method with an event's types from C, as often as C would call the callee.
///
/// The method has objects among its parameters, and is a closure or a thunk.
struct HandlerLoop {
  /// Makes `count` calls and returns what they added to the sum, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    let implementation = engine == .thunk ? thunk() : try closure()
    let (target, source, button) = (ThunkTarget(), Button(), Button())
    return withExtendedLifetime((implementation, target)) {
      workload_run_handler(implementation.pointer, Unmanaged.passUnretained(target).toOpaque(), source.address, button.address, count)
    }
  }

  private func closure() throws -> Implementation {
    try Implementation { (_: ThunkTarget, source: Button, button: Button, tag: Int, rect: Geometry.Rect, other: Button?) in
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
