import EventRouting

extension ReferenceModel {
  /// One event during its pass.
  struct Pass {
    let send: EventScript.Send
    let start: Int
    var event: Event
    let isReported: Bool
    /// Whether the pass is a dry run, which calls no handlers.
    let isDry: Bool
    var rules: RoutingRules { send.rules }

    var handled: [String] = []
    var errors = 0
    var stopped: EventReply.StopScope?
    var finalKey: String
    var routingError: String?
    var wasIgnored = false
    var visits: [String] = []
    /// The nodes that were asked during the pass down.
    var asked: Set<Int> = []
    var hasEnded = false
    var phase: EventContext.Phase
    /// Whether a handler has stopped the event, so that only handlers that see such events are called.
    var isStopped = false
  }

  /// A key, and the node at which it was handled or replaced.
  struct Step {
    let key: String
    let node: Int?
  }

  /// The continuation of a pass after a node.
  enum Way {
    case ignored
    case goOn
    case endSubtree
    case endPass
    case resend(String, [EventScript.Argument])
  }

  func send(_ send: EventScript.Send, isDry: Bool) {
    let node = send.node % nodes.count
    guard nodes[node].hasHandle, sends < EventScript.mostSends else { return }
    sends += 1
    isWaiting.append(send.isAwaited && mayWait)
    defer { isWaiting.removeLast() }
    hold(node)
    let isReported = isDry || send.way == .report
    var pass = Pass(
      send: send, start: node, event: event(send, from: node), isReported: isReported, isDry: isDry, finalKey: send.key,
      phase: send.rules.direction == .up ? .up : .down)
    if isReported, !isDry {
      // The dry run before a report does not change or record anything.
      isPlain = true
    }
    if send.key.isEmpty, send.rules.emptyKey == .isIgnored {
      pass.wasIgnored = true
    } else if !isDry, let limit = refusal(send.rules) {
      refusals += 1
      isPlain = false
      let steps = running.map { Step(key: $0.key, node: $0.node) } + [Step(key: send.key, node: node)]
      pass.errors += 1
      pass.routingError = "deeper than \(limit): \(text(steps.suffix(8)))"
    } else if send.rules.direction == .up {
      goUp(&pass)
    } else {
      goDown(&pass)
    }
    sends -= 1
    if isReported {
      if !isDry { equalities.append(isPlain) }
      note(pass.reportText)
    } else {
      note(pass.outcomeText)
    }
    unhold(node)
  }

  private func event(_ send: EventScript.Send, from node: Int) -> Event {
    switch send.isTyped ? .sender : send.source {
    case .sender: Event(source: name(node), isSpecial: false, arguments: send.arguments)
    case .none: Event(source: nil, isSpecial: false, arguments: send.arguments)
    case .object(let number): Event(source: "s\(number % 2)", isSpecial: number % 2 == 1, arguments: send.arguments)
    }
  }

  /// Returns the depth limit that makes a send fail now, or nil if it is allowed.
  private func refusal(_ rules: RoutingRules) -> Int? {
    let limit = rules.depthLimit ?? RoutingRules.defaultDepthLimit
    return !running.isEmpty && (running.count + 1 > limit || refusals >= limit) ? limit : nil
  }

  /// Replaces a key by another one.
  ///
  /// Returns whether the event may continue: not with a key that was replaced before.
  func changeKey(_ key: String, at node: Int, for next: String, _ left: inout [Step], _ pass: inout Pass) -> Bool {
    pass.finalKey = next
    if next == key { return true }
    left.append(Step(key: key, node: node))
    if !left.contains(where: { $0.key == next }) { return true }
    pass.errors += 1
    pass.routingError = "loop \(text(left + [Step(key: next, node: nil)]))"
    return false
  }

  private func text(_ steps: [Step]) -> String {
    steps.map { step in step.node.flatMap { nodes[$0].isAlive ? "\(step.key) at n\($0)" : nil } ?? step.key }.joined(separator: ",")
  }

  /// Asks a node that listens to the key.
  func ask(_ node: Int, depth: Int, _ key: String, before limit: Int, _ pass: inout Pass) -> Way {
    guard let proxy = nodes[node].proxy else { return .ignored }
    if pass.isReported { hold(node) }
    defer { if pass.isReported { unhold(node) } }
    var answer = Answer()
    let phase = pass.phase
    let callable = handlers(proxy, key).filter {
      $0 < limit && isCallable(registrations[$0]) && registrations[$0].handler.listens(phase, afterStop: pass.isStopped)
    }.map { registrations[$0].handler }
    if pass.isDry {
      for handler in callable {
        answer.calls += 1
        if handler.declared.rank > answer.reply.rank { answer.reply = handler.declared }
        if handler.declared.rank >= 3 { break }
      }
    } else {
      if running.isEmpty { refusals = 0 }
      running.append(Running(key: key, node: node, phase: phase, isStopped: pass.isStopped))
      answer = ask(proxy, key, pass.event, before: limit, phase, wasStopped: pass.isStopped)
      running.removeLast()
      if !pass.isStopped { answer.notes = notes(answer, callable.map(\.rewritesTo)) }
    }
    pass.errors += answer.errors
    if pass.isStopped {
      if answer.calls > 0 || answer.errors > 0 { pass.visit(name(node), depth, key, "observed after the stop", answer) }
      return .goOn
    }
    let way = way(on: answer, node, &pass)
    let mark = answer.calls + answer.errors > 0 && callable.contains(where: \.isAsynchronous) ? ", asynchronous" : ""
    pass.visit(name(node), depth, key, answerText(answer, pass.rules) + mark, answer)
    return way
  }

  /// Returns notes about what handlers did differently than they had declared.
  private func notes(_ answer: Answer, _ declared: [String?]) -> [String] {
    guard answer.errors == 0 else { return [] }
    return declared.prefix(answer.calls).enumerated().compactMap { place, key in
      guard let key else { return nil }
      guard place == answer.calls - 1, case .resend(let next, _) = answer.reply else {
        return "a handler did not send the event on as \(key), as declared"
      }
      return next == key ? nil : "a handler sent the event on as \(next), not as \(key), as declared"
    }
  }

  private func way(on answer: Answer, _ node: Int, _ pass: inout Pass) -> Way {
    switch answer.reply {
    case .ignored: return .ignored
    case .resend(let key, let arguments): return .resend(key, arguments)
    case .goOn, .handled, .stop: pass.handled.append(name(node))
    }
    var scope = pass.rules.stopScope
    switch answer.reply {
    case .goOn: return .goOn
    case .handled: if pass.rules.continuesWhenHandled { return .goOn }
    case .stop(let stated): scope = stated
    case .ignored, .resend: break
    }
    pass.stopped = max(pass.stopped ?? scope, scope)
    return switch scope {
    case .node: .goOn
    case .subtree: pass.rules.direction == .up ? .endPass : .endSubtree
    case .pass: .endPass
    }
  }

  private func answerText(_ answer: Answer, _ rules: RoutingRules) -> String {
    if answer.calls == 0, answer.errors == 0 { return "passed" }
    return switch answer.reply {
    case .ignored: answer.errors == 0 ? "ignored" : "failed"
    case .goOn: "handled"
    case .handled: rules.continuesWhenHandled ? "handled" : "handled, stopped the \(rules.stopScope)"
    case .stop(let scope): "handled, stopped the \(scope)"
    case .resend(let key, _): "sent on as \(key)"
    }
  }
}

extension ReferenceModel.Pass {
  mutating func visit(_ node: String, _ depth: Int, _ key: String, _ answer: String, _ made: ReferenceModel.Answer = .init()) {
    visits.append("\(node) at \(depth) \(phase) \(key): \(answer), \(made.errors) errors\(made.notes.map { "; " + $0 }.joined())")
  }

  var outcomeText: String {
    "sent \(send.key): \(handled.count) handled, \(errors) errors, stopped \(stopped.map { "\($0)" } ?? "-"), final \(finalKey), "
      + "ignored \(wasIgnored), \(routingError ?? "no routing error")"
  }

  var reportText: String {
    "report of \(send.key) from n\(start): handled by \(handled.joined(separator: ",")), stopped \(stopped.map { "\($0)" } ?? "-"), "
      + "ignored \(wasIgnored), \(routingError ?? "no routing error")\n" + visits.map { "  \($0)" }.joined(separator: "\n")
  }
}
