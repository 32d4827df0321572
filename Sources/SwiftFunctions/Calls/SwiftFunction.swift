internal import SwiftSymbols
package import TypeEncodings

/// A native Swift function, method, initializer or accessor that is called with types known at run time.
///
/// It is called like a function, in the Swift calling convention. The target of a method is the first argument.
///
///     let area = try SwiftLibrary("libPlugin.so").function("Plugin.area(of:scale:)")
///     let a: Double = try area(rect, 2.0)
///
/// The types of arguments and result are compared with those that the symbol of the function states. Ownership is that
/// of a compiled call: arguments are borrowed or, where the function consumes them, copied; the result is owned by the
/// caller. What the function throws is thrown. See ``SwiftFunctions``.
///
/// The caller promises what the symbol does not state (``SwiftLibrary/Promises``): call a function of a global actor on
/// that actor, and do not call a method that consumes its target.
///
/// A function may be called from any thread from which the compiled call would be allowed.
public struct SwiftFunction: Sendable {
  /// The plan of a call.
  @usableFromInline let plan: SwiftCallPlan

  /// The library of the code, which stays loaded.
  let library: DynamicLibrary?

  package init(
    _ signature: SwiftFunctionSignature, isVirtual: Bool = true, trusting promises: SwiftLibrary.Promises,
    keeping library: DynamicLibrary? = nil
  ) throws(InvocationError) {
    plan = try SwiftCallPlan(signature, isVirtual: isVirtual, trusting: promises)
    self.library = library
  }

  /// Creates a function from an address and its types.
  ///
  /// - Parameters:
  ///   - address: The code of a function in the Swift calling convention, which stays loaded. The function is not a
  ///     member of a type, or is a static member of a struct or enum, and is not generic, asynchronous or isolated.
  ///   - name: The name for errors.
  ///   - parameters: The types of the parameters. None is `inout` or `consuming`.
  ///   - result: The type of the result.
  /// - Throws: `InvocationError` `unsupportedType` with the argument and the reason if a type cannot be passed.
  @unsafe
  public init(
    address: UnsafeRawPointer, name: String, parameters: [Any.Type], result: Any.Type = Void.self
  ) throws(InvocationError) {
    let list = parameters.map { SwiftFunctionSignature.Parameter(type: $0, ownership: .borrowed, label: nil) }
    try self.init(
      unsafe SwiftFunctionSignature(name: name, symbol: name, address: address, kind: .function, parameters: list, result: result),
      trusting: [])
  }

  /// The qualified name, such as `Plugin.Rect.area(of:scale:)`.
  public var name: String { plan.signature.name }

  /// The mangled name.
  public var symbol: String { plan.signature.symbol }

  /// The types of the arguments: the type of self for a method or an accessor of a value or object, then the parameters.
  ///
  /// For an `inout` parameter it is the type of the variable.
  public var argumentTypes: [Any.Type] { (0..<plan.count).map { unsafe plan.slots[$0].value.type } }

  /// The type of the result, `Void` for none.
  public var resultType: Any.Type { plan.result.type }

  /// Whether the function is declared with `throws`.
  public var isThrowing: Bool { plan.signature.isThrowing }
}

extension SwiftFunction: CustomStringConvertible {
  /// The name and the types: `Plugin.area(of:scale:): (Plugin.Rect, Swift.Double) -> Swift.Double`.
  public var description: String { "\(name): \(plan.typeText)" }
}

// MARK: - Calls with converted and boxed arguments

extension SwiftFunction {
  /// Calls the function with arguments and a result of any type.
  ///
  /// An argument is converted as by `as?`: a value becomes an optional or an existential, an object one of a
  /// superclass. An `Int` becomes any number type of the standard library, or a `CGFloat`, that represents it, and a
  /// `Double` any floating-point type of these; also in an optional. An `inout` parameter takes an
  /// `UnsafeMutablePointer` to a variable of its type; for a mutating method use ``call(updating:)``.
  ///
  /// - Parameter arguments: One value for each of ``argumentTypes``.
  /// - Returns: The result, `()` for none.
  /// - Throws: `InvocationError` `countMismatch`, `typeMismatch` with the argument and both types, `outOfRange` and
  ///   `inexact` for a number that does not fit, and what the function throws.
  /// - Complexity: The call; allocates memory for each argument.
  public func call(_ arguments: [Any]) throws -> Any {
    var arguments = arguments
    let variables = try loadVariables(of: &arguments, from: 0)
    defer { for variable in variables { variable.store(arguments[variable.index]) } }
    return try call(updating: &arguments)
  }

  /// Replaces the pointers that are passed for `inout` parameters by what they point to.
  ///
  /// - Returns: The `inout` parameters, each with a function that stores what the call leaves in it.
  private func loadVariables(of arguments: inout [Any], from first: Int) throws -> [(index: Int, store: (Any) -> Void)] {
    var variables: [(Int, (Any) -> Void)] = []
    for index in first..<min(plan.count, arguments.count) where unsafe plan.slots[index].isInOut {
      func variable<T>(_: T.Type) -> (value: Any, store: (Any) -> Void)? {
        guard let pointer = unsafe arguments[index] as? UnsafeMutablePointer<T> else { return nil }
        return unsafe (pointer.pointee, { if let value = $0 as? T { unsafe pointer.pointee = value } })
      }
      guard let (value, store) = unsafe _openExistential(plan.slots[index].value.type, do: variable) else {
        // Only the first argument of a call has a form with `&`.
        let advice = index == 0 ? "pass a variable" : "pass an UnsafeMutablePointer to the variable"
        throw InvocationError(
          .typeMismatch, "the parameter is inout: \(advice), or use call(updating:)", argument: .index(index)
        ).about(name)
      }
      arguments[index] = value
      variables.append((index, store))
    }
    return variables
  }

  /// Calls the function, and replaces the arguments that it changes.
  ///
  /// These are the variables of `inout` parameters, and self of a struct or enum.
  ///
  /// - Throws: As ``call(_:)``. What the function has changed before it throws is replaced, too.
  public func call(updating arguments: inout [Any]) throws -> Any {
    let values = try SwiftCallValues.converting(arguments, for: plan)
    let memory = unsafe values.memory
    defer {
      for index in arguments.indices where unsafe plan.slots[index].isInOut || plan.slots[index].isValueSelf {
        arguments[index] = values.value(index)
      }
    }
    func perform<T>(_: T.Type) throws -> Any {
      try unsafe plan.perform(memory, isInPlace: true) { unsafe $0.assumingMemoryBound(to: T.self).move() }
    }
    return try withExtendedLifetime(self) { try _openExistential(resultType, do: perform) }
  }

  /// Calls with arguments that do not all have the types of their parameters.
  ///
  /// - Throws: `InvocationError`, and what the function throws.
  @usableFromInline @inline(never)
  func callConverting<Result>(_ arguments: [Any], as type: Result.Type) throws -> Result {
    let result = resultType
    func isConvertible<T>(_: T.Type) -> Bool { T.self is Result.Type || Result.self == Any.self || Result.self == T?.self }
    guard result == Result.self || _openExistential(result, do: isConvertible) else {
      throw plan.mismatch(.result, given: Result.self, expected: result)
    }
    guard let value = try call(arguments) as? Result else { throw plan.mismatch(.result, given: Result.self, expected: result) }
    return value
  }

  /// Calls and discards the result, with arguments that do not all have the types of their parameters.
  ///
  /// - Throws: `InvocationError`, and what the function throws.
  @usableFromInline @inline(never)
  func callConverting(_ arguments: [Any]) throws {
    _ = try call(arguments)
  }

  /// Calls with a variable as the first argument, when the types differ or the frame is large.
  ///
  /// - Throws: `InvocationError`, and what the function throws.
  @usableFromInline @inline(never)
  func callConverting<First, Result>(_ first: inout First, _ rest: [Any], as type: Result.Type) throws -> Result {
    guard rest.count + 1 == plan.count else { throw plan.countMismatch(rest.count + 1) }
    let slot = unsafe plan.slots[0]
    guard slot.isInOut || slot.isValueSelf else {
      throw InvocationError(.typeMismatch, "the function does not change it: pass it without '&'", argument: .index(0)).about(name)
    }
    guard slot.value.type == First.self else { throw plan.mismatch(.index(0), given: First.self, expected: slot.value.type) }
    guard resultType == Result.self else { throw plan.mismatch(.result, given: Result.self, expected: resultType) }
    var arguments = [first] + rest
    let variables = try loadVariables(of: &arguments, from: 1)
    defer {
      if let value = arguments[0] as? First { first = value }
      for variable in variables { variable.store(arguments[variable.index]) }
    }
    guard let result = try call(updating: &arguments) as? Result else {
      throw plan.mismatch(.result, given: Result.self, expected: resultType)
    }
    return result
  }

  /// Calls with a variable as the first argument and discards the result.
  ///
  /// - Throws: `InvocationError`, and what the function throws.
  @usableFromInline @inline(never)
  func callConverting<First>(_ first: inout First, _ rest: [Any]) throws {
    func call<Result>(_ type: Result.Type) throws { _ = try callConverting(&first, rest, as: type) }
    try _openExistential(resultType, do: call)
  }
}
