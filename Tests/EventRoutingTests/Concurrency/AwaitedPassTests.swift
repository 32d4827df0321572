import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What passes that wait share with others, and what stays alive while a handler is suspended; the routes are scenarios.
@MainActor
@Suite(.measured) struct AwaitedPassTests {
  private let journal = Journal()
  private let gate = Gate()
  private let root, leaf: ResponderNode

  init() { (root, _, leaf) = chain() }

  @Test("Tasks that come after many suspended ones are within no event (E18.1)") func manyTasks() async throws {
    let last = Gate()
    try root.proxy.register("waits") { (_: AnyObject?, gate: Gate) async in await gate.pass() }
    // More than have a slot of their own.
    let waiting = (0..<1_500).map { _ in Task { await root.sendAwaiting("waits", gate).handledCount } }
    await gate.reached(by: waiting.count)
    // Without a pass that waits, none is looked for.
    let held = Task { await root.sendAwaiting("waits", last).handledCount }
    await last.reached()
    gate.open()
    var counts: [Int] = []
    for task in waiting { counts.append(await task.value) }
    // Their memory is used again, some for the tasks that come.
    var keys: [EventKey?] = []
    for _ in 0..<4 {
      let tasks = (0..<1_500).map { _ in Task { EventContext.current?.key } }
      for task in tasks { keys.append(await task.value) }
    }
    last.open()
    counts.append(await held.value)
    expect(counts.allSatisfy { $0 == 1 } && keys.allSatisfy { $0 == nil })
  }

  @Test("A typed event that waits has the same report as the boxed one (E18.1)") func typedReport() async throws {
    let tapped: TypedEventKey<(Int, String)> = "tapped"
    try root.proxy.register(tapped) { [journal] (source: ResponderNode?, index: Int, title: String) async in
      await Task.yield()
      journal.note("\(source?.responderName ?? "nil") \(index) \(title)")
    }
    let typed = await leaf.reportAwaiting(tapped, 3, "title")
    expectEqual(await leaf.reportAwaiting("tapped", arguments: [3, "title"]), typed)
    expectEqual(typed.handledBy.map(\.name), ["root"])
    expectEqual(await leaf.reportAwaiting(tapped, source: nil, 3, "title", rules: .strategy).visits.last?.handlerCount, 1)
    expectEqual(journal.entries, ["leaf 3 title", "leaf 3 title", "nil 3 title"])
  }

  private final class Captured {}

  @Test(
    "What the suspended handler has captured stays alive until it returns, though its registration is gone (E18.5)",
    arguments: [1, 2], [false, true])
  func captured(count: Int, isBoxed: Bool) async throws {
    for sendsToNode in [true, false] {
      let (gate, journal) = (Gate(), Journal())
      var node: ResponderNode? = ResponderNode("node")
      let proxy = try #require(node?.proxy)
      weak var observed: Captured?
      for index in 0..<count {
        let captured = Captured()
        if index == 0 { observed = captured }
        try proxy.register("k", options: HandlerOptions(reply: .handledAndContinue, duplicates: .append)) {
          (_: AnyObject?, value: Int) async in
          if index == 0 { await gate.pass() }
          journal.note("\(value) \(type(of: captured))")
        }
      }
      let task: Task<Void, Never> = Task { [sender = sendsToNode ? node : nil] in
        switch (sender, isBoxed) {
        case (let node?, true): await node.sendAwaiting("k", arguments: [.int(7)])
        case (let node?, false): await node.sendAwaiting("k", 7)
        case (nil, true): _ = await proxy.sendAwaiting("k", source: nil, arguments: [.int(7)])
        case (nil, false): _ = await proxy.sendAwaiting("k", source: nil, 7)
        }
      }
      await gate.reached()
      proxy.removeAllHandlers()
      node = nil
      expect(observed != nil)
      gate.open()
      await task.value
      // The second one was removed before it was called.
      expectEqual(journal.entries, ["7 Captured"])
      expect(observed == nil)
    }
  }

  @Test("A weak target stays alive until its handler returns (E18.6)") func target() async throws {
    final class Target {}
    var target: Target? = Target()
    weak let observed = target
    try target.map {
      _ = try root.proxy.register("k", target: $0) { (target: Target) in
        { [gate, journal] (_: AnyObject?) async in
          await gate.pass()
          journal.note("\(target === observed)")
        }
      }
    }
    let task = Task { await leaf.sendAwaiting("k").handledCount }
    await gate.reached()
    target = nil
    expect(observed != nil)
    gate.open()
    expectEqual(await task.value, 1)
    expect(observed == nil && journal.entries == ["true"])
  }
}
