/// How a pass sees a tree: as records of `ResponderNode`s, or as any responders.
protocol Topology {
  associatedtype Node

  static func isSame(_ left: Node, _ right: Node) -> Bool
  /// The next of a pass up, the override first.
  static func next(of node: Node) -> Node?
  static func flags(of node: Node) -> NodeFlags
  static func handles(_ node: Node, _ event: HashedKey, _ key: EventKey) -> Bool
  static func proxy(of node: Node) -> EventProxy?

  /// Calls `body` with the nodes below `start` in order, a node before its children, each once.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - including: Whether `start` comes first.
  ///   - event: The key; where there is an index to tell, branches without it are left out.
  ///   - key: The same.
  ///   - body: Takes a node, its depth below `start`, and whether it handles the key; says whether to go below it.
  static func forEachBelow(
    _ start: Node, including: Bool, _ event: HashedKey, _ key: EventKey, _ body: (Node, Int, Bool) -> Bool)

  /// Whether a node was taken out or has died since it was put on the path.
  static func isLost(_ node: Node, hadNext: Bool) -> Bool
  /// Whether a node still lies below another; only asked when nodes have been taken out.
  static func isBelow(_ node: Node, _ start: Node) -> Bool
  /// Whether `TreeChanges` counts the nodes taken out.
  static var countsChanges: Bool { get }

  static func pin(_ node: Node)
  static func unpin(_ node: Node)
  static func responder(_ node: Node) -> (any Responder)?
}
