import DynamicInvocation
import EventRouting

/// The registration of asynchronous handlers.
extension ScriptRun {
  private typealias Body<Result> = nonisolated(nonsending) (AnyObject?, String) async throws -> Result

  /// Registers an asynchronous handler on the main actor, on which scripts run.
  func registerAwaited(
    _ handler: EventScript.Handler, number: Int, on proxy: EventProxy, _ target: ScriptTarget?, _ options: HandlerOptions
  ) throws(InvocationError) -> EventRegistration {
    nonisolated(unsafe) let (run, proxy, target) = (self, proxy, target)
    nonisolated(unsafe) var result: Result<EventRegistration, InvocationError>?
    MainActor.assumeIsolated {
      result = Result { () throws(InvocationError) in
        try run.register(handler, number, proxy, target, options)
      }
    }
    guard let result else { preconditionFailure("a handler is registered on the main actor") }
    return try result.get()
  }

  @MainActor
  private func register(
    _ handler: EventScript.Handler, _ number: Int, _ proxy: EventProxy, _ target: ScriptTarget?, _ options: HandlerOptions
  ) throws(InvocationError) -> EventRegistration {
    let key = EventKey(handler.key)
    let reply: Body<EventReply> = { [unowned self] source, arguments in try await handleAwaiting(number, source, arguments) }
    if handler.kind == .interceptor {
      return try proxy.intercept(key, options: options) { [unowned self] source, key, arguments async throws in
        if key.name != handler.key { note("the key is \(key)") }
        return try await handleAwaiting(number, source, arguments.map(\.noted).joined(separator: ","))
      }
    }
    if handler.returnsOptional {
      return try register(handler, proxy, options, target) { source, arguments async throws -> EventReply? in
        let made = try await reply(source, arguments)
        return handler.isQuiet ? nil : made
      }
    }
    let quiet: Body<Void> = { source, arguments in _ = try await reply(source, arguments) }
    return handler.isQuiet
      ? try register(handler, proxy, options, target, quiet) : try register(handler, proxy, options, target, reply)
  }

  @MainActor
  private func register<Result>(
    _ handler: EventScript.Handler, _ proxy: EventProxy, _ options: HandlerOptions, _ target: ScriptTarget?, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    handler.source == .special
      ? try register(handler, proxy, options, target, SpecialSource.self, body)
      : try register(handler, proxy, options, target, AnyObject.self, body)
  }

  @MainActor
  private func register<Source: AnyObject, Result>(
    _ handler: EventScript.Handler, _ proxy: EventProxy, _ options: HandlerOptions, _ target: ScriptTarget?, _ source: Source.Type,
    _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    typealias Target = ScriptTarget
    let name = EventKey(handler.key)
    switch handler.parameters {
    case .none:
      let key = TypedEventKey<Void>(name)
      guard let target else { return try proxy.register(key, options: options) { (source: Source?) in try await body(source, "") } }
      return try proxy.register(key, target: target, options: options) { (_: Target) in { (source: Source?) in try await body(source, "") }
      }
    case .int: return try register(TypedEventKey<Int>(name), proxy, options, target, source, body)
    case .int8: return try register(TypedEventKey<Int8>(name), proxy, options, target, source, body)
    case .double: return try register(TypedEventKey<Double>(name), proxy, options, target, source, body)
    case .text: return try register(TypedEventKey<String>(name), proxy, options, target, source, body)
    case .intDouble:
      let key = TypedEventKey<(Int, Double)>(name)
      guard let target else {
        return try proxy.register(key, options: options) { (source: Source?, a: Int, b: Double) in try await body(source, "\(a),\(b)") }
      }
      return try proxy.register(key, target: target, options: options) { (_: Target) in
        { (source: Source?, a: Int, b: Double) in try await body(source, "\(a),\(b)") }
      }
    }
  }

  @MainActor
  private func register<A: _BoxConvertible, Source: AnyObject, Result>(
    _ key: TypedEventKey<A>, _ proxy: EventProxy, _ options: HandlerOptions, _ target: ScriptTarget?, _: Source.Type,
    _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    guard let target else { return try proxy.register(key, options: options) { (source: Source?, a: A) in try await body(source, "\(a)") } }
    return try proxy.register(key, target: target, options: options) { (_: ScriptTarget) in
      { (source: Source?, a: A) in try await body(source, "\(a)") }
    }
  }
}
