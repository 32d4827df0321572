internal import SwiftFunctions
internal import TypeEncodings

extension Spy {
  /// What a call is answered with.
  ///
  /// Several tasks may get the same answer, so that a value in it is `Sendable`. A closure in the place of the function,
  /// ``replace(_:in:reach:calledBy:isNonsending:with:)``, makes a new one for each call.
  public struct Answer: Sendable {
    enum End: Sendable {
      case returning(any Sendable)
      case throwing(any Error)
      case original
      case computed(@Sendable (Call) -> Answer)
    }

    private static let mostWaits = 1_000

    private(set) var end: End
    /// The waits in reverse order.
    private(set) var waits: [(time: Duration, clock: any Clock<Duration>)] = []

    /// A value of exactly the type of the function's result; `()` for none.
    public static func returning(_ value: any Sendable) -> Answer { Answer(end: .returning(value)) }

    /// An error, if the function throws.
    public static func throwing(_ error: any Error) -> Answer { Answer(end: .throwing(error)) }

    /// What the function itself returns or throws, or what else was in its place before.
    public static let original: Answer = Answer(end: .original)

    /// The answer that a closure finds for the call; the closure sees the arguments.
    ///
    ///     try calls.answer(.computed { call in .returning("page \(call["number", as: Int.self] ?? 0)") })
    ///
    /// The closure runs in the task of the call. If it calls the function, that call is neither recorded nor answered. The spied call
    /// traps if the function cannot end with the answer: a value of another type, an error for a function that does not throw, a wait
    /// for a function that is not asynchronous.
    public static func computed(_ find: @escaping @Sendable (Call) -> Answer) -> Answer { Answer(end: .computed(find)) }

    /// Another answer of an asynchronous function, after a wait.
    ///
    /// The answer comes early if the task is cancelled.
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

    /// Returns the answer to a call; closures that find one are run.
    func found(for call: Call, of types: SwiftFunctionSignature) throws(InvocationError) -> Answer {
      guard case .computed(let find) = end else { return self }
      var answer = find(call)
      answer.waits += waits
      try answer.check(types)
      return try answer.found(for: call, of: types)
    }

    /// Throws unless a function can end with the answer.
    func check(_ types: SwiftFunctionSignature) throws(InvocationError) {
      guard waits.isEmpty || types.isAsync else {
        throw InvocationError(.typeMismatch, "it is not asynchronous, and the answer waits").about(types.name)
      }
      guard waits.count <= Self.mostWaits else {
        throw InvocationError(.limitExceeded, "an answer waits at most \(Self.mostWaits) times").about(types.name)
      }
      switch end {
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
      case .original, .computed: break
      }
    }
  }
}
