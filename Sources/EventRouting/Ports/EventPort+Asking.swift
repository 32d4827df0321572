public import DynamicInvocation

/// Asking a tree of another isolation domain.
extension EventPort {
  /// Sends an event with boxed arguments in the isolation of the tree, waits for asynchronous handlers, and returns the
  /// first answer.
  ///
  ///     let total: Int? = try await port.ask("total")
  ///
  /// What was posted before, by any task, is delivered first.
  ///
  /// - Returns: The answer; nil when nobody answers, and when the node was deallocated.
  /// - Throws: As ``Responder/askAwaiting(_:arguments:rules:)``.
  /// - Complexity: A change to the actor and back, the delivery of what is queued, and the send.
  public func ask<Answer: Sendable>(
    _ key: EventKey, arguments: [EventPort.Argument] = [], rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await core.ask(on: owner) { node in
      try await node.responder.askAwaiting(key, arguments: arguments.map(\.value), rules: rules)
    }
  }

  /// Sends a typed event in the isolation of the tree, waits for asynchronous handlers, and returns the first answer; see the
  /// form with boxed arguments.
  @_disfavoredOverload  // A literal is a key without types.
  public func ask<Answer: Sendable, each Value: _BoxConvertible & Sendable>(
    _ key: TypedEventKey<(repeat each Value)>, _ arguments: repeat each Value, rules: RoutingRules = .router
  ) async throws -> Answer? {
    // The arguments are Sendable.
    nonisolated(unsafe) let payload = LatePayload(boxing: repeat each arguments)
    return try await core.ask(on: owner) { node in
      try await node.responder.firstAnswerAwaiting(key.key, source: node.responder, payload: unsafe payload, rules: rules)
    }
  }

  /// Sends an event with boxed arguments in the isolation of the tree, waits for asynchronous handlers, and returns all
  /// answers; see ``ask(_:arguments:rules:)``.
  public func askAll<Answer: Sendable>(
    _ key: EventKey, arguments: [EventPort.Argument] = [], rules: RoutingRules = .router
  ) async throws -> [Answer] {
    try await core.ask(on: owner) { node in
      try await node.responder.askAllAwaiting(key, arguments: arguments.map(\.value), rules: rules)
    } ?? []
  }
}
