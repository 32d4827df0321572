import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// Handlers that are removed by the object that owns them.
@Suite(.measured) struct OwnerTests {
  private final class Owner {
    var calls = 0
    func plain(_ row: Row?) { calls += 1 }
  }

  private let row = Row()
  private let append = HandlerOptions(duplicates: .append)

  @Test("What an object owns is removed with one call, by target and by owner, and nothing else (E11.8)") func removal() throws {
    let proxy = EventProxy()
    let (owner, other) = (Owner(), Owner())
    var calls: [String] = []
    try MethodTable.of(Owner.self).replace("plain", Implementation { (owner: Owner, _: Row?) in owner.calls += 1 })
    try proxy.register("e", options: append) { (_: Row?) in calls.append("free") }
    try proxy.register("e", options: append) { (_: Row?) in calls.append("owned") }.owned(by: owner)
    try proxy.register("e", options: append) { (_: Row?) in calls.append("other's") }.owned(by: other)
    try proxy.intercept("e") { _, _, _ in
      calls.append("interceptor")
      return .ignored
    }.owned(by: owner)
    for holding in [HandlerOptions.Holding.weak, .strong, unsafe .unretained] {
      try proxy.register("e", target: owner, options: HandlerOptions(holding: holding, duplicates: .append)) { (owner: Owner) in owner.plain
      }
      try proxy.register("f", target: owner, selector: "plain", options: HandlerOptions(holding: holding, duplicates: .append))
    }
    // The owner of a handler with a target is another object.
    try proxy.register("f", target: owner, options: append) { (owner: Owner) in owner.plain }.owned(by: other)
    expect(proxy.send("e", source: row).calls == 7 && proxy.send("f", source: row).calls == 4)
    expect(calls == ["interceptor", "free", "owned", "other's"] && owner.calls == 7)
    proxy.removeHandlers(ownedBy: owner)
    expect(proxy.registrations(for: "e").count == 2 && proxy.registrations(for: "f").count == 1)
    calls = []
    expect(proxy.send("e", source: row).calls == 2 && proxy.send("f", source: row).calls == 1)
    expect(calls == ["free", "other's"] && owner.calls == 8)
    proxy.removeHandlers(ownedBy: owner)
    proxy.removeHandlers(ownedBy: other)
    expectEqual(proxy.registrations.map(\.key), ["e"])
  }

  @Test("An owner is not retained, and its handlers end with it, on any thread (E11.8)") func death() async throws {
    let proxy = EventProxy()
    var owner: Owner? = Owner()
    weak let watched = owner
    var calls = 0
    let registration = try proxy.register("e") { (_: Row?) in calls += 1 }
    if let owner { registration.owned(by: owner) }
    expect(proxy.send("e", source: row).calls == 1 && registration.isActive)
    owner = nil
    expect(watched == nil && !registration.isActive && !proxy.handles("e") && registration.handler.isAlive == false)
    expect(proxy.send("e", source: row).calls == 0 && proxy.registrations.isEmpty && calls == 1)
    // A dead owner is no duplicate.
    try proxy.register("e") { (_: Row?) in }.owned(by: Owner())
    try proxy.register("e") { (_: Row?) in }
    expectEqual(proxy.registrations.count, 1)
  }

  @Test("A second owner replaces the first, beside a token (E11.8)") func owners() throws {
    let proxy = EventProxy()
    let (first, second, token) = (Owner(), Owner(), EventToken())
    let registration = try proxy.register("e") { (_: Row?) in }.owned(by: first).owned(by: second).end(with: token)
    proxy.removeHandlers(ownedBy: first)
    expect(registration.isActive)
    proxy.removeHandlers(ownedBy: second)
    expect(!registration.isActive && token.count == 0)
    let other = try proxy.register("e") { (_: Row?) in }.owned(by: first).end(with: token)
    token.cancel()
    expect(!other.isActive)
  }

  @Test("A subtree is searched for an owner's handlers, deep and with a node that is below itself (E11.8)") func subtrees() throws {
    let owner = Owner()
    let root = ResponderNode("root")
    let above = ResponderNode("above")
    above.addChild(root)
    var node = root
    for _ in 0..<2_000 { node = node.child("node") }
    for place in [above, root, node] { try place.proxy.register("e") { (_: AnyObject?) in }.owned(by: owner) }
    root.removeHandlers(ownedBy: owner)
    expect(above.proxy.registrations.count == 1 && root.proxy.registrations.isEmpty && node.proxy.registrations.isEmpty)
    expectEqual(above.send("e", rules: .busDown).handledCount, 1)
    let ring = Cell()
    ring.below = [ring, node]
    for proxy in [ring.handlers, node.proxy] { try proxy.register("e") { (_: AnyObject?) in }.owned(by: owner) }
    ring.removeHandlers(ownedBy: owner)
    expect(ring.handlers.registrations.isEmpty && node.proxy.registrations.isEmpty)
    ring.below = []
  }
}
