import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Who keeps whom.
@Suite(.measured) struct ResponderTreeTests {
  private let journal = Journal()

  /// A leaf of a tree that nobody else holds, and its root.
  private func makeLeaf() throws -> (root: ResponderNode, leaf: ResponderNode) {
    let root = ResponderNode("root")
    let leaf = root.child("middle").child("leaf")
    try root.on("k", journal)
    return (leaf.root, leaf)
  }

  @Test("20,000 nodes of one proxy and one override are linked, and released in any order") func manyLinks() throws {
    let (proxy, target) = (EventProxy(), ResponderNode("target"))
    var calls = 0
    try proxy.register("own") { (_: AnyObject?) in calls += 1 }
    var nodes = (0..<20_000).map { _ in ResponderNode() }
    for node in nodes {
      node.eventProxy = proxy
      node.nextOverride = target
    }
    var random = SeededGenerator(seed: 1)
    // The first half in the order of creation, the others at random; what is left is still linked.
    for index in 0..<10_000 { nodes[index] = target }
    nodes.removeFirst(10_000)
    nodes.shuffle(using: &random)
    while nodes.count > 3 { nodes.removeLast() }
    try target.proxy.register("above") { (_: AnyObject?) in calls += 100 }
    try proxy.register("late") { (_: AnyObject?) in calls += 10_000 }
    for node in nodes {
      expect(node.nextOverride === target && node.eventProxy === proxy)
      for key: EventKey in ["own", "above", "late"] { expectEqual(node.send(key, rules: .strategy).handledCount, 1) }
      expectEqual(node.send("late", rules: .busDown).handledCount, 1)
    }
    expectEqual(calls, 3 * 20_101)
    nodes[1].nextOverride = nil
    nodes[1].eventProxy = nil
    expect(nodes[1].send("own", rules: .strategy).isUnhandled && nodes[1].send("above", rules: .strategy).isUnhandled)
    expect(nodes[0].send("above", rules: .strategy).handledCount == 1 && nodes[2].send("late", rules: .busDown).handledCount == 1)
    var last: ResponderNode? = ResponderNode("last")
    for node in nodes { node.nextOverride = last }
    last = nil
    for node in nodes { expect(node.nextOverride == nil) }
  }

  @Test("A tree is held from any of its nodes, and dies with what holds it (E11.7)") func held() throws {
    var made: (root: ResponderNode, leaf: ResponderNode)? = try makeLeaf()
    let leaf = try #require(made?.leaf)
    weak let root = made?.root
    expect(leaf.root === root)
    expectEqual(leaf.send("k").handledCount, 1)
    made = nil
    expect(root == nil)
    expect(leaf.root === leaf)
  }

  @Test("A tree that gets a parent is held up to there, and its root is the new one") func adopted() throws {
    let made = try makeLeaf()
    let above = ResponderNode("above")
    above.addChild(made.root)
    expect(made.root.root === above)
    expectEqual(made.leaf.send("k").handledCount, 1)
    withExtendedLifetime(above) {}
  }

  /// Adds other nodes to another tree when it is deallocated.
  private final class Mover: ResponderNode {
    private let others: [ResponderNode]
    private let target: () -> ResponderNode

    init(_ others: [ResponderNode], to target: @escaping () -> ResponderNode) {
      (self.others, self.target) = (others, target)
      super.init("mover")
    }

    deinit {
      let target = target()
      for node in others {
        expect(node.parent == nil)
        target.addChild(node)
      }
    }
  }

  /// Makes a tree in which a node moves some of its siblings while their parent is deallocated.
  private func moving(_ moved: Range<Int>, of count: Int, at place: Int, to target: @escaping () -> ResponderNode) -> [WeakNode] {
    let root = ResponderNode("root")
    var nodes = (0..<count).map { root.child("\($0)") }
    for node in nodes { nodes.append(node.child("below")) }
    root.insertChild(Mover(Array(nodes[moved]), to: target), at: place)
    return nodes.map { WeakNode($0) }
  }

  private struct WeakNode {
    weak let node: ResponderNode?

    init(_ node: ResponderNode) { self.node = node }
  }

  @Test("Nodes that another tree takes over while their parent ends, and that ends too, end (E11.7)", arguments: 0...6)
  func movedOrphans(place: Int) {
    for first in 0..<6 {
      for end in first..<6 {
        let nodes = moving(first..<end, of: 6, at: place) { ResponderNode("other") }
        expect(nodes.allSatisfy { $0.node == nil }, "\(first..<end)")
      }
    }
  }

  @Test("Nodes that another tree takes over while their parent ends belong to it alone (E11.7)", arguments: 0...6)
  func keptOrphans(place: Int) {
    for moved in [0..<2, 2..<4, 5..<6] {
      let other = ResponderNode("other")
      let nodes = moving(moved, of: 6, at: place) { [unowned other] in other }
      // The siblings that were deallocated before the mover are kept by it until then.
      expectEqual(other.children.map(\.name), moved.map { "\($0)" })
      expectEqual(nodes.indices.filter { nodes[$0].node != nil }, Array(moved) + moved.map { $0 + 6 })
      for child in other.children {
        expect(child.parent === other && child.children.count == 1)
        child.removeFromParent()
      }
      expect(nodes.allSatisfy { $0.node == nil })
    }
  }
}
