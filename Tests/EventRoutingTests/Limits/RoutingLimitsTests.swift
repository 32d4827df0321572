import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Sizes well past any use; the article "Limits" of the engine has a row for each.
@Suite(.measured) struct RoutingLimitsTests {
  @Test("100,000 children of one node are all asked, in order, and freed")
  func children() throws {
    try LifetimeTracker.check { tracker in
      var order: [Int] = []
      let root = ResponderNode("root")
      for number in 0..<100_000 {
        let node = ResponderNode()
        let object = tracker.object(number)
        try node.proxy.intercept("k") { _, _, _ in
          order.append(object.payload)
          return .handledAndContinue
        }
        root.addChild(node)
      }
      expectEqual(root.send("k", rules: .busDown).handledCount, 100_000)
      expectEqual(order, Array(0..<100_000))
      expectEqual(tracker.liveCount, 100_000)
    }
  }

  @Test("2,000 handlers of one key are all called, by priority")
  func handlers() throws {
    let proxy = EventProxy()
    var order: [Int] = []
    for number in 0..<2_000 {
      try proxy.register(
        TypedEventKey<Int>("k"), options: HandlerOptions(priority: number % 3, reply: .handledAndContinue, duplicates: .append)
      ) { (_: AnyObject?, _: Int) in order.append(number) }
    }
    expectEqual(proxy.send("k", source: nil, arguments: [.int(1)]).calls, 2_000)
    expectEqual(order, (0..<2_000).sorted { ($0 % 3, -$0) > ($1 % 3, -$1) })
  }

  @Test("A handler's event, and its handler's, and so on, 500 deep, if the rules allow it")
  func nestedSends() throws {
    let root = ResponderNode("root")
    var depth = 0
    var rules = RoutingRules.router
    rules.depthLimit = 500
    try root.proxy.intercept("k") { [unowned root] _, _, _ in
      depth += 1
      if depth < 500 { root.send("k", rules: rules) }
      return .handled
    }
    expectEqual(onLargeStack { root.send("k", rules: rules).handledCount }, 1)
    expectEqual(depth, 500)
  }
}
