internal import TypeEncodings

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
