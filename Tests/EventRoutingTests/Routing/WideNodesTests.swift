import DynamicInvocation
@testable import EventRouting
import TestSupport
import Testing

/// Passes down by nodes with many children.
@Suite(.measured) struct WideNodesTests {
  private let journal = Journal()

  /// How many nodes a pass down looks at, those that it leaves out too.
  private func looks(_ root: ResponderNode, _ key: EventKey) -> (looks: Int, listeners: [String]) {
    var listeners: [String] = []
    let looks = RecordTopology.forEachBelow(root.record, including: true, HashedKey(key, .down), key) { node, _, isListener in
      if isListener { listeners.append(node.node?.responderName ?? "dead") }
      return true
    }
    return (looks, listeners)
  }

  /// The scenario of the outside check: twelve nodes to visit among 9,999 children of the root.
  private func tree() throws -> (root: ResponderNode, all: [ResponderNode]) {
    let root = ResponderNode("root")
    let all = (0..<9_999).map { root.child("\($0)") }
    for index in 0..<12 { try all[index * 800 + 5].on("k", journal, reply: .handledAndContinue) }
    return (root, all)
  }

  @Test("A broadcast that visits 12 of 9,999 siblings looks at no more than a few of the others") func siblings() throws {
    let (root, all) = try tree()
    let (count, listeners) = looks(root, "k")
    #expect(listeners == (0..<12).map { "\($0 * 800 + 5)" })
    // The root, and for each listener and the end at most 8 in a row before the index is asked.
    #expect(count <= 1 + 13 * 9)
    #expect(looks(root, "nobody").looks == 1)
    #expect(root.send("k", rules: .componentBroadcast).handledCount == 12)
    // Below one of them as well.
    try all[4_000].child("below").on("k", journal, reply: .handledAndContinue)
    #expect(looks(root, "k").listeners.count == 13)
    #expect(looks(root, "k").looks <= 1 + 15 * 9)
  }

  @Test("Thousands of keys below a node keep the index, and so does a child of which not all is known") func manyKeys() throws {
    let (root, all) = try tree()
    for index in 0..<9_000 { try all[index].on(EventKey("wide.\(index)"), journal) }
    #expect(looks(root, "wide.8999").listeners == ["8999"])
    #expect(looks(root, "wide.8999").looks <= 20)
    // A chain with more keys than a node counts.
    var leaf = all[7_777]
    for index in 0..<400 {
      leaf = leaf.child("n\(index)")
      try leaf.on(EventKey("wide.chain.\(index)"), journal)
    }
    #expect(looks(root, "wide.chain.399").listeners == ["n399"])
    #expect(looks(root, "wide.chain.399").looks <= 20 + 400)
    // The others are still led past: the chain may have any key and is looked into to where it is known.
    #expect(looks(root, "wide.8999").listeners == ["8999"])
    #expect(looks(root, "wide.8999").looks <= 40 + 400)
    all[7_777].removeFromParent()
    #expect(looks(root, "wide.8999").looks <= 20)
    #expect(looks(root, "wide.chain.399").listeners.isEmpty)
    root.addChild(all[7_777])
    #expect(looks(root, "wide.chain.399").listeners == ["n399"])
    #expect(looks(root, "wide.7777").listeners == ["7777"])
  }

  @Test("The index finds what is below a child of which not all was known when the index was made") func unknownBefore() throws {
    let root = ResponderNode("root")
    for index in 0..<12 { _ = root.child("quiet \(index)") }
    var leaf = root.child("chain")
    for index in 0..<400 {
      leaf = leaf.child("n\(index)")
      try leaf.on(EventKey("wide.before.\(index)"), journal)
    }
    for index in 0..<60 { try root.child("\(index)").on(EventKey("wide.after.\(index)"), journal) }
    #expect(looks(root, "wide.before.399").listeners == ["n399"])
    #expect(looks(root, "wide.after.59").listeners == ["59"])
  }

  @Test("A child of which not all was known is counted by its next parent after its first one died") func unknownOrphan() throws {
    var first: ResponderNode? = ResponderNode("first")
    for index in 0..<60 { _ = first?.child("\(index)") }
    let orphan = ResponderNode("orphan")
    first?.addChild(orphan)
    try orphan.on("wide.orphan", journal, reply: .handledAndContinue)
    var leaf = orphan
    for index in 0..<400 {
      leaf = leaf.child("n\(index)")
      try leaf.on(EventKey("wide.orphan.\(index)"), journal)
    }
    if let first { #expect(looks(first, "wide.orphan.399").listeners == ["n399"]) }
    first = nil
    #expect(orphan.parent == nil)
    // All of it is known again.
    orphan.children.first?.removeFromParent()
    let second = ResponderNode("second")
    second.addChild(orphan)
    #expect(looks(second, "wide.orphan").listeners == ["orphan"])
    #expect(second.send("wide.orphan", rules: .componentBroadcast).handledCount == 1)
  }

  @Test("A node whose children were removed knows of the next ones again what they handle") func emptied() throws {
    let node = ResponderNode("node")
    let next = ResponderNode("next")
    try next.on("wide.next", journal, reply: .handledAndContinue)
    var leaf = node
    for index in 0..<400 {
      leaf = leaf.child("n\(index)")
      try leaf.on(EventKey("wide.emptied.\(index)"), journal)
    }
    node.children.first?.removeFromParent()
    node.addChild(next)
    #expect(looks(node, "wide.next").listeners == ["next"])
    #expect(looks(node, "wide.emptied.0").looks == looks(ResponderNode("empty"), "wide.emptied.0").looks)
  }

  @Test("Children that are put in at the same place again and again keep their order in the index") func places() throws {
    let root = ResponderNode("root")
    var expected: [String] = []
    for index in 0..<300 {
      let node = ResponderNode("\(index)")
      try node.on("k", journal, reply: .handledAndContinue)
      let place = index.isMultiple(of: 3) ? 0 : expected.count / 2
      root.insertChild(node, at: place)
      expected.insert(node.responderName, at: place)
      // Between any two others that do not listen.
      root.insertChild(ResponderNode("quiet"), at: place)
      expected.insert("quiet", at: place)
    }
    #expect(root.children.map(\.responderName) == expected)
    #expect(looks(root, "k").listeners == expected.filter { $0 != "quiet" })
    while let child = root.children.first { child.removeFromParent() }
    #expect(looks(root, "k").looks == 1)
  }

  @Test("The index is that of a naive count, after random changes of a wide tree with many keys") func random() throws {
    var generator = SeededGenerator(seed: 5)
    let nodes = (0..<400).map { ResponderNode("\($0)") }
    let keys: [EventKey] = (0..<900).map { EventKey("wide.random.\($0)") }
    for step in 0..<12_000 {
      let node = generator.pick(nodes)
      let key = generator.pick(keys)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: if generator.oneIn(2) { node.removeFromParent() }
      case 1, 2:
        // Most are children of four nodes, some lie deep.
        let parent = generator.oneIn(6) ? generator.pick(nodes) : nodes[Int.random(in: 0..<4, using: &generator)]
        if parent.canAdopt(node) { parent.addChild(node) }
      case 3:
        let parent = nodes[Int.random(in: 0..<4, using: &generator)]
        if parent.canAdopt(node), node.parent !== parent {
          parent.insertChild(node, at: Int.random(in: 0...parent.children.count, using: &generator))
        }
      case 4: node.eventProxy?.removeAllHandlers()
      default: if !node.proxy.handles(key) { try node.proxy.on(key, journal, "", reply: .handledAndContinue) }
      }
      guard step % 60 == 0 else { continue }
      func listeners(_ node: ResponderNode) -> [String] {
        (node.eventProxy?.handles(key) == true ? [node.responderName] : []) + node.children.flatMap { listeners($0) }
      }
      for start in [nodes[0], nodes[1], generator.pick(nodes)] { #expect(looks(start, key).listeners == listeners(start)) }
    }
  }

  @Test("A wide tree dies whole, with its index") func lifetimes() throws {
    try LifetimeTracker.check { tracker in
      let root = ResponderNode("root")
      for index in 0..<2_000 {
        let object = tracker.object(index)
        let node = root.child("\(index)")
        try node.proxy.intercept(EventKey("wide.life.\(index % 50)")) { _, _, _ in object.payload == -1 ? .ignored : .handled }
      }
      #expect(root.send("wide.life.7", rules: .componentBroadcast).handledCount == 40)
      #expect(tracker.liveCount == 2_000)
    }
  }
}
