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
