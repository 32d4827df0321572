import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Interceptors of all keys, and of keys with a prefix.
@Suite(.measured) struct PrefixTests {
  private struct Refusal: Error {}

  @Test("An interceptor of a prefix receives the events whose keys begin with it, typed and boxed, and no others (E21.1)")
  func prefixes() throws {
    let proxy = EventProxy()
    var seen: [String] = []
    for prefix in ["", "cart.", "cart.total", "é"] {
      proxy.interceptAll(withPrefix: prefix) { source, key, arguments in
        seen.append("\(prefix)* \(key) \(arguments.count)")
        return .ignored
      }
    }
    #expect(proxy.send("cart.total", source: nil, arguments: [.int(1), .int(2)]).calls == 3)
    #expect(proxy.send("cart", source: nil, 1).calls == 1)
    #expect(proxy.send("", source: nil).calls == 1)
    // A composed and a decomposed text are one name, as for keys.
    #expect(proxy.send("e\u{301}", source: nil).calls == 2)
    #expect(proxy.send("\u{e9}t\u{e9}", source: nil).calls == 2)
    #expect(
      seen == [
        "* cart.total 2", "cart.* cart.total 2", "cart.total* cart.total 2", "* cart 1", "*  0", "* e\u{301} 0", "é* e\u{301} 0",
        "* \u{e9}t\u{e9} 0", "\u{e9}* \u{e9}t\u{e9} 0",
      ])
    #expect(proxy.handles("anything") && proxy.keys.isEmpty)
  }

  @Test("It is one of the key's interceptors, in the order of priority and registration, before and after the others (E21.2)")
  func order() throws {
    let proxy = EventProxy()
    var seen: [String] = []
    func note(_ name: String) -> (AnyObject?, EventKey, [BoxedValue]) -> EventReply {
      { _, _, _ in
        seen.append(name)
        return .handledAndContinue
      }
    }
    try proxy.register("e", options: HandlerOptions(duplicates: .append)) { (_: AnyObject?) in seen.append("handler") }
    proxy.interceptAll(note("first"))
    try proxy.intercept("e", note("literal"))
    proxy.interceptAll(withPrefix: "e", note("second"))
    proxy.interceptAll(options: HandlerOptions(priority: 1), note("high"))
    try proxy.intercept("other", note("literal"))
    #expect(proxy.send("e", source: nil).calls == 5 && proxy.send("other", source: nil).calls == 3)
    #expect(seen == ["high", "first", "literal", "second", "handler", "high", "first", "literal"])
    // A literal handler is no duplicate of it.
    try proxy.register("third") { (_: AnyObject?) in }
    try proxy.intercept("third", options: HandlerOptions(duplicates: .error), note("third"))
    #expect(proxy.registrations(for: "third").count == 4 && proxy.keys == ["e", "other", "third"])
  }

  @Test("It changes, stops, handles and resends events, and what it throws is an error of the event (E21.1)") func replies() throws {
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    var totals: [Int] = []
    try root.proxy.register("total") { (_: AnyObject?, value: Int) in totals.append(value) }
    leaf.proxy.interceptAll(withPrefix: "old.") { _, key, arguments in .resend(EventKey(String(key.name.dropFirst(4))), arguments) }
    leaf.proxy.interceptAll(withPrefix: "closed.") { _, _, _ in .handledAndStop(.pass) }
    leaf.proxy.interceptAll(withPrefix: "bad.") { _, _, _ in throw Refusal() }
    #expect(leaf.send("old.total", 3).isHandled && totals == [3])
    #expect(leaf.send("closed.total", 4).handledCount == 1)
    try root.proxy.register("bad.total") { (_: AnyObject?, value: Int) in totals.append(value) }
    let outcome = EventLog.withLogger(nil) { leaf.send("bad.total", 5) }
    #expect(outcome.firstError is Refusal && outcome.isHandled && totals == [3, 5])
    root.proxy.interceptAll { _, _, _ in .handled }
    #expect(leaf.send("unknown").handledCount == 1)
  }

  @Test("It ends for all keys, by its registration, a token, an owner or after one event, and is blocked for all (E21.3)")
  func ends() throws {
    final class Owner {}
    let proxy = EventProxy()
    let (token, owner) = (EventToken(), Owner())
    var calls: [String] = []
    func add(_ name: String, _ options: HandlerOptions = HandlerOptions()) -> EventRegistration {
      proxy.interceptAll(options: options) { _, _, _ in
        calls.append(name)
        return .ignored
      }
    }
    func sent(_ keys: EventKey...) -> [String] {
      calls = []
      for key in keys { proxy.send(key, source: nil, arguments: []) }
      return calls
    }
    let plain = add("plain")
    let byToken = add("token").end(with: token)
    let owned = add("owned").owned(by: owner)
    let once = add("once", HandlerOptions(isOnce: true))
    #expect(sent("a", "b") == ["plain", "token", "owned", "once", "plain", "token", "owned"])
    #expect(!once.isActive && plain.isActive && byToken.isActive && owned.isActive)
    plain.block()
    #expect(sent("a", "c") == ["token", "owned", "token", "owned"] && plain.isBlocked)
    proxy.registrations(for: "a").first?.unblock()
    token.cancel()
    #expect(sent("a", "d") == ["plain", "owned", "plain", "owned"] && !byToken.isActive)
    proxy.removeHandlers(ownedBy: owner)
    #expect(sent("a", "e") == ["plain", "plain"] && !owned.isActive)
    proxy.removeHandlers(for: "a")
    #expect(sent("a", "f") == ["plain", "plain"])
    // What ends it for one key ends it.
    proxy.registrations(for: "a").first?.cancel()
    #expect(sent("a", "g").isEmpty && !plain.isActive && proxy.registrations.isEmpty && !proxy.handles("g"))
    let scope = add("scope").scoped()
    #expect(sent("a") == ["scope"])
    scope.cancel()
    _ = add("dead").owned(by: Owner())
    _ = add("all")
    #expect(sent("a", "h") == ["all", "all"])
    proxy.removeDeadHandlers()
    #expect(proxy.registrations.count == 1)
    proxy.removeAllHandlers()
    #expect(sent("a", "h").isEmpty && proxy.registrations.isEmpty)
  }

  @Test("One that is added or removed during an event acts from the next event on, and at once (E21.3)") func reentrancy() throws {
    let root = ResponderNode("root")
    var calls: [String] = []
    var added: EventRegistration?
    root.proxy.interceptAll { _, key, _ in
      calls.append("first \(key)")
      if added == nil {
        added = root.proxy.interceptAll { _, key, _ in
          calls.append("second \(key)")
          return .ignored
        }
        root.send("inner", rules: .strategy)
      } else if key == "end" {
        added?.cancel()
      }
      return .ignored
    }
    for key in ["outer", "outer", "end", "outer"] as [EventKey] { root.send(key, arguments: [], rules: .strategy) }
    #expect(
      calls == ["first outer", "first inner", "second inner", "first outer", "second outer", "first end", "first outer"])
    // The interceptor captures its node.
    root.proxy.removeAllHandlers()
  }

  @Test("An asynchronous one is awaited, and started by a synchronous send (E21.1)") @MainActor func asynchronous() async throws {
    let root = ResponderNode("root")
    var keys: [String] = []
    root.proxy.interceptAll(withPrefix: "a.") { _, key, _ async in
      await Task.yield()
      keys.append(key.name)
      return .handled
    }
    #expect(await root.sendAwaiting("a.b").isHandled && keys == ["a.b"])
    #expect(root.send("a.c").isHandled)
    while keys.count < 2 { await Task.yield() }
    #expect(keys == ["a.b", "a.c"])
  }

  @Test("A node learns keys from events, also after its proxy was shared, replaced or moved in the tree (E21.1)") func trees() throws {
    let root = ResponderNode("root")
    let (left, right) = (root.child("left"), root.child("right"))
    let leaf = left.child("leaf")
    var seen = 0
    let shared = EventProxy()
    let registration = shared.interceptAll { _, _, _ in
      seen += 1
      return .handledAndContinue
    }
    leaf.eventProxy = shared
    #expect(root.send("x", rules: .busDown).handledCount == 1)
    right.eventProxy = shared
    #expect(root.send("y", rules: .busDown).handledCount == 2)
    leaf.removeFromParent()
    #expect(root.send("z", rules: .busDown).handledCount == 1)
    right.addChild(leaf)
    #expect(root.send("z", rules: .busDown).handledCount == 2)
    #expect(leaf.send("z", rules: RoutingRules(continuesWhenHandled: true)).handledCount == 2)
    right.eventProxy = EventProxy()
    #expect(root.send("z", rules: .busDown).handledCount == 1)
    registration.cancel()
    #expect(root.send("z", rules: .busDown).isUnhandled && root.send("new", rules: .busDown).isUnhandled)
    #expect(seen == 9)
  }

  @Test("Reports, pictures and dry runs show it, and a mistyped key is not known because of it (E21.4)") func reports() throws {
    let root = ResponderNode("root")
    try root.proxy.register("row.tapped") { (_: AnyObject?) in }
    let registration = root.proxy.interceptAll(withPrefix: "row.") { _, _, _ in .ignored }
    #expect("\(registration.handler)" == "row.*: interceptor (any arguments)" && registration.handler.isPrefix)
    let report = EventLog.withLogger(nil) { root.report("row.taped") }
    #expect(report.diagnosis?.nearestKeys.map(\.key.name) == ["row.tapped"])
    #expect(DispatchReport.TreePicture(of: root).dot.contains("row.*"))
    #expect(root.dryRun("row.other").description.contains("root"))
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
        let key = TypedEventKey<Void>(names.randomElement(using: &generator) ?? "")
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
        #expect(outcomes[0] == outcomes[1] && tree.calls == twin.calls, "step \(step)")
      }
    }
  }
}
