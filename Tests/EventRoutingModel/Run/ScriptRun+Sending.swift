import DynamicInvocation
import EventRouting

/// The sending of events.
extension ScriptRun {
  /// What a script sends, and from where.
  private typealias Event = (node: any Responder, key: EventKey, source: AnyObject?, arguments: [BoxedValue])

  /// The event of a send, unless its node is gone or it is nested too deep.
  private func event(of send: EventScript.Send) -> Event? {
    guard let node = node(send.node), sends < EventScript.mostSends else { return nil }
    return (node, EventKey(send.key), source(of: send, from: node), send.arguments.map { BoxedValue($0) })
  }

  func send(_ send: EventScript.Send) {
    guard let event = event(of: send) else { return }
    isWaiting.append(false)
    defer { isWaiting.removeLast() }
    if send.way == .report {
      let dry = event.node.dryRun(event.key, rules: send.rules)
      sends += 1
      return note(dry, event.node.report(event.key, source: event.source, arguments: event.arguments, rules: send.rules))
    }
    sends += 1
    let outcome =
      send.isTyped
      ? sendTyped(send, from: event.node)
      : event.node.send(event.key, source: event.source, arguments: event.arguments, rules: send.rules)
    sends -= 1
    note(outcome.noted(as: send.key))
  }

  /// Sends an event, and waits for asynchronous handlers.
  nonisolated(nonsending) func sendAwaiting(_ send: EventScript.Send) async {
    guard let event = event(of: send) else { return }
    isWaiting.append(true)
    defer { isWaiting.removeLast() }
    if send.way == .report {
      let dry = event.node.dryRun(event.key, rules: send.rules)
      sends += 1
      return note(dry, await event.node.reportAwaiting(event.key, source: event.source, arguments: event.arguments, rules: send.rules))
    }
    sends += 1
    let outcome =
      send.isTyped
      ? await sendTypedAwaiting(send, from: event.node)
      : await event.node.sendAwaiting(event.key, source: event.source, arguments: event.arguments, rules: send.rules)
    sends -= 1
    note(outcome.noted(as: send.key))
  }

  /// Notes the report of a send that has ended, and whether it equals the report of the dry run before it.
  private func note(_ dry: DispatchReport, _ report: DispatchReport) {
    sends -= 1
    equalities.append(dry == report)
    note(report.noted)
  }

  private func source(of send: EventScript.Send, from node: some Responder) -> AnyObject? {
    switch send.source {
    case .sender: node
    case .none: nil
    case .object(let number): sources[number % 2]
    }
  }

  private nonisolated(nonsending) func sendTypedAwaiting(_ send: EventScript.Send, from node: some Responder) async -> SendOutcome {
    let key = EventKey(send.key)
    if send.arguments.isEmpty { return await node.sendAwaiting(TypedEventKey<Void>(key), rules: send.rules) }
    guard case .int(let first) = send.arguments[0] else { preconditionFailure("this has no typed form") }
    if send.arguments.count == 1 { return await node.sendAwaiting(TypedEventKey<Int>(key), first, rules: send.rules) }
    guard case .double(let second) = send.arguments[1] else { preconditionFailure("this has no typed form") }
    return await node.sendAwaiting(TypedEventKey<(Int, Double)>(key), first, second, rules: send.rules)
  }

  private func sendTyped(_ send: EventScript.Send, from node: some Responder) -> SendOutcome {
    let key = EventKey(send.key)
    if send.arguments.isEmpty { return node.send(TypedEventKey<Void>(key), rules: send.rules) }
    guard case .int(let first) = send.arguments[0] else { preconditionFailure("this has no typed form") }
    if send.arguments.count == 1 { return node.send(TypedEventKey<Int>(key), first, rules: send.rules) }
    guard case .double(let second) = send.arguments[1] else { preconditionFailure("this has no typed form") }
    return node.send(TypedEventKey<(Int, Double)>(key), first, second, rules: send.rules)
  }

  func dryRun(_ send: EventScript.Send) {
    guard let node = node(send.node), sends < EventScript.mostSends else { return }
    note(node.dryRun(EventKey(send.key), rules: send.rules).noted)
  }

  func ask(_ number: Int, _ key: String, _ arguments: [EventScript.Argument]) {
    guard let proxy = proxy(number), sends < EventScript.mostSends else { return }
    sends += 1
    isWaiting.append(false)
    defer { isWaiting.removeLast() }
    // Even numbers select the typed form, if there is one.
    let answer =
      (number.isMultiple(of: 2) ? sendTyped(EventKey(key), arguments, to: proxy) : nil)
      ?? proxy.send(EventKey(key), source: nil, arguments: arguments.map { BoxedValue($0) })
    sends -= 1
    note("asked: \(answer.calls) calls, \(answer.errors.count) errors, \(answer.reply.noted)")
  }

  /// Sends an event to a single proxy, and waits for asynchronous handlers.
  nonisolated(nonsending) func askAwaiting(_ number: Int, _ key: String, _ arguments: [EventScript.Argument]) async {
    guard let proxy = proxy(number), sends < EventScript.mostSends else { return }
    sends += 1
    isWaiting.append(true)
    defer { isWaiting.removeLast() }
    let answer: EventProxy.Outcome
    if number.isMultiple(of: 2), arguments.isEmpty {
      answer = await proxy.sendAwaiting(TypedEventKey<Void>(EventKey(key)), source: nil)
    } else {
      answer = await proxy.sendAwaiting(EventKey(key), source: nil, arguments: arguments.map { BoxedValue($0) })
    }
    sends -= 1
    note("asked: \(answer.calls) calls, \(answer.errors.count) errors, \(answer.reply.noted)")
  }
}

extension ScriptRun {
  /// Sends an event to a single proxy with the typed form of its arguments, or returns nil if there is no typed form.
  private func sendTyped(_ key: EventKey, _ arguments: [EventScript.Argument], to proxy: EventProxy) -> EventProxy.Outcome? {
    switch (arguments.first, arguments.dropFirst().first) {
    case (nil, _): proxy.send(TypedEventKey<Void>(key), source: nil)
    case (.int(let value), nil): proxy.send(TypedEventKey<Int>(key), source: nil, value)
    case (.double(let value), nil): proxy.send(TypedEventKey<Double>(key), source: nil, value)
    case (.text(let value), nil): proxy.send(TypedEventKey<String>(key), source: nil, value)
    case (.int(let first), .double(let second)): proxy.send(TypedEventKey<(Int, Double)>(key), source: nil, first, second)
    default: nil
    }
  }
}

extension EventReply {
  /// The rank of the reply by how much of the pass it ends, for the journal.
  fileprivate var noted: Int {
    switch self {
    case .ignored: 0
    case .handledAndContinue: 1
    case .handled: 2
    case .handledAndStop(let scope): 3 + scope.rawValue
    case .resend: 6
    }
  }
}

extension SendOutcome.RoutingError? {
  fileprivate var noted: String {
    switch self {
    case nil: "no routing error"
    case .cyclicPath(let name): "circle at \(name)"
    case .resendLoop(let steps): "loop \(steps.map(\.description).joined(separator: ","))"
    case .depthExceeded(let limit, let steps): "deeper than \(limit): \(steps.map(\.description).joined(separator: ","))"
    }
  }
}

extension SendOutcome {
  fileprivate func noted(as key: String) -> String {
    "sent \(key): \(handledCount) handled, \(errorCount) errors, stopped \(stopped.map { "\($0)" } ?? "-"), "
      + "final \(finalKey?.name ?? key), ignored \(wasIgnored), \(routingError.noted)"
  }
}

extension DispatchReport {
  fileprivate var noted: String {
    let lines = visits.map { visit in
      let answer = (visit.rewrite.map { "sent on as \($0.to)" } ?? "\(visit.answer)") + (visit.isAsynchronous ? ", asynchronous" : "")
      return "  \(visit.responder?.name ?? "dead") at \(visit.depth) \(visit.phase) \(visit.key): \(answer), \(visit.errors.count) errors"
        + visit.notes.map { "; " + $0 }.joined()
    }
    return "report of \(key) from \(sender.name): handled by \(handledBy.map(\.name).joined(separator: ",")), "
      + "stopped \(outcome.stopped.map { "\($0)" } ?? "-"), ignored \(outcome.wasIgnored), \(outcome.routingError.noted)\n"
      + lines.joined(separator: "\n")
  }
}
