import DynamicInvocation

/// Sends a workload's message to an object whose method has a thunk.
struct ThunkLoop {
  let suite: Suite

  /// Sends the message `count` times; returns the last result, to be checked.
  func run(count: Int) throws -> Double {
    let invocation = Invocation(try MethodSignature(types: suite.types), retainsArguments: false)
    let target = ThunkTarget()
    invocation.target = target
    invocation.selector = ThunkTarget.selector(of: suite)
    return try withExtendedLifetime(target) {
      switch suite {
      case .W0: try send(invocation, InvocationLoop.W0.self, count: count)
      case .W2, .dispatcher: try send(invocation, InvocationLoop.W2.self, count: count)
      case .W4: try send(invocation, InvocationLoop.W4.self, count: count)
      case .WR: try send(invocation, InvocationLoop.WR.self, count: count)
      case .WE: preconditionFailure("events have loops of their own")
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
}
