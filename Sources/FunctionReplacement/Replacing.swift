internal import CallFrames
internal import SwiftFunctions
public import TypeEncodings

/// Replaces a function by a closure until the replacement is cancelled or its scope ends.
///
///     try withReplacements {
///       let total = try replace("Shop.Cart.total()", with: { (cart: Cart) in 99.0 })
///       ...
///       total.cancel()
///     }
///
/// The closure takes what the function takes, with the target of a method first. It is evaluated for each call. It states
/// what the symbol of the function does not: with `inout`, that a method of a struct or enum is mutating, and with `throws`,
/// that an accessor throws. A wrong statement is undefined behavior. All other types are compared.
///
/// Each call by the name of the function gets to the closure, even a call that the closure makes: `original { }` is
/// a call of what was there before.
///
/// A closure of a global actor is entered on the actor: a call of a synchronous function elsewhere is a trap.
///
/// - Parameters:
///   - name: The name of the function, as for `SwiftLibrary.function(_:isVirtual:)`. It may be private, with its file if several are:
///     `Shop.(tax in Bills.swift)(_:)`.
///   - library: The library that contains the function; by default the program, with all that is linked into it, and for a function without
///     the flag any library that is loaded.
///   - reach: Whose calls the closure answers: the task's, which must have a scope, or all. A replacement that is made within a scope
///     ends with the scope.
///   - callers: Whose calls of a function of another library are answered: by default calls by the program and by the libraries beside it.
///   - isNonsending: Whether the function is asynchronous and `nonisolated(nonsending)`, which its symbol does not state.
///   - closure: The closure.
/// - Returns: The replacement, to cancel it. It need not be kept.
/// - Throws: `InvocationError` `symbolNotFound` if there is no such function, with the nearest names, or if its module was
///   compiled without the flag, which the error states; `countMismatch` and `typeMismatch` if the closure has other types;
///   `unsupportedType` with the reason if the function cannot be replaced, such as a function of another library that no image calls;
///   `noScope` outside of a scope, or if the scope has ended.
@unsafe @discardableResult
public func replace<Function>(
  _ name: String, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task,
  calledBy callers: Replacement.Callers = .package, isNonsending: Bool = false,
  with closure: @autoclosure @escaping @Sendable () -> Function
) throws(InvocationError) -> Replacement {
  let signature = try ClosureTypes.signature(of: Function.self)
  let (function, types, generic) = try ReplacedFunction.find(name, in: library, calledBy: callers, for: signature)
  var plan = try EntryPlan(
    types, changesTarget: ReplacementClosure<Function>.changesTarget(types), isNonsending: isNonsending, generic: generic)
  plan.callers = callers
  return try Replacement.make(function, plan, try ReplacementClosure(closure, for: types, plan), reach, name)
}

/// Runs a function with replacements of its own: they belong to this task and its children, and end with it.
///
/// - Throws: What the function throws.
public func withReplacements<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  let scope = ReplacementScope(in: ReplacementScope.current)
  defer { scope.end() }
  return try ReplacementState.$current.run(ReplacementState.changed { $0.scope = scope }, body)
}

/// Runs an asynchronous function with replacements of its own: they belong to this task and its children, and end with it.
///
/// - Throws: What the function throws.
public nonisolated(nonsending) func withReplacements<Result, Failure: Error>(
  _ body: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  let scope = ReplacementScope(in: ReplacementScope.current)
  defer { scope.end() }
  return try await ReplacementState.$current.run(ReplacementState.changed { $0.scope = scope }, body)
}

/// Replaces a function by a closure while another closure runs.
///
///     try replacing("Shop.Cart.total()", with: { (cart: Cart) in 99.0 }) {
///       #expect(checkout(cart).sum == 99)
///     }
///
/// - Parameters:
///   - name: The name of the function, as for ``replace(_:in:reach:calledBy:isNonsending:with:)``.
///   - library: The library that contains the function; by default the program, with all that is linked into it.
///   - reach: Whose calls are answered: by this task and its children, or all.
///   - callers: As for ``replace(_:in:reach:calledBy:isNonsending:with:)``.
///   - closure: The closure.
///   - body: What runs meanwhile.
/// - Throws: As ``replace(_:in:reach:calledBy:isNonsending:with:)``, before the body runs, and what the body throws.
@unsafe
public func replacing<Function, Result>(
  _ name: String, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task,
  calledBy callers: Replacement.Callers = .package,
  with closure: @autoclosure @escaping @Sendable () -> Function, during body: () throws -> Result
) throws -> Result {
  try withReplacements {
    let replacement = try unsafe replace(name, in: library, reach: reach, calledBy: callers, with: closure())
    defer { replacement.cancel() }
    return try body()
  }
}

/// Replaces a function by a closure while an asynchronous closure runs.
///
/// - Parameters:
///   - name: The name of the function, as for ``replace(_:in:reach:calledBy:isNonsending:with:)``.
///   - library: The library that contains the function; by default the program, with all that is linked into it.
///   - reach: Whose calls are answered: by this task and its children, or all.
///   - callers: As for ``replace(_:in:reach:calledBy:isNonsending:with:)``.
///   - isNonsending: As for ``replace(_:in:reach:calledBy:isNonsending:with:)``.
///   - closure: The closure.
///   - body: What runs meanwhile.
/// - Throws: As ``replace(_:in:reach:calledBy:isNonsending:with:)``, before the body runs, and what the body throws.
@unsafe
public nonisolated(nonsending) func replacing<Function, Result>(
  _ name: String, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task,
  calledBy callers: Replacement.Callers = .package, isNonsending: Bool = false,
  with closure: @autoclosure @escaping @Sendable () -> Function, during body: () async throws -> Result
) async throws -> Result {
  try await withReplacements {
    let replacement = try unsafe replace(name, in: library, reach: reach, calledBy: callers, isNonsending: isNonsending, with: closure())
    defer { replacement.cancel() }
    return try await body()
  }
}

// MARK: - What was replaced

/// Makes a call that is answered by what was there before a replacement.
///
///     try replacing("Shop.fee(for:)", with: { (amount: Int) in original { fee(for: amount) } + 1 }) { ... }
///
/// A closure that replaces a function calls it so: the next older replacement that is in place answers, or the function itself. Only
/// the first call of the function that the body makes on its own task goes there. All other calls by the function's name get to the
/// closure: calls elsewhere, in the closure too, and calls that are made within this call, by the function itself, in its callbacks
/// and in its tasks.
///
/// The function is the one that the innermost running closure replaces. If it is generic, only a call with the closure's types counts.
///
/// - Precondition: A closure that replaces a function is running, in this task or in the one that started it.
/// - Throws: What the body throws.
public func original<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  try PassedCall.run(past: RunningClosure.innermost, body)
}

/// Makes a call of an asynchronous function that is answered by what was there before a replacement.
///
///     { (number: Int) async throws in try await original { try await fetch(number) }.uppercased() }
///
/// - Precondition: A closure that replaces a function is running, in this task or in the one that started it.
/// - Throws: What the body throws.
public nonisolated(nonsending) func original<Result, Failure: Error>(
  _ body: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  try await PassedCall.run(past: RunningClosure.innermost, body)
}

extension InvocationError.Code {
  /// A replacement of a task was made outside of `withReplacements`.
  public static let noScope: InvocationError.Code = InvocationError.Code(rawValue: "noScope")
}
