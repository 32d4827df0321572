import EventRouting

/// The passes up.
extension ReferenceModel {
  func goUp(_ pass: inout Pass) {
    let rules = pass.rules
    var path: [Int] = []
    var circle: Int?
    var here = rules.startsAtSender ? pass.start : next(pass.start)
    while let node = here {
      if rules.endsBeforeBoundary, nodes[node].isBoundary { break }
      if path.contains(node) {
        circle = node
        break
      }
      path.append(node)
      if nodes[node].terminality == .always { break }
      here = next(node)
    }
    let hadNext = path.map { next($0) != nil }

    var key = pass.send.key
    var left: [Step] = []
    var listeners = Set(path.filter { listens($0, key, .up) })
    var limit = registrations.count
    if rules.hasCapturePhase {
      pass.phase = .capture
      var isResent = false
      for (place, node) in path.enumerated().reversed() {
        guard nodes[node].isAlive, !(hadNext[place] && next(node) == nil) else { continue }
        guard listens(node, key, .capture, afterStop: pass.isStopped) else { continue }
        switch ask(node, depth: place, key, before: limit, &pass) {
        case .ignored, .goOn: continue
        case .endSubtree, .endPass: pass.isStopped = true
        case .resend(let next, let arguments):
          guard changeKey(key, at: node, for: next, &left, &pass) else { return }
          key = next
          pass.event.arguments = arguments
          limit = registrations.count
          isResent = true
        }
      }
      pass.phase = .up
      if isResent { listeners = Set(path.filter { listens($0, key, .up) }) }
    }
    for (place, node) in path.enumerated() {
      if pass.isStopped {
        let isGone = !nodes[node].isAlive || hadNext[place] && next(node) == nil
        let terminality = nodes[node].terminality
        if !isGone, listens(node, key, .up, afterStop: true) {
          _ = ask(node, depth: place, key, before: limit, &pass)
          if terminality == .always || rules.unknownKey == .endsAtTerminal && terminality != .passing { return }
        } else if nodes[node].isAlive, ends(node, rules) {
          return
        }
        continue
      }
      if !nodes[node].isAlive || hadNext[place] && next(node) == nil {
        pass.visit(nodes[node].isAlive ? name(node) : "dead", place, key, "removed before its turn")
        continue
      }
      let terminality = nodes[node].terminality
      guard listeners.contains(node), listens(node, key, .up) else {
        pass.visit(name(node), place, key, "passed")
        if ends(node, rules) { return }
        continue
      }
      switch ask(node, depth: place, key, before: limit, &pass) {
      case .ignored:
        if terminality == .always || rules.unknownKey == .endsAtTerminal && terminality != .passing { return }
      case .goOn:
        if terminality != .passing { pass.isStopped = true }
      case .endSubtree, .endPass:
        pass.isStopped = true
      case .resend(let next, let arguments):
        guard changeKey(key, at: node, for: next, &left, &pass) else { return }
        key = next
        pass.event.arguments = arguments
        listeners = Set(path[(place + 1)...].filter { listens($0, key, .up) })
        limit = registrations.count
      }
    }
    if let circle, !pass.isStopped {
      pass.errors += 1
      pass.routingError = "circle at n\(circle)"
    }
  }

  /// Returns whether an event ends at a node that has no handler for it.
  func ends(_ node: Int, _ rules: RoutingRules) -> Bool {
    switch rules.unknownKey {
    case .endsAtProxy where nodes[node].proxy != nil: true
    case .endsAtTerminal where nodes[node].terminality != .passing: true
    case .endsAtProxy, .endsAtTerminal, .warns, .isSilent: rules.direction == .up && nodes[node].terminality == .always
    }
  }
}
