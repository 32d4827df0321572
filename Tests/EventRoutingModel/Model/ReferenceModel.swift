import EventRouting

/// A slow implementation of routing, written from the rules alone, in which nodes and handlers are numbers.
///
/// It uses no weak references, no index and no fixed-size buffers. A path is an array, the lifetime of a node is
/// determined from what retains it, and whether a node is asked is decided by inspecting the whole tree.
final class ReferenceModel {
  struct Node {
    var isForeign: Bool
    var parent: Int?
    var children: [Int] = []
    var guests: [Int] = []
    var override: Int?
    var proxy: Int?
    var terminality: RoutingRules.Terminality = .passing
    var isBoundary: Bool = false
    /// Whether the script holds a reference to it.
    var hasHandle: Bool = true
    /// The number of references that running sends hold.
    var holds: Int = 0
    var isAlive: Bool = true
  }

  struct Registration {
    let handler: EventScript.Handler
    let proxy: Int
    let target: Int?
    var isRemoved: Bool
    var isSpent: Bool = false
    var blocks: Int = 0
  }

  struct Target {
    var hasHandle: Bool = true
    var isHeldForGood: Bool = false
    var calls: Int = 0
    var isAlive: Bool = true
  }

  /// A pass at a node whose handlers are running.
  struct Running {
    let key: String
    let node: Int
    let phase: EventContext.Phase
    var isStopped: Bool
  }

  let script: EventScript
  var nodes: [Node] = []
  var proxyHandles: [Bool]
  var registrations: [Registration] = []
  var targets: [Target] = []
  /// For each proxy and key, the number of handlers at which a registration looks for deallocated targets.
  var limits: [[String: Int]]
  /// The registrations that tokens end; nil after the token has ended, or another one has replaced it.
  var tokens: [Int?] = []
  /// All observable events and states.
  var journal: [String] = []
  /// For each report, whether the report of a dry run must be equal.
  var equalities: [Bool] = []
  var calls = 0
  var sends = 0
  /// The passes whose handlers are running, from the outermost to the innermost.
  var running: [Running] = []
  /// The number of sends that were refused during the outermost pass since it asked its last node.
  var refusals = 0
  /// For each send that is running, whether it waits for asynchronous handlers.
  var isWaiting: [Bool] = []
  /// Whether the code that is running is asynchronous, and is waited for.
  var mayWait = true
  /// Whether only plain handlers were called since the start of the last report.
  var isPlain = true

  init(_ script: EventScript) {
    self.script = script
    proxyHandles = Array(repeating: true, count: script.proxyCount)
    limits = Array(repeating: [:], count: script.proxyCount)
    for node in script.nodes { make(node) }
    for _ in 0..<4 { targets.append(Target()) }
  }

  /// Executes the script.
  ///
  /// Afterwards the journal contains what the engine must record.
  func run() {
    for (index, step) in script.steps.enumerated() {
      perform(step)
      if script.isNoted(after: index) { noteState() }
    }
  }

  func note(_ entry: String) { journal.append(entry) }

  private func make(_ node: EventScript.Node) {
    let index = nodes.count
    nodes.append(Node(isForeign: node.isForeign, parent: node.parent))
    if let parent = node.parent { nodes[parent].children.append(index) }
    nodes[index].proxy = node.proxy
    nodes[index].terminality = node.terminality
    nodes[index].isBoundary = node.isBoundary
  }

  /// Records the state that can be queried between two steps.
  private func noteState() {
    for (index, node) in nodes.enumerated() {
      guard node.isAlive else {
        note("n\(index) dead")
        continue
      }
      guard node.hasHandle else {
        note("n\(index) alive")
        continue
      }
      let keys = node.proxy.map { proxy in EventScript.keys.filter { hasHandlers(proxy, $0) }.joined(separator: ",") } ?? "-"
      let next = node.override ?? node.parent
      note(
        "n\(index) next \(name(next)) parent \(name(node.parent)) children \(below(index).map { name($0) }) keys \(keys)")
    }
    for (index, registration) in registrations.enumerated() {
      let hasProxy = proxyHandles[registration.proxy] || nodes.contains { $0.isAlive && $0.proxy == registration.proxy }
      let isActive = hasProxy && !registration.isRemoved && isAlive(registration)
      note("r\(index) active \(isActive) blocked \(registration.blocks > 0)")
    }
  }
}

// MARK: The tree

extension ReferenceModel {
  func name(_ node: Int?) -> String { node.map { "n\($0)" } ?? "-" }

  /// Returns the children of a node for a pass down, which include its guests.
  func below(_ node: Int) -> [Int] { nodes[node].children + nodes[node].guests }

  func next(_ node: Int) -> Int? { nodes[node].override ?? nodes[node].parent }

  /// Returns whether a node is a descendant of another node, or that node itself.
  func isBelow(_ node: Int, _ start: Int) -> Bool {
    var here: Int? = node
    while let index = here {
      if index == start { return true }
      here = nodes[index].parent
    }
    return false
  }

  func detach(_ node: Int) {
    guard let parent = nodes[node].parent else { return }
    nodes[parent].children.removeAll { $0 == node }
    nodes[node].parent = nil
    settle(node)
  }

  func hold(_ node: Int) { nodes[node].holds += 1 }

  func unhold(_ node: Int) {
    nodes[node].holds -= 1
    settle(node)
  }

  /// Deallocates a node if it is no longer retained.
  func settle(_ node: Int) {
    let state = nodes[node]
    guard state.isAlive, !state.hasHandle, state.parent == nil, state.holds == 0 else { return }
    guard !nodes.contains(where: { $0.isAlive && $0.guests.contains(node) }) else { return }
    nodes[node].isAlive = false
    nodes[node].proxy = nil
    nodes[node].override = nil
    nodes[node].children = []
    nodes[node].guests = []
    for index in nodes.indices where nodes[index].override == node { nodes[index].override = nil }
    for child in state.children { nodes[child].parent = nil }
    for child in state.children + state.guests { settle(child) }
  }
}

// MARK: Handlers

extension ReferenceModel {
  /// Returns the handlers of a key, in the order in which they are called.
  func handlers(_ proxy: Int, _ key: String) -> [Int] {
    registrations.indices
      .filter { registrations[$0].proxy == proxy && registrations[$0].handler.key == key && !registrations[$0].isRemoved }
      .sorted { place(of: $0) < place(of: $1) }
  }

  /// Returns the sort key of a handler: by priority, interceptors before others, then in the order of registration.
  private func place(of index: Int) -> (Int, Int, Int) {
    let handler = registrations[index].handler
    return (-handler.priority, handler.kind == .interceptor ? 0 : 1, index)
  }

  func hasHandlers(_ proxy: Int, _ key: String) -> Bool { !handlers(proxy, key).isEmpty }

  /// Returns whether a node has a handler for a key and a direction, even if it is blocked or its target is
  /// deallocated.
  func listens(_ node: Int, _ key: String, _ phase: EventContext.Phase, afterStop: Bool = false) -> Bool {
    nodes[node].proxy.map { handlers($0, key).contains { registrations[$0].handler.listens(phase, afterStop: afterStop) } } ?? false
  }

  func isAlive(_ registration: Registration) -> Bool {
    registration.handler.holding != .weak || registration.target.map { targets[$0].isAlive } ?? true
  }

  func isCallable(_ registration: Registration) -> Bool {
    !registration.isRemoved && !registration.isSpent && registration.blocks == 0 && isAlive(registration)
  }

  func settle(target: Int) {
    let state = targets[target]
    guard state.isAlive, !state.hasHandle, !state.isHeldForGood, state.calls == 0 else { return }
    targets[target].isAlive = false
    note("t\(target) dies")
  }
}
