// Written by make generate from Scripts/Templates/EventRouting/EventProxy+AwaitedRegistering.swift.template.

public import DynamicInvocation

// One overload for each number of arguments up to eight.

/// Handlers that are asynchronous closures.
extension EventProxy {
  /// Registers an asynchronous closure of the source and no arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody0(isolation: actor, AwaitedClosure0(body)))
  }

  /// Registers an asynchronous closure of the source and one argument.
  ///
  ///     try proxy.register("saved") { (source: AnyObject?, count: Int) in await store.save(count) }
  ///
  /// ``Responder/sendAwaiting(_:_:rules:)`` waits for it. It runs in the isolation of the send. What it awaits may run
  /// on another actor; the compiler refuses arguments that are sent there and are not Sendable.
  ///
  /// - Parameters:
  ///   - key: The event, as for a synchronous closure.
  ///   - options: The priority and other options, among them what a synchronous send does.
  ///   - actor: The actor on which a synchronous send starts the handler; the default is the isolation of the caller.
  ///   - body: The closure, with the types that a synchronous closure may have. An event calls it, waits until it
  ///     returns, and then calls the next handler.
  /// - Throws: `InvocationError` as for a synchronous closure.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody1<A>(isolation: actor, AwaitedClosure1(body)))
  }

  /// Registers an asynchronous closure of the source and two arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A, B) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody2<A, B>(isolation: actor, AwaitedClosure2(body)))
  }

  /// Registers an asynchronous closure of the source and three arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A, B, C) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody3<A, B, C>(isolation: actor, AwaitedClosure3(body)))
  }

  /// Registers an asynchronous closure of the source and four arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C, D)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A, B, C, D) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody4<A, B, C, D>(isolation: actor, AwaitedClosure4(body)))
  }

  /// Registers an asynchronous closure of the source and five arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A, B, C, D, E) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody5<A, B, C, D, E>(isolation: actor, AwaitedClosure5(body)))
  }

  /// Registers an asynchronous closure of the source and six arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    F: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A, B, C, D, E, F) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody6<A, B, C, D, E, F>(isolation: actor, AwaitedClosure6(body)))
  }

  /// Registers an asynchronous closure of the source and seven arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    F: _BoxConvertible, G: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A, B, C, D, E, F, G) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody7<A, B, C, D, E, F, G>(isolation: actor, AwaitedClosure7(body)))
  }

  /// Registers an asynchronous closure of the source and eight arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    F: _BoxConvertible, G: _BoxConvertible, H: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source?, A, B, C, D, E, F, G, H) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      AwaitedBody8<A, B, C, D, E, F, G, H>(isolation: actor, AwaitedClosure8(body)))
  }
}

/// Handlers that are asynchronous closures, and require a source.
extension EventProxy {
  /// Registers an asynchronous closure of the source and no arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody0(isolation: actor, AwaitedClosure0(requiring: body)))
  }

  /// Registers an asynchronous closure of the source and one argument; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody1<A>(isolation: actor, AwaitedClosure1(requiring: body)))
  }

  /// Registers an asynchronous closure of the source and two arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A, B) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody2<A, B>(isolation: actor, AwaitedClosure2(requiring: body)))
  }

  /// Registers an asynchronous closure of the source and three arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A, B, C) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody3<A, B, C>(isolation: actor, AwaitedClosure3(requiring: body)))
  }

  /// Registers an asynchronous closure of the source and four arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C, D)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A, B, C, D) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody4<A, B, C, D>(isolation: actor, AwaitedClosure4(requiring: body)))
  }

  /// Registers an asynchronous closure of the source and five arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A, B, C, D, E) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody5<A, B, C, D, E>(isolation: actor, AwaitedClosure5(requiring: body)))
  }

  /// Registers an asynchronous closure of the source and six arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    F: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A, B, C, D, E, F) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody6<A, B, C, D, E, F>(isolation: actor, AwaitedClosure6(requiring: body)))
  }

  /// Registers an asynchronous closure of the source and seven arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    F: _BoxConvertible, G: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A, B, C, D, E, F, G) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody7<A, B, C, D, E, F, G>(isolation: actor, AwaitedClosure7(requiring: body)))
  }

  /// Registers an asynchronous closure of the source and eight arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, E: _BoxConvertible,
    F: _BoxConvertible, G: _BoxConvertible, H: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Source, A, B, C, D, E, F, G, H) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      AwaitedBody8<A, B, C, D, E, F, G, H>(isolation: actor, AwaitedClosure8(requiring: body)))
  }
}

/// Handlers that are asynchronous closures with a target.
extension EventProxy {
  /// Registers an asynchronous closure of a target, the source and no arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody0(isolation: actor, AwaitedTargetClosure0(body)))
  }

  /// Registers an asynchronous closure of a target, the source and one argument; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?, A) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody1<A>(isolation: actor, AwaitedTargetClosure1(body)))
  }

  /// Registers an asynchronous closure of a target, the source and two arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?, A, B) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody2<A, B>(isolation: actor, AwaitedTargetClosure2(body)))
  }

  /// Registers an asynchronous closure of a target, the source and three arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?, A, B, C) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody3<A, B, C>(isolation: actor, AwaitedTargetClosure3(body)))
  }

  /// Registers an asynchronous closure of a target, the source and four arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?, A, B, C, D) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody4<A, B, C, D>(isolation: actor, AwaitedTargetClosure4(body)))
  }

  /// Registers an asynchronous closure of a target, the source and five arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?, A, B, C, D, E) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody5<A, B, C, D, E>(isolation: actor, AwaitedTargetClosure5(body)))
  }

  /// Registers an asynchronous closure of a target, the source and six arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?, A, B, C, D, E, F) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody6<A, B, C, D, E, F>(isolation: actor, AwaitedTargetClosure6(body)))
  }

  /// Registers an asynchronous closure of a target, the source and seven arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, G: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?, A, B, C, D, E, F, G) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody7<A, B, C, D, E, F, G>(isolation: actor, AwaitedTargetClosure7(body)))
  }

  /// Registers an asynchronous closure of a target, the source and eight arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, G: _BoxConvertible, H: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source?, A, B, C, D, E, F, G, H) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody8<A, B, C, D, E, F, G, H>(isolation: actor, AwaitedTargetClosure8(body)))
  }
}

/// Handlers that are asynchronous closures with a target, and require a source.
extension EventProxy {
  /// Registers an asynchronous closure of a target, the source and no arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody0(isolation: actor, AwaitedTargetClosure0(requiring: body)))
  }

  /// Registers an asynchronous closure of a target, the source and one argument; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source, A) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody1<A>(isolation: actor, AwaitedTargetClosure1(requiring: body)))
  }

  /// Registers an asynchronous closure of a target, the source and two arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source, A, B) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody2<A, B>(isolation: actor, AwaitedTargetClosure2(requiring: body)))
  }

  /// Registers an asynchronous closure of a target, the source and three arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source, A, B, C) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody3<A, B, C>(isolation: actor, AwaitedTargetClosure3(requiring: body)))
  }

  /// Registers an asynchronous closure of a target, the source and four arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source, A, B, C, D) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody4<A, B, C, D>(isolation: actor, AwaitedTargetClosure4(requiring: body)))
  }

  /// Registers an asynchronous closure of a target, the source and five arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source, A, B, C, D, E) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody5<A, B, C, D, E>(isolation: actor, AwaitedTargetClosure5(requiring: body)))
  }

  /// Registers an asynchronous closure of a target, the source and six arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source, A, B, C, D, E, F) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody6<A, B, C, D, E, F>(isolation: actor, AwaitedTargetClosure6(requiring: body)))
  }

  /// Registers an asynchronous closure of a target, the source and seven arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, G: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source, A, B, C, D, E, F, G) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody7<A, B, C, D, E, F, G>(isolation: actor, AwaitedTargetClosure7(requiring: body)))
  }

  /// Registers an asynchronous closure of a target, the source and eight arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, G: _BoxConvertible, H: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) @escaping (Target, Source, A, B, C, D, E, F, G, H) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody8<A, B, C, D, E, F, G, H>(isolation: actor, AwaitedTargetClosure8(requiring: body)))
  }
}

/// Handlers that are asynchronous methods, passed by their names.
extension EventProxy {
  /// Registers an asynchronous method of a target, of the source and no arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody0(
        isolation: actor,
        AwaitedTargetClosure0 { (target: Target, source: Source?) async throws in
          try await body(target)(source)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and one argument; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody1<A>(
        isolation: actor,
        AwaitedTargetClosure1 { (target: Target, source: Source?, a: A) async throws in
          try await body(target)(source, a)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and two arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A, B) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody2<A, B>(
        isolation: actor,
        AwaitedTargetClosure2 { (target: Target, source: Source?, a: A, b: B) async throws in
          try await body(target)(source, a, b)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and three arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A, B, C) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody3<A, B, C>(
        isolation: actor,
        AwaitedTargetClosure3 { (target: Target, source: Source?, a: A, b: B, c: C) async throws in
          try await body(target)(source, a, b, c)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and four arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A, B, C, D) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody4<A, B, C, D>(
        isolation: actor,
        AwaitedTargetClosure4 { (target: Target, source: Source?, a: A, b: B, c: C, d: D) async throws in
          try await body(target)(source, a, b, c, d)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and five arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A, B, C, D, E) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody5<A, B, C, D, E>(
        isolation: actor,
        AwaitedTargetClosure5 { (target: Target, source: Source?, a: A, b: B, c: C, d: D, e: E) async throws in
          try await body(target)(source, a, b, c, d, e)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and six arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A, B, C, D, E, F) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody6<A, B, C, D, E, F>(
        isolation: actor,
        AwaitedTargetClosure6 { (target: Target, source: Source?, a: A, b: B, c: C, d: D, e: E, f: F) async throws in
          try await body(target)(source, a, b, c, d, e, f)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and seven arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, G: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A, B, C, D, E, F, G) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody7<A, B, C, D, E, F, G>(
        isolation: actor,
        AwaitedTargetClosure7 { (target: Target, source: Source?, a: A, b: B, c: C, d: D, e: E, f: F, g: G) async throws in
          try await body(target)(source, a, b, c, d, e, f, g)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and eight arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, G: _BoxConvertible, H: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source?, A, B, C, D, E, F, G, H) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      AwaitedTargetBody8<A, B, C, D, E, F, G, H>(
        isolation: actor,
        AwaitedTargetClosure8 { (target: Target, source: Source?, a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H) async throws in
          try await body(target)(source, a, b, c, d, e, f, g, h)
        }))
  }
}

/// Handlers that are asynchronous methods, passed by their names, and require a source.
extension EventProxy {
  /// Registers an asynchronous method of a target, of the source and no arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody0(
        isolation: actor,
        AwaitedTargetClosure0 { (target: Target, source: Source?) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self))
        }))
  }

  /// Registers an asynchronous method of a target, of the source and one argument; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody1<A>(
        isolation: actor,
        AwaitedTargetClosure1 { (target: Target, source: Source?, a: A) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self), a)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and two arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A, B) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody2<A, B>(
        isolation: actor,
        AwaitedTargetClosure2 { (target: Target, source: Source?, a: A, b: B) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self), a, b)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and three arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A, B, C) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody3<A, B, C>(
        isolation: actor,
        AwaitedTargetClosure3 { (target: Target, source: Source?, a: A, b: B, c: C) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self), a, b, c)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and four arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A, B, C, D) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody4<A, B, C, D>(
        isolation: actor,
        AwaitedTargetClosure4 { (target: Target, source: Source?, a: A, b: B, c: C, d: D) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self), a, b, c, d)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and five arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A, B, C, D, E) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody5<A, B, C, D, E>(
        isolation: actor,
        AwaitedTargetClosure5 { (target: Target, source: Source?, a: A, b: B, c: C, d: D, e: E) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self), a, b, c, d, e)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and six arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A, B, C, D, E, F) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody6<A, B, C, D, E, F>(
        isolation: actor,
        AwaitedTargetClosure6 { (target: Target, source: Source?, a: A, b: B, c: C, d: D, e: E, f: F) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self), a, b, c, d, e, f)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and seven arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, G: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A, B, C, D, E, F, G) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody7<A, B, C, D, E, F, G>(
        isolation: actor,
        AwaitedTargetClosure7 { (target: Target, source: Source?, a: A, b: B, c: C, d: D, e: E, f: F, g: G) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self), a, b, c, d, e, f, g)
        }))
  }

  /// Registers an asynchronous method of a target, of the source and eight arguments; see the form with a closure of one argument.
  @_alwaysEmitIntoClient
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible,
    E: _BoxConvertible, F: _BoxConvertible, G: _BoxConvertible, H: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> nonisolated(nonsending) (Source, A, B, C, D, E, F, G, H) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      AwaitedTargetBody8<A, B, C, D, E, F, G, H>(
        isolation: actor,
        AwaitedTargetClosure8 { (target: Target, source: Source?, a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H) async throws in
          try await body(target)(SourceRule.required(source, as: Source.self), a, b, c, d, e, f, g, h)
        }))
  }
}
