import EventRouting

/// The passes down.
extension ReferenceModel {
  /// A node of a pass down.
  private struct Entry {
    let node: Int
    let depth: Int
    let isListener: Bool
    /// The nodes above it, within this segment of the pass.
    let above: [Int]
    /// Whether its parents did not lead to the start initially; then they do not show whether the node was removed.
    let wasUnlinked: Bool
  }

  func goDown(_ pass: inout Pass) {
    let entries = collect(below: pass.start, including: pass.rules.startsAtSender, depth: 0, pass.send.key, pass)
    run(entries, pass.send.key, [], pass.event.arguments, &pass)
  }

  /// Returns the nodes below a node, in order, without duplicates.
  ///
  /// - Parameter wasUnlinked: The value of the node's entry, if it has resent the event.
  private func collect(
    below start: Int, wasUnlinked: Bool = false, including: Bool, depth: Int, _ key: String, _ pass: Pass
  ) -> [Entry] {
    var entries: [Entry] = []
    var seen: Set<Int> = []
    // In a tree of the engine's own nodes, a pass only visits nodes that listen and the nodes on the path to them.
    let isIndexed = !nodes[pass.start].isForeign
    // If a handler removes its node and resends the event, the nodes below were removed with the node.
    let mayBeUnlinked = !isIndexed && (wasUnlinked || isBelow(start, pass.start))
    func visit(_ node: Int, _ level: Int, _ above: [Int], isWanted: Bool) {
      if isIndexed, isWanted, level > depth, !hasListener(below: node, key) { return }
      guard seen.insert(node).inserted else { return }
      let isListener = listens(node, key, .down)
      if isWanted, !pass.asked.contains(node) {
        entries.append(
          Entry(node: node, depth: level, isListener: isListener, above: above, wasUnlinked: mayBeUnlinked && !isBelow(node, pass.start)))
        if !isListener, ends(node, pass.rules) { return }
      }
      for child in below(node) { visit(child, level + 1, above + [node], isWanted: true) }
    }
    visit(start, depth, [], isWanted: including)
    return entries
  }

  private func hasListener(below node: Int, _ key: String) -> Bool {
    listens(node, key, .down) || nodes[node].children.contains { hasListener(below: $0, key) }
  }

  private func run(_ entries: [Entry], _ key: String, _ left: [Step], _ arguments: [EventScript.Argument], _ pass: inout Pass) {
    var closed: Set<Int> = []
    // The nodes that have stopped the event for the nodes below them.
    var stopped: Set<Int> = []
    let limit = registrations.count
    for entry in entries {
      let node = entry.node
      if !closed.isDisjoint(with: entry.above) { continue }
      if pass.hasEnded || !stopped.isDisjoint(with: entry.above) {
        guard entry.isListener, nodes[node].isAlive, entry.wasUnlinked || isBelow(node, pass.start), !pass.asked.contains(node),
          listens(node, key, .down, afterStop: true)
        else { continue }
        pass.asked.insert(node)
        pass.event.arguments = arguments
        pass.isStopped = true
        _ = ask(node, depth: entry.depth, key, before: limit, &pass)
        pass.isStopped = pass.hasEnded
        continue
      }
      if !nodes[node].isAlive || !entry.wasUnlinked && !isBelow(node, pass.start) {
        pass.visit(nodes[node].isAlive ? name(node) : "dead", entry.depth, key, "removed before its turn")
        continue
      }
      if pass.asked.contains(node) { continue }
      guard entry.isListener, listens(node, key, .down) else {
        pass.visit(name(node), entry.depth, key, "passed")
        continue
      }
      pass.asked.insert(node)
      pass.event.arguments = arguments
      let terminality = nodes[node].terminality
      switch ask(node, depth: entry.depth, key, before: limit, &pass) {
      case .ignored:
        if pass.rules.unknownKey == .endsAtTerminal, terminality != .passing { closed.insert(node) }
      case .goOn: break
      case .endSubtree: stopped.insert(node)
      case .endPass: pass.hasEnded = true
      case .resend(let next, let arguments):
        closed.insert(node)
        var left = left
        guard changeKey(key, at: node, for: next, &left, &pass) else { continue }
        guard nodes[node].isAlive else { continue }
        let below = collect(below: node, wasUnlinked: entry.wasUnlinked, including: false, depth: entry.depth, next, pass)
        run(below, next, left, arguments, &pass)
      }
    }
  }
}
