@testable import EventRouting
import DynamicInvocation
import TestSupport
import Testing

/// Handlers that listen one way.
@Suite(.measured) struct DirectionTests {
  private let journal = Journal()
  private let root = ResponderNode("root")
  private let middle: ResponderNode
  private let leaf: ResponderNode

  init() {
    middle = root.child("middle")
    leaf = middle.child("leaf")
  }

  private func listen(
    _ proxy: EventProxy, _ key: EventKey, _ entry: String, _ direction: HandlerOptions.Direction, reply: EventReply = .handledAndContinue
  ) throws {
    try proxy.intercept(key, options: HandlerOptions(duplicates: .append, direction: direction)) { [journal] _, _, _ in
      journal.note("\(entry) \(EventContext.current.map { "\($0.direction)" } ?? "-")")
      return reply
    }
  }

  @Test("One name may be sent up, and from there down again to other handlers (E2.7, E8.13)")
  func oneNameBothWays() throws {
    try root.proxy.intercept("ev", options: HandlerOptions(direction: .up)) { [journal, unowned root] _, _, _ in
      journal.note("root up")
      root.send("ev", rules: .busDown)
      return .handledAndStop(.pass)
    }
    for node in [root, middle, leaf] { try listen(node.proxy, "ev", node.responderName, .down) }
    leaf.send("ev", rules: .busUp)
    #expect(journal.entries == ["root up", "root down", "middle down", "leaf down"])
  }

  @Test("A handler is told the direction, the key, and how deep its event is nested; nothing outside of handlers") func context() throws {
    #expect(EventContext.current == nil)
    var contexts: [EventContext?] = []
    let other = EventProxy()
    try other.intercept("alone") { _, _, _ in
      contexts.append(EventContext.current)
      return .handled
    }
    try leaf.proxy.intercept("l") { _, _, _ in
      contexts.append(EventContext.current)
      other.send("alone", source: nil, arguments: [])
      return .handled
    }
    try root.proxy.intercept("k") { _, _, _ in .resend("k2", []) }
    try middle.proxy.register("k2") { [unowned root] (_: AnyObject?) in
      contexts.append(EventContext.current)
      root.send("l", rules: .busDown)
      contexts.append(EventContext.current)
    }
    root.send("k", rules: .busDown)
    #expect(
      contexts.map { $0.map { "\($0)" } } == [
        "EventContext(k2, down, nesting 1)", "EventContext(l, down, nesting 2)", "EventContext(l, down, nesting 2)",
        "EventContext(k2, down, nesting 1)",
      ])
    #expect(contexts[0] == contexts[3] && contexts[0] != contexts[1])
    #expect(EventContext.current == nil)
    other.send("alone", source: nil, arguments: [])
    #expect(contexts.last == .some(nil))
    try root.proxy.intercept("up") { _, _, _ in
      contexts.append(EventContext.current)
      return .handled
    }
    leaf.send("up")
    let last = try #require(contexts.last ?? nil)
    #expect(last.key == "up" && last.direction == .up && last.phase == .up && last.nesting == 1 && !last.isStopped)
  }

  @Test("Every way of registering takes a direction, and a proxy asked itself calls all") func everyKind() throws {
    let proxy = root.proxy
    final class Target { var calls: [String] = [] }
    let target = Target()
    let up = HandlerOptions(duplicates: .append, direction: .up)
    let down = HandlerOptions(duplicates: .append, direction: .down)
    try proxy.register("k", options: up) { (_: AnyObject?, _: Int) in target.calls.append("closure") }
    try proxy.register("k", target: target, options: down) { (target: Target) in
      { (_: AnyObject?, _: Int) in target.calls.append("target") }
    }
    try proxy.intercept("k", options: up) { _, _, _ in
      target.calls.append("interceptor")
      return .handled
    }
    let implementation = try Implementation { (target: Target, _: Unmanaged<AnyObject>?, _: Int) in target.calls.append("function") }
    try proxy.register("k", implementation, target: target, options: down)
    let key: TypedEventKey<Int> = "k"
    leaf.send(key, 1)
    #expect(target.calls == ["interceptor", "closure"])
    root.send(key, 1, rules: .busDown)
    #expect(target.calls.suffix(2) == ["target", "function"])
    target.calls = []
    root.send("k", arguments: [.int(1)], rules: .busDown)
    #expect(target.calls == ["target", "function"])
    #expect(proxy.send(key, source: nil, 1).calls == 4)
    #expect(proxy.send("k", source: nil, arguments: [.int(1)]).calls == 4)
    #expect(proxy.registrations(for: "k").map(\.handler.options.direction) == [.up, .up, .down, .down])
    #expect("\(proxy.registrations(for: "k")[0].handler)".hasSuffix("[up only]"))
  }

  @Test("Nodes that listen the other way are passed, not led to, and not ended at (E8.13)", arguments: [true, false])
  func otherWay(isForeign: Bool) throws {
    let views = ["root", "middle", "leaf"].map { View($0) }
    views[0].addSubview(views[1])
    views[1].addSubview(views[2])
    let nodes: [any Responder] = isForeign ? views : [root, middle, leaf]
    let proxies = isForeign ? views.map(\.state.proxy) : [root.proxy, middle.proxy, leaf.proxy]
    try listen(proxies[1], "k", "middle", .up, reply: .handled)
    try listen(proxies[2], "k", "leaf", .down, reply: .handled)
    if isForeign {
      views[1].state.terminality = .forOwnKeys
    } else {
      middle.terminality = .forOwnKeys
    }
    let up = nodes[2].report("k", rules: .router)
    #expect(up.visits.map(\.answer) == [.passed, .stopped(.pass)])
    let down = nodes[0].report("k", rules: .busDown)
    #expect(down.handledBy.map(\.name) == ["leaf"])
    #expect(down.visits.last?.answer == .handled)
    #expect(journal.entries == ["middle up", "leaf down"])
    #expect(nodes[2].dryRun("k") == up)
    #expect(nodes[0].dryRun("k", rules: .busDown) == down)
    // Nobody below listens: where there is an index no node is visited.
    try listen(proxies[2], "only up", "leaf", .up)
    #expect(nodes[0].report("only up", rules: .componentBroadcast).visits.count == (isForeign ? 2 : 0))
    let diagnosis = try #require(nodes[0].report("only up", rules: .busDown).diagnosis)
    #expect(diagnosis.listeningOtherWay.map(\.name) == ["leaf"])
    #expect(diagnosis.description.contains("; on leaf only for events of another direction or phase"))
  }

  @Test("The picture marks keys that a node handles one way only") func picture() throws {
    try listen(root.proxy, "a", "root", .up)
    try listen(root.proxy, "b", "root", .up)
    try listen(root.proxy, "b", "root", .down)
    try listen(middle.proxy, "c", "middle", .down)
    let picture = DispatchReport.TreePicture(of: root)
    #expect(picture.mermaid.contains("n0[\"root<br/>a (up only), b\"]"))
    #expect(picture.mermaid.contains("n1[\"middle<br/>c (down only)\"]"))
    #expect(picture.dot.contains("label=\"root\\na (up only), b\""))
  }

  @Test("The index is that of a naive count, after random changes of handlers of all directions") func index() throws {
    var generator = SeededGenerator(seed: 12)
    let keys: [EventKey] = (0..<6).map { EventKey("direction.\($0)") }
    // Up to sixty children below one node: with an index of them and without.
    let nodes = (0..<60).map { ResponderNode("\($0)") }
    var registrations: [EventRegistration] = []
    for step in 0..<4_000 {
      let node = generator.pick(nodes)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: if generator.oneIn(3) { node.removeFromParent() }
      case 1, 2: if nodes[0].canAdopt(node) { nodes[0].insertChild(node, at: node.parent === nodes[0] ? 0 : nodes[0].children.count / 2) }
      case 3:
        let child = generator.pick(nodes)
        if node.canAdopt(child) { node.addChild(child) }
      case 4: if !registrations.isEmpty { registrations.remove(at: Int.random(in: 0..<registrations.count, using: &generator)).cancel() }
      default:
        let options = HandlerOptions(duplicates: .append, direction: generator.pick([.up, .down, .both]))
        registrations.append(try node.proxy.intercept(generator.pick(keys), options: options) { _, _, _ in .handledAndContinue })
      }
      guard step % 20 == 0 else { continue }
      let key = generator.pick(keys)
      func listens(_ node: ResponderNode, _ direction: HandlerOptions.Direction) -> Bool {
        node.eventProxy?.registrations(for: key).contains { $0.options.direction == .both || $0.options.direction == direction } == true
      }
      func listeners(_ node: ResponderNode) -> [String] {
        (listens(node, .down) ? [node.responderName] : []) + node.children.flatMap { listeners($0) }
      }
      #expect(nodes[0].report(key, rules: .busDown).handledBy.map(\.name) == listeners(nodes[0]))
      let start = generator.pick(nodes)
      let above = sequence(first: start) { $0.parent }.filter { listens($0, .up) }.map(\.responderName)
      #expect(start.report(key, rules: .busUp.startingAtSender).handledBy.map(\.name) == above)
    }
  }
}

extension RoutingRules {
  fileprivate var startingAtSender: RoutingRules {
    var rules = self
    rules.startsAtSender = true
    return rules
  }
}
