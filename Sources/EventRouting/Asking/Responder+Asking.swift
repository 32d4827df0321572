public import DynamicInvocation

/// Asking the handlers of an event.
extension Responder {
  /// Sends an event from this node, and returns the first answer.
  ///
  ///     let total: Int? = try cart.ask("total")
  ///
  /// A handler answers with its result, if that is neither `Void` nor an ``EventReply``, and not nil. The first answer ends
  /// the route. An answer of another type is converted exactly, as an argument is; a sender that asks for a `BoxedValue`
  /// receives it boxed.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments after the source; nil is the same as an empty array.
  ///   - rules: How the event is routed.
  /// - Returns: The answer, or nil when nobody answers.
  /// - Throws: The error of a handler that was to answer; ``EventError`` for an answer of a type that is not converted;
  ///   without an answer, the first error of the outcome.
  /// - Complexity: As of a send.
  public func ask<Answer>(_ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router) throws -> Answer? {
    try ask(key, source: self, arguments: arguments, rules: rules)
  }

  /// Sends an event from this node on behalf of another object, or without a source, and returns the first answer.
  ///
  /// See the form without a source.
  public func ask<Answer>(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends an event from this node, and returns all answers, in the order in which the handlers were called.
  ///
  ///     let names: [String] = try window.askAll("name", rules: .busDown)
  ///
  /// An answer does not end the route: the rules do, and the replies that the options of the handlers specify.
  ///
  /// - Throws: As ``ask(_:arguments:rules:)``. The first error ends the route, and the answers before it are dropped.
  /// - Complexity: As of a send; allocates the array.
  public func askAll<Answer>(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) throws -> [Answer] {
    try askAll(key, source: source, arguments: arguments, rules: rules, into: []) { $0.append($1) }
  }

  /// Sends an event from this node, and returns all answers; see the form with a source.
  public func askAll<Answer>(_ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router) throws -> [Answer] {
    try askAll(key, source: self, arguments: arguments, rules: rules)
  }

  /// Sends an event from this node, and combines all answers.
  ///
  ///     let total = try window.askAll("price", source: nil, rules: .busDown, into: 0) { (sum, price: Int) in sum += price }
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - source: The first argument of the handlers.
  ///   - arguments: The arguments after the source; nil is the same as an empty array.
  ///   - rules: How the event is routed.
  ///   - initial: The result without answers.
  ///   - add: Combines an answer with the result. An error that it throws ends the route.
  /// - Returns: The result after the last answer.
  /// - Throws: As the form that returns an array, and any error that `add` throws.
  public func askAll<Answer, Result>(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router, into initial: Result,
    _ add: (inout Result, Answer) throws -> Void
  ) throws -> Result {
    try allAnswers(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules, into: initial, add)
  }

  /// Sends a typed event from this node on behalf of another object, and returns all answers.
  ///
  /// See the form with boxed arguments.
  ///
  /// - Complexity: Boxes the arguments, and allocates the array.
  @_disfavoredOverload  // A literal is a key without types.
  public func askAll<Answer, each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) throws -> [Answer] {
    try allAnswers(key.key, source: source, payload: LatePayload(boxing: repeat each arguments), rules: rules, into: []) { $0.append($1) }
  }

  /// Sends a typed event from this node, and returns all answers; see the form with a source.
  @_disfavoredOverload  // A literal is a key without types.
  public func askAll<Answer, each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) throws -> [Answer] {
    try askAll(key, source: self, repeat each arguments, rules: rules)
  }

  /// Sends a typed event from this node, and combines all answers; see the form with boxed arguments.
  @_disfavoredOverload  // A literal is a key without types.
  public func askAll<Answer, Result, each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument, rules: RoutingRules = .router,
    into initial: Result, _ add: (inout Result, Answer) throws -> Void
  ) throws -> Result {
    try allAnswers(key.key, source: source, payload: LatePayload(boxing: repeat each arguments), rules: rules, into: initial, add)
  }

  /// Sends a typed event with five or more arguments from this node, and returns the first answer; see the form with one
  /// argument.
  public func ask<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible, Answer
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
    _ rest: repeat each Rest, rules: RoutingRules = .router
  ) throws -> Answer? {
    let payload = PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest)
    return try firstAnswer(key.key, source: source, payload: payload, rules: rules)
  }
}

/// Asking asynchronous handlers.
extension Responder {
  /// Sends an event from this node, awaits its handlers, and returns the first answer.
  ///
  ///     let total: Int? = try await cart.askAwaiting("total")
  ///
  /// It asks as ``ask(_:arguments:rules:)`` does, and asynchronous handlers answer, too. All handlers run in the isolation of
  /// the caller.
  ///
  /// - Throws: As ``ask(_:arguments:rules:)``.
  /// - Complexity: As of ``sendAwaiting(_:arguments:rules:)``; allocates the memory of the answer.
  public nonisolated(nonsending) func askAwaiting<Answer>(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await askAwaiting(key, source: self, arguments: arguments, rules: rules)
  }

  /// Sends an event from this node on behalf of another object, awaits its handlers, and returns the first answer.
  ///
  /// See the form without a source.
  public nonisolated(nonsending) func askAwaiting<Answer>(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends an event from this node, awaits its handlers, and returns all answers, in the order in which the handlers were
  /// called.
  ///
  /// - Throws: As the form that does not await.
  public nonisolated(nonsending) func askAllAwaiting<Answer>(
    _ key: EventKey, source: AnyObject?, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async throws -> [Answer] {
    try await allAnswersAwaiting(key, source: source, payload: BoxedPayload(arguments ?? []), rules: rules)
  }

  /// Sends an event from this node, awaits its handlers, and returns all answers; see the form with a source.
  public nonisolated(nonsending) func askAllAwaiting<Answer>(
    _ key: EventKey, arguments: [BoxedValue]? = nil, rules: RoutingRules = .router
  ) async throws -> [Answer] {
    try await askAllAwaiting(key, source: self, arguments: arguments, rules: rules)
  }

  /// Sends a typed event from this node, awaits its handlers, and returns all answers; see the form with boxed arguments.
  @_disfavoredOverload  // A literal is a key without types.
  public nonisolated(nonsending) func askAllAwaiting<Answer, each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, source: AnyObject?, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) async throws -> [Answer] {
    try await allAnswersAwaiting(key.key, source: source, payload: LatePayload(boxing: repeat each arguments), rules: rules)
  }
}

// MARK: - Routes

extension Responder {
  /// Sends an event, and returns the first answer.
  @usableFromInline
  func firstAnswer<Payload: EventPayload, Answer>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules
  ) throws -> Answer? {
    var value: Answer?
    return try unsafe withUnsafeMutablePointer(to: &value) { value in
      var asking = unsafe Asking(value)
      let outcome = unsafe withUnsafeMutablePointer(to: &asking) {
        unsafe route(key, source: source, payload: AskingPayload(payload, $0), rules: rules)
      }
      try asking.check(outcome)
      return try asking.takeAnswer(as: Answer.self)
    }
  }

  /// Sends an event, and combines all answers.
  func allAnswers<Payload: EventPayload, Answer, Result>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules, into initial: Result,
    _ add: (inout Result, Answer) throws -> Void
  ) throws -> Result {
    var (value, result): (Answer?, Result) = (nil, initial)
    try withoutActuallyEscaping(add) { add in
      try unsafe withUnsafeMutablePointer(to: &value) { value in
        var asking = unsafe Asking(value) { asking in
          if let answer = try asking.takeAnswer(as: Answer.self) { try add(&result, answer) }
        }
        let outcome = unsafe withUnsafeMutablePointer(to: &asking) {
          unsafe route(key, source: source, payload: AskingPayload(payload, $0), rules: rules)
        }
        try asking.check(outcome)
      }
    }
    return result
  }

  /// Sends an event, awaits its handlers, and returns the first answer.
  @usableFromInline
  nonisolated(nonsending) func firstAnswerAwaiting<Payload: EventPayload, Answer>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules
  ) async throws -> Answer? {
    let memory = AskingMemory<Answer>()
    unsafe memory.asking.initialize(to: Asking(memory.value))
    let outcome = await routeAwaiting(key, source: source, payload: unsafe AskingPayload(payload, memory.asking), rules: rules)
    try unsafe memory.asking.pointee.check(outcome)
    return try unsafe memory.asking.pointee.takeAnswer(as: Answer.self)
  }

  /// Sends an event, awaits its handlers, and returns all answers.
  nonisolated(nonsending) func allAnswersAwaiting<Payload: EventPayload, Answer>(
    _ key: EventKey, source: AnyObject?, payload: Payload, rules: RoutingRules
  ) async throws -> [Answer] {
    let memory = AskingMemory<Answer>()
    unsafe memory.asking.initialize(
      to: Asking(memory.value) { [unowned memory] asking in
        if let answer = try asking.takeAnswer(as: Answer.self) { memory.answers.append(answer) }
      })
    let outcome = await routeAwaiting(key, source: source, payload: unsafe AskingPayload(payload, memory.asking), rules: rules)
    try unsafe memory.asking.pointee.check(outcome)
    return memory.answers
  }
}

/// The memory of an ask whose handlers may be suspended.
@safe
private final class AskingMemory<Answer> {
  let value: UnsafeMutablePointer<Answer?> = .allocate(capacity: 1)
  /// Initialized by the ask.
  let asking: UnsafeMutablePointer<Asking> = .allocate(capacity: 1)
  var answers: [Answer] = []

  init() { unsafe value.initialize(to: nil) }

  deinit {
    unsafe asking.deinitialize(count: 1)
    unsafe asking.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }
}
