import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Asynchronous handlers of one event that run at the same time.
@MainActor
@Suite(.measured) struct ConcurrentHandlersTests {
  private let journal = Journal()
  private let gate = Gate()
  private let clock = ManualClock()
  private let root, leaf: ResponderNode
  private let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append)

  init() { (root, _, leaf) = chain() }

  @Test("Each runs to its first suspension before the next one is called, and the send waits for all (E18.10)")
  func atTheSameTime() async throws {
    defer { root.removeHandlers() }
    for node in [leaf, root] {
      try node.proxy.register("k", options: options) { (_: AnyObject?, value: Int) async in
        MainActor.assertIsolated()
        journal.note("\(node.responderName) begins \(value)")
        await gate.pass()
        MainActor.assertIsolated()
        journal.note("\(node.responderName) ends")
      }
    }
    // The last one of the pass: the others wait for it, so they are all suspended at once.
    try root.proxy.register("k", options: options) { (_: AnyObject?, value: Int) in journal.note("synchronous") }
    try root.proxy.register("k", options: options) { (_: AnyObject?, value: Int) async in gate.open() }
    let outcome = await leaf.sendConcurrently("k", arguments: [3])
    expectEqual(journal.entries.prefix(3), ["leaf begins 3", "root begins 3", "synchronous"])
    expectEqual(journal.entries.dropFirst(3).sorted(), ["leaf ends", "root ends"])
    expect(outcome.handledCount == 2 && outcome.errorCount == 0)
  }

  @Test("Typed arguments, a source, four arguments and an interceptor (E18.10)") func forms() async throws {
    defer { root.removeHandlers() }
    let key: TypedEventKey<(Int, String)> = "typed"
    try root.proxy.register(key, options: options) { (source: ResponderNode?, count: Int, text: String) async in
      await Task.yield()
      journal.note("\(source?.name ?? "-") \(count) \(text)")
    }
    _ = await leaf.sendConcurrently(key, 2, "two")
    _ = await leaf.sendConcurrently(key, source: root, 3, "three", within: .seconds(1), clock: clock)
    _ = await leaf.sendConcurrently(key, source: nil, 4, "four")
    try root.proxy.register("four") { (_: AnyObject?, a: Int, b: Int, c: Int, d: Int) async in
      await Task.yield()
      journal.note("\(a + b + c + d)")
    }
    _ = await leaf.sendConcurrently("four", source: nil, arguments: [1, 2, 3, 4])
    try root.proxy.intercept("any") { _, _, arguments async in
      await Task.yield()
      journal.note("intercepted \(arguments.count)")
      return .handled
    }
    _ = await leaf.sendConcurrently("any", arguments: [1])
    expectEqual(journal.entries, ["leaf 2 two", "root 3 three", "- 4 four", "10", "intercepted 1"])
    // An argument that the handler does not take is an error of it, as of any send.
    let failed = await leaf.sendConcurrently("typed", arguments: [1])
    expectEqual((failed.firstError as? EventError)?.reason.code, .countMismatch)
  }

  @Test("A handler that refuses a synchronous send is called; another reply than the options' is logged (E18.10)")
  func repliesOfOptions() async throws {
    defer { root.removeHandlers() }
    var options = options
    options.synchronousSend = .isRefused
    try leaf.proxy.register("k", options: options) { (_: AnyObject?) async -> EventReply in
      await Task.yield()
      return .handledAndStop(.pass)
    }
    try root.proxy.on("k", journal, "root")
    let lines = LogLines()
    let outcome = await EventLog.withLogger(lines.logger()) { await leaf.sendConcurrently("k") }
    expect(outcome.handledCount == 2 && outcome.errorCount == 0 && journal.entries == ["root"])
    expect(
      lines.all.map { $0.hasSuffix("started with the others: replied handledAndStop(pass), but the send had taken handledAndContinue") }
        == [true])
  }

  @Test("At the deadline the send returns without a handler that hangs, which is cancelled (E18.11)") func deadline() async throws {
    defer { root.removeHandlers() }
    let key: TypedEventKey<Void> = "k"
    try leaf.proxy.register(key, options: options) { (_: AnyObject?) async throws in
      await gate.pass()
      journal.note("late, cancelled: \(Task.isCancelled)")
      throw Failure()
    }
    try leaf.proxy.register(key, options: options) { (_: AnyObject?) async throws in
      await gate.pass()
      try Task.checkCancellation()
    }
    try root.proxy.register(key, options: options) { (_: AnyObject?) async in
      await Task.yield()
      journal.note("root")
    }
    let lines = LogLines()
    try await EventLog.withLogger(lines.logger()) {
      let sent = Task { await leaf.sendConcurrently(key, within: .seconds(2), clock: clock) }
      while clock.sleeperCount == 0 || journal.entries.isEmpty { await pause() }
      clock.advance(by: .milliseconds(1_999))
      await pause()
      expect(lines.all.isEmpty)
      clock.advance(by: .milliseconds(1))
      let outcome = await sent.value
      expect(journal.entries == ["root"] && outcome.handledCount == 2 && outcome.errorCount == 2)
      let error = try #require(outcome.firstError as? EventError)
      expect(error.reason.code == .deadlineExceeded && error.node?.name == "leaf")
      expect(
        "\(error)".hasPrefix("event 'k' at 'leaf', handler ")
          && "\(error)".hasSuffix("the handler has not returned within 2.0 seconds, and was cancelled"))
      expect(lines.all.count == 2 && lines.all.allSatisfy { $0.contains("a handler has not returned: event 'k' at 'leaf'") })
      gate.open()
      while lines.all.count < 3 || journal.entries.count < 2 { await pause() }
      // The handler that ended because it was cancelled is not told of.
      for _ in 0..<10 { await Task.yield() }
    }
    expectEqual(journal.entries.last, "late, cancelled: true")
    expect(lines.all.count == 3 && lines.all[2].hasSuffix("started with the others: threw after the deadline: Failure()"))
    // The tree and its handlers go on.
    let next = await leaf.sendConcurrently(key, within: .zero, clock: clock)
    expect(next.errorCount == 1 || next.errorCount == 2)
  }

  @Test("A deadline that is not reached changes nothing; without asynchronous handlers there is no wait (E18.11)") func inTime()
    async throws
  {
    defer { root.removeHandlers() }
    try leaf.proxy.register("k", options: options) { (_: AnyObject?) async in await Task.yield() }
    try root.proxy.on("other", journal, "other")
    await expectEqual(leaf.sendConcurrently("k", within: .seconds(2), clock: clock).errorCount, 0)
    let unused = ManualClock()
    await expectEqual(leaf.sendConcurrently("other", within: .seconds(2), clock: unused).handledCount, 1)
    await expect(leaf.sendConcurrently("nobody", rules: .strategy, within: .seconds(2), clock: unused).isUnhandled)
    for _ in 0..<3 { await pause() }
    expectEqual(unused.sleepCount, 0)
    clock.advance(by: .seconds(4))
    expectEqual(journal.entries, ["other"])
  }

  @Test("Errors come after the errors of synchronous handlers, in the order of the calls (E18.12)") func errors() async throws {
    defer { root.removeHandlers() }
    struct Numbered: Error, Equatable { let number: Int }
    let lines = LogLines()
    try leaf.proxy.register("k", options: options) { (_: AnyObject?) async throws in
      await gate.pass()
      throw Numbered(number: 1)
    }
    try leaf.proxy.register("k", options: options) { (_: AnyObject?) async throws in
      gate.open()
      throw Numbered(number: 2)
    }
    let synchronous = try root.proxy.register("k", options: options) { (_: AnyObject?) throws in throw Numbered(number: 3) }
    await EventLog.withLogger(lines.logger()) {
      let outcome = await leaf.sendConcurrently("k")
      expect(outcome.errorCount == 3 && outcome.firstError as? Numbered == Numbered(number: 3))
      expectEqual(lines.all.map { $0.contains("at 'leaf'") }, [false, true, true])
      expect(lines.all.enumerated().allSatisfy { $1.contains("number: \([3, 1, 2][$0])") })
      synchronous.cancel()
      let kept = await leaf.sendConcurrently("k", rules: RoutingRules(handlerErrors: .kept))
      expect(kept.errorCount == 2 && kept.firstError as? Numbered == Numbered(number: 1))
      expectEqual(lines.all.count, 3)
    }
  }

  @Test("A cancelled task cancels the handlers, also those that it starts later, and waits for them (E18.13)") func cancelled() async throws
  {
    defer { root.removeHandlers() }
    try leaf.proxy.register("k", options: options) { (_: AnyObject?) async throws in
      let isCancelled = Task.isCancelled
      await gate.pass()
      journal.note("\(isCancelled) \(Task.isCancelled)")
    }
    let task = Task { await leaf.sendConcurrently("k") }
    await gate.reached()
    task.cancel()
    gate.open()
    await expectEqual(task.value.errorCount, 0)
    let second = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      _ = await leaf.sendConcurrently("k")
    }
    await second.value
    expectEqual(journal.entries, ["false true", "true true"])
  }

  @Test("What a handler sends is not waited for, and a resent event is (E18.10)") func nestedAndResent() async throws {
    defer { root.removeHandlers() }
    try leaf.proxy.intercept("k") { _, _, _ in .resend("other", [.int(7)]) }
    try root.proxy.register("other", options: options) { (_: AnyObject?, value: Int) async in
      leaf.send("nested")
      await Task.yield()
      journal.note("other \(value)")
    }
    try root.proxy.register("nested", options: options) { (_: AnyObject?) async in
      await gate.pass()
      journal.note("nested")
    }
    // To a proxy alone, which has no pass of its own.
    let proxy = EventProxy()
    try proxy.register("alone") { (_: AnyObject?) async in
      await gate.pass()
      journal.note("alone")
    }
    try root.proxy.register("other", options: options) { (_: AnyObject?, _: Int) async in
      _ = proxy.send(TypedEventKey<Void>("alone"), source: nil)
    }
    let outcome = await leaf.sendConcurrently("k", within: .seconds(1), clock: clock)
    expect(outcome.finalKey == "other" && outcome.errorCount == 0 && journal.entries == ["other 7"])
    gate.open()
    while journal.entries.count < 3 { await pause() }
  }

  @Test("Before its first suspension a handler sees its event, and others do not see it (E18.3, E18.10)") func context() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k") { (_: AnyObject?) async in
      journal.note("\(EventContext.current?.key.description ?? "-")")
      await Task.yield()
      journal.note("\(EventContext.current?.key.description ?? "-")")
    }
    _ = await leaf.sendConcurrently("k")
    expect(journal.entries == ["k", "-"] && EventContext.current == nil)
  }

  @Test("A handler keeps its target until it returns, also after the deadline; one that runs once is removed (E18.11)")
  func lifetime() async throws {
    defer { root.removeHandlers() }
    final class Target {}
    var target: Target? = Target()
    weak let observed = target
    try target.map {
      var options = options
      options.isOnce = true
      _ = try root.proxy.register("k", target: $0, options: options) { (target: Target) in
        { (_: AnyObject?) async in
          await gate.pass()
          journal.note("\(target)".hasSuffix("Target") ? "ends" : "-")
        }
      }
    }
    let outcome = await leaf.sendConcurrently("k", within: .zero)
    expectEqual((outcome.firstError as? EventError)?.reason.code, .deadlineExceeded)
    target = nil
    expect(observed != nil && leaf.send("k", rules: .strategy).isUnhandled)
    gate.open()
    while journal.entries.isEmpty { await pause() }
    while observed != nil { await pause() }
  }

  @Test("In code of no actor an asynchronous handler is refused (E18.14)") func noActor() async throws {
    let (code, handled) = try await withoutActor()
    expect(code == .asynchronousHandler && handled == 1)
  }

  @concurrent
  private nonisolated func withoutActor() async throws -> (InvocationError.Code?, Int) {
    let root = ResponderNode("root")
    try root.proxy.register("k", options: HandlerOptions(duplicates: .append)) { (_: AnyObject?) async in }
    try root.proxy.register("k", options: HandlerOptions(duplicates: .append)) { (_: AnyObject?) in }
    let outcome = await root.sendConcurrently("k")
    return ((outcome.firstError as? EventError)?.reason.code, outcome.handledCount)
  }
}
