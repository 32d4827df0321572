public import DynamicInvocation

// Handlers and events of five and more arguments, whose types are a parameter pack. Those of fewer are in Generated: a pack costs some nanoseconds
// an argument, and copies what it passes.

/// Handlers with five or more arguments.
extension EventProxy {
  /// Registers a Swift closure of the source and five or more arguments; see the form with one argument.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - options: The priority and other options.
  ///   - body: The closure, of up to 60 arguments after the source.
  /// - Throws: `InvocationError` as the form with one argument does, and `limitExceeded` for more than 60 arguments.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    each Rest: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source?, A, B, C, D, E, repeat each Rest) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      PackedBody<A, B, C, D, E, repeat each Rest> { _, source, arguments in
        try source.withOptional { (source: Source?) in
          EventReply(of: try body(source, arguments.a, arguments.b, arguments.c, arguments.d, arguments.e, repeat each arguments.rest))
        }
      })
  }

  /// Registers a Swift closure of the source and five or more arguments, and requires a source; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    each Rest: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source, A, B, C, D, E, repeat each Rest) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      PackedBody<A, B, C, D, E, repeat each Rest> { _, source, arguments in
        try source.withObject { (source: Source) in
          EventReply(of: try body(source, arguments.a, arguments.b, arguments.c, arguments.d, arguments.e, repeat each arguments.rest))
        }
      })
  }

  /// Registers a method of a target, of the source and five or more arguments; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible,
    each Rest: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source?, A, B, C, D, E, repeat each Rest) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      PackedBody<A, B, C, D, E, repeat each Rest> { target, source, arguments in
        try target.withObject { (target: Target) in
          try source.withOptional { (source: Source?) in
            EventReply(
              of: try body(target)(source, arguments.a, arguments.b, arguments.c, arguments.d, arguments.e, repeat each arguments.rest))
          }
        }
      })
  }

  /// Registers a method of a target, of the source and five or more arguments, and requires a source; see the form with one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible,
    each Rest: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source, A, B, C, D, E, repeat each Rest) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      PackedBody<A, B, C, D, E, repeat each Rest> { target, source, arguments in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in
            EventReply(
              of: try body(target)(source, arguments.a, arguments.b, arguments.c, arguments.d, arguments.e, repeat each arguments.rest))
          }
        }
      })
  }
}

/// Asynchronous handlers with five or more arguments.
extension EventProxy {
  /// Registers an asynchronous closure of the source and five or more arguments; see the form with one argument.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - options: The priority and other options.
  ///   - actor: The actor on which a synchronous send starts the handler; the default is the isolation of the caller.
  ///   - body: The closure, of up to 60 arguments after the source.
  /// - Throws: `InvocationError` as the form with one argument does, and `limitExceeded` for more than 60 arguments.
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    each Rest: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A, B, C, D, E, repeat each Rest) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      PackedAwaitedBody<A, B, C, D, E, repeat each Rest>(isolation: actor) { _, source, arguments in
        EventReply(
          of: try await body(
            SourceRule.optional(source, as: Source.self), arguments.a, arguments.b, arguments.c, arguments.d, arguments.e,
            repeat each arguments.rest))
      })
  }

  /// Registers an asynchronous closure of the source and five or more arguments, and requires a source; see the form with one argument.
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    each Rest: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A, B, C, D, E, repeat each Rest) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      PackedAwaitedBody<A, B, C, D, E, repeat each Rest>(isolation: actor) { _, source, arguments in
        EventReply(
          of: try await body(
            SourceRule.required(source, as: Source.self), arguments.a, arguments.b, arguments.c, arguments.d, arguments.e,
            repeat each arguments.rest))
      })
  }

  /// Registers an asynchronous method of a target, of the source and five or more arguments; see the form with one argument.
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible,
    each Rest: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A, B, C, D, E, repeat each Rest) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      PackedAwaitedBody<A, B, C, D, E, repeat each Rest>(isolation: actor) { target, source, arguments in
        EventReply(
          of: try await body(target.object(as: Target.self))(
            SourceRule.optional(source, as: Source.self), arguments.a, arguments.b, arguments.c, arguments.d, arguments.e,
            repeat each arguments.rest))
      })
  }

  /// Registers an asynchronous method of a target, of the source and five or more arguments, and requires a source; see the form with one argument.
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible,
    each Rest: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A, B, C, D, E, repeat each Rest) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      PackedAwaitedBody<A, B, C, D, E, repeat each Rest>(isolation: actor) { target, source, arguments in
        EventReply(
          of: try await body(target.object(as: Target.self))(
            SourceRule.required(source, as: Source.self), arguments.a, arguments.b, arguments.c, arguments.d, arguments.e,
            repeat each arguments.rest))
      })
  }
}

/// Sending events with five or more arguments.
extension EventProxy {
  /// Sends an event with five or more arguments, typed; see the form with one argument.
  ///
  /// - Complexity: The calls of the handlers. Each retains and copies the arguments.
  @_alwaysEmitIntoClient
  @discardableResult
  public func send<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
    _ rest: repeat each Rest
  ) -> Answer {
    sendCarefully(key.key, source: source, PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest))
  }

  /// Sends an event with five or more arguments, typed, and waits for asynchronous handlers; see the form with one argument.
  @discardableResult
  public nonisolated(nonsending) func sendAwaiting<
    A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, each Rest: _BoxConvertible
  >(
    _ key: TypedEventKey<(A, B, C, D, E, repeat each Rest)>, source: AnyObject?, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
    _ rest: repeat each Rest
  ) async -> Answer {
    await sendAwaiting(key.key, source: source, payload: PackedPayload<A, B, C, D, E, repeat each Rest>(a, b, c, d, e, repeat each rest))
  }

  /// Sends an event with five or more arguments, boxed; see the form with one argument.
  ///
  /// - Complexity: Allocates the array of the boxes.
  @discardableResult
  public func send(
    _ key: EventKey, source: AnyObject?, boxed a: BoxedValue, _ b: BoxedValue, _ c: BoxedValue, _ d: BoxedValue, _ e: BoxedValue,
    _ rest: BoxedValue...
  ) -> Answer {
    send(key, source: source, arguments: [a, b, c, d, e] + rest)
  }
}
