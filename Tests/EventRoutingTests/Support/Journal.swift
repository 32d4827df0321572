import DynamicInvocation
import EventRouting

/// What handlers wrote down, in order.
final class Journal {
  var entries: [String] = []

  func note(_ entry: String) { entries.append(entry) }
}

extension EventProxy {
  /// Registers a handler that writes an entry and replies.
  @discardableResult
  func on(_ key: EventKey, _ journal: Journal, _ entry: String, reply: EventReply = .handled) throws -> EventRegistration {
    try intercept(key) { _, _, _ in
      journal.note(entry)
      return reply
    }
  }
}

extension ResponderNode {
  /// Registers a handler that writes the node's name and the key, and replies.
  func on(_ key: EventKey, _ journal: Journal, reply: EventReply = .handled) throws {
    try proxy.on(key, journal, "\(responderName).\(key)", reply: reply)
  }

  /// Makes a node below this one.
  func child(_ name: String) -> ResponderNode {
    let node = ResponderNode(name)
    addChild(node)
    return node
  }

  /// Removes the handlers of this node and of those below it, which may capture the tree and so keep it alive.
  func removeHandlers() {
    proxy.removeAllHandlers()
    for child in children { child.removeHandlers() }
  }
}

/// Makes three nodes, each below the one before it.
func chain() -> (root: ResponderNode, middle: ResponderNode, leaf: ResponderNode) {
  let root = ResponderNode("root")
  let middle = root.child("middle")
  return (root, middle, middle.child("leaf"))
}

extension DispatchReport {
  /// The names of the nodes reached, in order.
  var names: [String] { visits.map { $0.responder?.name ?? "dead" } }
}
