public import TypeEncodings

extension SwiftInvocation {
  /// The target of the method or accessor, argument 0; nil until it is set, while a call that may change it is running,
  /// and for a function without a target.
  public var target: Any? {
    guard plan.types.passesSelf, isReadable(0) else { return nil }
    return unsafe Self.read(values[0], plan.slots[0].value)
  }

  /// Returns the target, if it is an object; then it is not set any more.
  ///
  /// No call may be running.
  func takeObjectTarget() -> AnyObject? {
    guard plan.types.selfKind == .object, let target else { return nil }
    isSet[0] = false
    unsafe plan.slots[0].value.destroy(values[0])
    return target as AnyObject
  }

  /// Sets an argument.
  ///
  /// - Parameters:
  ///   - value: The value, of the type of the argument or of one that is converted as by ``SwiftFunction/call(_:)``.
  ///   - index: The index of the argument in ``SwiftFunction/argumentTypes``.
  /// - Throws: `InvocationError` `indexOutOfRange`; `typeMismatch` with both types; `outOfRange` and `inexact` for a number
  ///   that does not fit; `limitExceeded` while a call of this invocation is running.
  /// - Complexity: O(1); a value of the exact type allocates nothing.
  public func setArgument<Value>(_ value: Value, at index: Int) throws(InvocationError) {
    try requireIndex(index)
    try requireIdle()
    let type = unsafe plan.slots[index].value
    let address = unsafe values[index]
    if type == SwiftMetadata(Value.self) {
      unsafe Self.store(value, at: address.assumingMemoryBound(to: Value.self), isInitialized: isSet[index])
      isSet[index] = true
      return
    }
    guard unsafe convert(value, to: type, at: address, isInitialized: isSet[index]) else {
      throw plan.refusal(.index(index), value, expected: type.type)
    }
    isSet[index] = true
  }

  /// Sets all arguments.
  ///
  /// - Throws: `InvocationError` `countMismatch`, and as ``setArgument(_:at:)`` does; the arguments before the wrong one
  ///   are set.
  public func setArguments(_ values: [Any]) throws(InvocationError) {
    guard values.count == isSet.count else { throw plan.countMismatch(values.count) }
    for (index, value) in values.enumerated() { try setArgument(value, at: index) }
  }

  /// Returns an argument.
  ///
  /// - Parameters:
  ///   - index: The index of the argument.
  ///   - type: Its type, or a type to which `as?` converts it; `Any` for a type that is not known.
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`, `typeMismatch` with both types, and `limitExceeded`
  ///   while a call of this invocation is running, which may be changing it.
  public func argument<Value>(at index: Int, as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    try requireIndex(index)
    try requireIdle()
    guard isSet[index] else { throw unset(index) }
    let own = unsafe plan.slots[index].value
    guard let value = unsafe Self.read(values[index], own, as: type) else {
      throw plan.mismatch(.index(index), given: type, expected: own.type)
    }
    return value
  }

  /// Returns the result.
  ///
  /// - Parameter type: Its type, or a type to which `as?` converts it; `Any` for a type that is not known.
  /// - Throws: `InvocationError` `noReturnValue` if no call has returned, and `typeMismatch` with both types.
  public func returnValue<Value>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    guard hasReturnValue else { throw InvocationError(.noReturnValue, "no call has returned").about(function.name) }
    guard let value = unsafe Self.read(result, plan.result, as: type) else {
      throw plan.mismatch(.result, given: type, expected: plan.result.type)
    }
    return value
  }

  /// Sets the result, as one who answers in place of the function does.
  ///
  /// - Throws: `InvocationError` `typeMismatch` with both types, `outOfRange` and `inexact` for a number that does not fit,
  ///   and `limitExceeded` while a call is running.
  public func setReturnValue<Value>(_ value: Value) throws(InvocationError) {
    try requireIdle()
    guard unsafe convert(value, to: plan.result, at: result, isInitialized: hasReturnValue) else {
      throw plan.refusal(.result, value, expected: plan.result.type)
    }
    hasReturnValue = true
  }

  // MARK: Checks

  func requireIndex(_ index: Int) throws(InvocationError) {
    guard isSet.indices.contains(index) else {
      throw InvocationError(.indexOutOfRange, "the function has \(isSet.count) arguments", argument: .index(index)).about(function.name)
    }
  }

  func requireIdle() throws(InvocationError) {
    guard !isRunning else {
      throw InvocationError(.limitExceeded, "a call of this invocation is running; use a copy").about(function.name)
    }
  }

  /// Whether an argument is set, and no running call may be changing it.
  func isReadable(_ index: Int) -> Bool {
    guard isSet.indices.contains(index), isSet[index] else { return false }
    let slot = unsafe plan.slots[index]
    return !isRunning || !slot.isInOut && !slot.isValueSelf
  }

  func unset(_ index: Int) -> InvocationError {
    InvocationError(.argumentNotSet, "the argument is not set", argument: .index(index)).about(function.name)
  }

  // MARK: Values

  /// Stores a value.
  ///
  /// A former one is released at the end, when code that it runs finds the new one.
  @unsafe
  private static func store<T>(_ value: T, at address: UnsafeMutablePointer<T>, isInitialized: Bool) {
    guard isInitialized else { return unsafe address.initialize(to: value) }
    let former = unsafe address.move()
    unsafe address.initialize(to: value)
    withExtendedLifetime(former) {}
  }

  /// Stores a converted value; false if it does not convert.
  @unsafe
  private func convert(_ value: Any, to type: SwiftMetadata, at address: UnsafeMutableRawPointer, isInitialized: Bool) -> Bool {
    func store<T>(_: T.Type) -> Bool {
      guard let value = DynamicConversion.convert(value, to: T.self) else { return false }
      unsafe Self.store(value, at: address.assumingMemoryBound(to: T.self), isInitialized: isInitialized)
      return true
    }
    return _openExistential(type.type, do: store)
  }

  @unsafe
  private static func read(_ address: UnsafeMutableRawPointer, _ type: SwiftMetadata) -> Any {
    func read<T>(_: T.Type) -> Any { unsafe address.assumingMemoryBound(to: T.self).pointee }
    return _openExistential(type.type, do: read)
  }

  /// Reads a value of exactly or by conversion a type, or nil.
  @unsafe
  private static func read<Value>(_ address: UnsafeMutableRawPointer, _ type: SwiftMetadata, as _: Value.Type) -> Value? {
    if type == SwiftMetadata(Value.self) { return unsafe address.assumingMemoryBound(to: Value.self).pointee }
    return unsafe read(address, type) as? Value
  }
}
