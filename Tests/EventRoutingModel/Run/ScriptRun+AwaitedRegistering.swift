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
      let optional: Body<EventReply?> = { source, arguments in
        let made = try await reply(source, arguments)
        return handler.isQuiet ? nil : made
      }
      return try register(handler, proxy, options, target, optional)
    }
    let quiet: Body<Void> = { source, arguments in _ = try await reply(source, arguments) }
    return handler.isQuiet
      ? try register(handler, proxy, options, target, quiet) : try register(handler, proxy, options, target, reply)
  }

  @MainActor
  private func register<Result>(
    _ handler: EventScript.Handler, _ proxy: EventProxy, _ options: HandlerOptions, _ target: ScriptTarget?, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    let isSpecial = handler.source == .special
    if let target {
      return isSpecial
        ? try register(handler, proxy, options, target, SpecialSource.self, body)
        : try register(handler, proxy, options, target, AnyObject.self, body)
    }
    return isSpecial
      ? try register(handler, proxy, options, SpecialSource.self, body)
      : try register(handler, proxy, options, AnyObject.self, body)
  }

  @MainActor
  private func register<Source: AnyObject, Result>(
    _ handler: EventScript.Handler, _ proxy: EventProxy, _ options: HandlerOptions, _: Source.Type, _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    let key = EventKey(handler.key)
    return switch handler.parameters {
    case .none:
      try proxy.register(TypedEventKey(key), options: options) { (source: Source?) in try await body(source, "") }
    case .int:
      try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: Int) in try await body(source, "\(a)") }
    case .int8:
      try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: Int8) in try await body(source, "\(a)") }
    case .double:
      try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: Double) in try await body(source, "\(a)") }
    case .text:
      try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: String) in try await body(source, a) }
    case .intDouble:
      try proxy.register(TypedEventKey(key), options: options) { (source: Source?, a: Int, b: Double) in
        try await body(source, "\(a),\(b)")
      }
    }
  }

  @MainActor
  private func register<Source: AnyObject, Result>(
    _ handler: EventScript.Handler, _ proxy: EventProxy, _ options: HandlerOptions, _ target: ScriptTarget, _: Source.Type,
    _ body: @escaping Body<Result>
  ) throws(InvocationError) -> EventRegistration {
    typealias Target = ScriptTarget
    let key = EventKey(handler.key)
    return switch handler.parameters {
    case .none:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?) in
          try await body(source, "")
        }
      }
    case .int:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: Int) in
          try await body(source, "\(a)")
        }
      }
    case .int8:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: Int8) in
          try await body(source, "\(a)")
        }
      }
    case .double:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: Double) in
          try await body(source, "\(a)")
        }
      }
    case .text:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: String) in
          try await body(source, a)
        }
      }
    case .intDouble:
      try proxy.register(TypedEventKey(key), target: target, options: options) { (_: Target) in
        { (source: Source?, a: Int, b: Double) in
          try await body(source, "\(a),\(b)")
        }
      }
    }
  }
}
