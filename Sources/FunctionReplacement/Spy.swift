internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols
public import TypeEncodings

/// The calls of a function, as values, in the order in which they began.
///
///     let calls = try spy("Shop.Mailer.send(_:to:)")
///     try calls.answer(.returning(1), .throwing(Offline()), .original)
///     ...
///     #expect(calls.count == 2)
///     #expect(calls[0].argument(1) == "hello")
///
/// Without answers a call goes on to the function itself, or to what else was in its place, and the result is recorded.
@safe
public final class Spy: Sendable {
  /// What a call is answered with.
  ///
  /// Several tasks may get the same answer, so that a value in it is `Sendable`. A closure in the place of the function,
  /// ``replace(_:in:reach:isNonsending:with:)``, makes a new one for each call.
  public struct Answer: Sendable {
    fileprivate enum End: Sendable {
      case returning(any Sendable)
      case throwing(any Error)
      case original
    }

    fileprivate static let mostWaits = 1_000

    fileprivate let end: End
    /// The last one is the first.
    fileprivate var waits: [(time: Duration, clock: any Clock<Duration>)] = []

    /// A value of exactly the type of the function's result; `()` for none.
    public static func returning(_ value: any Sendable) -> Answer { Answer(end: .returning(value)) }

    /// An error, if the function throws.
    public static func throwing(_ error: any Error) -> Answer { Answer(end: .throwing(error)) }

    /// What the function itself returns or throws, or what else was in its place before.
    public static let original: Answer = Answer(end: .original)

    /// Another answer of an asynchronous function, after a wait.
    ///
    /// It comes early if the task is cancelled.
    ///
    /// - Parameters:
    ///   - time: How long; at most 136 years.
    ///   - answer: The answer, which may wait too, 1,000 times in all.
    ///   - clock: The clock that waits, such as one of the test.
    public static func after(
      _ time: Duration, _ answer: consuming Answer, clock: any Clock<Duration> = ContinuousClock()
    ) -> Answer {
      var later = answer
      if later.waits.count <= mostWaits { later.waits.append((time.clamped, clock)) }
      return later
    }
  }

  /// A call.
  public struct Call {
    /// How a call has ended.
    public enum Outcome {
      /// It has not.
      case running
      /// It has returned a value; `()` for none.
      case returned(Any)
      /// It has thrown an error.
      case threw(any Error)
    }

    /// The arguments, with the target of a method first, as they were when the call began.
    ///
    /// In the place of a closure that does not escape there is `()`, and in the place of an object that was being deallocated, or a
    /// value with one in it, the `ObjectIdentifier` of the object.
    public let arguments: [Any]
    /// How the call has ended.
    public fileprivate(set) var outcome: Outcome = .running

    /// Returns an argument; nil if there is none at the index, or it has another type.
    public func argument<Value>(_ index: Int, as _: Value.Type = Value.self) -> Value? {
      arguments.indices.contains(index) ? arguments[index] as? Value : nil
    }

    /// Returns what the call has returned; nil if it has not, or if the value has another type.
    public func result<Value>(as _: Value.Type = Value.self) -> Value? {
      if case .returned(let value) = outcome { value as? Value } else { nil }
    }

    /// The error that the call has thrown, or nil.
    public var error: (any Error)? {
      if case .threw(let error) = outcome { error } else { nil }
    }
  }

  /// A statement of what some calls are answered with.
  private struct Answering: Sendable {
    /// Whether it answers a call.
    let isAnswered: @Sendable (Call) -> Bool
    var answers: [Answer]

    /// Returns the answer to a call; the last one stays.
    mutating func next() -> Answer? { answers.count > 1 ? answers.removeFirst() : answers.first }
  }

  /// What was recorded, and what is answered.
  @safe
  private struct State: @unchecked Sendable {
    // Unchecked Sendable: values of any type are only copied with the lock held, and who calls `spy` states the rest.

    var calls: [Call] = []
    /// The number of calls before these: a call that is running keeps its number when calls are forgotten.
    var forgotten = 0
    /// By the number of their statement; the newest has the greatest.
    var answerings: [Int: Answering] = [:]
    /// How many statements there were so far.
    var stated = 0
  }

  private let state: Locked<State> = Locked(State())
  private let function: ReplacedFunction

  fileprivate init(_ function: ReplacedFunction) {
    self.function = function
  }

  /// The name of the function, such as `Shop.Mailer.send(_:to:)`.
  public var name: String { function.types.name }

  /// All calls so far.
  public var all: [Call] { state.withLock { $0 }.calls }

  /// The number of calls so far.
  public var count: Int { all.count }

  /// A call, by its number from 0.
  ///
  /// - Precondition: There were as many calls.
  public subscript(index: Int) -> Call { all[index] }

  /// The number of calls for which a statement is true.
  ///
  ///     #expect(calls.count { $0.argument(2) == "a@example.org" } == 1)
  public func count(where isCounted: (Call) throws -> Bool) rethrows -> Int { try all.count(where: isCounted) }

  /// Forgets the calls so far.
  public func reset() {
    let removed = state.withLock { state -> State in
      defer {
        state.forgotten += state.calls.count
        state.calls = []
      }
      return State(calls: state.calls)
    }
    // Values are released without the lock: the end of an object may call the function.
    withExtendedLifetime(removed) {}
  }

  /// States what calls from now on are answered with, one after the other; the last answer stays.
  ///
  ///     try calls.answer(.returning(1), .throwing(Offline()), .original)
  ///     try calls.answer(.returning(0)) { $0.argument(2) == "nobody@example.org" }
  ///
  /// Of several statements that are true for a call, the newest answers it.
  ///
  /// - Parameters:
  ///   - answers: The answers; without any, all that was stated before is taken back.
  ///   - isAnswered: Which calls; by default all, and what was stated before is taken back. It sees a call with its arguments, in the
  ///     task of the call. A call that it makes of the function there is not recorded, and not answered.
  /// - Throws: `InvocationError` `typeMismatch` if a value has not the type of the result, an error is given to a function that
  ///   does not throw, or a wait to one that is not asynchronous; `limitExceeded` for too many waits.
  public func answer(_ answers: Answer..., where isAnswered: (@Sendable (Call) -> Bool)? = nil) throws(InvocationError) {
    for answer in answers { try check(answer) }
    let new = Answering(isAnswered: isAnswered ?? { _ in true }, answers: answers)
    let replacesAll = isAnswered == nil || answers.isEmpty
    let replaced = state.withLock { state -> [Int: Answering] in
      let former = state.answerings
      if replacesAll { state.answerings = [:] }
      if !new.answers.isEmpty { state.answerings[state.stated] = new }
      state.stated += 1
      return former
    }
    // Released without the lock, as in `reset`.
    withExtendedLifetime(replaced) {}
  }

  /// Throws unless the function can end with an answer.
  private func check(_ answer: Answer) throws(InvocationError) {
    let types = function.types
    guard answer.waits.isEmpty || types.isAsync else {
      throw InvocationError(.typeMismatch, "it is not asynchronous, and the answer waits").about(types.name)
    }
    guard answer.waits.count <= Answer.mostWaits else {
      throw InvocationError(.limitExceeded, "an answer waits at most \(Answer.mostWaits) times").about(types.name)
    }
    switch answer.end {
    case .returning(let value):
      guard type(of: value) == types.result || SwiftMetadata(types.result).contains(value) else {
        throw InvocationError(
          .typeMismatch, "its type is \(_typeName(types.result, qualified: true)), and the answer is a \(type(of: value))",
          argument: .result
        ).about(types.name)
      }
    case .throwing(let error):
      guard types.isThrowing else {
        throw InvocationError(.typeMismatch, "it does not throw, and the answer is an error").about(types.name)
      }
      if let stated = types.typedError, !SwiftMetadata(stated).contains(error) {
        throw InvocationError(
          .typeMismatch, "it throws \(_typeName(stated, qualified: true)), and the answer is a \(type(of: error))"
        ).about(types.name)
      }
    case .original: break
    }
  }

  // MARK: Recording

  /// Records the begin of a call, and returns its number and answer.
  fileprivate func begin(_ call: EnteredCall, for replacement: Replacement) -> (number: Int, answer: Answer) {
    let record = Call(arguments: call.copies())
    let begun = State(calls: [record])
    let (number, answerings) = state.withLock { state -> (Int, [Int: Answering]) in
      state.calls += begun.calls
      return (state.forgotten + state.calls.count - 1, state.answerings)
    }
    // The statements are code of the test, which may call the function: without the lock.
    let places = answerings.keys.sorted(by: >)
    let found =
      places.isEmpty
      ? nil : PassedCall.run(past: replacement, isForAll: true) { places.first { answerings[$0]?.isAnswered(record) == true } }
    guard let place = found else { return (number, .original) }
    let taken = state.withLock { state -> Answering in
      Answering(isAnswered: { _ in true }, answers: [state.answerings[place]?.next() ?? .original])
    }
    return (number, taken.answers[0])
  }

  /// Answers a call, unless by the function itself.
  ///
  /// - Returns: How the call has ended, or nil.
  fileprivate func end(_ call: EnteredCall, _ answer: Answer) -> Call.Outcome? {
    switch answer.end {
    case .original: return nil
    case .returning(let value):
      call.store(value)
      call.finish()
      return .returned(value)
    case .throwing(let error):
      call.fail(error)
      return .threw(error)
    }
  }

  fileprivate func record(_ outcome: Call.Outcome, of number: Int) {
    var record = Call(arguments: [])
    record.outcome = outcome
    let state = State(calls: [record])
    self.state.withLock { own in
      // The calls may have been forgotten meanwhile.
      let index = number - own.forgotten
      if own.calls.indices.contains(index) { own.calls[index].outcome = state.calls[0].outcome }
    }
  }
}

extension Spy: CustomStringConvertible {
  /// The name of the function and the number of calls: `2 calls of Shop.Mailer.send(_:to:)`.
  public var description: String { "\(count) calls of \(name)" }
}

/// The place of a spy among the replacements of a function.
private struct SpyBody: ReplacementBody {
  let spy: Spy

  func run(_ call: EnteredCall, for replacement: Replacement) {
    let (number, answer) = spy.begin(call, for: replacement)
    let outcome =
      spy.end(call, answer)
      ?? PassedCall.run(past: replacement) { Spy.Call.Outcome(call.pass(to: replacement.function)) }
    spy.record(outcome, of: number)
  }

  func runAsynchronously(_ call: EnteredCall, for replacement: Replacement) async {
    let (number, answer) = spy.begin(call, for: replacement)
    for wait in answer.waits.reversed() { try? await wait.clock.sleep(for: wait.time) }
    if let outcome = spy.end(call, answer) { return spy.record(outcome, of: number) }
    let outcome = await PassedCall.run(past: replacement) { await call.passAsynchronously(to: replacement.function) }
    spy.record(Spy.Call.Outcome(outcome), of: number)
  }
}

extension Spy.Call.Outcome {
  fileprivate init(_ outcome: EnteredCall.Outcome) {
    switch outcome {
    case .returned(let value): self = .returned(value)
    case .threw(let error): self = .threw(error)
    }
  }
}

/// Records the calls of a function, until the end of the scope, and answers them if that is asked for.
///
/// The values of all calls are copied, whatever isolation they have: an object that a function received on another actor is not
/// used at the same time by the test.
///
/// - Parameters:
///   - name: The name of the function, as for ``replace(_:in:reach:isNonsending:with:)``.
///   - library: The library that contains the function; by default the program, with all that is linked into it.
///   - reach: Whose calls are recorded: the task's, which must have a scope, or all. Made within a scope, each ends with it.
///   - isMutating: Whether a method or accessor of a struct or enum is mutating, which its symbol does not state. A setter is, unless
///     it is declared `nonmutating`, and the getter of a `lazy` property is. It must be stated where the target is passed differently.
///   - isNonsending: Whether the function is asynchronous and `nonisolated(nonsending)`, which its symbol does not state.
/// - Throws: As ``replace(_:in:reach:isNonsending:with:)``, and `unsupportedType` for an asynchronous accessor, and for a member of a
///   struct or enum if `isMutating` must be stated.
@unsafe
public func spy(
  _ name: String, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task, isMutating: Bool? = nil,
  isNonsending: Bool = false
) throws(InvocationError) -> Spy {
  let (function, types, _) = try ReplacedFunction.find(name, in: library)
  let isAccessor = types.kind != .function && types.kind != .initializer
  if types.isAsync, isAccessor {
    throw InvocationError(.unsupportedType, "it is an asynchronous accessor, and its symbol does not state whether it throws")
      .about(types.name)
  }
  let isValue = types.selfKind == .value
  let plan = try EntryPlan(types, changesTarget: isValue && isMutating ?? false, isNonsending: isNonsending)
  if isValue, isMutating == nil, !plan.passesTargetByAddress {
    throw InvocationError(
      .unsupportedType,
      "its symbol does not state whether it is mutating, which changes how its target is passed: "
        + "write 'isMutating: true' or 'isMutating: false'"
    ).about(types.name)
  }
  let spy = Spy(function)
  try Replacement.make(function, plan, SpyBody(spy: spy), reach, name)
  return spy
}
