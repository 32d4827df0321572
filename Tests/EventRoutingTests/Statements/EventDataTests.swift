import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What an event brings to its handlers, and when they are called, by the statements of the page Behavior.
@Suite(.measured) struct EventDataTests {
  private let journal = Journal()
  private let root, table, cell: ResponderNode

  init() { (root, table, cell) = chain() }

  /// Registers an interceptor of the root that notes what the event has brought.
  private func intercept(_ note: @escaping (AnyObject?, EventKey, [BoxedValue]) -> Void) throws {
    try root.proxy.intercept("k") { source, key, arguments in
      note(source, key, arguments)
      return .handled
    }
  }

  @Test("A node without a handler passes key, source and arguments on unchanged (E2.1)") func passing() throws {
    var received: [String] = []
    try intercept { [cell] in received.append("\($0 === cell) \($1) \($2)") }
    expectEqual(cell.send("k", arguments: [.int(7), .string("x")]).handledCount, 1)
    expectEqual(received, ["true k \([BoxedValue.int(7), .string("x")])"])
  }

  @Test("An argument is one argument, whatever it holds, and no list is an empty one (E2.3, E2.4)") func counts() throws {
    final class List { let items = [1, 2, 3] }
    var counts: [Int] = []
    try intercept { counts.append($2.count) }
    table.send("k", arguments: nil)
    table.send("k", arguments: [])
    table.send("k")
    for argument in [nil, .int(1), .object(Journal()), .object(List())] as [BoxedValue] { table.send("k", arguments: [argument]) }
    expectEqual(counts, [0, 0, 0, 1, 1, 1, 1])
  }

  @Test("The source is the sender, unless the send names another object or nil (E2.2)") func sources() throws {
    var sources: [AnyObject?] = []
    try intercept { source, _, _ in sources.append(source) }
    table.send("k")
    table.send("k", source: journal)
    table.send("k", source: nil)
    expectEqual(sources.map { $0.map(ObjectIdentifier.init) }, [ObjectIdentifier(table), ObjectIdentifier(journal), nil])
  }

  @Test("All receivers get the same data and callback, which nobody else calls (E2.5)") func callback() throws {
    final class Callback { var calls = 0 }
    let callback = Callback()
    var data: [String] = []
    for (node, calls) in [(table, 0), (root, 2)] {
      try node.proxy.intercept("k") { _, _, arguments in
        guard case .object(let object as Callback) = arguments[1] else { return .ignored }
        data.append("\(arguments[0])")
        object.calls += calls
        return .handled
      }
    }
    cell.send("k", arguments: [.null, .object(callback)], rules: .busUp)
    expect(cell.send("nobody", arguments: [.null, .object(callback)], rules: .busUp).isUnhandled)
    expectEqual(data, ["\(BoxedValue.null)", "\(BoxedValue.null)"])
    expectEqual(callback.calls, 2)
  }

  @Test("A send calls the handlers, then the completion, before it returns (E2.6)", arguments: [RoutingRules.busUp, .componentEmit])
  func synchronous(rules: RoutingRules) throws {
    try root.on("k", journal)
    journal.note("before")
    cell.send("k", rules: rules) { outcome in journal.note("completed \(outcome.handledCount)") }
    journal.note("after")
    expectEqual(journal.entries, ["before", "root.k", "completed 1", "after"])
  }

  @Test("A key may change at every node of a deep path (E6.1)") func deepRewrites() throws {
    var node = root
    for _ in 1...200 { node = node.child("node") }
    let leaf = node
    for index in (1...200).reversed() {
      try node.proxy.intercept(EventKey("k\(index)")) { _, _, arguments in .resend(EventKey("k\(index - 1)"), arguments + [.int(1)]) }
      node = node.parent ?? root
    }
    var count = 0
    try root.proxy.intercept("k0") { _, _, arguments in
      count = arguments.count
      return .handled
    }
    let outcome = leaf.send("k200")
    expectEqual(["\(outcome)", "\(count)"], ["handled by 1 node; stopped the pass; sent on as 'k0'", "200"])
  }
}
