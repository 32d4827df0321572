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
      guard let value = SwiftArgumentConversion.convert(argument, to: T.self) else {
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
    guard let code = SwiftArgumentConversion.code(value, expected) else {
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

/// Conversions of arguments in calls whose types are known at run time only.
///
/// Numbers are converted by the initializers of the standard library's types. The initializers of any other type may
/// trap, as `init(exactly:)` of Foundation's `CGFloat` does, and are not called.
enum SwiftArgumentConversion {
  /// Returns a value of a type, or nil if the argument does not convert to it.
  static func convert<T>(_ argument: Any, to type: T.Type) -> T? {
    if let value = argument as? T { return value }
    let converted: Any?
    if let type = type as? any OptionalType.Type {
      converted = type.some(converting: argument)
    } else if let number = argument as? Int {
      converted = exact(number, type)
    } else if let number = argument as? Double {
      converted = rounded(number, type)
    } else {
      return nil
    }
    // Without a value there is no conversion: a cast of nil to an optional type would be a nil of that type.
    guard let value = converted else { return nil }
    return value as? T
  }

  /// Why a number does not convert to a type to which other numbers of its type do; nil for any other value.
  static func code(_ argument: Any, _ type: Any.Type) -> InvocationError.Code? {
    if let type = type as? any OptionalType.Type { return code(argument, type.wrappedType) }
    func isFinite<N: BinaryFloatingPoint>(_ number: Int, _: N.Type) -> Bool { N(number).isFinite }
    if let number = argument as? Int {
      if type is any ScalarInteger.Type { return .outOfRange }
      if let type = standardNumber(type) { return isFinite(number, type) ? .inexact : .outOfRange }
    }
    return argument is Double && standardNumber(type) != nil ? .outOfRange : nil
  }

  /// A floating-point type of the standard library that has the values of a type; nil for any other type.
  private static func standardNumber(_ type: Any.Type) -> (any BinaryFloatingPoint.Type)? {
    if let type = type as? any ScalarFloatingPoint.Type { return type }
    #if arch(x86_64)
      if type == Float80.self { return Float80.self }
    #endif
    return nativeField(of: type)?.type as? any ScalarFloatingPoint.Type
  }

  /// The only field of `CGFloat`, a `Double` or a `Float`; nil for any other type.
  private static func nativeField(of type: Any.Type) -> SwiftTypeParts.Part? {
    guard coreGraphicsFloats.contains(_typeName(type, qualified: true)), let fields = SwiftTypeParts.fields(of: type), fields.count == 1
    else { return nil }
    return fields[0]
  }

  private static let coreGraphicsFloats: Set<String> = ["Foundation.CGFloat", "CoreFoundation.CGFloat", "CoreGraphics.CGFloat"]

  private static func exact(_ number: Int, _ type: Any.Type) -> Any? {
    func integer<N: ScalarInteger>(_: N.Type) -> Any? { N(exactly: number) }
    func floatingPoint<N: BinaryFloatingPoint>(_: N.Type) -> Any? { N(exactly: number) }
    if let type = type as? any ScalarInteger.Type { return integer(type) }
    guard let standard = standardNumber(type), let value = floatingPoint(standard) else { return nil }
    return made(type, of: value)
  }

  private static func rounded(_ number: Double, _ type: Any.Type) -> Any? {
    func round<N: BinaryFloatingPoint>(_: N.Type) -> Any? {
      let value = N(number)
      return value.isInfinite && !number.isInfinite ? nil : value
    }
    guard let standard = standardNumber(type), let value = round(standard) else { return nil }
    return made(type, of: value)
  }

  /// A value of a type, whose only field may be a number.
  private static func made(_ type: Any.Type, of value: Any) -> Any? {
    guard let field = nativeField(of: type) else { return value }
    return unsafe SwiftTypeParts.value(of: type, parts: [field], [value])
  }
}

extension OptionalType {
  /// An optional of a converted value, or nil if the value does not convert to the wrapped type.
  fileprivate static func some(converting argument: Any) -> Any? {
    func some<T>(_: T.Type) -> Any? { SwiftArgumentConversion.convert(argument, to: T.self).map { T?.some($0) as Any } }
    return _openExistential(wrappedType, do: some)
  }
}
