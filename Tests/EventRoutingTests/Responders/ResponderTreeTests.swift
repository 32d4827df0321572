import DynamicInvocation
import EventRouting
import Testing

/// Who keeps whom.
@Suite struct ResponderTreeTests {
  private let journal = Journal()

  /// A leaf of a tree that nobody else holds, and the tree.
  private func makeLeaf() throws -> (tree: ResponderTree, leaf: ResponderNode) {
    let root = ResponderNode("root")
    let leaf = root.child("middle").child("leaf")
    try root.on("k", journal)
    return (ResponderTree(of: leaf), leaf)
  }

  @Test("A tree is held from any of its nodes, and dies with what holds it (E11.7)") func held() throws {
    var made: (tree: ResponderTree, leaf: ResponderNode)? = try makeLeaf()
    let leaf = try #require(made?.leaf)
    weak let root = made?.tree.root
    #expect(leaf.root === root)
    #expect(leaf.send("k").handledCount == 1)
    made = nil
    #expect(root == nil)
    #expect(leaf.root === leaf)
  }

  @Test("A tree that gets a parent is held up to there, and its root is the new one") func adopted() throws {
    let made = try makeLeaf()
    let above = ResponderNode("above")
    above.addChild(made.tree.root)
    #expect(made.tree.root === above)
    #expect(made.leaf.send("k").handledCount == 1)
    withExtendedLifetime(above) {}
  }

  @Test("The warning about an event that nobody handled names the node whose parent has ended") func orphans() throws {
    var root: ResponderNode? = ResponderNode("root")
    let middle = ResponderNode("middle")
    let leaf = middle.child("leaf")
    root?.addChild(middle)
    #expect(leaf.report("k", rules: .strategy).diagnosis?.orphan == nil)
    root = nil
    let diagnosis = try #require(leaf.report("k", rules: .strategy).diagnosis)
    #expect(diagnosis.orphan?.name == "middle")
    #expect(diagnosis.description == "no handler handled \"k\"; the parent of middle has ended, as a child does not keep its parent")
    // Removed, or adopted, it is none.
    let other = ResponderNode("other")
    other.addChild(middle)
    #expect(leaf.report("k", rules: .strategy).diagnosis?.orphan == nil)
    middle.removeFromParent()
    #expect(leaf.report("k", rules: .strategy).diagnosis?.orphan == nil)
  }
}
