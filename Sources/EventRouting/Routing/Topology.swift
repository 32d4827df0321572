/// How a pass sees a tree: as records of `ResponderNode`s, or as any responders.
protocol Topology {
  associatedtype Node
  /// A node as a path has it, which does not keep it alive.
  associatedtype Link

  static func isSame(_ left: Node, _ right: Node) -> Bool
  static func isSame(_ link: Link, _ node: Node) -> Bool
  /// The next of a pass up, the override first.
  static func next(of node: Node) -> Node?
  static func flags(of node: Node) -> NodeFlags
  static func handles(_ node: Node, _ event: HashedKey, _ key: EventKey) -> Bool
  static func proxy(of node: Node) -> EventProxy?

  /// Goes up past nodes that neither handle the key nor have one of some flags.
  ///
  /// Not generic code, which without optimization takes ten times as long.
  ///
  /// - Returns: The first node that is otherwise, nil when there is none.
  static func skip(from first: Node, _ event: HashedKey, _ attention: NodeFlags, _ skipped: inout Int) -> Node?

  /// Calls `body` with the nodes below `start` in order, a node before its children, each once.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - including: Whether `start` comes first.
  ///   - event: The key; where there is an index to tell, branches without it are left out.
  ///   - key: The same.
  ///   - body: Takes a node, its depth below `start`, and whether it handles the key; says whether to go below it.
  /// - Returns: How many nodes were looked at, those left out too.
  @discardableResult
  static func forEachBelow(
    _ start: Node, including: Bool, _ event: HashedKey, _ key: EventKey, _ body: (Node, Int, Bool) -> Bool
  ) -> Int

  /// Whether a node that lives was taken out since it was put on the path.
  static func isLost(_ node: Node, hadNext: Bool) -> Bool
  /// Whether a node still lies below another; only asked when nodes have been taken out.
  static func isBelow(_ node: Node, _ start: Node) -> Bool
  /// Whether `NodeRecord.removalCount` counts the nodes taken out.
  static var countsChanges: Bool { get }

  static func link(to node: Node) -> Link
  /// The node, nil when it is dead.
  static func node(_ link: Link) -> Node?
  /// Keeps what a link needs in memory.
  static func pin(_ link: Link)
  static func unpin(_ link: Link)
  /// Tells a pass which node it asks.
  static func beginAsking(_ link: Link, _ key: EventKey, _ pass: inout ActivePass)
  static func responder(_ node: Node) -> (any Responder)?
}
