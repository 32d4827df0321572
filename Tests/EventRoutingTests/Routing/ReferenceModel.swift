import EventRouting

/// A slow routing written from the rules alone, over nodes that are numbers.
///
/// It knows no weak references, no index and no fixed buffers: a path is an array, and whether a node is asked is decided by looking at the whole tree.
struct ReferenceModel {
  enum Reply {
    case ignored
    case handled
    case goOn
    case stop(StopScope)
    case resend(String)
    case fail
    /// Takes a node out, then goes on.
    case detach(Int)
    /// Takes another key from a node, then goes on.
    case unregister(Int, String)
    /// Gives a node a handler that goes on, then goes on.
    case register(Int, String)
  }

  struct Node {
    var parent: Int?
    var children: [Int] = []
    var override: Int?
    var handlers: [String: Reply] = [:]
    var hasProxy = false
    var terminality = Terminality.passing
    var isBoundary = false
  }

  var nodes: [Node]
  var rules: RoutingRules
  /// Each handler called, as `node.key`.
  var calls: [String] = []
  var handled = 0
  var errors = 0
  var hasEnded = false

  init(_ nodes: [Node], _ rules: RoutingRules) {
    self.nodes = nodes
    self.rules = rules
  }

  mutating func send(_ key: String, from sender: Int) {
    if key.isEmpty, rules.emptyKey == .isIgnored { return }
    if rules.direction == .up { sendUp(key, sender) } else { sendDown(key, sender) }
  }

  private func next(_ node: Int) -> Int? { nodes[node].override ?? nodes[node].parent }

  // MARK: Up

  private mutating func sendUp(_ sent: String, _ sender: Int) {
    var path: [Int] = []
    var isCircle = false
    var here = rules.startsAtSender ? sender : next(sender)
    while let node = here {
      if rules.endsBeforeBoundary, nodes[node].isBoundary { break }
      if path.contains(node) {
        isCircle = true
        break
      }
      path.append(node)
      if nodes[node].terminality == .always { break }
      here = next(node)
    }

    var key = sent
    var left: [String] = []
    var listeners = Set(path.filter { nodes[$0].handlers[sent] != nil })
    var place = 0
    while place < path.count {
      let node = path[place]
      place += 1
      if place < path.count, next(node) == nil { continue }
      guard listeners.contains(node), let reply = nodes[node].handlers[key] else {
        if nodes[node].terminality == .always { return }
        if rules.unknownKey == .endsAtTerminal, nodes[node].terminality != .passing { return }
        if rules.unknownKey == .endsAtProxy, nodes[node].hasProxy { return }
        continue
      }
      let terminality = nodes[node].terminality
      switch call(node, key, reply) {
      case .unwanted:
        if terminality == .always { return }
        if rules.unknownKey == .endsAtTerminal, terminality != .passing { return }
      case .goOn:
        if terminality != .passing { return }
      case .stop(.node):
        if terminality != .passing { return }
      case .stop: return
      case .resend(let new):
        if new != key {
          left.append(key)
          if left.contains(new) {
            // Nobody is left to ask after the last node of a straight path, so nothing can go round there.
            if !(path.count == 1 && !isCircle && next(node) == nil) { errors += 1 }
            return
          }
        }
        key = new
        listeners = Set(path[place...].filter { nodes[$0].handlers[new] != nil })
      }
    }
    if isCircle { errors += 1 }
  }

  // MARK: Down

  private mutating func sendDown(_ key: String, _ sender: Int) {
    let asked = below(sender, including: rules.startsAtSender, key)
    run(asked, key, [], sender)
  }

  /// The listeners from a node down, with all that is above each of them.
  private func below(_ start: Int, including: Bool, _ key: String) -> [(node: Int, above: [Int])] {
    var found: [(Int, [Int])] = []
    func visit(_ node: Int, _ above: [Int], _ isAsked: Bool) {
      let isListener = isAsked && nodes[node].handlers[key] != nil
      if isListener { found.append((node, above)) }
      if isAsked, !isListener {
        if rules.unknownKey == .endsAtProxy, nodes[node].hasProxy { return }
        if rules.unknownKey == .endsAtTerminal, nodes[node].terminality != .passing { return }
      }
      for child in nodes[node].children { visit(child, above + [node], true) }
    }
    visit(start, [], including)
    return found
  }

  private mutating func run(_ asked: [(node: Int, above: [Int])], _ key: String, _ left: [String], _ sender: Int) {
    var closed: Set<Int> = []
    for (node, above) in asked {
      if hasEnded { return }
      if !closed.isDisjoint(with: above) { continue }
      guard isBelow(node, sender), let reply = nodes[node].handlers[key] else { continue }
      switch call(node, key, reply) {
      case .unwanted, .goOn, .stop(.node): break
      case .stop(.subtree): closed.insert(node)
      case .stop(.pass): hasEnded = true
      case .resend(let new):
        closed.insert(node)
        var left = left
        if new != key {
          left.append(key)
          if left.contains(new) {
            errors += 1
            continue
          }
        }
        run(below(node, including: false, new), new, left, sender)
      }
    }
  }

  private func isBelow(_ node: Int, _ start: Int) -> Bool {
    var here: Int? = node
    while let index = here {
      if index == start { return true }
      here = nodes[index].parent
    }
    return false
  }

  // MARK: Calling

  private enum Way {
    case unwanted
    case goOn
    case stop(StopScope)
    case resend(String)
  }

  private mutating func call(_ node: Int, _ key: String, _ reply: Reply) -> Way {
    calls.append("\(node).\(key)")
    switch reply {
    case .ignored: return .unwanted
    case .fail:
      errors += 1
      return .unwanted
    case .resend(let new): return .resend(new)
    case .handled:
      handled += 1
      return rules.continuesWhenHandled ? .goOn : .stop(rules.stopScope)
    case .stop(let scope):
      handled += 1
      return .stop(scope)
    case .goOn: break
    case .detach(let other):
      if let parent = nodes[other].parent { nodes[parent].children.removeAll { $0 == other } }
      nodes[other].parent = nil
    case .unregister(let other, let key): nodes[other].handlers[key] = nil
    case .register(let other, let key):
      if nodes[other].handlers[key] == nil { nodes[other].handlers[key] = .goOn }
    }
    handled += 1
    return .goOn
  }
}
