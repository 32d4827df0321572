internal import TypeEncodings

extension SwiftInvocation {
  /// Calls the function with the arguments, and keeps its result.
  ///
  /// - Throws: `InvocationError` `argumentNotSet` with the argument; `limitExceeded` while a call of this invocation is
  ///   running; and what the function throws, after which there is no result.
  /// - Complexity: The call; nothing is allocated if the frame has at most 1,024 bytes.
  public func invoke() throws { try perform(plan) }

  /// Sets the target and invokes.
  ///
  /// - Throws: As ``setArgument(_:at:)`` and ``invoke()``; `noImplementation` for a function without a target.
  public func invoke(with target: Any) throws {
    guard plan.types.passesSelf else {
      throw InvocationError(.noImplementation, "the function has no target").about(function.name)
    }
    try setArgument(target, at: 0)
    try invoke()
  }

  /// Calls another function of the same types with the arguments.
  ///
  /// - Parameter other: The function, such as the one of the same name in another version of a library.
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch` with the argument and both types, and as ``invoke()``
  ///   does.
  public func invoke(using other: SwiftFunction) throws {
    try requireTypes(of: other)
    try withExtendedLifetime(other) { try perform(other.plan) }
  }

  private func requireTypes(of other: SwiftFunction) throws(InvocationError) {
    guard other.plan.count == plan.count else { throw other.plan.countMismatch(plan.count) }
    for index in 0..<plan.count {
      let (own, theirs) = unsafe (plan.slots[index], other.plan.slots[index])
      guard own.value == theirs.value else { throw other.plan.mismatch(.index(index), given: own.value.type, expected: theirs.value.type) }
      guard own.isInOut == theirs.isInOut else {
        throw InvocationError(.typeMismatch, "the parameter is inout in only one of the functions", argument: .index(index))
          .about(other.name)
      }
    }
    guard other.plan.result == plan.result else {
      throw other.plan.mismatch(.result, given: plan.result.type, expected: other.plan.result.type)
    }
  }

  private func perform(_ plan: SwiftCallPlan) throws {
    if let index = isSet.firstIndex(of: false) { throw unset(index) }
    try requireIdle()
    isRunning = true
    defer { isRunning = false }
    if hasReturnValue {
      hasReturnValue = false
      unsafe plan.result.destroy(result)
    }
    let result = unsafe self.result
    try unsafe values.withUnsafeBufferPointer { values in
      try unsafe plan.perform(values, isInPlace: true) { value in
        func move<T>(_: T.Type) {
          unsafe result.assumingMemoryBound(to: T.self).initialize(to: value.assumingMemoryBound(to: T.self).move())
        }
        _openExistential(plan.result.type, do: move)
      }
    }
    hasReturnValue = true
  }
}

extension SwiftInvocation: _UndoableCall {
  /// The target of a call of a method of a class, and a closure that performs a copy of the call.
  public func _detached() -> (target: AnyObject?, perform: (AnyObject?) throws -> Void) {
    let call = copy()
    guard let target = call.takeObjectTarget() else { return (nil, { _ in try call.invoke() }) }
    return (
      target,
      { target in
        defer { _ = call.takeObjectTarget() }
        if let target { try call.setArgument(target as Any, at: 0) }
        try call.invoke()
      }
    )
  }
}
