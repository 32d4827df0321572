import EventRouting

/// A tree, handlers, and actions on them, to be executed both by the engine and by the reference model.
///
/// Its numbers of nodes, proxies, handlers, registrations and targets are taken modulo their current count.
public struct EventScript: Sendable {
  /// The classes of the nodes of a tree.
  enum Trees: CaseIterable {
    /// Nodes of the engine's own class.
    case nodes
    /// Objects of another class.
    case foreign
    /// Both, with links from one to the other.
    case mixed
  }

  struct Node {
    var isForeign: Bool
    /// A node with a lower number and of the same class.
    var parent: Int?
    var proxy: Int?
    var terminality: RoutingRules.Terminality = .passing
    var isBoundary: Bool = false
  }

  static let keys: [String] = ["a", "b", "c", "d", ""]
  /// The maximum number of handler calls.
  ///
  /// Later calls do nothing, so that every script ends.
  static let mostCalls: Int = 150
  /// The maximum nesting depth of sends.
  static let mostSends: Int = 4
  static let mostRegistrations: Int = 40
  static let mostNodes: Int = 24

  /// Returns whether the whole state is recorded after a step, which takes most of the time.
  func isNoted(after step: Int) -> Bool { step % 4 == 3 || step == steps.count - 1 }

  var trees: Trees
  var nodes: [Node]
  var proxyCount: Int
  var handlers: [Handler]
  var steps: [Action]
}
