internal import CFunctionReplacement
internal import CallFrames
internal import SwiftFunctions
internal import Synchronization

/// A closure or a spy in the place of a function, until it is ended.
///
/// ``replace(_:in:reach:calledBy:isNonsending:with:)`` makes one. See ``FunctionReplacement`` for what can be replaced.
@safe
public final class Replacement: Sendable {
  /// Whose calls a replacement answers.
  public enum Reach: Sendable {
    /// Calls by the task that runs the innermost `withReplacements` or ``replacing(_:in:reach:calledBy:with:during:)``,
    /// and by its child tasks. All others find the function itself.
    case task
    /// Calls by all tasks and threads whose own task has no replacement in place.
    ///
    /// A replacement that was made within a scope ends with that scope.
    case global
  }

  let function: ReplacedFunction
  let plan: EntryPlan
  /// Its place among the replacements of its scope; it keeps the place when it has ended.
  let number: Int
  let scope: ReplacementScope
  /// The scope that it ends with, if that is another one.
  private let owner: ReplacementScope?
  private let body: any ReplacementBody

  /// Makes a replacement, which is in place from now on.
  ///
  /// - Throws: `InvocationError` `noScope` without a scope, or if that has ended.
  @discardableResult
  static func make(
    _ function: ReplacedFunction, _ plan: EntryPlan, _ body: any ReplacementBody, _ reach: Reach, _ name: String
  ) throws(InvocationError) -> Replacement {
    try ReplacementScope.add(reach, name) { Replacement(function, plan, body, $0, $1) }
  }

  private init(_ function: ReplacedFunction, _ plan: EntryPlan, _ body: any ReplacementBody, _ number: Int, _ scope: ReplacementScope) {
    self.function = function
    self.plan = plan
    self.body = body
    self.number = number
    self.scope = scope
    owner = scope === ReplacementScope.current ? nil : ReplacementScope.current
  }

  /// The name of the function, such as `Shop.Cart.total()`.
  public var name: String { function.types.name }

  /// Ends the replacement.
  @available(*, deprecated, renamed: "cancel()")
  public func end() { cancel() }

  /// Ends the replacement: the calls that begin from now on find what was there before, or was put there meanwhile.
  ///
  /// Replacements of one function end in any order. A call that is running goes on. Ending twice does nothing.
  public func cancel() {
    scope.remove(self)
    owner?.remove(self)
  }
}

extension Replacement: CustomStringConvertible {
  /// The name of the function, as a replacement: `replacement of Shop.Cart.total()`.
  public var description: String { "replacement of \(name)" }
}

// MARK: - Which one answers

extension Replacement {
  /// The replacement that answers a call of a function by this task; nil if the function does itself.
  ///
  /// - Parameter matches: Whether a replacement of a generic function has the types of the call.
  static func answering(_ function: ReplacedFunction, where matches: (Replacement) -> Bool) -> Replacement? {
    if let passing = PassedCall.take(function, where: matches) {
      return passing.scope.newest(of: function, before: passing.number, where: matches)
    }
    return (ReplacementScope.current ?? .global).newest(of: function, where: matches)
  }

  /// Answers a call of a synchronous function.
  func answer(_ call: EnteredCall) { body.run(call, for: self) }

  /// Answers a call of an asynchronous function.
  nonisolated(nonsending) func answerAsynchronously(_ call: EnteredCall) async { await body.runAsynchronously(call, for: self) }
}

/// What a task knows of replacements.
///
/// It is one task-local value: the look-up of a value passes all values that were set after it, which must not grow with nested calls.
struct ReplacementState: Sendable {
  @TaskLocal static var current = ReplacementState()

  /// The innermost scope.
  var scope: ReplacementScope?
  /// The calls that the task is going to make, the innermost first.
  var passed: PassedCall?
  /// The innermost closure that the task runs, or that ran when the task was started.
  var running: RunningClosure?

  /// The state of the task with a change.
  static func changed(_ change: (inout ReplacementState) -> Void) -> ReplacementState {
    var state = current
    change(&state)
    return state
  }
}

/// A call that goes on to what a replacement has replaced: the next call that a task makes of the function.
final class PassedCall: Sendable {
  private let replacement: Replacement
  /// The passed call around this one that was not made yet.
  private let outer: PassedCall?
  /// The task, or outside of tasks the thread: a task that inherits this must not take it.
  private let caller: UInt
  /// Whether all calls go on, not only the next one.
  private let isForAll: Bool
  private let isOver: Atomic<Bool> = Atomic(false)

  private init(past replacement: Replacement, isForAll: Bool = false) {
    self.replacement = replacement
    self.isForAll = isForAll
    caller = Self.thisCaller
    // Calls that were made do not make the chain grow.
    var outer = ReplacementState.current.passed
    while let each = outer, each.isOver.load(ordering: .acquiring) { outer = each.outer }
    self.outer = outer
  }

  /// Runs a closure; its next call of the function goes on.
  static func run<Result, Failure: Error>(
    past replacement: Replacement, isForAll: Bool = false, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let call = PassedCall(past: replacement, isForAll: isForAll)
    defer { call.end() }
    return try ReplacementState.$current.run(ReplacementState.changed { $0.passed = call }, body)
  }

  /// Runs an asynchronous closure; its next call of the function goes on.
  static nonisolated(nonsending) func run<Result, Failure: Error>(
    past replacement: Replacement, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let call = PassedCall(past: replacement)
    defer { call.end() }
    return try await ReplacementState.$current.run(ReplacementState.changed { $0.passed = call }, body)
  }

  private static var thisCaller: UInt { UInt(bitPattern: unsafe ThreadState.currentTask ?? ThreadState.identity) }

  /// No call goes on any more.
  func end() { isOver.store(true, ordering: .releasing) }

  /// Returns the replacement that a call goes past; nil if it goes past none.
  static func take(_ function: ReplacedFunction, where matches: (Replacement) -> Bool) -> Replacement? {
    var next = ReplacementState.current.passed
    guard next != nil else { return nil }
    let caller = thisCaller
    while let each = next {
      next = each.outer
      guard each.replacement.function === function, each.caller == caller, matches(each.replacement) else { continue }
      guard !each.isOver.load(ordering: .acquiring) else { continue }
      if !each.isForAll { each.end() }
      return each.replacement
    }
    return nil
  }
}

/// A closure that is answering a call.
final class RunningClosure: Sendable {
  let replacement: Replacement
  /// How many closures run within each other.
  private let depth: Int
  private let hasReturned: Atomic<Bool> = Atomic(false)

  /// The replacement of the innermost closure that is running; a trap if there is none.
  static var innermost: Replacement {
    guard let current = ReplacementState.current.running else {
      fatalError("original { } is called outside of a closure that replaces a function")
    }
    guard !current.hasReturned.load(ordering: .acquiring) else {
      fatalError("original { } is called in a task that outlives its closure, which replaces '\(current.replacement.name)'")
    }
    return current.replacement
  }

  /// Enters the closure of a replacement.
  ///
  /// Traps if closures have called their own functions so often that they would do so without end.
  init(_ replacement: Replacement) {
    self.replacement = replacement
    // A task that a closure has started, and that outlives it, is not within it.
    let outer = ReplacementState.current.running.flatMap { $0.hasReturned.load(ordering: .acquiring) ? nil : $0 }
    depth = (outer?.depth ?? 0) + 1
    let isStackUsedUp = depth > Self.fewest && creplace_stack_left() < Self.reservedStack
    guard !isStackUsedUp, depth < Self.deepest else {
      fatalError(
        "\(depth) closures that replace functions run within each other, the innermost one for '\(replacement.name)': a call by "
          + "the name of a function is answered by its closure again; write original { } around a call that what was there before answers")
    }
  }

  /// The fewest nested closures that count as the reason why a stack is used up.
  private static let fewest = 32
  /// The number of bytes of stack that printing the message needs.
  private static let reservedStack: UInt = 24 * 1_024
  /// More nested closures than honest code has; asynchronous functions use memory, and no stack.
  private static let deepest = 1 << 17

  func end() { hasReturned.store(true, ordering: .releasing) }
}

extension TaskLocal {
  /// Runs a function with a value.
  func run<Result, Failure: Error>(_ value: Value, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    var result: Swift.Result<Result, Failure>?
    withValue(value) {
      do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
    }
    guard let result else { preconditionFailure("the body was run") }
    return try result.get()
  }

  /// Runs an asynchronous function with a value.
  func run<Result, Failure: Error>(
    _ value: Value, isolation: isolated (any Actor)? = #isolation, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    var result: Swift.Result<Result, Failure>?
    await withValue(value) {
      _ = isolation  // the closure is isolated to what it captures
      do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
    }
    guard let result else { preconditionFailure("the body was run") }
    return try result.get()
  }
}
