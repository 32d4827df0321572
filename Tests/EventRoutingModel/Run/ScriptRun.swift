import DynamicInvocation
import EventRouting

/// A script as the engine carries it out.
final class ScriptRun {
  struct Failure: Error {}

  let script: EventScript
  /// What the script holds; nil is let go of.
  var nodes: [(any Responder)?] = []
  private(set) var allNodes: [WeakReference] = []
  var proxies: [EventProxy?]
  var registrations: [EventRegistration] = []
  var targets: [ScriptTarget?] = []
  /// Targets that must outlive their handlers.
  var keptTargets: [ScriptTarget] = []
  var scopes: [ScopedRegistration?] = []
  let sources: [ScriptSource] = [ScriptSource("s0"), SpecialSource("s1")]
  /// Everything that can be seen from outside.
  private(set) var journal: [String] = []
  /// For each report, whether a dry run before it was equal.
  var equalities: [Bool] = []
  var sends = 0
  /// The handler of each registration, the one being made too.
  var specifications: [EventScript.Handler] = []
  private var calls = 0
  private var isOver = false

  init(_ script: EventScript) {
    self.script = script
    proxies = (0..<script.proxyCount).map { _ in EventProxy() }
    for node in script.nodes {
      addNode(isForeign: node.isForeign)
      let index = nodes.count - 1
      if let parent = node.parent { attach(index, parent, nil) }
      setProxy(index, node.proxy)
      setTerminality(index, node.terminality)
      if node.isBoundary { setBoundary(index, true) }
    }
    for _ in 0..<4 { addTarget() }
  }

  /// Carries out the script, with a note of everything in the journal.
  func run() {
    for (index, step) in script.steps.enumerated() {
      perform(step)
      if script.isNoted(after: index) { noteState() }
    }
  }

  /// Lets everything go.
  ///
  /// - Returns: What is alive after that, which is a leak.
  func end() -> [String] {
    isOver = true
    // Those that were let go of, too: guests may hold each other.
    for node in allNodes { (node.object as? ForeignNode)?.guests = [] }
    for node in nodes { (node as? ForeignNode)?.removeFromSuperview() }
    nodes = []
    proxies = []
    scopes = []
    registrations = []
    targets = []
    keptTargets = []
    return allNodes.indices.filter { allNodes[$0].object != nil }.map { "n\($0)" }
  }

  func note(_ entry: String) { journal.append(entry) }

  func noteDeath(ofTarget number: Int) { if !isOver { note("t\(number) dies") } }

  func addNode(isForeign: Bool) {
    let name = "n\(nodes.count)"
    let node: any Responder = isForeign ? ForeignNode(name) : ScriptNode(name)
    nodes.append(node)
    allNodes.append(WeakReference(object: node))
  }

  func addTarget() { targets.append(ScriptTarget(targets.count, self)) }

  /// Does what the handler of a registration does.
  func handle(_ number: Int, _ source: AnyObject?, _ arguments: String) throws -> EventReply {
    let context = EventContext.current.map { "\($0.key) \($0.direction) \($0.nesting)" } ?? "-"
    note("call r\(number) from \(name(source)) with \(arguments) on \(context)")
    calls += 1
    let handler = specifications[number]
    if calls <= EventScript.mostCalls { for action in handler.actions { perform(action) } }
    guard case .reply(let reply) = handler.result else { throw Failure() }
    return EventReply(reply)
  }

  private func name(_ object: AnyObject?) -> String {
    switch object {
    case nil: "-"
    case let node as ScriptNode: node.responderName
    case let node as ForeignNode: node.responderName
    case let source as ScriptSource: source.label
    default: "?"
    }
  }

  /// Notes what can be asked between two steps.
  private func noteState() {
    for (index, weak) in allNodes.enumerated() {
      guard weak.object != nil else {
        note("n\(index) dead")
        continue
      }
      guard let node = nodes[index] else {
        note("n\(index) alive")
        continue
      }
      let keys = node.eventProxy.map { proxy in
        EventScript.keys.filter { key in proxy.keys.contains(EventKey(key)) }.joined(separator: ",")
      }
      let next = node.nextOverride ?? node.nextResponder
      note(
        "n\(index) next \(name(next)) parent \(name(node.nextResponder)) children \(node.childResponders.map { name($0) }) keys \(keys ?? "-")"
      )
    }
    for (index, registration) in registrations.enumerated() {
      note("r\(index) active \(registration.isActive) blocked \(registration.isBlocked)")
    }
  }
}

extension StandardReply {
  init?(_ reply: EventScript.Reply) {
    switch reply {
    case .ignored: self = .ignored
    case .handled: self = .handled
    case .goOn: self = .handledAndContinue
    case .stop(let scope): self = .handledAndStop(scope)
    // The arguments of a resend are a handler's own.
    case .resend: return nil
    }
  }
}

extension EventReply {
  init(_ reply: EventScript.Reply) {
    self =
      switch reply {
      case .ignored: .ignored
      case .handled: .handled
      case .goOn: .handledAndContinue
      case .stop(let scope): .handledAndStop(scope)
      case .resend(let key, let arguments): .resend(EventKey(key), arguments.map { BoxedValue($0) })
      }
  }
}

extension BoxedValue {
  init(_ argument: EventScript.Argument) {
    self =
      switch argument {
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .text(let value): .string(value)
      case .null: .null
      }
  }

  /// The box as a journal has it.
  var noted: String {
    switch self {
    case .int(let value): "int \(value)"
    case .double(let value): "double \(value)"
    case .string(let value): "text \(value)"
    case .null: "null"
    default: "?"
    }
  }
}
