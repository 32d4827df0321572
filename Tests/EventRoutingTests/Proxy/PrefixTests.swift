import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Interceptors of all keys, and of keys with a prefix.
@Suite(.measured) struct PrefixTests {
  @Test("An asynchronous one is awaited, and started by a synchronous send (E21.1)") @MainActor func asynchronous() async throws {
    let root = ResponderNode("root")
    var keys: [String] = []
    root.proxy.interceptAll(withPrefix: "a.") { _, key, _ async in
      await Task.yield()
      keys.append(key.name)
      return .handled
    }
    await expect(root.sendAwaiting("a.b").isHandled && keys == ["a.b"])
    expect(root.send("a.c").isHandled)
    while keys.count < 2 { await Task.yield() }
    expectEqual(keys, ["a.b", "a.c"])
  }

  @Test("Reports, pictures and dry runs show it, and a mistyped key is not known because of it (E21.4)") func reports() throws {
    let root = ResponderNode("root")
    try root.proxy.register("row.tapped") { (_: AnyObject?) in }
    let registration = root.proxy.interceptAll(withPrefix: "row.") { _, _, _ in .ignored }
    expect("\(registration.handler)" == "row.*: interceptor (any arguments)")
    let report = EventLog.withLogger(nil) { root.report("row.taped") }
    expectEqual(report.diagnosis?.nearestKeys.map(\.key.name), ["row.tapped"])
    expect(DispatchReport.TreePicture(of: root).mermaid.contains("row.*"))
    expect(root.dryRun("row.other").description.contains("root"))
  }

  @Test("Many prefixes end, block and unblock their own keys only, in any order, and nothing stays of them (E21.3)") func many() throws {
    let node = ResponderNode("node")
    var calls: [String] = []
    var registrations: [EventRegistration] = []
    for index in 0..<300 {
      registrations.append(
        node.proxy.interceptAll(withPrefix: "\(index % 100).") { _, key, _ in
          calls.append("\(index) \(key)")
          return .ignored
        })
    }
    EventLog.withLogger(nil) {
      for index in 0..<100 { node.send(EventKey("\(index).x")) }
      expectEqual(calls.suffix(3), ["99 99.x", "199 99.x", "299 99.x"])
      registrations[107].block()
      for index in [207, 9, 109, 209] { registrations[index].cancel() }
      calls = []
      for key in ["7.x", "7.y", "9.x", "9.y"] { node.send(EventKey(key)) }
      expectEqual(calls, ["7 7.x", "7 7.y"])
      registrations[107].unblock()
      calls = []
      node.send("7.x")
      expectEqual(calls, ["7 7.x", "107 7.x"])
    }
    node.checkInvariants()
    for registration in registrations.shuffled() { registration.cancel() }
    node.checkInvariants()
    expect(node.proxy.registrations.isEmpty && !node.proxy.handles("7.x"))
  }

  /// A tree with interceptors, and what they have received.
  private final class Tree {
    let nodes: [ResponderNode]
    var calls: [String] = []
    init(_ parents: [Int]) {
      nodes = parents.indices.map { ResponderNode("\($0)") }
      for (index, parent) in parents.enumerated() where parent >= 0 { nodes[parent].addChild(nodes[index]) }
    }
  }

  @Test("Random trees do the same with an interceptor of a prefix and with one of each key (E21.1, E21.2)", arguments: 0..<40)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let names = ["", "a", "a.b", "a.c", "b", "b.a", "é.x", "a.b.c"]
    let count = Int.random(in: 1...30, using: &generator)
    let parents = (0..<count).map { $0 == 0 ? -1 : Int.random(in: 0..<$0, using: &generator) }
    let (tree, twin) = (Tree(parents), Tree(parents))
    var ended: [(EventRegistration, [EventRegistration])] = []
    for step in 0..<60 {
      let node = Int.random(in: 0..<count, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        let prefix = ["", "a", "a.", "b.", "é"].randomElement(using: &generator) ?? ""
        let priority = Int.random(in: 0..<2, using: &generator)
        let options = HandlerOptions(
          priority: priority, duplicates: .append, direction: [.both, .up, .down].randomElement(using: &generator) ?? .both)
        let reply: EventReply =
          [.ignored, .handledAndContinue, .handled, .handledAndStop(.node)].randomElement(using: &generator) ?? .ignored
        let one = tree.nodes[node].proxy.interceptAll(withPrefix: prefix, options: options) { [unowned tree] _, key, _ in
          tree.calls.append("\(step) \(key)")
          return reply
        }
        var many: [EventRegistration] = []
        for name in names where name.hasPrefix(prefix) {
          many.append(
            try twin.nodes[node].proxy.intercept(EventKey(name), options: options) { [unowned twin] _, key, _ in
              twin.calls.append("\(step) \(key)")
              return reply
            })
        }
        ended.append((one, many))
      case 1:
        let key = TypedEventKey<Void>(EventKey(names.randomElement(using: &generator) ?? ""))
        for tree in [tree, twin] {
          try tree.nodes[node].proxy.register(key, options: HandlerOptions(duplicates: .append)) { [unowned tree] (_: AnyObject?) in
            tree.calls.append("\(step) handler")
          }
        }
      case 2 where !ended.isEmpty:
        let (one, many) = ended.remove(at: Int.random(in: 0..<ended.count, using: &generator))
        one.cancel()
        for registration in many { registration.cancel() }
      case 3 where node > 0:
        let parent = tree.nodes[Int.random(in: 0..<node, using: &generator)]
        guard parent.canAdopt(tree.nodes[node]), let place = tree.nodes.firstIndex(where: { $0 === parent }) else { continue }
        parent.addChild(tree.nodes[node])
        twin.nodes[place].addChild(twin.nodes[node])
      default:
        let key = EventKey(names.randomElement(using: &generator) ?? "")
        let rules =
          [RoutingRules.strategy, .busUp, .busDown, .componentEmit, .componentBroadcast].randomElement(using: &generator) ?? .strategy
        let outcomes = [tree, twin].map { $0.nodes[node].send(key, arguments: [], rules: rules).handledCount }
        expect(outcomes[0] == outcomes[1] && tree.calls == twin.calls, "step \(step)")
      }
      for node in tree.nodes where node.parent == nil { node.checkInvariants() }
    }
  }
}
