/// Keeps a tree of nodes alive, from whichever of its nodes it was made.
///
/// A parent keeps its children, a child does not keep its parent: whoever holds only nodes further down loses those above. Hold a tree where the root has
/// no owner of its own:
///
/// ```swift
/// let leaf = makePage()                                         // returns a node deep in a tree that nobody else holds
/// page = (ResponderTree(of: leaf), leaf)
/// ```
///
/// Make it while the root is alive. Nothing in the tree holds it, so there is no retain cycle. In a function the optimizer may let go of it after its last
/// use, as of any variable; `withExtendedLifetime` holds it longer.
public final class ResponderTree {
  private let node: ResponderNode

  /// The root that the tree had when this was made; if that has got a parent since, the root above it.
  ///
  /// - Complexity: O(depth) of what is above the first root.
  public var root: ResponderNode { node.root }

  /// Holds the tree of a node.
  ///
  /// What is above its root later is not held.
  ///
  /// - Complexity: O(depth).
  public init(of node: ResponderNode) { self.node = node.root }
}
