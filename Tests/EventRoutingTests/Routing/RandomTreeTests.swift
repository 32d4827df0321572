import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Random trees, handlers and rules against the reference model.
@Suite struct RandomTreeTests {
  private struct Failure: Error {}

  private static let keys = ["a", "b", "c", "d", ""]

  private func randomRules(_ generator: inout SeededGenerator) -> RoutingRules {
    // The router would log a warning of each event that nobody handles; else it is as the strategy.
    if generator.oneIn(2) { return generator.pick([.strategy, .busUp, .busDown, .componentEmit, .componentBroadcast]) }
    return RoutingRules(
      direction: generator.oneIn(2) ? .up : .down, startsAtSender: generator.oneIn(2), continuesWhenHandled: generator.oneIn(2),
      stopScope: generator.pick([.node, .subtree, .pass]), unknownKey: generator.pick([.isSilent, .endsAtProxy, .isSilent]),
      emptyKey: generator.oneIn(2) ? .isAllowed : .isIgnored, endsBeforeBoundary: generator.oneIn(2))
  }

  private func randomReply(_ count: Int, _ generator: inout SeededGenerator) -> ReferenceModel.Reply {
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: .ignored
    case 1: .handled
    case 2: .stop(generator.pick([.node, .subtree, .pass]))
    case 3, 4: .resend(generator.pick(Self.keys))
    case 5: .fail
    case 6, 7: .detach(Int.random(in: 0..<count, using: &generator))
    case 8: .unregister(Int.random(in: 0..<count, using: &generator), generator.pick(Self.keys))
    case 9: .register(Int.random(in: 0..<count, using: &generator), generator.pick(Self.keys))
    default: .goOn
    }
  }

  private func randomTree(_ generator: inout SeededGenerator, withOverrides: Bool) -> [ReferenceModel.Node] {
    let count = Int.random(in: 1...25, using: &generator)
    var nodes = [ReferenceModel.Node()]
    for index in 1..<max(1, count) {
      // Half the time below the last node: deep and bushy trees alike.
      let parent = generator.oneIn(2) ? index - 1 : Int.random(in: 0..<index, using: &generator)
      nodes.append(ReferenceModel.Node(parent: parent))
      nodes[parent].children.append(index)
    }
    for index in nodes.indices {
      if withOverrides, generator.oneIn(8) { nodes[index].override = Int.random(in: 0..<nodes.count, using: &generator) }
      if generator.oneIn(12) { nodes[index].terminality = generator.oneIn(2) ? .always : .forOwnKeys }
      nodes[index].isBoundary = generator.oneIn(15)
      nodes[index].hasProxy = generator.oneIn(2)
      guard nodes[index].hasProxy else { continue }
      for key in Self.keys where generator.oneIn(2) { nodes[index].handlers[key] = randomReply(nodes.count, &generator) }
    }
    // Who gets a handler on the way has a proxy before.
    for index in nodes.indices {
      for case .register(let other, _) in nodes[index].handlers.values { nodes[other].hasProxy = true }
    }
    return nodes
  }

  /// What a handler that a test registers does.
  private static func act(
    _ reply: ReferenceModel.Reply, _ index: Int, _ key: String, _ journal: Journal, detach: (Int) -> Void, proxies: [EventProxy?]
  ) throws -> EventReply {
    journal.note("\(index).\(key)")
    switch reply {
    case .ignored: return .ignored
    case .handled: return .handled
    case .goOn: return .handledAndContinue
    case .stop(let scope): return .handledAndStop(scope)
    case .resend(let key): return .resend(EventKey(key), [])
    case .fail: throw Failure()
    case .detach(let other): detach(other)
    case .unregister(let other, let key): proxies[other]?.removeHandlers(for: EventKey(key))
    case .register(let other, let key):
      if let proxy = proxies[other], !proxy.handles(EventKey(key)) {
        try proxy.on(EventKey(key), journal, "\(other).\(key)", reply: .handledAndContinue)
      }
    }
    return .handledAndContinue
  }

  private func check(
    _ nodes: [ReferenceModel.Node], _ responders: [any Responder], _ proxies: [EventProxy?], _ seed: UInt64,
    _ generator: inout SeededGenerator, detach: @escaping (Int) -> Void
  ) throws {
    let journal = Journal()
    // The handlers keep the proxies that they are registered with.
    defer { for proxy in proxies { proxy?.removeAllHandlers() } }
    for (index, node) in nodes.enumerated() {
      for (key, reply) in node.handlers {
        try proxies[index]?.intercept(EventKey(key)) { _, _, _ in
          try Self.act(reply, index, key, journal, detach: detach, proxies: proxies)
        }
      }
    }
    var rules = randomRules(&generator)
    var model = ReferenceModel(nodes, rules)
    for _ in 0..<4 {
      let sender = Int.random(in: 0..<nodes.count, using: &generator)
      let key = generator.pick(Self.keys)
      model.calls = []
      model.handled = 0
      model.errors = 0
      model.hasEnded = false
      model.rules = rules
      journal.entries = []
      model.send(key, from: sender)
      let isReported = generator.oneIn(2)
      if isReported {
        let report = responders[sender].report(EventKey(key), rules: rules)
        #expect(report.handledBy.count == model.handled, "seed \(seed)")
        #expect(report.visits.map(\.errors.count).reduce(0, +) + (report.routingError == nil ? 0 : 1) <= model.errors, "seed \(seed)")
      } else {
        let outcome = responders[sender].send(EventKey(key), rules: rules)
        #expect(outcome.handledCount == model.handled, "seed \(seed)")
        #expect(outcome.errorCount == model.errors, "seed \(seed)")
      }
      #expect(journal.entries == model.calls, "seed \(seed)")
      rules = randomRules(&generator)
    }
  }

  @Test func nodesRouteAsTheModelDoes() throws {
    for seed in 0..<UInt64(4_000) {
      var generator = SeededGenerator(seed: seed)
      let nodes = randomTree(&generator, withOverrides: generator.oneIn(3))
      let responders = nodes.indices.map { ResponderNode("\($0)") }
      for (index, node) in nodes.enumerated() {
        for child in node.children { responders[index].addChild(responders[child]) }
        if node.hasProxy { _ = responders[index].proxy }
        responders[index].terminality = node.terminality
        responders[index].isBoundary = node.isBoundary
        responders[index].nextOverride = node.override.map { responders[$0] }
      }
      try check(nodes, responders, responders.map(\.eventProxy), seed, &generator) { responders[$0].removeFromParent() }
    }
  }

  @Test func otherRespondersRouteAsTheModelDoes() throws {
    for seed in 0..<UInt64(2_000) {
      var generator = SeededGenerator(seed: 1 << 32 | seed)
      let nodes = randomTree(&generator, withOverrides: generator.oneIn(3))
      let views = nodes.indices.map { View("\($0)") }
      for (index, node) in nodes.enumerated() {
        for child in node.children { views[index].addSubview(views[child]) }
        if node.hasProxy { _ = views[index].state.proxy }
        views[index].state.terminality = node.terminality
        views[index].state.isBoundary = node.isBoundary
        views[index].state.nextOverride = node.override.map { views[$0] }
      }
      try check(nodes, views, views.map(\.eventProxy), seed, &generator) { views[$0].removeFromSuperview() }
    }
  }
}
