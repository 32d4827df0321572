import AllocationCounter
import DynamicInvocation
import EventRouting
import TestSupport
import Testing

extension ProcessWideTests {
  /// A send without a report allocates nothing.
  @Suite(.measured) struct RoutingAllocationTests {
    /// The allocations of 1,000 calls of `body`, after a few that fill caches.
    private func allocations(_ body: () -> Void) -> UInt64 {
      for _ in 0..<3 { body() }
      let before = allocation_count()
      for _ in 0..<1_000 { body() }
      return allocation_count() - before
    }

    private func tree(_ reply: EventReply) throws -> (root: ResponderNode, leaf: ResponderNode) {
      let root = ResponderNode("root")
      var leaf = root
      for _ in 0..<20 { leaf = leaf.child("node") }
      try root.proxy.intercept("k") { _, _, _ in reply }
      try leaf.proxy.intercept("k") { _, _, _ in reply }
      try leaf.proxy.intercept("leaf") { _, _, _ in reply }
      return (root, leaf)
    }

    @Test func theCounterCounts() {
      guard allocation_count() > 0 else { return }
      var kept: [Journal] = []
      kept.reserveCapacity(2_000)
      expect(allocations { kept.append(Journal()) } >= 1_000)
    }

    @Test(arguments: [RoutingRules.router, .strategy, .busUp, .busDown, .componentEmit, .componentBroadcast])
    func sendsAllocateNothing(rules: RoutingRules) throws {
      for reply in [EventReply.handled, .handledAndContinue, .ignored] {
        let (root, leaf) = try tree(reply)
        let arguments: [BoxedValue] = []
        let sender = rules.direction == .up ? leaf : root
        let unknown: EventKey = "unknown"
        let key: EventKey = "k"
        let own: EventKey = "leaf"
        var quiet = rules
        quiet.unknownKey = .isSilent
        expectEqual(allocations { sender.send(key, arguments: arguments, rules: quiet) }, 0)
        expectEqual(allocations { sender.send(own, arguments: arguments, rules: quiet) }, 0)
        expectEqual(allocations { sender.send(unknown, arguments: arguments, rules: quiet) }, 0)
      }
    }

    @MainActor
    @Test("A pass that waits for a handler which does not suspend reuses the memory of the pass before") func awaitedSends() async throws {
      let root = ResponderNode("root")
      var leaf = root
      for _ in 0..<20 { leaf = leaf.child("node") }
      let options = HandlerOptions(reply: .handledAndContinue)
      for node in [root, leaf] { try node.proxy.register("k", options: options) { (_: AnyObject?, _: Int) async in } }
      let key: TypedEventKey<Int> = "k"
      // A pass of another test may have the memory, so the fewest allocations of several rounds are compared.
      var fewest = UInt64.max
      for _ in 0..<20 {
        let before = allocation_count()
        for _ in 0..<100 { await leaf.sendAwaiting(key, 1) }
        fewest = min(fewest, allocation_count() - before)
      }
      expectEqual(fewest, 0)
    }

    @Test func aPathOf64NodesIsOnTheStackAndALongerOneInABlock() throws {
      for (depth, expected) in [(63, UInt64(0)), (200, 1_000)] {
        let root = ResponderNode("root")
        var leaf = root
        for _ in 0..<depth { leaf = leaf.child("node") }
        try leaf.proxy.intercept("k") { _, _, _ in .handledAndContinue }
        try root.proxy.intercept("k") { _, _, _ in .handledAndContinue }
        let arguments: [BoxedValue] = []
        let key: EventKey = "k"
        expectEqual(allocations { leaf.send(key, arguments: arguments) }, (allocation_count() > 0 ? expected : 0))
      }
    }

    @Test func otherRespondersAllocateNothingUpward() throws {
      let root = Cell()
      let leaf = Cell()
      leaf.above = root
      try root.handlers.intercept("k") { _, _, _ in .handledAndContinue }
      try leaf.handlers.intercept("k") { _, _, _ in .handledAndContinue }
      let arguments: [BoxedValue] = []
      let key: EventKey = "k"
      expectEqual(allocations { leaf.send(key, arguments: arguments) }, 0)
    }
  }
}
