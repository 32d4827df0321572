import EventRouting

/// The handling of an event by the handlers of one node.
extension ReferenceModel {
  struct Answer {
    var calls = 0
    var errors = 0
    var reply: EventScript.Reply = .ignored
    var notes: [String] = []
  }

  /// Runs the handlers of a key that were registered before `limit` and listen to events of a phase.
  ///
  /// - Parameter wasStopped: Whether the event was stopped before, so that only handlers that see such events are called.
  func ask(
    _ proxy: Int, _ key: String, _ event: Event, before limit: Int, _ phase: EventContext.Phase?, wasStopped: Bool = false
  ) -> Answer {
    var answer = Answer()
    var isStopped = wasStopped
    var isStoppedHere = false
    for index in handlers(proxy, key) where index < limit {
      let registration = registrations[index]
      if let phase, !registration.handler.listens(phase, afterStop: isStopped) { continue }
      if isStopped, !registration.handler.seesStopped { continue }
      guard !registration.isRemoved, !registration.isSpent, registration.blocks == 0 else { continue }
      guard isAlive(registration) else {
        registrations[index].isRemoved = true
        isPlain = false
        continue
      }
      let handler = registration.handler
      let isStarted = handler.isAsynchronous && isWaiting.last == false
      guard handler.source.accepts(event), let arguments = handler.rendered(event.arguments), !(isStarted && handler.refusesSynchronous)
      else {
        answer.errors += 1
        isPlain = false
        continue
      }
      if handler.isOnce { registrations[index].isSpent = true }
      if !isStoppedHere { answer.calls += 1 }
      if let reply = call(index, event, arguments, isStarted: isStarted) {
        if reply.rank > answer.reply.rank, !isStoppedHere { answer.reply = reply }
        if handler.isOnce { registrations[index].isRemoved = true }
        if let target = registration.target { release(target) }
        if reply.rank >= 3, !isStoppedHere {
          if case .resend = reply, !wasStopped { break }
          isStopped = true
          isStoppedHere = true
          if phase != nil { running[running.count - 1].isStopped = true }
        }
      } else {
        answer.errors += 1
        if handler.isOnce { registrations[index].isRemoved = true }
        if let target = registration.target { release(target) }
      }
    }
    return answer
  }

  private func release(_ target: Int) {
    targets[target].calls -= 1
    settle(target: target)
  }

  /// Calls a handler.
  ///
  /// Returns nil if it throws.
  private func call(_ index: Int, _ event: Event, _ arguments: String, isStarted: Bool) -> EventScript.Reply? {
    let handler = registrations[index].handler
    if let target = registrations[index].target { targets[target].calls += 1 }
    let context = running.last.map { "\($0.key) \($0.phase) \(running.count) \($0.isStopped)" } ?? "-"
    note("call r\(index) from \(event.sourceName) with \(arguments) on \(context)")
    calls += 1
    let mayWaitOutside = mayWait
    mayWait = handler.isAsynchronous && !isStarted
    if calls <= EventScript.mostCalls { for action in handler.actions { perform(action) } }
    mayWait = mayWaitOutside
    if isStarted {
      if handler.rewritesTo != nil || !handler.actions.isEmpty || handler.isOnce { isPlain = false }
      return handler.standard
    }
    // A handler that runs once also changes the handlers of other nodes that share its proxy.
    if !handler.doesAsDeclared || !handler.actions.isEmpty || handler.isOnce { isPlain = false }
    guard case .reply(let reply) = handler.result else { return nil }
    return reply
  }

  /// Sends an event to a single proxy.
  func ask(_ proxy: Int, _ key: String, _ arguments: [EventScript.Argument], isAwaited: Bool) {
    let index = proxy % proxyHandles.count
    guard proxyHandles[index], sends < EventScript.mostSends else { return }
    sends += 1
    isWaiting.append(isAwaited)
    defer { isWaiting.removeLast() }
    let answer = ask(index, key, Event(source: nil, isSpecial: false, arguments: arguments), before: Int.max, nil)
    sends -= 1
    note("asked: \(answer.calls) calls, \(answer.errors) errors, \(answer.reply.rank)")
  }
}

extension ReferenceModel {
  struct Event {
    /// The name of the source, or nil if there is no source.
    var source: String?
    var isSpecial: Bool
    var arguments: [EventScript.Argument]

    var sourceName: String { source ?? "-" }
  }
}

extension EventScript.Handler.SourceWish {
  func accepts(_ event: ReferenceModel.Event) -> Bool {
    switch self {
    case .any: true
    case .special: event.source == nil || event.isSpecial
    case .specialRequired: event.source != nil && event.isSpecial
    }
  }
}

extension EventScript.Reply {
  /// The rank of the reply by how much of the pass it ends.
  var rank: Int {
    switch self {
    case .ignored: 0
    case .goOn: 1
    case .handled: 2
    case .stop(let scope): 3 + scope.rawValue
    case .resend: 6
    }
  }
}

extension EventScript.Handler {
  func listens(_ phase: EventContext.Phase, afterStop: Bool = false) -> Bool {
    if afterStop, !seesStopped { return false }
    return switch direction {
    case .both: phase != .capture
    case .up: phase == .up
    case .down: phase == .down
    case .capture: phase == .capture
    }
  }

  /// Whether it shares a direction with another handler.
  func meets(_ other: EventScript.Handler) -> Bool {
    [EventContext.Phase.capture, .up, .down].contains { listens($0) && other.listens($0) }
  }

  /// The reply that a dry run assumes.
  var declared: EventScript.Reply {
    if let rewritesTo { return .resend(rewritesTo, []) }
    return standard
  }

  /// The reply of its options.
  var standard: EventScript.Reply {
    if isQuiet, case .reply(let reply) = result { return reply }
    return .handled
  }

  /// Whether the handler returns the reply that a dry run assumes.
  var doesAsDeclared: Bool {
    guard case .reply(let reply) = result else { return false }
    guard let rewritesTo else { return isQuiet || reply.rank == EventScript.Reply.handled.rank }
    guard case .resend(let key, let arguments) = reply else { return false }
    return key == rewritesTo && arguments.isEmpty
  }

  /// Returns the arguments as the handler receives them, or nil if it cannot take them.
  func rendered(_ arguments: [EventScript.Argument]) -> String? {
    if kind == .interceptor { return arguments.map { $0.boxed }.joined(separator: ",") }
    switch parameters {
    case .none: return arguments.isEmpty ? "" : nil
    case .int: return arguments.count == 1 ? arguments[0].int.map { "\($0)" } : nil
    case .int8: return arguments.count == 1 ? arguments[0].int.flatMap { Int8(exactly: $0) }.map { "\($0)" } : nil
    case .double: return arguments.count == 1 ? arguments[0].double.map { "\($0)" } : nil
    case .text: return arguments.count == 1 ? arguments[0].text : nil
    case .intDouble:
      guard arguments.count == 2, let first = arguments[0].int, let second = arguments[1].double else { return nil }
      return "\(first),\(second)"
    }
  }
}

extension EventScript.Argument {
  /// The text of the argument as a handler of boxes receives it.
  fileprivate var boxed: String {
    switch self {
    case .int(let value): "int \(value)"
    case .double(let value): "double \(value)"
    case .text(let value): "text \(value)"
    case .null: "null"
    }
  }
  fileprivate var int: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): Int(exactly: value)
    case .text, .null: nil
    }
  }
  fileprivate var double: Double? {
    switch self {
    case .int(let value): Double(exactly: value)
    case .double(let value): value
    case .text, .null: nil
    }
  }
  fileprivate var text: String? { if case .text(let value) = self { value } else { nil } }
}
