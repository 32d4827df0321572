public import DynamicInvocation

/// Asking the handlers of an event.
extension Responder {
  /// Sends an event from this node, and returns the first answer.
  ///
  ///     let price: Int? = try cart.ask("price", "apple")
  ///
  /// A handler answers with its result, unless that is `Void`, an ``EventReply`` or nil. The first answer ends the route. An
  /// answer of another type is converted exactly, as an argument is; a sender that asks for a `BoxedValue` receives the answer
  /// boxed.
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - arguments: The arguments after the source, which is this node.
  ///   - rules: How the event is routed.
  /// - Returns: The answer, or nil when nobody answers.
  /// - Throws: The error of a handler that was to answer; ``EventError`` for an answer of a type that is not converted;
  ///   without an answer, the first error of the outcome.
  /// - Complexity: As of a send. A Swift closure that answers with the type that is asked for allocates nothing.
  public func ask<Answer, each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) throws -> Answer? {
    let payload = PackPayload(repeat each arguments)
    var value: Answer?
    return try unsafe withUnsafeMutablePointer(to: &value) { value in
      var asking = unsafe Asking(value)
      let outcome = unsafe withUnsafeMutablePointer(to: &asking) {
        unsafe route(key.key, source: self, payload: AskingPayload(payload, $0), rules: rules)
      }
      try asking.check(outcome)
      return try asking.takeAnswer(as: Answer.self)
    }
  }

  /// Sends an event from this node, and returns all answers, in the order in which the handlers were called.
  ///
  ///     let names: [String] = try window.askAll("name", rules: .busDown)
  ///
  /// The route continues after an answer, and after a handler that handled the event: ``RoutingRules/continuesWhenHandled`` is
  /// taken as true. A reply that stops the event, ``EventReply/handledAndStop(_:)``, ends the route.
  ///
  /// - Throws: As ``ask(_:_:rules:)``. The first error ends the route, and the answers before it are dropped.
  /// - Complexity: As of a send; allocates the array.
  public func askAll<Answer, each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) throws -> [Answer] {
    let memory = AskingMemory<Answer>(collects: true)
    let payload = unsafe AskingPayload(PackPayload(repeat each arguments), memory.asking)
    return try memory.answers(route(key.key, source: self, payload: payload, rules: rules.continuing))
  }

  /// Sends an event from this node, awaits its handlers, and returns the first answer.
  ///
  ///     let total: Int? = try await cart.askAwaiting("total")
  ///
  /// It asks as ``ask(_:_:rules:)`` does, and asynchronous handlers answer, too. All handlers run in the isolation of the
  /// caller.
  ///
  /// - Throws: As ``ask(_:_:rules:)``.
  /// - Complexity: As of a send that waits; allocates the memory of the answer.
  public nonisolated(nonsending) func askAwaiting<Answer, each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) async throws -> Answer? {
    let answers: [Answer] = try await answersAwaiting(key.key, PackPayload(repeat each arguments), rules, all: false)
    return answers.first
  }

  /// Sends an event from this node, awaits its handlers, and returns all answers, in the order in which the handlers were
  /// called.
  ///
  /// - Throws: As ``askAll(_:_:rules:)``.
  public nonisolated(nonsending) func askAllAwaiting<Answer, each Argument: _BoxConvertible>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) async throws -> [Answer] {
    try await answersAwaiting(key.key, PackPayload(repeat each arguments), rules, all: true)
  }

  fileprivate nonisolated(nonsending) func answersAwaiting<Payload: EventPayload, Answer>(
    _ key: EventKey, _ payload: Payload, _ rules: RoutingRules, all: Bool
  ) async throws -> [Answer] {
    let memory = AskingMemory<Answer>(collects: all)
    return try memory.answers(
      await routeAwaiting(
        key, source: self, payload: unsafe AskingPayload(payload, memory.asking), rules: all ? rules.continuing : rules))
  }
}

extension RoutingRules {
  /// The rules of an event that asks all handlers.
  fileprivate var continuing: RoutingRules {
    var rules = self
    rules.continuesWhenHandled = true
    return rules
  }
}

/// Asking a tree of another isolation domain.
extension EventPort {
  /// Sends an event in the isolation of the tree, waits for asynchronous handlers, and returns the first answer.
  ///
  ///     let total: Int? = try await port.ask("total")
  ///
  /// Events that any task posted before are delivered first.
  ///
  /// - Returns: The answer; nil when nobody answers, and when the node was deallocated.
  /// - Throws: As ``Responder/askAwaiting(_:_:rules:)``.
  /// - Complexity: A change to the actor and back, the delivery of what is queued, and the send.
  public func ask<Answer: Sendable, each Argument: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) async throws -> Answer? {
    let answers: [Answer] = try await answers(key.key, PackPayload(repeat each arguments), rules, all: false)
    return answers.first
  }

  /// Sends an event in the isolation of the tree, waits for asynchronous handlers, and returns all answers; see
  /// ``ask(_:_:rules:)``.
  public func askAll<Answer: Sendable, each Argument: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(repeat each Argument)>, _ arguments: repeat each Argument, rules: RoutingRules = .router
  ) async throws -> [Answer] {
    try await answers(key.key, PackPayload(repeat each arguments), rules, all: true)
  }

  private func answers<Answer: Sendable>(
    _ key: EventKey, _ payload: any EventPayload, _ rules: RoutingRules, all: Bool
  ) async throws -> [Answer] {
    // The arguments are Sendable.
    nonisolated(unsafe) let payload = payload
    return try await core.ask(on: owner) { node in
      try unsafe await node.responder.answersAwaiting(key, payload, rules, all: all)
    } ?? []
  }
}

/// The memory of an ask that collects answers, or whose handlers may be suspended.
@safe
private final class AskingMemory<Answer> {
  private let value: UnsafeMutablePointer<Answer?> = .allocate(capacity: 1)
  let asking: UnsafeMutablePointer<Asking> = .allocate(capacity: 1)
  private var collected: [Answer] = []

  /// - Parameter collects: Whether all answers are collected; otherwise the first one ends the route.
  init(collects: Bool) {
    unsafe value.initialize(to: nil)
    unsafe asking.initialize(to: Asking(value, collect: collects ? { [unowned self] in try collect(&$0) } : nil))
  }

  deinit {
    unsafe asking.deinitialize(count: 1)
    unsafe asking.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  private func collect(_ asking: inout Asking) throws {
    if let answer = try asking.takeAnswer(as: Answer.self) { collected.append(answer) }
  }

  /// The answers, after the route has ended.
  func answers(_ outcome: SendOutcome) throws -> [Answer] {
    try unsafe asking.pointee.check(outcome)
    try unsafe collect(&asking.pointee)
    return collected
  }
}
