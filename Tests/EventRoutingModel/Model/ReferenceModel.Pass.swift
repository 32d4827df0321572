import EventRouting

extension ReferenceModel {
  /// One event on its way.
  struct Pass {
    let send: EventScript.Send
    let start: Int
    var event: Event
    let isReported: Bool
    /// Whether no handler is called.
    let isDry: Bool
    var rules: RoutingRules { send.rules }

    var handled: [String] = []
    var errors = 0
    var stopped: StopScope?
    var finalKey: String
    var routingError: String?
    var wasIgnored = false
    var visits: [String] = []
    /// The nodes that were asked on the way down.
    var asked: Set<Int> = []
    var hasEnded = false
  }

  /// Where an event goes after a node.
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
    hold(node)
    let isReported = isDry || send.way == .report
    var pass = Pass(
      send: send, start: node, event: event(send, from: node), isReported: isReported, isDry: isDry, finalKey: send.key)
    if isReported, !isDry {
      // The dry run before a report changes nothing and notes nothing.
      isPlain = true
    }
    if send.key.isEmpty, send.rules.emptyKey == .isIgnored {
      pass.wasIgnored = true
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

  /// Asks a node that listens to the key.
  func ask(_ node: Int, depth: Int, _ key: String, before limit: Int, _ pass: inout Pass) -> Way {
    guard let proxy = nodes[node].proxy else { return .ignored }
    if pass.isReported { hold(node) }
    defer { if pass.isReported { unhold(node) } }
    var answer = Answer()
    if pass.isDry {
      if handlers(proxy, key).contains(where: { isCallable(registrations[$0]) }) {
        answer.calls = 1
        answer.reply = .handled
      }
    } else {
      answer = ask(proxy, key, pass.event, before: limit)
    }
    pass.errors += answer.errors
    let way = way(on: answer, node, &pass)
    pass.visit(name(node), depth, key, answerText(answer, pass.rules), answer)
    return way
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
    visits.append("\(node) at \(depth) \(key): \(answer), \(made.errors) errors")
  }

  /// Leaves a key for another one; says whether the event may go on: not to a key that it has left.
  mutating func leave(_ key: String, for next: String, _ left: inout [String]) -> Bool {
    finalKey = next
    if next == key { return true }
    left.append(key)
    if !left.contains(next) { return true }
    errors += 1
    routingError = "loop \((left + [next]).joined(separator: ","))"
    return false
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
