import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// The index of keys below a node.
@Suite(.measured) struct BroadcastIndexTests {
  private let journal = Journal()

  /// A tree of 10,000 nodes, ten children to a node, all of which handle another key.
  private func tree() throws -> (root: ResponderNode, all: [ResponderNode]) {
    let root = ResponderNode("0")
    var all = [root]
    while all.count < 10_000 {
      let node = ResponderNode("\(all.count)")
      try node.on("other", journal, reply: .handledAndContinue)
      all[(all.count - 1) / 10].addChild(node)
      all.append(node)
    }
    return (root, all)
  }

  @Test("A broadcast to 10,000 nodes visits only the way to the one that listens (E4.7)")
  func aBroadcastTo10000NodesVisitsOnlyTheWayToTheOneListener() throws {
    let (root, all) = try tree()
    try all[9_999].on("k", journal)
    var way: [String] = []
    var node: ResponderNode? = all[9_999]
    while let here = node, here !== root {
      way.append(here.responderName)
      node = here.parent
    }
    let report = root.report("k", rules: .componentBroadcast)
    #expect(report.names == way.reversed())
    #expect(report.names.count == 4)
    #expect(report.handledBy.map(\.name) == ["9999"])
    all[9_999].proxy.removeHandlers(for: "k")
    #expect(root.report("k", rules: .componentBroadcast).names.isEmpty)
    #expect(root.send("other", rules: .componentBroadcast).handledCount == 9_999)
  }

  @Test func theIndexFollowsTheTree() throws {
    let (root, all) = try tree()
    try all[9_999].on("k", journal)
    let branch = all[9]
    branch.removeFromParent()
    #expect(root.report("k", rules: .componentBroadcast).visits.isEmpty)
    all[1].addChild(branch)
    #expect(root.send("k", rules: .componentBroadcast).handledCount == 1)
    let shared = EventProxy()
    try shared.on("shared", journal, "shared", reply: .handledAndContinue)
    for node in all.suffix(3) { node.eventProxy = shared }
    #expect(root.send("shared", rules: .componentBroadcast).handledCount == 3)
    try shared.on("shared too", journal, "shared", reply: .handledAndContinue)
    #expect(root.send("shared too", rules: .componentBroadcast).handledCount == 3)
    #expect(root.report("k", rules: .componentBroadcast).visits.isEmpty)
    for node in all.suffix(3) { node.eventProxy = nil }
    #expect(root.report("shared", rules: .componentBroadcast).visits.isEmpty)
  }

  @Test func thousandsOfKeysBelowANodeAreStillFound() throws {
    let root = ResponderNode("root")
    let branch = root.child("branch")
    let quiet = root.child("quiet")
    _ = quiet.child("quieter")
    for index in 0..<3_000 { try branch.child("n\(index)").on(EventKey("many.\(index)"), journal) }
    #expect(root.send("many.2999", rules: .componentBroadcast).handledCount == 1)
    #expect(root.report("many.0", rules: .componentBroadcast).names == ["branch", "n0"])
    #expect(root.send("many.3000", rules: .componentBroadcast).isUnhandled)
    for child in branch.children { child.removeFromParent() }
    #expect(root.send("many.1", rules: .componentBroadcast).isUnhandled)
    let again = branch.child("again")
    try again.on("many.1", journal)
    #expect(root.send("many.1", rules: .componentBroadcast).handledCount == 1)
  }

  @Test func aChainOfNodesWithAKeyEachCostsNoSquareOfMemory() throws {
    let root = ResponderNode("root")
    var leaf = root
    for index in 0..<5_000 {
      leaf = leaf.child("n")
      try leaf.on(EventKey("chain.\(index)"), journal)
    }
    #expect(root.send("chain.4999", rules: .componentBroadcast).handledCount == 1)
    #expect(root.send("chain.5", rules: .componentBroadcast).handledCount == 1)
  }

  @Test func theIndexIsThatOfANaiveCountAfterRandomChanges() throws {
    var generator = SeededGenerator(seed: 3)
    let keys: [EventKey] = (0..<40).map { EventKey("index.\($0)") }
    let nodes = (0..<60).map { ResponderNode("\($0)") }
    for step in 0..<6_000 {
      let node = generator.pick(nodes)
      let key = generator.pick(keys)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: node.removeFromParent()
      case 1:
        let child = generator.pick(nodes)
        let place = Int.random(in: 0...node.children.count, using: &generator)
        if node.canAdopt(child) { node.insertChild(child, at: child.parent === node ? 0 : place) }
      case 2: node.proxy.removeHandlers(for: key)
      case 3: node.eventProxy = generator.oneIn(3) ? nil : generator.pick(nodes).eventProxy
      default: if !node.proxy.handles(key) { try node.on(key, journal, reply: .handledAndContinue) }
      }
      guard step % 20 == 0 else { continue }
      func listeners(_ node: ResponderNode) -> [ObjectIdentifier] {
        (node.eventProxy?.handles(key) == true ? [ObjectIdentifier(node)] : []) + node.children.flatMap { listeners($0) }
      }
      let start = generator.pick(nodes)
      let report = start.report(key, rules: .busDown)
      #expect(report.handledBy.map(\.id) == listeners(start))
      // Every node on the way leads to a listener.
      let onTheWay = report.visits.filter { $0.depth > 0 }.compactMap { $0.responder.flatMap { Int($0.name) } }
      #expect(onTheWay.allSatisfy { !listeners(nodes[$0]).isEmpty })
    }
  }
}
