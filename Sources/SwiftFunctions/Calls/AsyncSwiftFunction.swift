internal import CallFrames
package import TypeEncodings

/// An asynchronous native Swift function that is called with types known at run time.
///
/// It is awaited like a function. The target of a method is the first argument.
///
///     let load = try SwiftLibrary("libPlugin.so").asyncFunction("Plugin.Store.load()")
///     let text: String = try await load(store)
///
/// The call is part of the task that awaits it: cancellation, priority and task-local values are those of the caller. A
/// function of an actor or of a global actor runs on that actor, as it does when compiled code calls it, so arguments and
/// results are `Sendable`. See ``SwiftFunctions``.
public struct AsyncSwiftFunction: Sendable {
  let plan: SwiftCallPlan

  /// The library of the code, which stays loaded.
  let library: DynamicLibrary?

  /// Creates a function from its types.
  package init(
    _ types: SwiftFunctionTypes, takesIsolation: Bool?, trusting promises: SwiftLibrary.Promises, keeping library: DynamicLibrary? = nil
  ) throws(InvocationError) {
    plan = try SwiftCallPlan(async: types, takesIsolation: takesIsolation, trusting: promises)
    self.library = library
  }

  /// The qualified name, such as `Plugin.Store.load()`.
  public var name: String { plan.types.name }

  /// The mangled name.
  public var symbol: String { plan.types.symbol }

  /// The types of the arguments: the type of self for a method, then the parameters.
  public var argumentTypes: [Any.Type] { (0..<plan.count).map { unsafe plan.slots[$0].value.type } }

  /// The type of the result, `Void` for none.
  public var resultType: Any.Type { plan.result.type }

  /// Whether the function is declared with `throws`.
  public var isThrowing: Bool { plan.types.isThrowing }

  /// Calls the function and waits for its result.
  ///
  /// Arguments are converted as by ``SwiftFunction/call(_:)``. A method of a struct or enum receives a copy of its target.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch` with the argument and both types, and what the function
  ///   throws.
  /// - Complexity: Allocates memory for the frame, for each argument and for the async context of the function.
  @inline(never)  // swiftc 6.3.1 crashes when it optimizes some callers.
  public func callAsFunction<each Argument: Sendable, Result: Sendable>(
    _ argument: repeat each Argument, as type: Result.Type = Result.self
  ) async throws -> Result {
    var arguments: [Any] = []
    for each in repeat each argument { arguments.append(each) }
    let call = try SwiftAsyncCall(self, arguments, result: type)
    await call.run()
    return try call.finish(as: type)
  }

  /// Calls the function with arguments of any type, waits for its result and returns it.
  ///
  /// The function may run on an actor of its own: the caller sees to it that no argument and no result is used from two
  /// isolations at a time.
  ///
  /// - Throws: As ``callAsFunction(_:as:)``.
  @unsafe @inline(never)
  public nonisolated(nonsending) func call(_ arguments: [Any]) async throws -> Any {
    let call = try SwiftAsyncCall(self, arguments, result: nil)
    await call.run()
    func finish<T>(_ type: T.Type) throws -> Any { try call.finish(as: type) }
    return try _openExistential(resultType, do: finish)
  }
}

extension AsyncSwiftFunction: CustomStringConvertible {
  /// The name and the types: `Plugin.load(_:): (Swift.String) async throws -> Swift.Int`.
  public var description: String { "\(name): \(plan.typeText)" }
}

extension SwiftLibrary {
  /// Returns an asynchronous function, method or initializer, ready to be awaited.
  ///
  /// The symbol does not state whether a function is `nonisolated(nonsending)`. Such a function takes two words more, so
  /// this method returns only functions that are called in the same way in both cases: those that take and return
  /// nothing in general registers besides their target, such as `store.load()`. For others, state it:
  /// ``asyncFunction(_:isNonsending:)``.
  ///
  /// - Parameter name: As for ``function(_:isVirtual:)``.
  /// - Throws: As ``function(_:isVirtual:)``; `unsupportedType` also for functions that throw an error of a stated type,
  ///   for accessors, for `inout` parameters, and on platforms other than x86-64 Linux.
  public func asyncFunction(_ name: String) throws(InvocationError) -> AsyncSwiftFunction {
    try AsyncSwiftFunction(symbols.function(name), takesIsolation: nil, trusting: promises, keeping: library)
  }

  /// Returns an asynchronous function whose isolation the caller states.
  ///
  /// - Parameters:
  ///   - name: As for ``function(_:isVirtual:)``.
  ///   - isNonsending: Whether the function is `nonisolated(nonsending)`: it is declared so, or it is nonisolated and its
  ///     module is compiled with the feature `NonisolatedNonsendingByDefault` and it is not `@concurrent`. A member of an
  ///     actor and a function of a global actor are not. It is called without isolation.
  /// - Throws: As ``asyncFunction(_:)``.
  @unsafe
  public func asyncFunction(_ name: String, isNonsending: Bool) throws(InvocationError) -> AsyncSwiftFunction {
    try AsyncSwiftFunction(symbols.function(name), takesIsolation: isNonsending, trusting: promises, keeping: library)
  }
}
