internal import DynamicInvocation

// The one-line descriptions of the types of this module. Their debug descriptions are the same.

// MARK: Keys and handlers

extension EventProxy: CustomStringConvertible {
  /// The number of keys and handlers.
  public var description: String {
    "EventProxy(\(keys.count.counted("key")), \(registrations.count.counted("handler")))"
  }
}

extension EventRegistration: CustomStringConvertible {
  /// The key, the handler with the types of its arguments, and options that differ from the defaults.
  public var description: String { "EventRegistration(\(handler.description)\(isActive ? "" : ", removed"))" }
}

extension EventRegistration.Scope: CustomStringConvertible {
  /// The registration.
  public var description: String {
    "EventRegistration.Scope(\(registration.handler.description)\(registration.isActive ? "" : ", removed"))"
  }
}

extension EventRegistration.Handler.Kind: CustomStringConvertible {
  /// The kind; for a method with its selector.
  public var description: String {
    switch self {
    case .closure: "closure"
    case .method(let selector): "method \(selector.name)".asLine
    case .function: "function"
    case .interceptor: "interceptor"
    }
  }
}

extension HandlerOptions: CustomStringConvertible {
  /// The options as they are written in code.
  public var description: String {
    var text = "HandlerOptions(holding: \(holding), priority: \(priority), isOnce: \(isOnce), reply: \(reply), duplicates: \(duplicates)"
    if direction != .both { text += ", direction: \(direction)" }
    if let rewritesTo { text += ", rewritesTo: \(rewritesTo)" }
    if seesStopped { text += ", seesStopped: true" }
    if receivesLast { text += ", receivesLast: true" }
    if synchronousSend != .starts { text += ", synchronousSend: \(synchronousSend)" }
    return text.asLine + ")"
  }
}

extension HandlerOptions.Direction: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .both: "both"
    case .up: "up"
    case .down: "down"
    case .capture: "capture"
    }
  }
}

extension HandlerOptions.SynchronousSend: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .starts: "starts"
    case .isRefused: "isRefused"
    }
  }
}

extension HandlerOptions.Holding: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .weak: "weak"
    case .strong: "strong"
    case .unretained: "unretained"
    }
  }
}

extension HandlerOptions.Duplicates: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .error: "error"
    case .replace: "replace"
    case .keepFirst: "keepFirst"
    case .append: "append"
    }
  }
}

// MARK: Replies and results

extension EventReply.StopScope: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .node: "node"
    case .subtree: "subtree"
    case .pass: "pass"
    }
  }
}

extension EventReply: CustomStringConvertible {
  /// The reply as it is written in code; a resend with its key and arguments.
  public var description: String {
    switch self {
    case .ignored: "ignored"
    case .handled: "handled"
    case .handledAndContinue: "handledAndContinue"
    case .handledAndStop(let scope): "handledAndStop(\(scope))"
    case .resend(let key, let arguments): "resend(\((["\(key)"] + BoxedValue.descriptions(of: arguments)).joined(separator: ", ")))".asLine
    }
  }
}

extension EventProxy.Answer: CustomStringConvertible {
  /// The number of handlers called, the reply, and the errors.
  public var description: String {
    let called = calls == 0 ? "no handler called" : "\(calls.counted("handler")) called: \(reply)"
    if errors.isEmpty { return called }
    return (called + "; \(errors.count.counted("error")): \(errors.lazy.map { $0.withType }.joinedInLine(separator: "; "))").asLine
  }
}

extension SendOutcome: CustomStringConvertible {
  /// How many nodes handled the event, the scope that was stopped, the last key, and the first error.
  public var description: String {
    if wasIgnored { return "ignored: the key is empty" }
    var parts = [isUnhandled ? "unhandled" : "handled by \(handledCount.counted("node"))"]
    if let stopped { parts.append("stopped the \(stopped)") }
    if let finalKey { parts.append("sent on as '\(finalKey)'") }
    if let firstError { parts.append((errorCount == 1 ? "1 error: " : "\(errorCount) errors, the first: ") + firstError.withType) }
    return parts.joined(separator: "; ").asLine
  }
}

extension EventSequence.Event: CustomStringConvertible {
  /// The key with the arguments, and the class of the source.
  public var description: String {
    let from = source.map { " from \(type(of: $0))" } ?? ""
    return "\(key)(\(BoxedValue.descriptions(of: arguments).joined(separator: ", ")))\(from)".asLine
  }
}

extension EventSequence: CustomStringConvertible {
  /// The number of waiting events and of dropped events.
  public var description: String { "EventSequence(\(waitingCount) waiting, \(droppedCount) dropped)" }
}

extension EventToken: CustomStringConvertible {
  /// The number of registrations, or that the token was cancelled.
  public var description: String { "EventToken(\(isCancelled ? "cancelled" : count.counted("registration")))" }
}

extension EventPort: CustomStringConvertible {
  /// The number of waiting events and of dropped events.
  public var description: String { "EventPort(\(waitingCount) waiting, \(droppedCount) dropped)" }
}

extension EventPort.Overflow: CustomStringConvertible {
  /// The policy as it is written in code.
  public var description: String {
    switch self {
    case .suspends(let limit): "suspends(at: \(limit))"
    case .drops(let limit): "drops(at: \(limit))"
    case .unbounded: "unbounded"
    }
  }
}

extension EventPort.Coalescing: CustomStringConvertible {
  /// The value as it is written in code, without the clock.
  public var description: String { pace.map { "newest(every: \($0.interval))" } ?? "newest" }
}

extension EventPort.Argument: CustomStringConvertible {
  /// The box.
  public var description: String { value.description }
}

extension EventSequence.Buffering: CustomStringConvertible {
  /// The policy as it is written in code.
  public var description: String {
    switch self {
    case .newest(let limit): "newest(\(limit))"
    case .oldest(let limit): "oldest(\(limit))"
    case .unbounded: "unbounded"
    }
  }
}

extension EventSequence.Iterator: CustomStringConvertible {
  /// The number of waiting events.
  public var description: String { "EventSequence.Iterator(\(waitingCount) waiting)" }
}

// MARK: Trees

extension ResponderNode: CustomStringConvertible {
  /// The name, the number of children, and the number of keys that it handles.
  public final var description: String {
    let handled = eventProxy.map { ", \($0.keys.count.counted("key"))" } ?? ""
    return "\(responderName.asName)(\(children.count == 1 ? "1 child" : "\(children.count) children")\(handled))".asLine
  }
}

extension ResponderState: CustomStringConvertible {
  /// The number of keys, the terminality, and the boundary and the override if set.
  public var description: String {
    var parts = ["\((eventProxy?.keys.count ?? 0).counted("key"))", "\(terminality)"]
    if isBoundary { parts.append("boundary") }
    if let nextOverride { parts.append("next \(nextOverride.responderName.asName)") }
    return "ResponderState(\(parts.joined(separator: ", ")))".asLine
  }
}

extension RoutingRules.Terminality: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .passing: "passing"
    case .forOwnKeys: "forOwnKeys"
    case .always: "always"
    }
  }
}

// MARK: Reports

extension DispatchReport.Rewrite: CustomStringConvertible {
  /// The node, the key before, the key after and the arguments.
  public var description: String {
    "\(responder?.description ?? "a dead node"): \(from) as \(to)(\(arguments.joined(separator: ", ")))".asLine
  }
}

extension DispatchReport.Diagnosis.NearKey: CustomStringConvertible {
  /// The key and the node that handles it.
  public var description: String { "\"\(key)\" of \(responder)".asLine }
}

extension EventContext: CustomStringConvertible {
  /// The key, the phase, and the nesting depth of the event, and whether it was stopped.
  public var description: String { "EventContext(\(key), \(phase), nesting \(nesting)\(isStopped ? ", stopped" : ""))".asLine }
}

extension EventContext.Phase: CustomStringConvertible {
  /// The name of the case.
  public var description: String {
    switch self {
    case .capture: "capture"
    case .up: "up"
    case .down: "down"
    }
  }
}

extension EventContext.Route: CustomStringConvertible {
  /// The names of the nodes.
  public var description: String { "EventContext.Route(\(path.lazy.map(\.responderName.asName).joinedInLine()))".asLine }
}

extension DispatchReport.Observer: CustomStringConvertible {
  /// Whether it observes sends.
  public var description: String { "DispatchReport.Observer(\(isWatching ? "watching" : "cancelled"))" }
}

extension DispatchReport.TreePicture: CustomStringConvertible {
  /// The number of nodes to draw.
  public var description: String { "DispatchReport.TreePicture(\(nodeCount.counted("node")))" }
}
