import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// The index of keys below a node: what passes down look at.
@Suite(.measured) struct KeyIndexTests {
  private let journal = Journal()
  private let root = ResponderNode("root")

  /// How many nodes a pass down looks at, those that it leaves out too, and the names of those that listen.
  private func looks(_ root: ResponderNode, _ key: EventKey) -> (looks: Int, listeners: [String]) {
    var listeners: [String] = []
    let looks = RecordTopology.forEachBelow(root.record, including: true, HashedKey(key, .down), key) { node, _, isListener in
      if isListener { listeners.append(node.node?.responderName ?? "dead") }
      return true
    }
    return (looks, listeners)
  }

  private func listeners(_ root: ResponderNode, _ key: EventKey) -> [String] { looks(root, key).listeners }

  private func broadcast(_ key: EventKey) -> Int { root.send(key, rules: .componentBroadcast).handledCount }

  /// Adds a chain of nodes below one, each with a key of its own.
  private func addChain(of count: Int, below node: ResponderNode, _ prefix: String) throws {
    var leaf = node
    for index in 0..<count {
      leaf = leaf.child("n\(index)")
      try leaf.on(EventKey("\(prefix).\(index)"), journal, reply: .handledAndContinue)
    }
  }

  /// Makes 10,000 nodes, ten children to a node.
  ///
  /// Each handles another key.
  private func deepTree() throws -> [ResponderNode] {
    var all = [root]
    while all.count < 10_000 {
      let node = all[(all.count - 1) / 10].child("\(all.count)")
      try node.on("other", journal, reply: .handledAndContinue)
      all.append(node)
    }
    return all
  }

  @Test("A broadcast to 10,000 nodes visits only the way to the one that listens (E4.7)") func deep() throws {
    let all = try deepTree()
    try all[9_999].on("k", journal)
    let way = sequence(first: all[9_999]) { $0.parent }.map(\.responderName).dropLast()
    let report = root.report("k", rules: .componentBroadcast)
    expectEqual(report.names, way.reversed())
    expectEqual([report.names.count, report.handledBy.count, broadcast("other")], [4, 1, 9_999])
    // The index follows the tree, and proxies that several nodes share.
    let branch = all[9]
    branch.removeFromParent()
    expectEqual(looks(root, "k").looks, 1)
    all[1].addChild(branch)
    expectEqual(broadcast("k"), 1)
    let shared = EventProxy()
    try shared.on("shared", journal, "shared", reply: .handledAndContinue)
    for node in all.suffix(3) { node.eventProxy = shared }
    try shared.on("later", journal, "shared", reply: .handledAndContinue)
    expectEqual([broadcast("shared"), broadcast("later"), broadcast("k")], [3, 3, 0])
    for node in all.suffix(3) { node.eventProxy = nil }
    expectEqual([looks(root, "shared").looks, looks(root, "k").looks], [1, 1])
  }

  @Test("Thousands of keys below a node, and a chain of nodes with a key each, are found") func keys() throws {
    let branch = root.child("branch")
    _ = root.child("quiet").child("quieter")
    for index in 0..<3_000 { try branch.child("n\(index)").on(EventKey("many.\(index)"), journal) }
    expectEqual(root.report("many.0", rules: .componentBroadcast).names, ["branch", "n0"])
    expectEqual(["many.2999", "many.3000"].map { broadcast($0) }, [1, 0])
    for child in branch.children { child.removeFromParent() }
    expectEqual(broadcast("many.1"), 0)
    try branch.child("again").on("many.1", journal)
    expectEqual(broadcast("many.1"), 1)
    // Without a square of memory.
    try addChain(of: 5_000, below: root, "chain")
    expectEqual(["chain.4999", "chain.5"].map { broadcast($0) }, [1, 1])
  }

  @Test("A broadcast that visits 12 of 9,999 siblings looks at no more than a few of the others") func siblings() throws {
    let all = (0..<9_999).map { root.child("\($0)") }
    for index in 0..<12 { try all[index * 800 + 5].on("k", journal, reply: .handledAndContinue) }
    expectEqual(listeners(root, "k"), (0..<12).map { "\($0 * 800 + 5)" })
    // The root, and for each listener and the end at most 8 in a row before the index is asked.
    expect(looks(root, "k").looks <= 1 + 13 * 9 && looks(root, "nobody").looks == 1 && broadcast("k") == 12)
    try all[4_000].child("below").on("k", journal, reply: .handledAndContinue)
    expect(listeners(root, "k").count == 13 && looks(root, "k").looks <= 1 + 15 * 9)
    // Thousands of keys keep the index, and so does a chain with more keys than a node counts, which may have any key.
    for index in 0..<9_000 { try all[index].on(EventKey("wide.\(index)"), journal) }
    func check(_ name: String, _ listener: String, atMost looks: Int) {
      let found = self.looks(root, EventKey(name))
      expect(found.listeners == (listener.isEmpty ? [] : [listener]) && found.looks <= looks, "\(name): \(found)")
    }
    check("wide.8999", "8999", atMost: 20)
    try addChain(of: 400, below: all[7_777], "chain")
    check("chain.399", "n399", atMost: 20 + 400)
    check("wide.8999", "8999", atMost: 40 + 400)
    root.checkInvariants()
    all[7_777].removeFromParent()
    root.checkInvariants()
    check("wide.8999", "8999", atMost: 20)
    check("chain.399", "", atMost: 20)
    root.addChild(all[7_777])
    check("chain.399", "n399", atMost: 20 + 400)
    check("wide.7777", "7777", atMost: 40 + 400)
  }

  @Test("The index finds what is below a child that was not wholly known when the index was made") func unknownBefore() throws {
    for index in 0..<12 { _ = root.child("quiet \(index)") }
    try addChain(of: 400, below: root.child("chain"), "before")
    for index in 0..<60 { try root.child("\(index)").on(EventKey("after.\(index)"), journal) }
    expectEqual([listeners(root, "before.399"), listeners(root, "after.59")], [["n399"], ["59"]])
  }

  @Test("A child that was not wholly known is counted by its next parent after its first one died") func unknownOrphan() throws {
    var first: ResponderNode? = ResponderNode("first")
    for index in 0..<60 { _ = first?.child("\(index)") }
    let orphan = ResponderNode("orphan")
    first?.addChild(orphan)
    try orphan.on("orphan", journal, reply: .handledAndContinue)
    try addChain(of: 400, below: orphan, "chain")
    expectEqual(first.map { listeners($0, "chain.399") }, ["n399"])
    first = nil
    expect(orphan.parent == nil)
    // All of it is known again.
    orphan.children.first?.removeFromParent()
    root.addChild(orphan)
    expectEqual(listeners(root, "orphan"), ["orphan"])
    expectEqual(broadcast("orphan"), 1)
  }

  @Test("A node whose children were removed knows of the next ones again what they handle") func emptied() throws {
    try addChain(of: 400, below: root, "emptied")
    root.children.first?.removeFromParent()
    try root.child("next").on("next", journal, reply: .handledAndContinue)
    expectEqual(listeners(root, "next"), ["next"])
    expectEqual(looks(root, "emptied.0").looks, looks(ResponderNode("empty"), "emptied.0").looks)
  }

  @Test("Children that are put in at the same place again and again keep their order in the index") func places() throws {
    var expected: [String] = []
    for index in 0..<300 {
      let place = index.isMultiple(of: 3) ? 0 : expected.count / 2
      let node = ResponderNode("\(index)")
      try node.on("k", journal, reply: .handledAndContinue)
      // Between any two others that do not listen.
      for (name, node) in [("\(index)", node), ("quiet", ResponderNode("quiet"))] {
        root.insertChild(node, at: place)
        expected.insert(name, at: place)
      }
    }
    expectEqual(root.children.map(\.responderName), expected)
    expectEqual(listeners(root, "k"), expected.filter { $0 != "quiet" })
    while let child = root.children.first { child.removeFromParent() }
    expectEqual(looks(root, "k").looks, 1)
  }

  @Test(
    "The index equals a naive count, after random changes of trees and of handlers of all directions",
    arguments: [(60, 6, 4_000), (60, 40, 4_000), (400, 900, 8_000)])
  func random(nodeCount: Int, keyCount: Int, steps: Int) throws {
    var generator = SeededGenerator(seed: UInt64(keyCount))
    let nodes = (0..<nodeCount).map { ResponderNode("\($0)") }
    let keys = (0..<keyCount).map { EventKey("index.\($0)") }
    var registrations: [EventRegistration] = []
    for step in 0..<steps {
      let (node, key) = (generator.pick(nodes), generator.pick(keys))
      switch Int.random(in: 0..<11, using: &generator) {
      case 0: if generator.oneIn(2) { node.removeFromParent() }
      case 1, 2, 3:
        // Most are children of four nodes, with an index of them and without, some lie deep.
        let parent = generator.oneIn(6) ? generator.pick(nodes) : nodes[Int.random(in: 0..<4, using: &generator)]
        let place = node.parent === parent ? 0 : Int.random(in: 0...parent.children.count, using: &generator)
        if parent.canAdopt(node) { parent.insertChild(node, at: place) }
      case 4: if generator.oneIn(2) { node.proxy.removeHandlers(for: key) } else { node.eventProxy?.removeAllHandlers() }
      case 5: if generator.oneIn(4) { node.eventProxy = generator.oneIn(3) ? nil : generator.pick(nodes).eventProxy }
      case 6: if !registrations.isEmpty { registrations.remove(at: Int.random(in: 0..<registrations.count, using: &generator)).cancel() }
      default:
        let options = HandlerOptions(
          priority: Int.random(in: 0..<5, using: &generator), duplicates: .append,
          direction: generator.pick([.up, .down, .both, .capture]), seesStopped: generator.oneIn(5))
        registrations.append(try node.proxy.intercept(key, options: options) { _, _, _ in .handledAndContinue })
      }
      guard step % (nodeCount / 2) == 0 else { continue }
      func listens(_ node: ResponderNode, _ direction: HandlerOptions.Direction) -> Bool {
        node.eventProxy?.registrations(for: key).contains { [.both, direction].contains($0.options.direction) } == true
      }
      func naive(_ node: ResponderNode) -> [String] {
        (listens(node, .down) ? [node.responderName] : []) + node.children.flatMap { naive($0) }
      }
      for node in nodes where node.parent == nil { node.checkInvariants() }
      let start = generator.pick(nodes)
      for start in [nodes[0], nodes[1], start] { expectEqual(listeners(start, key), naive(start), "step \(step)") }
      let report = start.report(key, rules: .busDown)
      expectEqual(report.handledBy.map(\.name), naive(start), "step \(step)")
      // Every node on the way leads to a listener.
      let others = report.visits.filter { $0.depth > 0 }.compactMap { $0.responder.flatMap { Int($0.name) } }
      let leading = Set(nodes.filter { listens($0, .down) }.flatMap { sequence(first: $0) { $0.parent } }.map(ObjectIdentifier.init))
      expect(others.allSatisfy { leading.contains(ObjectIdentifier(nodes[$0])) }, "step \(step)")
      var up = RoutingRules.busUp
      up.startsAtSender = true
      let above = sequence(first: start) { $0.parent }.filter { listens($0, .up) }.map(\.responderName)
      expectEqual(start.report(key, rules: up).handledBy.map(\.name), above, "step \(step)")
    }
  }
}
