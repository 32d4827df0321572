import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Asynchronous handlers: awaited by `sendAwaiting`, started or refused by a synchronous send.
@MainActor
@Suite(.measured) struct AwaitedHandlerTests {
  private let journal = Journal()
  private let root, leaf: ResponderNode
  private let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append)

  init() { (root, _, leaf) = chain() }

  private func note(_ entry: String, replying reply: EventReply = .handled) async -> EventReply {
    MainActor.assertIsolated()
    journal.note("\(entry) begins")
    await Task.yield()
    MainActor.assertIsolated()
    journal.note("\(entry) ends")
    return reply
  }

  /// Waits until handlers have written down as many entries.
  private func entries(_ count: Int) async -> [String] {
    while journal.entries.count < count { await pause() }
    return journal.entries
  }

  @Test("Handlers are awaited in order, synchronous ones among them (E18.1)") func inOrder() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k", options: options) { (_: AnyObject?) in await note("first", replying: .handledAndContinue) }
    try root.proxy.register("k", options: options) { (_: AnyObject?) in journal.note("second") }
    try root.proxy.register("k", options: options) { (_: AnyObject?) async in _ = await note("third") }
    expectEqual("\(await leaf.sendAwaiting("k"))", "handled by 1 node")
    expectEqual(journal.entries, ["first begins", "first ends", "second", "third begins", "third ends"])
  }

  @Test("The reply of an awaited handler decides the route (E18.1)") func route() async throws {
    defer { root.removeHandlers() }
    try leaf.proxy.intercept("k") { _, _, _ async in await note("leaf", replying: .resend("other", [.int(7)])) }
    try root.proxy.register("other") { (_: AnyObject?, value: Int) async throws in
      journal.note("other \(value)")
      throw Failure()
    }
    let dry = leaf.dryRun("k").visits.first
    let report = await leaf.reportAwaiting("k")
    expectEqual(journal.entries, ["leaf begins", "leaf ends", "other 7"])
    expectEqual(report.visits.map(\.answer), [.resent, .passed, .failed])
    expectEqual(report.visits.map(\.isAsynchronous), [true, false, true])
    expect(report.errors.first is Failure && dry?.isAsynchronous == true)
    expectEqual(dry?.description, "leaf: handled, stopped the pass, asynchronous")
  }

  @Test("Closures, targets and methods of up to four arguments are awaited, typed and boxed (E18.1)") func kinds() async throws {
    defer { root.removeHandlers() }
    final class Page: EncodedObject {
      var seen: [Int] = []
      nonisolated(nonsending) func add(_ source: ResponderNode?, _ a: Int, _ b: Int) async throws { seen += [a, b] }
      nonisolated(nonsending) func four(_ source: ResponderNode, _ a: Int, _ b: Int?, _ c: Int, _ d: Int) async -> EventReply {
        seen += [a, b ?? 0, c, d]
        return .handledAndContinue
      }
    }
    let page = Page()
    try root.proxy.register("target", target: page) { (page: Page) in { (_: ResponderNode?, a: Int) async in page.seen.append(a) } }
    try root.proxy.register("method", target: page, Page.add)
    try root.proxy.register("bound", page.add)
    try root.proxy.register("required") { (source: ResponderNode, a: Int) async in page.seen.append(a) }
    try root.proxy.register("closure") { (_: AnyObject?, a: Int, b: Int, c: Int, d: Int) async in page.seen += [a, b, c, d] }
    try root.proxy.register("four", target: page, Page.four)
    await leaf.sendAwaiting("target", 1)
    await leaf.sendAwaiting("target", arguments: [.double(2)])
    await leaf.sendAwaiting("method", 3, 4)
    await leaf.sendAwaiting("method", source: nil, arguments: [.int(5), .int(6)])
    await leaf.sendAwaiting("bound", 7, 8)
    await leaf.sendAwaiting("required", 9)
    await leaf.sendAwaiting("closure", 10, 11, 12, 13)
    await root.proxy.sendAwaiting("target", source: nil, 14)
    await root.proxy.sendAwaiting("target", source: nil, arguments: [.int(15)])
    await leaf.sendAwaiting("four", 16, 17 as Int?, 18, 19)
    await root.proxy.sendAwaiting("four", source: leaf, 20, Int?.none, 21, 22)
    await leaf.sendAwaiting("four", arguments: [.int(23), nil, .int(24), .int(25)])
    // A synchronous send starts it.
    leaf.send("four", 26, 27 as Int?, 28, 29)
    expectEqual(page.seen, Array(1...20) + [0, 21, 22, 23, 0] + Array(24...29))
    let withoutSource = [
      await leaf.sendAwaiting("required", source: nil, 9), await leaf.sendAwaiting("four", source: nil, 1, 2 as Int?, 3, 4),
    ]
    expectEqual(withoutSource.map(\.errorCount), [1, 1])
  }

  @Test("An event that does not fit an asynchronous handler is an error, and does not call it (E18.1)") func misfits() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k") { (_: AnyObject?, value: Int8) async in journal.note("called") }
    let tooLarge = await leaf.sendAwaiting("k", arguments: [.int(300)])
    let outcomes = [tooLarge, await leaf.sendAwaiting("k", 1, 2), leaf.send("k", arguments: [.string("x")])]
    expect(outcomes.allSatisfy { $0.firstError is EventError && $0.isUnhandled } && journal.entries.isEmpty)
    expect("\(tooLarge)".contains("300 does not fit"))
  }

  private actor Store {
    private(set) var saved: [Int] = []
    func save(_ source: Account?, _ value: Int) async {
      assertIsolated()
      saved.append(value)
    }
  }

  private final class Account: EncodedObject, Sendable {}

  @Test("A handler of another actor is awaited on that actor (E18.2)") func otherActor() async throws {
    defer { root.removeHandlers() }
    let store = Store()
    try root.proxy.register("method", store.save)
    try root.proxy.register("closure") { (_: AnyObject?, value: Int) in
      await store.save(nil, value)
      MainActor.assertIsolated()
      journal.note("after")
    }
    await leaf.sendAwaiting("method", source: Account(), 1)
    await leaf.sendAwaiting("closure", 2)
    expectEqual(await store.saved, [1, 2])
    expectEqual(journal.entries, ["after"])
  }

  private actor Owner {
    @MainActor private func onTheMainActor() { MainActor.assertIsolated() }

    let root = ResponderNode("root")
    var entries: [String] = []

    func run() async throws -> [String] {
      defer { root.removeHandlers() }
      try root.proxy.register("k") { (_: AnyObject?) async in
        self.assertIsolated()
        await Task.yield()
        self.entries.append("own")
      }
      try root.proxy.register("main") { (_: AnyObject?) async in await self.onTheMainActor() }
      await root.sendAwaiting("k")
      assertIsolated()
      expectEqual(await root.sendAwaiting("main").handledCount, 1)
      root.send("k")
      while entries.count < 2 { await pause() }
      return entries
    }
  }

  @Test("Handlers of an actor's tree run on the actor (E18.2)") func ownActor() async throws {
    expectEqual(try await Owner().run(), ["own", "own"])
  }

  /// Neither of an actor nor of the main actor, as a library's class.
  private final class Plain {
    let node = ResponderNode("node")
    var calls = 0

    nonisolated(nonsending) private func handle() async {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      calls += 1
    }

    func register() throws {
      try node.proxy.register("k", target: self) { (plain: Plain) in { (_: AnyObject?) async in await plain.handle() } }
      // Without a capture list: with one, Swift 6.3 runs the closure on no actor.
      try node.proxy.intercept("i") { _, _, _ async in
        await self.handle()
        return .handled
      }
    }
  }

  @Test("A handler of no actor runs in the isolation of the send (E18.2)") func plain() async throws {
    let plain = Plain()
    defer { plain.node.proxy.removeAllHandlers() }  // they keep it
    try plain.register()
    await plain.node.sendAwaiting("k")
    await plain.node.sendAwaiting("i")
    expectEqual(plain.calls, 2)
    let refused = plain.node.send("i")
    expectEqual((refused.firstError as? EventError)?.reason.code, .asynchronousHandler)
    expect("\(refused)".contains("registered outside of an actor"))
  }

  @Test("A synchronous send starts an asynchronous handler, which runs to its first suspension (E18.3)") func started() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k", options: options) { (_: AnyObject?, value: Int) async in _ = await note("\(value)") }
    try root.proxy.register("k", options: options) { (_: AnyObject?, value: Int) in journal.note("next") }
    let outcome = leaf.send("k", 3)
    expectEqual(journal.entries, ["3 begins", "next"])
    expectEqual("\(outcome)", "handled by 1 node")
    expectEqual(await entries(3).last, "3 ends")
  }

  @Test("A started handler sees the event within which it was started, up to its first suspension (E18.3)")
  func contextOfStarted() async throws {
    defer { root.removeHandlers() }
    let proxy = EventProxy()
    func noteContext(_ other: String = "-") { journal.note(EventContext.current.map { "\($0)" } ?? other) }
    func start() { _ = proxy.send(TypedEventKey<Void>("started"), source: nil) }
    try proxy.register("started") { (_: AnyObject?) async in
      noteContext()
      leaf.send("nested")
      await Task.yield()
      noteContext("ends")
    }
    try root.proxy.register("nested") { (_: AnyObject?) in noteContext() }
    // To the proxy alone: from a handler that the pass waits for, from a synchronous one, and outside of events.
    try root.proxy.register("awaited") { (_: AnyObject?) async in
      await Task.yield()
      start()
      noteContext()
    }
    try root.proxy.register("synchronous") { (_: AnyObject?) in start() }
    for (key, context, nesting) in [
      ("awaited", "EventContext(awaited, up, nesting 1)", 2), ("synchronous", "EventContext(synchronous, up, nesting 1)", 2), ("", "-", 1),
    ] {
      journal.entries = []
      switch key {
      case "awaited": await leaf.sendAwaiting("awaited")
      case "synchronous": leaf.send("synchronous")
      default: start()
      }
      while journal.entries.last != "ends" { await pause() }
      let after = key == "awaited" ? [context] : []
      expectEqual(journal.entries, [context, "EventContext(nested, up, nesting \(nesting))"] + after + ["ends"])
      expect(EventContext.current == nil)
    }
  }

  @Test("Only a reply that the synchronous send has not taken is logged (E18.3)") func laterReplies() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k", options: options) { (_: AnyObject?, isOther: Bool) async -> EventReply in
      await Task.yield()
      journal.note("ends")
      return isOther ? .ignored : .handledAndContinue
    }
    let lines = LogLines()
    await EventLog.withLogger(lines.logger()) {
      for (index, isOther) in [false, true].enumerated() {
        leaf.send("k", isOther)
        _ = await entries(index + 1)
      }
      while lines.all.isEmpty { await pause() }
    }
    let text = "started by a synchronous send: replied ignored, but the send had returned and taken handledAndContinue"
    expectEqual(lines.all.map { $0.hasSuffix(text) }, [true])
  }

  @Test("A handler may refuse synchronous sends (E18.3)") func refused() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k", options: HandlerOptions(synchronousSend: .isRefused)) { (_: AnyObject?) async in journal.note("called") }
    let outcome = leaf.send("k")
    let error = try #require(outcome.firstError as? EventError)
    expect(error.reason.code == .asynchronousHandler && outcome.isUnhandled && journal.entries == [])
    expect("\(error)".contains("event 'k' at 'root'") && "\(error)".contains("use sendAwaiting"))
    expectEqual(leaf.report("k").visits.last?.answer, .failed)
    expectEqual(await leaf.sendAwaiting("k").handledCount, 1)
  }

  @Test("A started handler keeps its target, its source and its arguments (E18.3)") func lifetime() async throws {
    defer { root.removeHandlers() }
    final class Target { var text = "" }
    var target: Target? = Target()
    weak let observed = target
    var source: Account? = Account()
    let text = String(repeating: "x", count: 40)
    try target.map {
      _ = try root.proxy.register("k", target: $0) { (target: Target) in
        { (source: Account?, text: String) async in
          await Task.yield()
          target.text = text
          journal.note("\(source != nil) \(target.text)")
        }
      }
    }
    leaf.send("k", source: source, arguments: [.string(text)])
    (target, source) = (nil, nil)
    expect(observed != nil)
    expectEqual(await entries(1), ["true " + text])
    for _ in 0..<10 { await Task.yield() }
    expect(observed == nil)
  }

  /// Takes a tree to code of no actor, as only a test may.
  private final class Taken: @unchecked Sendable { var root: ResponderNode? }

  /// An actor that owns a tree.
  private actor TreeOwner {
    let root = ResponderNode("root")

    func register() throws {
      try root.proxy.register("closure") { (_: AnyObject?, value: Int) async in await Task.yield() }
      try root.proxy.register("target", target: self) { (owner: TreeOwner) in { (_: AnyObject?) async in await Task.yield() } }
      try root.proxy.intercept("interceptor") { _, _, _ in
        await Task.yield()
        return .handled
      }
    }

    func send() async -> [SendOutcome] {
      [await root.sendAwaiting("closure", 1), await root.sendAwaiting("target"), root.send("closure", 1), root.send("interceptor")]
    }

    func give(to taken: Taken) { taken.root = root }
  }

  @Test("Asynchronous handlers do not keep the actor alive on which they were registered (E18.8)") func ownerEnds() async throws {
    var owner: TreeOwner? = TreeOwner()
    weak let observed = owner
    let taken = Taken()
    try await owner?.register()
    expectEqual(await owner?.send().map(\.handledCount), [1, 1, 1, 1])
    await owner?.give(to: taken)
    owner = nil
    // The handlers that were started end first.
    while observed != nil { await pause() }
    for key in ["closure", "interceptor"] {
      let outcome = taken.root?.send(EventKey(key), arguments: key == "closure" ? [1] : [])
      expectEqual((outcome?.firstError as? EventError)?.reason.code, .asynchronousHandler)
      expect(outcome.map { "\($0)" }?.contains("the actor on which it was registered was deallocated") == true)
    }
    expectEqual(taken.root?.send("target").isUnhandled, true)
  }

  @Test("Cancellation reaches the handlers, and does not end the pass (E18.4)") func cancellation() async throws {
    defer { root.removeHandlers() }
    for name in ["first", "second"] {
      try root.proxy.register("k", options: options) { (_: AnyObject?) async throws in
        journal.note("\(name) \(Task.isCancelled)")
        try Task.checkCancellation()
      }
    }
    let task = Task { await leaf.sendAwaiting("k") }
    task.cancel()
    let outcome = await task.value
    expectEqual(journal.entries, ["first true", "second true"])
    expect(outcome.errorCount == 2 && outcome.firstError is CancellationError)
  }

  @Test("A handler sees its event also after a suspension, and its sends are nested (E18.7)") func context() async throws {
    defer { root.removeHandlers() }
    let rules = RoutingRules(unknownKey: .isSilent, depthLimit: 2)
    try root.proxy.register("k") { (_: AnyObject?) async in
      await Task.yield()
      journal.note("\(EventContext.current.map { "\($0)" } ?? "-") \(EventContext.route(through: root)?.map(\.responderName) ?? [])")
      let outcome = await leaf.sendAwaiting("k", rules: rules)
      if let error = outcome.routingError { journal.note("\(error)") }
      journal.note("\(leaf.send("none", rules: rules).routingError == nil)")
      await Task { journal.note("\(EventContext.current == nil)") }.value
    }
    await leaf.sendAwaiting("k", rules: rules)
    expect(EventContext.current == nil)
    let context = ["leaf", "middle", "root"]
    expectEqual(
      journal.entries,
      [
        "EventContext(k, up, nesting 1) \(context)", "EventContext(k, up, nesting 2) \(context)",
        "handlers sent events within handlers' events, more than 2 deep: k at root → k at root → k at leaf", "false", "true", "false",
        "true",
      ])
  }

  @Test("Each of many tasks that wait at once sees its own event (E18.7)") func manyTasks() async throws {
    defer { root.removeHandlers() }
    let keys = (0..<10).map { TypedEventKey<Int>(EventKey("k\($0)")) }
    let total = 2_000
    var waiting = 0
    for key in keys {
      try root.proxy.register(key) { (_: AnyObject?, number: Int) async in
        waiting += 1
        while waiting < total { await pause() }
        if EventContext.current?.key == keys[number % 10].key { journal.note("\(number)") }
        leaf.send("none", rules: RoutingRules(unknownKey: .isSilent))
      }
    }
    let tasks = (0..<total).map { number in Task { await leaf.sendAwaiting(keys[number % 10], number).handledCount } }
    var handled = 0
    for task in tasks { handled += await task.value }
    expectEqual([handled, Set(journal.entries).count], [total, total])
    expect(EventContext.current == nil)
  }
}
