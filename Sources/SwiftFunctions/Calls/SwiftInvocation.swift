internal import SwiftSymbols
public import TypeEncodings

/// A call of a Swift function as an object: arguments and a result, which are stored, changed and invoked again.
///
///     let call = try library.function("Plugin.area(of:scale:)").makeInvocation()
///     try call.setArgument(rect, at: 0)
///     try call.setArgument(2.0, at: 1)
///     try call.invoke()
///     let area = try call.returnValue(as: Double.self)
///
/// It has the verbs of `Invocation`, and is another type: the arguments of an `Invocation` have type encodings and C's
/// calling convention, and a string, an array or an enum of Swift has neither. Types are compared with the types of the
/// function. The target of a method is argument 0.
///
/// The invocation owns its arguments and its result. An `inout` parameter, and the target of a mutating method, is the
/// argument itself: the call changes it, and the next call continues with the new value.
///
/// An invocation is used by one thread at a time: it is not `Sendable`.
///
/// - Complexity: Creating an invocation allocates the object and memory for all values.
@safe
public final class SwiftInvocation {
  /// The function that ``invoke()`` calls.
  public let function: SwiftFunction

  private let values: SwiftCallValues
  /// Whether a call is running, which refers to the arguments.
  private var isRunning = false

  private var plan: SwiftCallPlan { function.plan }

  /// Creates an invocation with no argument set.
  ///
  /// - Parameter function: The function.
  public init(_ function: SwiftFunction) {
    self.function = function
    values = SwiftCallValues(function.plan)
  }

  /// Returns an invocation of the same function with copies of the arguments and of the result.
  ///
  /// While a call is running, the arguments that it may change are not set in the copy: `inout` ones, and the target of a
  /// method of a struct or enum.
  public func copy() -> SwiftInvocation {
    let other = SwiftInvocation(function)
    for index in 0..<plan.count where isReadable(index) { other.values.copy(index, of: values) }
    if hasReturnValue { other.values.copy(plan.count, of: values) }
    return other
  }
}

extension SwiftFunction {
  /// Returns an invocation of the function with no argument set.
  ///
  /// - Complexity: As ``SwiftInvocation/init(_:)``.
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
  /// Arguments that are not set are shown as `unset`. Arguments that a running call may be changing are
  /// shown as `in use`. The text has at most about 4,000 bytes.
  public var description: String {
    var text = ValueText()
    text.append(function.name)
    text.append("(")
    for index in 0..<plan.count where !text.isFull {
      if index > 0 { text.append(", ") }
      if isReadable(index) { text.write(values.value(index)) } else { text.append(values.isSet(index) ? "in use" : "unset") }
    }
    text.append(")")
    if hasReturnValue, plan.result.size > 0 {
      text.append(" -> ")
      text.write(values.value(plan.count))
    }
    return text.text
  }
}

extension ValueText {
  /// Writes a value of a Swift type.
  fileprivate mutating func write(_ value: Any) {
    if let string = value as? String { writeQuoted(string) } else { append("\(value)") }
  }
}

// MARK: - Arguments

extension SwiftInvocation {
  /// The target of the method or accessor, argument 0; nil until it is set, while a call that may change it is running,
  /// and for a function without a target.
  public var target: Any? {
    guard plan.signature.passesSelf, isReadable(0) else { return nil }
    return values.value(0)
  }

  /// Returns the target if it is an object, and leaves the target unset.
  ///
  /// No call may be running.
  func takeObjectTarget() -> AnyObject? {
    guard plan.signature.selfKind == .object, let target else { return nil }
    values.remove(0)
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
    try values.set(index, to: value)
  }

  /// Sets all arguments.
  ///
  /// - Throws: `InvocationError` `countMismatch`, and as ``setArgument(_:at:)`` does; the arguments before the wrong one
  ///   are set.
  public func setArguments(_ values: [Any]) throws(InvocationError) {
    guard values.count == plan.count else { throw plan.countMismatch(values.count) }
    for (index, value) in values.enumerated() { try setArgument(value, at: index) }
  }

  /// Returns an argument.
  ///
  /// - Parameters:
  ///   - index: The index of the argument.
  ///   - type: Its type, or a type to which `as?` converts it; `Any` for a type that is not known.
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`, `typeMismatch` with both types, and
  ///   `limitExceeded` while a running call of this invocation may be changing the argument.
  public func argument<Value>(at index: Int, as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    try requireIndex(index)
    try requireIdle()
    guard values.isSet(index) else { throw unset(index) }
    return try values.value(index, as: type)
  }

  /// Whether there is a result: a call has returned, or a result was set.
  public var hasReturnValue: Bool { values.isSet(plan.count) }

  /// Returns the result.
  ///
  /// - Parameter type: Its type, or a type to which `as?` converts it; `Any` for a type that is not known.
  /// - Throws: `InvocationError` `noReturnValue` if no call has returned, and `typeMismatch` with both types.
  public func returnValue<Value>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    guard hasReturnValue else { throw InvocationError(.noReturnValue, "no call has returned").about(function.name) }
    return try values.value(plan.count, as: type)
  }

  /// Sets the result, for code that answers in place of the function.
  ///
  /// - Throws: `InvocationError` `typeMismatch` with both types, `outOfRange` and `inexact` for a number that does not fit,
  ///   and `limitExceeded` while a call is running.
  public func setReturnValue<Value>(_ value: Value) throws(InvocationError) {
    try requireIdle()
    try values.set(plan.count, to: value)
  }

  // MARK: Checks

  private func requireIndex(_ index: Int) throws(InvocationError) {
    guard (0..<plan.count).contains(index) else {
      throw InvocationError(.indexOutOfRange, "the function has \(plan.count) arguments", argument: .index(index)).about(function.name)
    }
  }

  private func requireIdle() throws(InvocationError) {
    guard !isRunning else {
      throw InvocationError(.limitExceeded, "a call of this invocation is running; use a copy").about(function.name)
    }
  }

  /// Whether an argument is set, and no running call may be changing it.
  private func isReadable(_ index: Int) -> Bool {
    guard values.isSet(index) else { return false }
    let slot = unsafe plan.slots[index]
    return !isRunning || !slot.isInOut && !slot.isValueSelf
  }

  private func unset(_ index: Int) -> InvocationError {
    InvocationError(.argumentNotSet, "the argument is not set", argument: .index(index)).about(function.name)
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
    guard plan.signature.passesSelf else {
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
    if let index = (0..<plan.count).first(where: { !values.isSet($0) }) { throw unset(index) }
    try requireIdle()
    isRunning = true
    defer { isRunning = false }
    if hasReturnValue { values.remove(plan.count) }
    try unsafe plan.perform(values.memory, isInPlace: true) { unsafe values.moveResult($0) }
  }
}

extension SwiftInvocation: _UndoableCall {
  /// The target of a call of a method of a class, and a closure that performs a copy of the call.
  public func _detached() -> (target: AnyObject?, perform: (AnyObject?) throws -> Void)? {
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

/// The arguments and the result of a call whose types are known at run time only, in one block of memory.
///
/// The result has the index after the last argument.
@safe
struct SwiftCallValues: ~Copyable {
  private let plan: SwiftCallPlan
  /// The values, then a byte for each that tells whether it is set.
  let memory: UnsafeMutableRawPointer

  init(_ plan: SwiftCallPlan) {
    self.plan = plan
    let (size, count) = (plan.layout.valuesSize, plan.count + 1)
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: size + count, alignment: plan.layout.valuesAlignment)
    unsafe (memory + size).initializeMemory(as: Bool.self, repeating: false, count: count)
  }

  /// Converts arguments.
  ///
  /// - Throws: `InvocationError` `countMismatch`, `typeMismatch` with the function, the argument and both types, and
  ///   `outOfRange` and `inexact` for a number that does not fit.
  static func converting(_ arguments: [Any], for plan: SwiftCallPlan) throws(InvocationError) -> SwiftCallValues {
    guard arguments.count == plan.count else { throw plan.countMismatch(arguments.count) }
    let values = SwiftCallValues(plan)
    for (index, argument) in arguments.enumerated() { try values.set(index, to: argument) }
    return values
  }

  deinit {
    for index in 0...plan.count where isSet(index) { unsafe type(index).destroy(address(index)) }
    unsafe memory.deallocate()
  }

  private func type(_ index: Int) -> SwiftMetadata { index == plan.count ? plan.result : unsafe plan.slots[index].value }

  private func name(_ index: Int) -> InvocationError.Argument { index == plan.count ? .result : .index(index) }

  func address(_ index: Int) -> UnsafeMutableRawPointer { unsafe memory + plan.layout.valueOffsets[index] }

  func isSet(_ index: Int) -> Bool { unsafe memory.load(fromByteOffset: plan.layout.valuesSize + index, as: Bool.self) }

  private func mark(_ index: Int, isSet: Bool) {
    unsafe memory.storeBytes(of: isSet, toByteOffset: plan.layout.valuesSize + index, as: Bool.self)
  }

  /// A copy of a value that is set.
  func value(_ index: Int) -> Any { unsafe type(index).value(at: address(index)) }

  /// A copy of a value that is set, of its type or of one to which `as?` converts it.
  func value<Value>(_ index: Int, as _: Value.Type) throws(InvocationError) -> Value {
    if type(index) == SwiftMetadata(Value.self) { return unsafe address(index).assumingMemoryBound(to: Value.self).pointee }
    guard let value = value(index) as? Value else {
      throw plan.mismatch(name(index), given: Value.self, expected: type(index).type)
    }
    return value
  }

  /// Stores a value of its type, or converts one.
  func set<Value>(_ index: Int, to value: Value) throws(InvocationError) {
    let (type, address, isInitialized) = unsafe (type(index), address(index), isSet(index))
    func convert<T>(_: T.Type) -> Bool {
      guard let value = DynamicConversion.convert(value, to: T.self) else { return false }
      unsafe Self.store(value, at: address, isInitialized: isInitialized)
      return true
    }
    if type == SwiftMetadata(Value.self) {
      unsafe Self.store(value, at: address, isInitialized: isInitialized)
    } else if !_openExistential(type.type, do: convert) {
      throw plan.refusal(name(index), value, expected: type.type)
    }
    mark(index, isSet: true)
  }

  /// Stores a value.
  ///
  /// The old value is released last: code that runs in its deinitializer finds the new value.
  @unsafe
  private static func store<T>(_ value: T, at address: UnsafeMutableRawPointer, isInitialized: Bool) {
    let address = unsafe address.assumingMemoryBound(to: T.self)
    guard isInitialized else { return unsafe address.initialize(to: value) }
    let former = unsafe address.move()
    unsafe address.initialize(to: value)
    withExtendedLifetime(former) {}
  }

  /// Takes the result of a call.
  @unsafe
  func moveResult(_ value: UnsafeMutableRawPointer) {
    let address = unsafe address(plan.count)
    // Not `moveInitializeMemory`, which moves the padding after the value, too.
    func move<T>(_: T.Type) { unsafe address.initializeMemory(as: T.self, to: value.assumingMemoryBound(to: T.self).move()) }
    _openExistential(plan.result.type, do: move)
    mark(plan.count, isSet: true)
  }

  func remove(_ index: Int) {
    mark(index, isSet: false)
    unsafe type(index).destroy(address(index))
  }

  /// Copies a value that is set, to one that is not.
  func copy(_ index: Int, of other: borrowing SwiftCallValues) {
    unsafe type(index).initialize(address(index), copying: other.address(index))
    mark(index, isSet: true)
  }
}

extension SwiftCallPlan {
  /// The error for a value of another type.
  func mismatch(_ argument: InvocationError.Argument, given: Any.Type, expected: Any.Type) -> InvocationError {
    let (given, expected) = (_typeName(given, qualified: true), _typeName(expected, qualified: true))
    return InvocationError(.typeMismatch, "\(given) is not \(expected)", argument: argument).about(signature.name)
  }

  /// The error for a value that does not convert to a type.
  func refusal(_ argument: InvocationError.Argument, _ value: Any, expected: Any.Type) -> InvocationError {
    guard let code = DynamicConversion.code(value, expected) else {
      return mismatch(argument, given: Swift.type(of: value), expected: expected)
    }
    let name = _typeName(expected, qualified: true)
    let reason = code == .inexact ? "\(value) has no exact value of \(name)" : "\(value) does not fit \(name)"
    return InvocationError(code, reason, argument: argument).about(signature.name)
  }

  /// The error for a number of arguments that is not the function's.
  func countMismatch(_ given: Int) -> InvocationError {
    // A compiled caller evaluates default arguments itself.
    let hasLabels = signature.kind != .getter && signature.kind != .setter && signature.kind != .addressor
    let lacksParameters = given < count && given >= count - signature.parameters.count && hasLabels
    let advice = lacksParameters ? "; default arguments are not applied" : ""
    let are = given == 1 ? "argument is" : "arguments are"
    return InvocationError(.countMismatch, "\(given) \(are) given, the function takes \(count): \(typeText)\(advice)").about(signature.name)
  }

  /// The types of the arguments and of the result: `(Plugin.Rect, Swift.Double) throws -> Swift.Double`.
  var typeText: String {
    let list = (0..<count).map { index -> String in
      let slot = unsafe slots[index]
      return (slot.isInOut ? "inout " : "") + slot.value.name
    }
    return "(\(list.joined(separator: ", ")))\(signature.isAsync ? " async" : "")\(signature.isThrowing ? " throws" : "") -> \(result.name)"
  }
}
