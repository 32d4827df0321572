import DynamicInvocation
import EventRouting
import EventRoutingModel
import Testing

/// A test of routing as text: a tree, handlers, events, and what the handlers wrote down.
///
///     # The bus goes past a node that ignores an event (E5.5)
///     busUp root(a(b))
///     on a.k=ignored root.k
///     b.k(1): a.k(1), root.k(1) | handled by 1 node
///
/// The line after the title has rules and trees, or the scenario has the ones before it. `!` marks a boundary, `^` a node that ends its own keys, `^^` one that ends
/// all, `~` a node of the other kind. A line with a colon sends an event and compares the handlers called and, after `|`,
/// the outcome. ``ScenarioRun`` has the commands of the other lines.
struct Scenario: Sendable, CustomTestStringConvertible {
  let title: String
  let lines: [String]

  var testDescription: String { title }

  /// The scenarios of a text; one without a line of rules and trees has the line of the scenario before it.
  static func all(in text: String) -> [Scenario] {
    var setup = ""
    return ("\n" + text).split(separator: "\n# ").map { part in
      var lines = part.split(separator: "\n").map { $0.trimmingSpaces }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
      let title = lines.removeFirst()
      if presetRules.contains(where: { lines[0].hasPrefix("\($0) ") }) { setup = lines.removeFirst() }
      return Scenario(title: title, lines: [setup] + lines)
    }
  }

  static let presetRules: [RoutingRules] = [.router, .strategy, .busUp, .busDown, .componentEmit, .componentBroadcast]

  /// A way to run a scenario: the kind of its nodes, and whether its sends wait for asynchronous handlers.
  struct Variant: Sendable, CustomTestStringConvertible {
    let isForeign: Bool
    let isAwaited: Bool

    static let all: [Variant] = [false, true].flatMap { kind in [false, true].map { Variant(isForeign: kind, isAwaited: $0) } }

    var words: [String] { [isForeign ? "foreign" : "nodes", isAwaited ? "awaited" : "direct"] }
    var testDescription: String { words.joined(separator: ", ") }
  }
}

/// Runs a scenario in one variant.
///
/// A handler is `node.key/option=reply`, with `*` for all nodes, and a key that ends with `*` for those with that prefix. It
/// is an interceptor, or with `typed` and `quiet` a closure that returns the reply and one whose options have it. Options
/// are the directions, `p2` for a priority, `once`, `last`, `error`, `replace`, `keepFirst`, `sees` for stopped events, `to:key` for a declared rewrite, `async`,
/// `suspended`, and `#name` for a name. Replies are `ignored`, `continue`, `node`, `subtree`, `pass`, `throw:text`, and
/// `resend:key+argument`. Commands in braces run when the handler before them is called first, or `again`, and while
/// it is suspended if it is `suspended`. In trees of another class, events without arguments and of one number are sent typed.
@MainActor final class ScenarioRun {
  private struct Failure: Error {
    var text = ""
  }
  private final class Owner {}

  private let variant: Scenario.Variant
  private var nodes: [String: any Responder] = [:]
  private var names: [String] = []
  private var registrations: [String: EventRegistration] = [:]
  private var tokens: [String: EventToken] = [:]
  private var owners: [String: ScenarioRun.Owner] = [:]
  private var ended: [String: () -> Bool] = [:]
  private var rules = RoutingRules.router
  private var entries: [String] = []
  /// The lines that were not as expected, with what was found instead.
  private(set) var failures: [String] = []

  private init(_ variant: Scenario.Variant) { self.variant = variant }

  /// Runs the lines of a scenario and returns those that fail.
  static func failures(of scenario: Scenario, _ variant: Scenario.Variant) async throws -> [String] {
    let run = ScenarioRun(variant)
    try await EventLog.withLogger(nil) {
      let start = scenario.lines[0].split(separator: " ", maxSplits: 1)
      try run.perform("rules \(start[0])")
      try run.perform("tree \(start[1])")
      for line in scenario.lines.dropFirst() {
        var words = line.split(separator: " ", maxSplits: 1)
        if ["nodes", "foreign", "awaited", "direct"].contains(words[0]) {
          guard variant.words.contains(String(words[0])) else { continue }
          words.removeFirst()
        }
        if words[0] == "only" {
          guard variant.words.contains(String(words[1])) else { break }
        } else {
          do {
            try await run.step(words.joined(separator: " "))
            for node in run.nodes.values { (node as? ResponderNode)?.checkInvariants() }
          } catch is Failure {
            run.failures.append("\(line) cannot be done")
          }
        }
      }
    }
    return run.failures
  }

  private func step(_ line: String) async throws {
    guard let colon = line.firstRange(of: ": ") ?? line.firstRange(of: ":"), !line.hasPrefix("on ") else { return try perform(line) }
    let (words, expected) = (line[..<colon.lowerBound].split(separator: " "), String(line[colon.upperBound...]))
    let (name, key, arguments) = try event(words[words.count - 1] + (["state", "now"].contains(words[0]) ? "." : ""))
    let (sender, rules) = (try node(name), rules)
    if words[0] != "now" { entries = [] }
    var found: String
    switch words.count == 1 ? "send" : words[0] {
    case "send":
      let outcome = await send(key, arguments, from: sender)
      found = entries.joined(separator: ", ")
      if expected.contains("| ") { found += " | \(outcome)" }
    case "proxy": found = "\(sender.proxy.send(key, source: nil, arguments: arguments)) | \(entries.joined(separator: ", "))"
    case "now": found = entries.joined(separator: ", ")
    case "last": found = sender.proxy.last(key).map { $0.arguments.map(Self.text).joined(separator: ",") } ?? "-"
    case "state":
      found = "\(sender.proxy) \(registrations.filter { $0.value.isActive }.keys.sorted().joined(separator: " "))"
    case "same":
      let dry = sender.dryRun(key, rules: rules)
      if !entries.isEmpty { failures.append("\(line) called \(entries)") }
      let report = sender.report(key, arguments: arguments, rules: rules)
      found = text(of: report)
      if report != dry { failures.append("\(line) differs from the dry run \(text(of: dry))") }
    default:
      found = text(
        of: variant.isAwaited
          ? await sender.reportAwaiting(key, arguments: arguments, rules: rules)
          : sender.report(key, arguments: arguments, rules: rules))
      if expected.contains(" | ") { found += " | \(entries.joined(separator: ", "))" }
    }
    if found.trimmingSpaces != expected.trimmingSpaces { failures.append("\(line) found: \(found)") }
  }

  private func send(_ key: EventKey, _ arguments: [BoxedValue], from sender: any Responder) async -> SendOutcome {
    switch (variant.isForeign, variant.isAwaited, arguments.first) {
    case (true, false, nil): sender.send(TypedEventKey<Void>(key), rules: rules)
    case (true, true, nil): await sender.sendAwaiting(TypedEventKey<Void>(key), rules: rules)
    case (true, false, .int(let number)) where arguments.count == 1: sender.send(TypedEventKey<Int>(key), number, rules: rules)
    case (true, true, .int(let number)) where arguments.count == 1:
      await sender.sendAwaiting(TypedEventKey<Int>(key), number, rules: rules)
    case (_, true, _): await sender.sendAwaiting(key, arguments: arguments, rules: rules)
    default: sender.send(key, arguments: arguments, rules: rules)
    }
  }

  /// The visits of a report, with the key where it is another one, and the diagnosis.
  private func text(of report: DispatchReport) -> String {
    let visits = report.visits.map { $0.key == report.key ? "\($0)" : "[\($0.key)] \($0)" }
    return (visits + (report.diagnosis.map { ["\($0)"] } ?? [])).joined(separator: "; ")
  }

  /// Performs commands that call no asynchronous handler.
  private func perform(_ line: String) throws {
    let words = line.split(separator: " ")
    let rest = words.dropFirst()
    func other(_ index: Int) throws -> any Responder { try node(words[index]) }
    switch words[0] {
    case "rules": rules = try Self.rules(rest)
    case "tree": try grow(Array(rest.joined(separator: " ")))
    case "on": try register(rest.joined(separator: " "))
    case "off":
      let (name, key, _) = try event(words[1] + (words[1].contains(".") ? "" : ".*"))
      for name in name == "*" ? names : [name] {
        if key == "*" { try node(name).proxy.removeAllHandlers() } else { try node(name).proxy.removeHandlers(for: key) }
      }
    case "cancel": try registration(words[1]).cancel()
    case "block": try registration(words[1]).block()
    case "unblock": try registration(words[1]).unblock()
    case "token":
      let token = tokens[String(words[2])] ?? EventToken()
      tokens[String(words[2])] = token
      try registration(words[1]).end(with: token)
    case "end": tokens[String(words[1])]?.cancel()
    case "own":
      let owner = owners[String(words[2])] ?? Owner()
      owners[String(words[2])] = owner
      try registration(words[1]).owned(by: owner)
    case "disown": if let owner = owners[String(words[2])] { try other(1).removeHandlers(ownedBy: owner) }
    case "kill": owners[String(words[1])] = nil
    case "sweep": try other(1).proxy.removeDeadHandlers()
    case "keep", "forget":
      let (name, key, _) = try event(words[1])
      if words[0] == "keep" { registrations["#keep"] = try node(name).proxy.keepLast(key) } else { try node(name).proxy.forgetLast(key) }
    case "next": try other(1).set(next: words.count > 2 ? other(2) : nil)
    case "mark": try mark(other(1), words[2])
    case "move": try move(other(1), below: other(2))
    case "remove": try move(other(1), below: nil)
    case "share":
      let proxy = try other(2).proxy
      try other(1).set(proxy)
    case "drop":
      let node = try other(1) as AnyObject
      ended[String(words[1])] = { [weak node] in node == nil }
      nodes[String(words[1])] = nil
    case "gone": if ended[String(words[1])]?() != true { failures.append("\(words[1]) is alive") }
    // Of other classes: the parent no longer lists the child, or the child no longer knows the parent.
    case "hide": if let view = try other(1) as? View { (try other(2) as? View)?.subviews.removeAll { $0 === view } }
    case "cut": (try other(1) as? View)?.superview = nil
    case "send":
      let (name, key, arguments) = try event(words[1])
      let outcome = try node(name).send(key, arguments: arguments, rules: words.count > 2 ? Self.rules(words[2...]) : rules)
      if let error = outcome.routingError { entries.append("\(error)") }
    default: throw Failure()
    }
  }

  // MARK: Nodes

  private func node(_ name: some StringProtocol) throws -> any Responder {
    guard let node = nodes[String(name)] else {
      failures.append("no node '\(name)'")
      throw Failure()
    }
    return node
  }

  /// Makes the nodes of trees such as `a!(b c) d`.
  private func grow(_ text: [Character]) throws {
    var parents: [String] = []
    var last = ""
    var index = 0
    while index < text.count {
      switch text[index] {
      case "(": parents.append(last)
      case ")": parents.removeLast()
      case "!": try mark(node(last), "boundary")
      case "^": try mark(node(last), index + 1 < text.count && text[index + 1] == "^" || text[index - 1] == "^" ? "always" : "own")
      case " ": break
      default:
        let end = text[index...].firstIndex { "()!^~ ".contains($0) } ?? text.count
        last = String(text[index..<end])
        index = end < text.count && text[end] == "~" ? end : end - 1
        nodes[last] = (text[index] == "~") != variant.isForeign ? View(last) : ResponderNode(last)
        names.append(last)
        if let parent = parents.last { try move(node(last), below: node(parent)) }
      }
      index += 1
    }
  }

  private func mark(_ node: any Responder, _ mark: Substring) throws {
    let terminality: RoutingRules.Terminality = mark == "own" ? .forOwnKeys : mark == "always" ? .always : .passing
    if mark == "boundary" { node.setBoundary(true) } else { node.set(terminality) }
  }

  private func move(_ node: any Responder, below parent: (any Responder)?) throws {
    if let node = node as? ResponderNode, parent == nil || parent is ResponderNode {
      if let parent = parent as? ResponderNode { parent.addChild(node) } else { node.removeFromParent() }
    } else if let view = node as? View, parent == nil || parent is View {
      view.removeFromSuperview()
      (parent as? View)?.addSubview(view)
    } else {
      throw Failure()
    }
  }

  private static func rules(_ words: ArraySlice<Substring>) throws -> RoutingRules {
    guard var rules = Scenario.presetRules.first(where: { "\($0)" == words.first ?? "" }) else { throw Failure() }
    for word in words.dropFirst() {
      switch word {
      case "capture": rules.hasCapturePhase = true
      case "fromNext": rules.startsAtSender = false
      case "fromSender": rules.startsAtSender = true
      case "continues": rules.continuesWhenHandled = true
      case "stopsPass": rules.stopScope = .pass
      case "endsBeforeBoundary": rules.endsBeforeBoundary = true
      case "passesBoundary": rules.endsBeforeBoundary = false
      case "endsAtTerminal": rules.unknownKey = .endsAtTerminal
      case "endsAtProxy": rules.unknownKey = .endsAtProxy
      default:
        guard word.hasPrefix("depth"), let limit = Int(word.dropFirst(5)) else { throw Failure() }
        rules.depthLimit = limit
      }
    }
    return rules
  }

  /// The parts of `node.key(argument,argument)`.
  private func event(_ text: Substring) throws -> (node: String, key: EventKey, arguments: [BoxedValue]) {
    guard let parts = text.wholeMatch(of: /([^.]+)\.([^(]*)(?:\((.*)\))?/) else { throw Failure() }
    return (String(parts.1), EventKey(String(parts.2)), (parts.3 ?? "").split(separator: ",").map { Self.box($0) })
  }

  private static func box(_ text: Substring) -> BoxedValue { text == "null" ? .null : Int(text).map { .int($0) } ?? .string(String(text)) }

  // MARK: Handlers

  /// The registration of a name, or the first one of a key.
  private func registration(_ word: Substring) throws -> EventRegistration {
    if let registration = registrations[String(word)] { return registration }
    let (name, key, _) = try event(word)
    guard let registration = try node(name).proxy.registrations(for: key).first else { throw Failure() }
    return registration
  }

  private func register(_ text: String) throws {
    let brace = text.firstIndex(of: "{") ?? text.endIndex
    let handlers = text[..<brace].split(separator: " ")
    let commands = text[brace...].dropFirst().dropLast().split(separator: ";").map { String($0).trimmingSpaces }
    for (index, handler) in handlers.enumerated() {
      guard let parts = handler.wholeMatch(of: /([^.]+)\.([^\/=]*)((?:\/[^\/=]+)*)(?:=(.+))?/) else { throw Failure() }
      for name in parts.1 == "*" ? names : [String(parts.1)] {
        do {
          try register(
            name, EventKey(String(parts.2)), parts.3.split(separator: "/").map(String.init), String(parts.4 ?? "handled"),
            index == handlers.count - 1 ? commands : [])
        } catch let error as InvocationError {
          entries.append("\(error.code)")
        }
      }
    }
  }

  private func register(_ name: String, _ key: EventKey, _ words: [String], _ reply: String, _ commands: [String]) throws {
    var options = HandlerOptions(duplicates: .append)
    let label = words.first { $0.hasPrefix("#") } ?? ""
    for word in words where word != label && !["async", "suspended", "typed", "quiet", "again"].contains(word) {
      switch word {
      case "up": options.direction = .up
      case "down": options.direction = .down
      case "capture": options.direction = .capture
      case "sees": options.seesStopped = true
      case "once": options.isOnce = true
      case "last": options.receivesLast = true
      case "error": options.duplicates = .error
      case "replace": options.duplicates = .replace
      case "keepFirst": options.duplicates = .keepFirst
      case _ where word.hasPrefix("to:"): options.rewritesTo = EventKey(String(word.dropFirst(3)))
      default:
        guard word.hasPrefix("p"), let priority = Int(word.dropFirst()) else { throw Failure() }
        options.priority = priority
      }
    }
    let showsPhase = options.direction != .both
    var commands = commands
    func note(_ key: EventKey, _ arguments: [BoxedValue]) {
      let context = EventContext.current
      entries.append(
        "\(name).\(key)\(label)" + (arguments.isEmpty ? "" : "(\(arguments.map(Self.text).joined(separator: ",")))")
          + (showsPhase ? " \(context.map { "\($0.phase)" } ?? "-")" : "") + (context?.isStopped == true ? " stopped" : ""))
    }
    func performCommands() throws {
      let now = commands
      if !words.contains("again") { commands = [] }
      for command in now { try perform(command) }
    }
    func handle(_ key: EventKey, _ arguments: [BoxedValue]) throws -> EventReply {
      note(key, arguments)
      try performCommands()
      return try Self.reply(reply, arguments)
    }
    let proxy = try node(name).proxy
    let registration: EventRegistration
    if words.contains("async") || words.contains("suspended") {
      registration = try proxy.intercept(key, options: options) { _, key, arguments async throws in
        note(key, arguments)
        if words.contains("suspended") { try await Task { try performCommands() }.value } else { try performCommands() }
        return try Self.reply(reply, arguments)
      }
    } else if words.contains("quiet") {
      options.reply = try Self.reply(reply, [])
      registration = try proxy.register(TypedEventKey<Void>(key), options: options) { (_: AnyObject?) in _ = try handle(key, []) }
    } else if words.contains("typed") {
      registration = try proxy.register(TypedEventKey<Void>(key), options: options) { (_: AnyObject?) in try handle(key, []) }
    } else if key.name.hasSuffix("*") {
      registration = proxy.interceptAll(withPrefix: String(key.name.dropLast()), options: options) { try handle($1, $2) }
    } else {
      registration = try proxy.intercept(key, options: options) { try handle($1, $2) }
    }
    if !label.isEmpty { registrations[label] = registration }
  }

  private static func text(_ box: BoxedValue) -> String { if case .string(let text) = box { text } else { "\(box)" } }

  private static func reply(_ text: String, _ arguments: [BoxedValue]) throws -> EventReply {
    switch text {
    case "ignored": return .ignored
    case "handled": return .handled
    case "continue": return .handledAndContinue
    case "node": return .handledAndStop(.node)
    case "subtree": return .handledAndStop(.subtree)
    case "pass": return .handledAndStop(.pass)
    default:
      guard text.hasPrefix("resend:") else { throw Failure(text: String(text.drop { $0 != ":" }.dropFirst())) }
      let parts = text.dropFirst(7).split(separator: "+")
      return .resend(EventKey(String(parts[0])), arguments + parts.dropFirst().map { box($0) })
    }
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: String { String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
