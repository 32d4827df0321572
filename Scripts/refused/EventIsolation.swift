// A proxy and a tree belong to the isolation domain in which they were made.
import DynamicInvocation
import EventRouting

func elsewhere(_ proxy: EventProxy) {
  Task { proxy.removeAllHandlers() }  // error: data races
}

@MainActor func shared(_ node: ResponderNode) {
  Task.detached { node.send("key") }  // error: data races
  node.send("key")
}

@MainActor final class Page {
  func tapped(_ source: AnyObject?, _ index: Int) {}
}

// A method of the main actor, by its name, keeps the tree there.
@MainActor func made(_ page: Page) throws -> sending ResponderNode {
  let node = ResponderNode("node")
  try node.proxy.register("k", target: page, Page.tapped)
  return node  // error: data races
}

final class Draft: EncodedObject { var text = "" }

actor Storage {
  func save(_ draft: Draft) {}
}

// An asynchronous handler awaits what belongs to another actor, and gives it nothing that is not Sendable.
@MainActor func awaited(_ proxy: EventProxy, _ storage: Storage) throws {
  try proxy.register("k") { (source: Draft?, count: Int) async in
    guard let source else { return }
    await storage.save(source)  // error: data races
  }
}

// A tree with an asynchronous handler that was registered on an actor stays there.
@MainActor func moved() throws {
  let node = ResponderNode("node")
  try node.proxy.register("k") { (_: AnyObject?) async in }
  Task.detached { node.send("k") }  // error: data races
  node.send("k")
}
