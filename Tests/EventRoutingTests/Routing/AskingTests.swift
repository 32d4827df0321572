import AllocationCounter
import DynamicInvocation
import Synchronization
import TestSupport
import Testing

@testable import EventRouting

/// Answers of handlers to a sender that asks.
@Suite(.measured) struct AskingTests {
  private final class Row: ResponderNode {}
  private let root = ResponderNode("root")
  private let row = Row("row")
  private let key: TypedEventKey<Int> = "price"

  init() { root.addChild(row) }

  private func options(_ reply: EventReply = .handled) -> HandlerOptions { HandlerOptions(reply: reply, duplicates: .append) }

  @Test("The first answer is returned, with its type, and ends the route; nobody's is nil (E23.1, E23.2)")
  func first() throws {
    try expect(row.ask(key, 3) as Int? == nil)
    var called: [String] = []
    try row.proxy.register(key, options: options(.handledAndContinue)) { (_: Row?, _: Int) in called.append("none") }
    try row.proxy.register(key, options: options(.handledAndContinue)) { (_: Row?, _: Int) -> Int? in
      called.append("nil")
      return nil
    }
    try row.proxy.register(key, options: options(.handledAndContinue)) { (_: Row?, _: Int) -> EventReply in
      called.append("reply")
      return .ignored
    }
    try root.proxy.register(key, options: options()) { (_: Row?, count: Int) in
      called.append("first")
      return 10 * count
    }
    try root.proxy.register(key, options: options()) { (_: Row?, count: Int) in
      called.append("second")
      return 20 * count
    }
    try expectEqual(row.ask(key, 3) as Int?, 30)
    expectEqual(called, ["none", "nil", "reply", "first"])
    try expectEqual(row.ask("price", 4) as Int?, 40)
    expect(row.send(key, 1).firstError == nil)
    try expect(row.ask(key, 1, rules: .busDown) as Int? == nil)
  }

  @Test("An answer is converted exactly, boxed for a sender of boxes, and else an error (E23.3)") func types() throws {
    try root.proxy.register("small") { (_: AnyObject?) in Int16(7) }
    try root.proxy.register("text") { (_: AnyObject?) in "seven" }
    try root.proxy.register("list") { (_: AnyObject?) in [1, 2] }
    try expectEqual(row.ask("small") as Int?, 7)
    try expectEqual(row.ask("small") as Double?, 7)
    try expectEqual(row.ask("text") as String?, "seven")
    try expectEqual(row.ask("list") as [Int]?, [1, 2])
    let box: BoxedValue? = try row.ask("small")
    try expectEqual(box?.value(as: Int.self), 7)
    let error = #expect(throws: EventError.self) { try row.ask("text") as Int? }
    expectEqual(error?.key, "text")
    #expect(throws: EventError.self) { try row.ask("list") as Int? }
    expect("\(try #require(error))".contains("event 'text', handler"))
  }

  @Test("All answers are collected along the route, in order (E23.4)") func all() throws {
    for (index, node) in [root, row].enumerated() {
      for place in 0..<2 {
        try node.proxy.register(key, options: options()) { (_: AnyObject?, count: Int) in 100 * index + 10 * place + count }
      }
    }
    try expectEqual(root.askAll(key, 2, rules: .busDown), [2, 12, 102, 112])
    // A handler that handled the event does not end the route, as it would end a send's.
    try expectEqual(row.askAll(key, 1), [101, 111, 1, 11])
    try row.proxy.register("stop", options: options(.handledAndStop(.pass))) { (_: AnyObject?) in 1 }
    try root.proxy.register("stop") { (_: AnyObject?) in 2 }
    try expectEqual(row.askAll("stop"), [1])
    try row.proxy.register("mute") { (_: AnyObject?) -> Void in }
    try root.proxy.register("mute") { (_: AnyObject?) in 3 }
    try expectEqual(row.askAll("mute"), [3])
  }

  @Test("The error of a handler that was to answer is thrown and ends the route; another one's is not (E23.5)")
  func errors() throws {
    var isCalled = false
    try row.proxy.register("e", options: options(.handledAndContinue)) { (_: Row?) -> Void in throw Failure() }
    try row.proxy.register("e", options: options(.handledAndContinue)) { (_: Row?) in 1 }
    try expectEqual(row.ask("e", rules: RoutingRules(handlerErrors: .kept)) as Int?, 1)
    try row.proxy.register("f", options: options(.handledAndContinue)) { (_: Row?) -> Int in throw Failure() }
    try root.proxy.register("f", options: options()) { (_: Row?) -> Int in
      isCalled = true
      return 2
    }
    #expect(throws: Failure()) { try row.ask("f") as Int? }
    #expect(throws: Failure()) { try row.askAll("f") as [Int] }
    expect(!isCalled)
    // Nobody answers, as the only handler cannot be called.
    try row.proxy.register("g") { (_: Row?, _: Int) in 1 }
    #expect(throws: EventError.self) { try row.ask("g") as Int? }
  }

  @Test("Handlers that ask and send have answers of their own (E23.6)") func nesting() throws {
    try row.proxy.register("outer") { [unowned row] (_: Row?) -> Int in
      let inner: Int = try row.ask("inner") ?? 0
      row.send("inner")
      row.proxy.send("inner", source: row)
      return 10 * inner
    }
    try row.proxy.register("inner") { (_: Row?) in 5 }
    try row.proxy.register("quiet") { [unowned row] (_: Row?) -> Void in
      row.send("inner")
      row.proxy.send("inner", source: row)
    }
    try expectEqual(row.ask("outer") as Int?, 50)
    try expect(row.ask("quiet") as Int? == nil)
    // Handlers that are removed and added meanwhile.
    let token = EventToken()
    try root.proxy.register("change") { (_: Row?) in 1 }.end(with: token)
    try row.proxy.register("change", options: options(.ignored)) { [unowned root] (_: Row?) -> Void in
      token.cancel()
      try root.proxy.register("change") { (_: Row?) in 2 }
    }
    try expect(row.ask("change") as Int? == nil)
  }

  @Test("An interceptor stops and changes (E23.7)") func interceptors() throws {
    try root.proxy.register("price") { (_: AnyObject?, count: Int) in count }
    try root.proxy.register("dear") { (_: AnyObject?, count: Int) in 100 * count }
    var reply = EventReply.ignored
    try row.proxy.intercept("price") { _, _, _ in reply }
    try expectEqual(row.ask(key, 3) as Int?, 3)
    reply = .resend("dear", [.int(2)])
    try expectEqual(row.ask(key, 3) as Int?, 200)
    reply = .handledAndStop(.pass)
    try expect(row.ask(key, 3) as Int? == nil)
  }

  @Test("An asynchronous handler answers to a sender that awaits (E23.8)") @MainActor func awaited() async throws {
    let node = ResponderNode("node")
    try node.proxy.register("slow", options: options(.handledAndContinue)) { (_: AnyObject?, count: Int) async -> Int in
      await Task.yield()
      return count
    }
    try node.proxy.register("slow", options: options(.handledAndContinue)) { (_: AnyObject?, count: Int) -> Int in 2 * count }
    try node.proxy.register("failing") { (_: AnyObject?) async throws -> Int in throw Failure() }
    try await expectEqual(node.askAwaiting("slow", 4) as Int?, 4)
    try await expectEqual(node.askAllAwaiting("slow", 4), [4, 8])
    await #expect(throws: Failure()) { try await node.askAwaiting("failing") as Int? }
    try await expect(node.askAwaiting("nobody") as Int? == nil)
    // Started by a send that does not await, it answers too late.
    try expectEqual(node.ask("slow", 4) as Int?, 8)
  }

  @Test("A function answers with its result (E23.9)") func functions() throws {
    let closure = try Closure(MethodSignature(types: "i@i")) { call in
      try call.setReturnValue(3 * call.argument(at: 1, as: Int32.self))
    }
    try row.proxy.register("price", closure.implementation)
    try expectEqual(row.ask(key, 3) as Int?, 9)
    try expectEqual(row.ask(key, 3) as Int32?, 9)
    #expect(throws: EventError.self) { try row.ask("price", "text") as Int? }
  }

  @Test("A port asks in the isolation of the tree, after what was posted before (E23.11)") @MainActor func ports() async throws {
    let node = ResponderNode("node")
    var posted = 0
    try node.proxy.register("post") { (_: AnyObject?, value: Int) -> Void in posted += value }
    try node.proxy.register("sum") { (_: AnyObject?, value: Int) async -> Int in
      await Task.yield()
      return posted + value
    }
    let port = node.port()
    let answers = try await Task.detached {
      await port.post("post", 40)
      let typed: Int? = try await port.ask("sum", 2)
      let all: [Int] = try await port.askAll("sum", 4)
      let none: Int? = try await port.ask("nobody")
      return [typed, all.first, none]
    }.value
    expectEqual(answers, [42, 44, nil])
    withExtendedLifetime(node) {}
  }
}

extension ProcessWideTests {
  /// What observers see of asks.
  @Suite(.measured) struct AskingReportTests {
    @Test("A report counts the answers of a node (E23.10)") func reports() throws {
      let node = ResponderNode("node")
      try node.proxy.register("asking.report") { (_: AnyObject?, count: Int) in count }
      let notes = Mutex<[[String]]>([])
      let observer = DispatchReport.Observer(after: { report in
        if report.key == "asking.report" { notes.withLock { $0.append(report.visits.last?.notes ?? []) } }
      })
      try expectEqual(node.ask("asking.report", 3) as Int?, 3)
      node.send("asking.report", 3)
      withExtendedLifetime(observer) {}
      expectEqual(notes.withLock { $0 }, [["1 answer"], []])
    }

    @Test("A handler of the same types that answers a number allocates nothing (E23.12)") func allocations() throws {
      let (root, row) = (ResponderNode("root"), ResponderNode("row"))
      root.addChild(row)
      let key: TypedEventKey<Int> = "asking.free"
      try root.proxy.register(key) { (_: AnyObject?, count: Int) in 2 * count }
      var sum = 0
      for _ in 0..<3 { sum += try row.ask(key, 1) ?? 0 }
      let before = allocation_count()
      for _ in 0..<1_000 { sum += try row.ask(key, 1) ?? 0 }
      expect(allocation_count() - before < 100)
      expectEqual(sum, 2_006)
    }
  }
}
