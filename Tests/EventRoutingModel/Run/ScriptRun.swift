import DynamicInvocation
import EventRouting

/// The execution of a script by the engine.
final class ScriptRun {
  struct Failure: Error {}

  let script: EventScript
  /// The nodes that the script holds; nil for a node that it has released.
  var nodes: [(any Responder)?] = []
  private(set) var allNodes: [WeakReference] = []
  var proxies: [EventProxy?]
  var registrations: [EventRegistration] = []
  var targets: [ScriptTarget?] = []
  /// Targets that must outlive their handlers.
  var keptTargets: [ScriptTarget] = []
  var tokens: [EventToken?] = []
  let sources: [ScriptSource] = [ScriptSource("s0"), SpecialSource("s1")]
  /// All observable events and states.
  private(set) var journal: [String] = []
  /// For each report, whether the report of a preceding dry run was equal.
  var equalities: [Bool] = []
  var sends = 0
  /// For each send that is running, whether it waits for asynchronous handlers.
  var isWaiting: [Bool] = []
  /// The handlers by registration, including the registration that is being made.
  var specifications: [EventScript.Handler] = []
  private var calls = 0
  private var isOver = false

  private let check: (ResponderNode) -> Void

  init(_ script: EventScript, checking check: @escaping (ResponderNode) -> Void) {
    self.script = script
    self.check = check
    proxies = (0..<script.proxyCount).map { _ in EventProxy() }
    for node in script.nodes {
      addNode(isForeign: node.isForeign)
      let index = nodes.count - 1
      if let parent = node.parent { attach(index, parent, nil) }
      setProxy(index, node.proxy)
      nodes[index]?.set(node.terminality)
      if node.isBoundary { nodes[index]?.setBoundary(true) }
    }
    for _ in 0..<4 { addTarget() }
  }

  /// Executes the script, and records everything in the journal.
  nonisolated(nonsending) func run() async {
    for (index, step) in script.steps.enumerated() {
      await performAwaiting(step)
      if script.isNoted(after: index) { noteState() }
    }
  }

  /// Releases all objects.
  ///
  /// - Returns: The objects that are alive afterwards, which are leaks.
  func end() -> [String] {
    isOver = true
    // Also the nodes that the script has released: guests may retain each other.
    for node in allNodes { (node.object as? ForeignNode)?.guests = [] }
    for node in nodes { (node as? ForeignNode)?.removeFromSuperview() }
    nodes = []
    proxies = []
    tokens = []
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

  /// Executes the handler of a registration.
  func handle(_ number: Int, _ source: AnyObject?, _ arguments: String) throws -> EventReply {
    noteCall(number, source, arguments)
    let handler = specifications[number]
    if calls <= EventScript.mostCalls { for action in handler.actions { perform(action) } }
    guard case .reply(let reply) = handler.result else { throw Failure() }
    return EventReply(reply)
  }

  /// Executes the asynchronous handler of a registration.
  nonisolated(nonsending) func handleAwaiting(_ number: Int, _ source: AnyObject?, _ arguments: String) async throws -> EventReply {
    guard isWaiting.last == true else { return try handle(number, source, arguments) }
    noteCall(number, source, arguments)
    let handler = specifications[number]
    if calls <= EventScript.mostCalls { for action in handler.actions { await performAwaiting(action) } }
    guard case .reply(let reply) = handler.result else { throw Failure() }
    return EventReply(reply)
  }

  private func noteCall(_ number: Int, _ source: AnyObject?, _ arguments: String) {
    let context = EventContext.current.map { "\($0.key) \($0.phase) \($0.nesting) \($0.isStopped)" } ?? "-"
    note("call r\(number) from \(name(source)) with \(arguments) on \(context)")
    calls += 1
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

  /// Records the state that can be queried between two steps.
  private func noteState() {
    for (index, weak) in allNodes.enumerated() {
      if let node = weak.object as? ScriptNode, node.parent == nil { check(node) }
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

  /// The text of the box in the journal.
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
