import DynamicInvocation
import EventRouting

/// The registration of handlers of every kind.
extension ScriptRun {
  func register(_ number: Int, _ proxyNumber: Int) {
    guard registrations.count < EventScript.mostRegistrations, let proxy = proxy(proxyNumber) else { return }
    let handler = script.handlers[number % script.handlers.count]
    var target: ScriptTarget?
    if handler.hasOwnTarget {
      addTarget()
      target = targets[targets.count - 1]
      target?.registration = registrations.count
    } else if handler.hasTarget {
      target = targets[handler.target % targets.count]
    }
    if handler.hasTarget, target == nil { return }
    if handler.holding == .unretained, let target { keptTargets.append(target) }
    specifications.append(handler)
    do {
      registrations.append(try register(handler, number: registrations.count, on: proxy, target))
    } catch {
      specifications.removeLast()
      guard error.code == .duplicateHandler else { preconditionFailure("\(error)") }
      note("duplicate")
    }
  }

  private func register(
    _ handler: EventScript.Handler, number: Int, on proxy: EventProxy, _ target: ScriptTarget?
  ) throws(InvocationError) -> EventRegistration {
    let key = EventKey(handler.key)
    var options = HandlerOptions(
      holding: handler.holding, priority: handler.priority, isOnce: handler.isOnce, duplicates: handler.duplicates,
      direction: handler.direction, rewritesTo: handler.rewritesTo.map { EventKey($0) },
      seesStopped: handler.seesStopped, synchronousSend: handler.refusesSynchronous ? .isRefused : .starts)
    if handler.isQuiet, case .reply(let reply) = handler.result {
      switch reply {
      // The handler chooses the arguments of a resend.
      case .resend: break
      default: options.reply = EventReply(reply)
      }
    }
    if handler.isAsynchronous { return try registerAwaited(handler, number: number, on: proxy, target, options) }
    if handler.kind == .interceptor {
      return try proxy.intercept(key, options: options) { [unowned self] source, key, arguments in
        if key.name != handler.key { note("the key is \(key)") }
        return try handle(number, source, arguments.map(\.noted).joined(separator: ","))
      }
    }
    if handler.hasOwnTarget, let target, let (selector, implementation) = ScriptMethods.shared.method(for: handler) {
      switch handler.kind {
      case .method: return try proxy.register(key, target: target, selector: selector, options: options)
      case .implementation: return try proxy.register(key, implementation, target: target, options: options)
      default:
        guard let signature = implementation.methodSignature else { preconditionFailure("a method has a signature") }
        let invocation = Invocation(signature)
        invocation.target = target
        invocation.selector = selector
        return try proxy.register(key, invocation, options: options)
      }
    }
    let registrar = HandlerRegistrar(proxy: proxy, handler: handler, target: target, options: options)
    let reply: (AnyObject?, String) throws -> EventReply = { [unowned self] source, arguments in
      try handle(number, source, arguments)
    }
    if handler.returnsOptional {
      return try registrar.register { source, arguments -> EventReply? in
        let made = try reply(source, arguments)
        return handler.isQuiet ? nil : made
      }
    }
    return handler.isQuiet
      ? try registrar.register { source, arguments in _ = try reply(source, arguments) } : try registrar.register(reply)
  }
}
