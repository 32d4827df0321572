internal import CallFrames
internal import SwiftFunctions
internal import Synchronization
public import TypeEncodings

/// The calls of a function, as values, in the order in which they began.
///
///     let calls = try spy("Shop.Mailer.send(_:to:)")
///     try calls.answer(.returning(1), .throwing(Offline()), .original)
///     ...
///     #expect(calls.count == 2)
///     #expect(calls[0]["to"] == "a@example.org")
///
/// Without answers a call goes on to the function itself, or to what else was in its place, and the result is recorded.
@safe
public final class Spy: Sendable {
  /// What a spy keeps of each call.
  public enum Keeping: Sendable {
    /// Copies of the arguments and of the result, which retain the objects in them.
    case values
    /// That there was a call, its order, and an error that it has thrown. Statements see a call without arguments.
    case counts
    /// The values that a closure takes from the call, in the place of the arguments, and an error.
    ///
    /// The closure runs in the task of the call, before the call has a number. If it calls the function, that call is not recorded.
    case taken(@Sendable (Call) -> [Any])
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
    // Unchecked Sendable: values of any type are only copied with the lock held, and the caller of `spy` states the rest.

    var calls: [Call] = []
    /// The number of calls before these: a call that is running keeps its number when calls are forgotten.
    var forgotten = 0
    /// By the number of their statement; the newest has the greatest.
    var answerings: [Int: Answering] = [:]
    /// How many statements there were so far.
    var stated = 0
    /// Who waits for calls.
    var waiters: [ObjectIdentifier: CallWaiter] = [:]
  }

  /// The number of calls that all spies have recorded.
  private static let recordedCount: Atomic<Int> = Atomic(0)

  private let state: Locked<State> = Locked(State())
  let function: ReplacedFunction
  /// The types of the function; for a generic one, the types of the recorded calls.
  private let types: SwiftFunctionSignature
  private let keeping: Keeping

  init(_ function: ReplacedFunction, _ types: SwiftFunctionSignature, _ keeping: Keeping) {
    self.function = function
    self.types = types
    self.keeping = keeping
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
  ///     #expect(calls.count { $0["to"] == "a@example.org" } == 1)
  public func count(where isCounted: (Call) throws -> Bool) rethrows -> Int { try all.count(where: isCounted) }

  /// Returns what is known of calls now; for a forgotten call, what was known when it began.
  func current(_ calls: [Call]) -> [Call] {
    let all = all
    return calls.map { all.indices.contains($0.number) && all[$0.number].order == $0.order ? all[$0.number] : $0 }
  }

  /// Forgets the calls so far; the stated answers stay.
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
  ///     try calls.answer(.returning(0)) { $0["to"] == "nobody@example.org" }
  ///     try calls.answer(.throwing(Offline())) { $0.number == 2 }
  ///
  /// Of several statements that are true for a call, the newest answers it. A statement for all calls answers what is left.
  ///
  /// - Parameters:
  ///   - first: The first answer.
  ///   - others: The answers that follow it.
  ///   - isAnswered: Which calls are answered; by default all, and what was stated before is taken back. It sees a call with its
  ///     arguments, in the task of the call. If it calls the function there, that call is neither recorded nor answered.
  /// - Throws: `InvocationError` `typeMismatch` if a value does not have the type of the result, if an error is given to a function that
  ///   does not throw, or a wait to a function that is not asynchronous; `limitExceeded` for too many waits.
  public func answer(
    _ first: Answer, _ others: Answer..., where isAnswered: (@Sendable (Call) -> Bool)? = nil
  ) throws(InvocationError) {
    try answer([first] + others, where: isAnswered)
  }

  /// States with an array what calls from now on are answered with.
  ///
  ///     try calls.answer((1...3).map { .returning($0) })
  ///
  /// - Throws: As for answers one by one, and `InvocationError` `countMismatch` if the array is empty.
  public func answer(_ answers: [Answer], where isAnswered: (@Sendable (Call) -> Bool)? = nil) throws(InvocationError) {
    guard !answers.isEmpty else { throw InvocationError(.countMismatch, "no answer is stated").about(name) }
    for answer in answers { try answer.check(types) }
    exchange(Answering(isAnswered: isAnswered ?? { _ in true }, answers: answers), isForAll: isAnswered == nil)
  }

  /// Takes back what was stated with ``answer(_:_:where:)``: calls go on to the function itself; what was recorded stays.
  public func resetAnswers() { exchange(nil, isForAll: true) }

  /// Takes back what was stated.
  @available(*, deprecated, renamed: "resetAnswers()")
  public func answer() throws(InvocationError) { resetAnswers() }

  private func exchange(_ new: Answering?, isForAll: Bool) {
    let replaced = state.withLock { state -> [Int: Answering] in
      let former = state.answerings
      if isForAll { state.answerings = [:] }
      state.answerings[state.stated] = new
      state.stated += 1
      return former
    }
    // Released without the lock, as in `reset`.
    withExtendedLifetime(replaced) {}
  }

  /// Gives a waiter the calls so far, and each call from now on.
  func add(_ waiter: CallWaiter) {
    let known = state.withLock { state -> State in
      state.waiters[ObjectIdentifier(waiter)] = waiter
      return State(calls: state.calls)
    }
    waiter.add(known.calls)
  }

  func remove(_ waiter: CallWaiter) { state.withLock { $0.waiters[ObjectIdentifier(waiter)] = nil } }

  // MARK: Recording

  /// Records the begin of a call, and returns its number and answer.
  fileprivate func begin(_ call: EnteredCall, for replacement: Replacement) -> (number: Int, answer: Answer) {
    var whole: Call
    if case .counts = keeping { whole = Call([], of: function, isWhole: false) } else { whole = Call(call.copies(), of: function) }
    var record = whole
    if case .taken(let take) = keeping {
      record = whole.keeping(PassedCall.run(past: replacement, isForAll: true) { take(whole) })
    }
    let begun = State(calls: [record])
    let (number, order, forgotten, answerings, waiters) = state.withLock { state -> (Int, Int, Int, [Int: Answering], [CallWaiter]) in
      let number = state.calls.count
      let order = Self.recordedCount.add(1, ordering: .relaxed).newValue
      state.calls += begun.calls
      state.calls[number].number = number
      state.calls[number].order = order
      return (number, order, state.forgotten, state.answerings, Array(state.waiters.values))
    }
    (whole.number, whole.order, record.number, record.order) = (number, order, number, order)
    for waiter in waiters { waiter.add([record]) }
    guard !answerings.isEmpty else { return (forgotten + number, .original) }
    // The statements are code of the test, which may call the function: without the lock.
    let answer = PassedCall.run(past: replacement, isForAll: true) { [whole] in
      let places = answerings.keys.sorted(by: >)
      guard let place = places.first(where: { answerings[$0]?.isAnswered(whole) == true }) else { return Answer.original }
      do { return try next(of: place).found(for: whole, of: types) } catch { fatalError("a computed answer: \(error)") }
    }
    return (forgotten + number, answer)
  }

  /// Takes the next answer of a statement.
  private func next(of place: Int) -> Answer {
    let taken = state.withLock { state -> Answering in
      Answering(isAnswered: { _ in true }, answers: [state.answerings[place]?.next() ?? .original])
    }
    return taken.answers[0]
  }

  /// Answers a call, unless the function itself does.
  ///
  /// - Returns: How the call has ended, or nil.
  fileprivate func end(_ call: EnteredCall, _ answer: Answer) -> Call.Outcome? {
    switch answer.end {
    case .original, .computed: return nil
    case .returning(let value):
      call.store(value)
      call.finish()
      return .returned(value)
    case .throwing(let error):
      call.fail(error)
      return .threw(error)
    }
  }

  private var keepsValues: Bool { if case .values = keeping { true } else { false } }

  fileprivate func record(_ outcome: Call.Outcome, of number: Int) {
    var record = Call([], of: function)
    record.outcome = outcome
    if case .returned = outcome, !keepsValues { record.outcome = .returned(()) }
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
struct SpyBody: ReplacementBody {
  let spy: Spy

  func run(_ call: EnteredCall, for replacement: Replacement) {
    let (number, answer) = spy.begin(call, for: replacement)
    let outcome =
      spy.end(call, answer)
      ?? PassedCall.run(past: replacement) { Spy.Call.Outcome(call.pass()) }
    spy.record(outcome, of: number)
  }

  nonisolated(nonsending) func runAsynchronously(_ call: EnteredCall, for replacement: Replacement) async {
    let (number, answer) = spy.begin(call, for: replacement)
    for wait in answer.waits.reversed() { try? await wait.clock.sleep(for: wait.time) }
    if let outcome = spy.end(call, answer) { return spy.record(outcome, of: number) }
    let outcome = await PassedCall.run(past: replacement) { await call.passAsynchronously() }
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
