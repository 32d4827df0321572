internal import CallFrames
internal import SwiftFunctions
public import TypeEncodings

/// Replaces a function by a closure until the token is ended, or the scope of it.
///
///     try withReplacements {
///       let total = try replace("Shop.Cart.total()", with: { (cart: Cart) in 99.0 })
///       ...
///       total.end()
///     }
///
/// The closure takes what the function takes, with the target of a method first. It is evaluated for each call. It states
/// with `inout` whether a method of a struct or enum is mutating, and whether an accessor throws with `throws`, since
/// the symbol of the function does not: a wrong statement is undefined behavior. All other types are compared.
///
/// - Parameters:
///   - name: The name of the function, as for `SwiftLibrary.function(_:isVirtual:)`. It may be private.
///   - library: The library that contains the function; by default the program, with all that is linked into it.
///   - reach: Whose calls the closure answers: the task's, which must have a scope, or all.
///   - isNonsending: Whether the function is asynchronous and `nonisolated(nonsending)`, which its symbol does not state.
///   - closure: The closure.
/// - Returns: What ends the replacement. It need not be kept.
/// - Throws: `InvocationError` `symbolNotFound` if there is no such function, with the nearest names, or if its module was
///   compiled without the flag, which the error states; `countMismatch` and `typeMismatch` if the closure has other types;
///   `unsupportedType` with the reason if the function cannot be replaced; `noScope` outside of a scope.
@unsafe @discardableResult
public func replace<Function>(
  _ name: String, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task, isNonsending: Bool = false,
  with closure: @autoclosure @escaping @Sendable () -> Function
) throws(InvocationError) -> Replacement {
  let scope = try ReplacementScope.of(reach, name)
  let replacement = try Replacement(name, in: library, isNonsending: isNonsending, with: closure, scope)
  scope.add(replacement)
  return replacement
}

/// Runs a function with replacements of its own: they belong to this task and its children, and end with it.
///
/// - Throws: What the function throws.
public func withReplacements<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  let scope = ReplacementScope(in: ReplacementScope.current)
  defer { scope.end() }
  return try scope.run(body)
}

/// Runs an asynchronous function with replacements of its own: they belong to this task and its children, and end with it.
///
/// - Throws: What the function throws.
public nonisolated(nonsending) func withReplacements<Result, Failure: Error>(
  _ body: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  let scope = ReplacementScope(in: ReplacementScope.current)
  defer { scope.end() }
  return try await scope.run(body)
}

/// Replaces a function by a closure while another closure runs.
///
///     try replacing("Shop.Cart.total()", with: { (cart: Cart) in 99.0 }) {
///       #expect(checkout(cart).sum == 99)
///     }
///
/// - Parameters:
///   - name: The name of the function, as for ``replace(_:in:reach:isNonsending:with:)``.
///   - library: The library that contains the function; by default the program, with all that is linked into it.
///   - reach: Whose calls are answered: by this task and its children, or all.
///   - closure: The closure.
///   - body: What runs meanwhile.
/// - Throws: As ``replace(_:in:reach:isNonsending:with:)``, before the body runs, and what the body throws.
@unsafe
public func replacing<Function, Result>(
  _ name: String, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task,
  with closure: @autoclosure @escaping @Sendable () -> Function, during body: () throws -> Result
) throws -> Result {
  try withReplacements {
    let replacement = try unsafe replace(name, in: library, reach: reach, with: closure())
    defer { replacement.end() }
    return try body()
  }
}

/// Replaces a function by a closure while an asynchronous closure runs.
///
/// - Parameters:
///   - name: The name of the function, as for ``replace(_:in:reach:isNonsending:with:)``.
///   - library: The library that contains the function; by default the program, with all that is linked into it.
///   - reach: Whose calls are answered: by this task and its children, or all.
///   - isNonsending: As for ``replace(_:in:reach:isNonsending:with:)``.
///   - closure: The closure.
///   - body: What runs meanwhile.
/// - Throws: As ``replace(_:in:reach:isNonsending:with:)``, before the body runs, and what the body throws.
@unsafe
public nonisolated(nonsending) func replacing<Function, Result>(
  _ name: String, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task, isNonsending: Bool = false,
  with closure: @autoclosure @escaping @Sendable () -> Function, during body: () async throws -> Result
) async throws -> Result {
  try await withReplacements {
    let replacement = try unsafe replace(name, in: library, reach: reach, isNonsending: isNonsending, with: closure())
    defer { replacement.end() }
    return try await body()
  }
}

extension Replacement {
  fileprivate convenience init<Function>(
    _ name: String, in library: DynamicLibrary, isNonsending: Bool, with closure: @escaping @Sendable () -> Function,
    _ scope: ReplacementScope
  ) throws(InvocationError) {
    let signature = try ReplacementClosure<Function>.signature(of: Function.self)
    let (function, types, generic) = try ReplacedFunction.find(name, in: library, for: signature)
    let plan = try EntryPlan(
      types, changesTarget: ReplacementClosure<Function>.changesTarget(types), isNonsending: isNonsending, generic: generic)
    self.init(function, plan, try ReplacementClosure(closure, for: types, plan), in: scope)
  }
}

extension ReplacementScope {
  /// The scope of new replacements.
  ///
  /// - Throws: `InvocationError` `noScope` if the task has none.
  static func of(_ reach: Replacement.Reach, _ name: String) throws(InvocationError) -> ReplacementScope {
    switch reach {
    case .global: return .global
    case .task:
      guard let scope = current else {
        throw InvocationError(
          .noScope, "a replacement of '\(name)' belongs to a task: make it within withReplacements { }, or with 'reach: .global'")
      }
      return scope
    }
  }

  fileprivate func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    var result: Swift.Result<Result, Failure>?
    Self.$current.withValue(self) {
      do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
    }
    guard let result else { preconditionFailure("the body was run") }
    return try result.get()
  }

  fileprivate nonisolated(nonsending) func run<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    var result: Swift.Result<Result, Failure>?
    await Self.$current.withValue(self) {
      do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
    }
    guard let result else { preconditionFailure("the body was run") }
    return try result.get()
  }
}

extension InvocationError.Code {
  /// A replacement of a task was made outside of `withReplacements`.
  public static let noScope: InvocationError.Code = InvocationError.Code(rawValue: "noScope")
}
