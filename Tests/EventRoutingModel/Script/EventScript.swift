import EventRouting

/// A tree, handlers, and what is done with them, for the engine and for the reference model to carry out alike.
///
/// The numbers of nodes, proxies, handlers, registrations and targets in it are taken modulo how many there are at the time.
public struct EventScript: Sendable {
  /// What the nodes of a tree are.
  enum Trees: CaseIterable {
    /// Nodes of the engine's own class.
    case nodes
    /// Objects of another class.
    case foreign
    /// Both, with ways from one to the other.
    case mixed
  }

  struct Node {
    var isForeign: Bool
    /// A node before this one, of the same class.
    var parent: Int?
    var proxy: Int?
    var terminality: Terminality = .passing
    var isBoundary: Bool = false
  }

  static let keys: [String] = ["a", "b", "c", "d", ""]
  /// How many handlers are called before the others do nothing, so that every script ends.
  static let mostCalls: Int = 150
  /// How deep sends nest.
  static let mostSends: Int = 4
  static let mostRegistrations: Int = 40
  static let mostNodes: Int = 24

  /// Whether the state of everything is looked at after a step: it takes most of the time.
  func isNoted(after step: Int) -> Bool { step % 4 == 3 || step == steps.count - 1 }

  var trees: Trees
  var nodes: [Node]
  var proxyCount: Int
  var handlers: [Handler]
  var steps: [Action]
}
