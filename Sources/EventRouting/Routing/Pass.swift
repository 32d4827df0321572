import DynamicInvocation

/// One event on its way.
struct Pass<Tree: Topology> {
  /// Runs the handlers that a proxy had for a key when the last of a number was registered, with the arguments of the event.
  typealias Asking = (EventProxy, EventKey, _ last: UInt) -> NodeAnswer

  /// Where an event goes after a node.
  enum Verdict {
    case ignored
    case goOn
    case endSubtree
    case endPass
    case resend(EventKey, [BoxedValue])
  }

  let rules: RoutingRules
  let source: AnyObject?
  let recorder: ReportRecorder?
  /// Whether handlers are not called, and taken to answer that they handled the event.
  let isDryRun: Bool
  var outcome: SendOutcome = SendOutcome()

  /// Asks a node that handles the key.
  ///
  /// - Parameter last: The last handler registered when the pass set out, or sent the event on: later ones wait for the next event.
  mutating func ask(_ node: Tree.Node, depth: Int, _ key: EventKey, upTo last: UInt, _ asking: Asking) -> Verdict {
    guard let proxy = Tree.proxy(of: node) else { return .ignored }
    // The node may die of its own handler.
    let responder = recorder == nil ? nil : Tree.responder(node)
    var answer = NodeAnswer()
    if !isDryRun {
      answer = asking(proxy, key, last)
      if !answer.errors.isEmpty { note(&answer.errors, of: node) }
    } else if proxy.handles(key) {
      answer.calls = 1
      answer.reply = .handled
    }
    recorder?.record(responder, depth: depth, key, answer, rules)
    return verdict(on: answer.reply)
  }

  private mutating func note(_ errors: inout [any Error], of node: Tree.Node) {
    for index in errors.indices {
      if var error = errors[index] as? EventError, error.node == nil {
        error.node = Tree.responder(node).map { ResponderIdentity($0) }
        errors[index] = error
        EventLog.warn(error)
      }
      outcome.note(errors[index])
    }
  }

  private mutating func verdict(on reply: EventReply) -> Verdict {
    switch reply {
    case .ignored: return .ignored
    case .resend(let key, let arguments): return .resend(key, arguments)
    case .handled:
      outcome.handledCount += 1
      return rules.continuesWhenHandled ? .goOn : stop(rules.stopScope)
    case .handledAndContinue:
      outcome.handledCount += 1
      return .goOn
    case .handledAndStop(let scope):
      outcome.handledCount += 1
      return stop(scope)
    }
  }

  private mutating func stop(_ scope: StopScope) -> Verdict {
    outcome.note(stop: scope)
    switch scope {
    case .node: return .goOn
    case .subtree: return rules.direction == .up ? .endPass : .endSubtree
    case .pass: return .endPass
    }
  }

  /// Puts a key that an event leaves on its trail.
  ///
  /// - Returns: Whether the event may go on under the new key: not if it has left that before. The same key again is just other arguments.
  mutating func leave(_ key: EventKey, for next: EventKey, trail: inout [EventKey]) -> Bool {
    outcome.note(finalKey: next)
    guard next != key else { return true }
    trail.append(key)
    guard trail.contains(next) else { return true }
    outcome.note(RoutingError.resendLoop(trail + [next]))
    return false
  }
}
