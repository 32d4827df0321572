// Written by make generate from Scripts/Templates/EventRouting/Responder+TypedAsking.swift.template.

public import DynamicInvocation

// One overload for each number of arguments up to four.

/// Asking with typed events.
extension Responder {
  /// Sends a typed event with no arguments from this node, and returns the first answer.
  ///
  /// See the form with one argument.
  @_disfavoredOverload  // A literal is a key without types.
  @_alwaysEmitIntoClient
  public func ask<Answer>(
    _ key: TypedEventKey<Void>, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: self, payload: TypedPayload0(), rules: rules)
  }

  /// Sends a typed event with no arguments from this node, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_disfavoredOverload  // A literal is a key without types.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<Answer>(
    _ key: TypedEventKey<Void>, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: self, payload: TypedPayload0(), rules: rules)
  }

  /// Sends an event with one argument, typed, from this node, and returns the first answer.
  ///
  ///     let price: Int? = try cart.ask("price", "apple")
  ///
  /// A handler answers with its result, if that is neither `Void` nor an ``EventReply``, and not nil. The first answer ends
  /// the route. An answer of another type is converted exactly, as an argument is.
  ///
  /// - Parameters:
  ///   - key: The event; the types of a literal are inferred from the call.
  ///   - a: The argument.
  ///   - rules: How the event is routed.
  /// - Returns: The answer, or nil when nobody answers.
  /// - Throws: The error of a handler that was to answer; ``EventError`` for an answer of a type that is not converted;
  ///   without an answer, the first error of the outcome.
  /// - Complexity: As of a send. A handler of the same types that answers with the type that is asked for allocates
  ///   nothing.
  @_alwaysEmitIntoClient
  public func ask<A: _BoxConvertible, Answer>(
    _ key: TypedEventKey<A>, _ a: A, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: self, payload: TypedPayload1(a), rules: rules)
  }

  /// Sends a typed event with one argument from this node, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<A: _BoxConvertible, Answer>(
    _ key: TypedEventKey<A>, _ a: A, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: self, payload: TypedPayload1(a), rules: rules)
  }

  /// Sends a typed event with two arguments from this node, and returns the first answer.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  public func ask<A: _BoxConvertible, B: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B)>, _ a: A, _ b: B, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: self, payload: TypedPayload2(a, b), rules: rules)
  }

  /// Sends a typed event with two arguments from this node, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<A: _BoxConvertible, B: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B)>, _ a: A, _ b: B, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: self, payload: TypedPayload2(a, b), rules: rules)
  }

  /// Sends a typed event with three arguments from this node, and returns the first answer.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  public func ask<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B, C)>, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: self, payload: TypedPayload3(a, b, c), rules: rules)
  }

  /// Sends a typed event with three arguments from this node, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B, C)>, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: self, payload: TypedPayload3(a, b, c), rules: rules)
  }

  /// Sends a typed event with four arguments from this node, and returns the first answer.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  public func ask<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B, C, D)>, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: self, payload: TypedPayload4(a, b, c, d), rules: rules)
  }

  /// Sends a typed event with four arguments from this node, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B, C, D)>, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: self, payload: TypedPayload4(a, b, c, d), rules: rules)
  }
}

/// Asking with typed events on behalf of another object, or without a source.
extension Responder {
  /// Sends a typed event with no arguments from this node on behalf of another object, and returns the first answer.
  ///
  /// See the form with one argument.
  @_disfavoredOverload  // A literal is a key without types.
  @_alwaysEmitIntoClient
  public func ask<Answer>(
    _ key: TypedEventKey<Void>, source: AnyObject?, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: source, payload: TypedPayload0(), rules: rules)
  }

  /// Sends a typed event with no arguments from this node on behalf of another object, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_disfavoredOverload  // A literal is a key without types.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<Answer>(
    _ key: TypedEventKey<Void>, source: AnyObject?, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: source, payload: TypedPayload0(), rules: rules)
  }

  /// Sends a typed event with one argument from this node on behalf of another object, and returns the first answer.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  public func ask<A: _BoxConvertible, Answer>(
    _ key: TypedEventKey<A>, source: AnyObject?, _ a: A, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: source, payload: TypedPayload1(a), rules: rules)
  }

  /// Sends a typed event with one argument from this node on behalf of another object, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<A: _BoxConvertible, Answer>(
    _ key: TypedEventKey<A>, source: AnyObject?, _ a: A, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: source, payload: TypedPayload1(a), rules: rules)
  }

  /// Sends a typed event with two arguments from this node on behalf of another object, and returns the first answer.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  public func ask<A: _BoxConvertible, B: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B)>, source: AnyObject?, _ a: A, _ b: B, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: source, payload: TypedPayload2(a, b), rules: rules)
  }

  /// Sends a typed event with two arguments from this node on behalf of another object, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<A: _BoxConvertible, B: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B)>, source: AnyObject?, _ a: A, _ b: B, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: source, payload: TypedPayload2(a, b), rules: rules)
  }

  /// Sends a typed event with three arguments from this node on behalf of another object, and returns the first answer.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  public func ask<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B, C)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: source, payload: TypedPayload3(a, b, c), rules: rules)
  }

  /// Sends a typed event with three arguments from this node on behalf of another object, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B, C)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: source, payload: TypedPayload3(a, b, c), rules: rules)
  }

  /// Sends a typed event with four arguments from this node on behalf of another object, and returns the first answer.
  ///
  /// See the form with one argument.
  @_alwaysEmitIntoClient
  public func ask<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B, C, D)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) throws -> Answer? {
    try firstAnswer(key.key, source: source, payload: TypedPayload4(a, b, c, d), rules: rules)
  }

  /// Sends a typed event with four arguments from this node on behalf of another object, awaits its handlers, and returns
  /// the first answer.
  ///
  /// See the form with one argument that does not await. All handlers run in the isolation of the caller.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func askAwaiting<A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Answer>(
    _ key: TypedEventKey<(A, B, C, D)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, rules: RoutingRules = .router
  ) async throws -> Answer? {
    try await firstAnswerAwaiting(key.key, source: source, payload: TypedPayload4(a, b, c, d), rules: rules)
  }
}
