public import TypeEncodings

/// A call of a Swift function as an object: arguments and a result, which are stored, changed and invoked again.
///
///     let call = try library.function("Plugin.area(of:scale:)").makeInvocation()
///     try call.setArgument(rect, at: 0)
///     try call.setArgument(2.0, at: 1)
///     try call.invoke()
///     let area = try call.returnValue(as: Double.self)
///
/// It has the verbs of `Invocation`, and is another type: the arguments of an `Invocation` have type encodings and
/// C's calling convention, and a string, an array or an enum of Swift has neither. Types are compared with those of the
/// function. Of a method the target is argument 0.
///
/// The invocation owns its arguments and its result. An `inout` parameter, and the target of a mutating method, is the
/// argument itself: the call changes it, and the next call continues with the new value.
///
/// An invocation is used by one thread at a time: it is not `Sendable`.
///
/// - Complexity: Creating an invocation allocates the object, memory for all values, and two arrays.
@safe
public final class SwiftInvocation {
  /// The function that ``invoke()`` calls.
  public let function: SwiftFunction
  /// Whether there is a result: a call has returned, or a result was set.
  public internal(set) var hasReturnValue: Bool = false

  /// The address of each argument.
  let values: [UnsafeMutableRawPointer]
  /// The address of the result.
  let result: UnsafeMutableRawPointer
  private let memory: UnsafeMutableRawPointer
  /// Whether an argument is initialized.
  var isSet: [Bool]
  /// Whether a call is running, which refers to the arguments.
  var isRunning = false

  /// The plan of the function.
  var plan: SwiftCallPlan { function.plan }

  /// Creates an invocation with no argument set.
  ///
  /// - Parameter function: The function.
  public init(_ function: SwiftFunction) {
    self.function = function
    let plan = function.plan
    var size = 0
    var alignment = 16
    func reserve(_ type: SwiftMetadata) -> Int {
      alignment = max(alignment, type.alignment)
      let offset = size.roundedUp(to: type.alignment)
      size = offset + type.size
      return offset
    }
    let offsets = (0..<plan.count).map { reserve(unsafe plan.slots[$0].value) }
    let resultOffset = reserve(plan.result)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, size), alignment: alignment)
    unsafe self.memory = unsafe memory
    unsafe values = unsafe offsets.map { unsafe memory + $0 }
    unsafe result = unsafe memory + resultOffset
    isSet = Array(repeating: false, count: plan.count)
  }

  deinit {
    for index in isSet.indices where isSet[index] { unsafe plan.slots[index].value.destroy(values[index]) }
    if hasReturnValue { unsafe plan.result.destroy(result) }
    unsafe memory.deallocate()
  }

  /// Returns an invocation of the same function with copies of the arguments and of the result.
  ///
  /// While a call is running, the arguments that it may change are not set in the copy: `inout` ones, and the target of a
  /// method of a struct or enum.
  public func copy() -> SwiftInvocation {
    let other = SwiftInvocation(function)
    for index in isSet.indices where isReadable(index) {
      unsafe plan.slots[index].value.initialize(other.values[index], copying: values[index])
      other.isSet[index] = true
    }
    if hasReturnValue {
      unsafe plan.result.initialize(other.result, copying: result)
      other.hasReturnValue = true
    }
    return other
  }
}

extension SwiftFunction {
  /// Returns an invocation of the function with no argument set.
  ///
  /// - Complexity: That of ``SwiftInvocation/init(_:)``.
  public func makeInvocation() -> SwiftInvocation { SwiftInvocation(self) }

  /// Returns an invocation of the function with all its arguments, converted as by ``call(_:)``.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch` with the argument and both types.
  public func makeInvocation(arguments: [Any]) throws(InvocationError) -> SwiftInvocation {
    let invocation = SwiftInvocation(self)
    try invocation.setArguments(arguments)
    return invocation
  }
}

extension SwiftInvocation: CustomStringConvertible {
  /// The call with its values: `Plugin.area(of:scale:)(Geometry.Rect(width: 2.0, height: 3.0), 2.0) -> 12.0`.
  ///
  /// Arguments that are not set are shown as `unset`, those that a running call may be changing as `in use`. The text has at most about 4,000 bytes.
  public var description: String {
    var text = ValueText()
    text.append(function.name)
    text.append("(")
    for index in isSet.indices where !text.isFull {
      if index > 0 { text.append(", ") }
      if isReadable(index) {
        unsafe text.write(values[index], unsafe plan.slots[index].value)
      } else {
        text.append(isSet[index] ? "in use" : "unset")
      }
    }
    text.append(")")
    if hasReturnValue, plan.result.size > 0 {
      text.append(" -> ")
      unsafe text.write(result, plan.result)
    }
    return text.text
  }
}

extension ValueText {
  /// Writes the value of a Swift type.
  @unsafe
  fileprivate mutating func write(_ value: UnsafeMutableRawPointer, _ type: SwiftMetadata) {
    func read<T>(_: T.Type) -> Any { unsafe value.assumingMemoryBound(to: T.self).pointee }
    let value = _openExistential(type.type, do: read)
    if let string = value as? String { writeQuoted(string) } else { append("\(value)") }
  }
}

// MARK: - Arguments

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

// MARK: - Invoking

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

/// The arguments of a call whose types are known at run time only: converted to the types of the function, on the heap.
@safe
struct SwiftArgumentValues: ~Copyable {
  private let plan: SwiftCallPlan
  /// The address of each value.
  private(set) var addresses: [UnsafeMutableRawPointer] = unsafe []

  private init(_ plan: SwiftCallPlan) {
    self.plan = plan
    unsafe addresses.reserveCapacity(plan.count)
  }

  deinit {
    for index in unsafe addresses.indices {
      let address = unsafe addresses[index]
      unsafe plan.slots[index].value.destroy(address)
      unsafe address.deallocate()
    }
  }

  /// Converts arguments.
  ///
  /// - Throws: `InvocationError` `countMismatch`, `typeMismatch` with the function, the argument and both types, and
  ///   `outOfRange` and `inexact` for a number that does not fit.
  static func converting(_ arguments: [Any], for plan: SwiftCallPlan) throws(InvocationError) -> SwiftArgumentValues {
    guard arguments.count == plan.count else { throw plan.countMismatch(arguments.count) }
    var values = SwiftArgumentValues(plan)
    for argument in arguments { try values.append(argument) }
    return values
  }

  private mutating func append(_ argument: Any) throws(InvocationError) {
    let index = unsafe addresses.count
    let plan = plan
    func make<T>(_: T.Type) throws(InvocationError) -> UnsafeMutableRawPointer {
      guard let value = DynamicConversion.convert(argument, to: T.self) else {
        throw plan.refusal(.index(index), argument, expected: T.self)
      }
      let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
      unsafe memory.initialize(to: value)
      return UnsafeMutableRawPointer(memory)
    }
    unsafe addresses.append(try _openExistential(plan.slots[index].value.type, do: make))
  }

  /// A copy of an argument.
  func value(_ index: Int) -> Any {
    let address = unsafe addresses[index]
    func read<T>(_: T.Type) -> Any { unsafe address.assumingMemoryBound(to: T.self).pointee }
    return unsafe _openExistential(plan.slots[index].value.type, do: read)
  }
}

extension SwiftCallPlan {
  /// The error for a value of another type.
  func mismatch(_ argument: InvocationError.Argument, given: Any.Type, expected: Any.Type) -> InvocationError {
    let (given, expected) = (_typeName(given, qualified: true), _typeName(expected, qualified: true))
    return InvocationError(.typeMismatch, "\(given) is not \(expected)", argument: argument).about(types.name)
  }

  /// The error for a value that does not convert to a type.
  func refusal(_ argument: InvocationError.Argument, _ value: Any, expected: Any.Type) -> InvocationError {
    guard let code = DynamicConversion.code(value, expected) else {
      return mismatch(argument, given: Swift.type(of: value), expected: expected)
    }
    let name = _typeName(expected, qualified: true)
    let reason = code == .inexact ? "\(value) has no exact value of \(name)" : "\(value) does not fit \(name)"
    return InvocationError(code, reason, argument: argument).about(types.name)
  }

  /// The error for a number of arguments that is not the function's.
  func countMismatch(_ given: Int) -> InvocationError {
    // A compiled caller evaluates default arguments itself.
    let hasLabels = types.kind != .getter && types.kind != .setter && types.kind != .addressor
    let lacksParameters = given < count && given >= count - types.parameters.count && hasLabels
    let advice = lacksParameters ? "; default arguments are not applied" : ""
    let are = given == 1 ? "argument is" : "arguments are"
    return InvocationError(.countMismatch, "\(given) \(are) given, the function takes \(count): \(typeText)\(advice)").about(types.name)
  }

  /// The types of the arguments and of the result: `(Plugin.Rect, Swift.Double) throws -> Swift.Double`.
  var typeText: String {
    let list = (0..<count).map { index -> String in
      let slot = unsafe slots[index]
      return (slot.isInOut ? "inout " : "") + slot.value.name
    }
    return "(\(list.joined(separator: ", ")))\(types.isAsync ? " async" : "")\(types.isThrowing ? " throws" : "") -> \(result.name)"
  }
}
