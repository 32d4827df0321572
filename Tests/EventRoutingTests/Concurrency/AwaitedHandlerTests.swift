import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Asynchronous handlers: awaited by `sendAwaiting`, started or refused by a synchronous send.
@MainActor
@Suite(.measured) struct AwaitedHandlerTests {
  private struct Failure: Error {}

  private let journal = Journal()
  private let root = ResponderNode("root")
  private let leaf: ResponderNode

  init() { leaf = root.child("middle").child("leaf") }

  private func note(_ entry: String, replying reply: EventReply = .handled) async -> EventReply {
    MainActor.assertIsolated()
    journal.note("\(entry) begins")
    await Task.yield()
    MainActor.assertIsolated()
    journal.note("\(entry) ends")
    return reply
  }

  @Test("Handlers are awaited in order, synchronous ones among them (E18.1)") func inOrder() async throws {
    defer { root.removeHandlers() }
    let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append)
    try root.proxy.register("k", options: options) { (_: AnyObject?) in await note("first", replying: .handledAndContinue) }
    try root.proxy.register("k", options: options) { (_: AnyObject?) in journal.note("second") }
    try root.proxy.register("k", options: options) { (_: AnyObject?) async in _ = await note("third") }
    let outcome = await leaf.sendAwaiting("k")
    #expect(journal.entries == ["first begins", "first ends", "second", "third begins", "third ends"])
    #expect(outcome.handledCount == 1 && outcome.errorCount == 0)
  }

  @Test("The reply of an awaited handler decides the route (E18.1)") func route() async throws {
    defer { root.removeHandlers() }
    try leaf.proxy.intercept("k") { _, _, _ async in await note("leaf", replying: .resend("other", [.int(7)])) }
    try root.proxy.register("other") { (_: AnyObject?, value: Int) async throws in
      journal.note("other \(value)")
      throw Failure()
    }
    let dry = leaf.dryRun("k")
    let report = await leaf.reportAwaiting("k")
    #expect(journal.entries == ["leaf begins", "leaf ends", "other 7"])
    #expect(report.visits.map(\.answer) == [.resent, .passed, .failed] && report.errors.first is Failure)
    #expect(report.visits.map(\.isAsynchronous) == [true, false, true])
    #expect(dry.visits.first?.isAsynchronous == true && dry.visits.first?.description == "leaf: handled, stopped the pass, asynchronous")
  }

  @Test("Closures, targets and methods of up to eight arguments are awaited, typed and boxed (E18.1)") func kinds() async throws {
    defer { root.removeHandlers() }
    final class Page: EncodedObject {
      var seen: [Int] = []
      nonisolated(nonsending) func add(_ source: ResponderNode?, _ a: Int, _ b: Int) async throws { seen += [a, b] }
      nonisolated(nonsending) func six(_ source: ResponderNode, _ a: Int, _ b: Int, _ c: Int, _ d: Int?, _ e: Int, _ f: Int) async
        -> EventReply
      {
        seen += [a, b, c, d ?? 0, e, f]
        return .handledAndContinue
      }
    }
    let page = Page()
    try root.proxy.register("target", target: page) { (page: Page) in { (_: ResponderNode?, a: Int) async in page.seen.append(a) } }
    try root.proxy.register("method", target: page, Page.add)
    try root.proxy.register("bound", page.add)
    try root.proxy.register("required") { (source: ResponderNode, a: Int) async in page.seen.append(a) }
    try root.proxy.register("eight") {
      (_: AnyObject?, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int) async in page.seen += [a, b, c, d, e, f, g, h]
    }
    await leaf.sendAwaiting("target", 1)
    await leaf.sendAwaiting("target", arguments: [.double(2)])
    await leaf.sendAwaiting("method", 3, 4)
    await leaf.sendAwaiting("method", source: nil, arguments: [.int(5), .int(6)])
    await leaf.sendAwaiting("bound", 7, 8)
    #expect(await leaf.sendAwaiting("required", source: nil, 9).errorCount == 1)
    await leaf.sendAwaiting("required", 10)
    await leaf.sendAwaiting("eight", 11, 12, 13, 14, 15, 16, 17, 18)
    await root.proxy.sendAwaiting("target", source: nil, 19)
    await root.proxy.sendAwaiting("target", source: nil, arguments: [.int(20)])
    #expect(page.seen == Array(1...8) + Array(10...20))
    page.seen = []
    try root.proxy.register("six", target: page, Page.six)
    #expect(await leaf.sendAwaiting("six", 1, 2, 3, Int?.none, 5, 6).handledCount == 1)
    #expect(await leaf.sendAwaiting("six", source: nil, 1, 2, 3, 4 as Int?, 5, 6).errorCount == 1)
    await root.proxy.sendAwaiting("six", source: leaf, 7, 8, 9, 10, 11, 12)
    await leaf.sendAwaiting("six", arguments: [.int(13), .int(14), .int(15), nil, .int(17), .int(18)])
    #expect(page.seen == [1, 2, 3, 0] + Array(5...15) + [0, 17, 18])
    // A synchronous send starts it.
    page.seen = []
    leaf.send("six", 1, 2, 3, 4 as Int?, 5, 6)
    #expect(page.seen == Array(1...6))
  }

  @Test("An event that does not fit an asynchronous handler is an error, and does not call it (E18.1)") func misfits() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k") { (_: AnyObject?, value: Int8) async in journal.note("called") }
    let tooLarge = await leaf.sendAwaiting("k", arguments: [.int(300)])
    let tooMany = await leaf.sendAwaiting("k", 1, 2)
    let started = leaf.send("k", arguments: [.string("x")])
    #expect(journal.entries == [])
    #expect([tooLarge, tooMany, started].allSatisfy { $0.firstError is EventError && $0.isUnhandled })
    #expect("\(tooLarge.firstError.map { "\($0)" } ?? "")".contains("300 does not fit"))
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
    #expect(await store.saved == [1, 2])
    #expect(journal.entries == ["after"])
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
      #expect(await root.sendAwaiting("main").handledCount == 1)
      root.send("k")
      while entries.count < 2 { await pause() }
      return entries
    }
  }

  @Test("Handlers of an actor's tree run on the actor (E18.2)") func ownActor() async throws {
    #expect(try await Owner().run() == ["own", "own"])
  }

  /// Neither of an actor nor of the main actor, as a library's class.
  private final class Plain {
    let node = ResponderNode("node")
    var threads: [Bool] = []

    func register() throws {
      try node.proxy.register("k", target: self) { (plain: Plain) in
        { (_: AnyObject?) async in
          MainActor.assertIsolated()
          await Task.yield()
          MainActor.assertIsolated()
          plain.threads.append(true)
        }
      }
      // Without a capture list: with one, Swift 6.3 runs the closure on no actor.
      try node.proxy.intercept("i") { _, _, _ async in
        MainActor.assertIsolated()
        await Task.yield()
        MainActor.assertIsolated()
        self.threads.append(true)
        return .handled
      }
    }
  }

  @Test("A handler of no actor runs in the isolation of the send (E18.2)") func plain() async throws {
    defer { root.removeHandlers() }
    let plain = Plain()
    defer { plain.node.proxy.removeAllHandlers() }  // they keep it
    try plain.register()
    await plain.node.sendAwaiting("k")
    await plain.node.sendAwaiting("i")
    #expect(plain.threads.count == 2)
    let refused = plain.node.send("i")
    #expect((refused.firstError as? EventError)?.reason.code == .asynchronousHandler)
    #expect("\(refused)".contains("registered outside of an actor"))
  }

  @Test("A synchronous send starts an asynchronous handler, which runs to its first suspension (E18.3)") func started() async throws {
    defer { root.removeHandlers() }
    let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append)
    try root.proxy.register("k", options: options) { (_: AnyObject?, value: Int) async in
      journal.note("begins \(value)")
      await Task.yield()
      journal.note("ends")
    }
    try root.proxy.register("k", options: options) { (_: AnyObject?, value: Int) in journal.note("next") }
    let outcome = leaf.send("k", 3)
    #expect(journal.entries == ["begins 3", "next"])
    #expect(outcome.handledCount == 1 && outcome.errorCount == 0)
    while journal.entries.count < 3 { await pause() }
    #expect(journal.entries.last == "ends")
  }

  @Test("A started handler sees the event within which it was started, up to its first suspension (E18.3)")
  func contextOfStarted() async throws {
    defer { root.removeHandlers() }
    let proxy = EventProxy()
    try proxy.register("started") { (_: AnyObject?) async in
      journal.note(EventContext.current.map { "\($0)" } ?? "-")
      leaf.send("nested")
      await Task.yield()
      journal.note(EventContext.current.map { "\($0)" } ?? "ends")
    }
    try root.proxy.register("nested") { (_: AnyObject?) in journal.note(EventContext.current.map { "\($0)" } ?? "-") }
    // To the proxy alone: from a handler that the pass waits for, from a synchronous one, and outside of events.
    try root.proxy.register("awaited") { (_: AnyObject?) async in
      await Task.yield()
      _ = proxy.send(TypedEventKey<Void>("started"), source: nil)
      journal.note(EventContext.current.map { "\($0)" } ?? "-")
    }
    try root.proxy.register("synchronous") { (_: AnyObject?) in _ = proxy.send(TypedEventKey<Void>("started"), source: nil) }
    for (key, context, nested) in [
      ("awaited", "EventContext(awaited, up, nesting 1)", "EventContext(nested, up, nesting 2)"),
      ("synchronous", "EventContext(synchronous, up, nesting 1)", "EventContext(nested, up, nesting 2)"),
      ("", "-", "EventContext(nested, up, nesting 1)"),
    ] {
      let before = journal.entries.count
      switch key {
      case "awaited": await leaf.sendAwaiting("awaited")
      case "synchronous": leaf.send("synchronous")
      default: _ = proxy.send(TypedEventKey<Void>("started"), source: nil)
      }
      while journal.entries.last != "ends" || journal.entries.count == before { await pause() }
      let after = key == "awaited" ? [context] : []
      #expect(Array(journal.entries[before...]) == [context, nested] + after + ["ends"])
      #expect(EventContext.current == nil)
    }
  }

  @Test("Only a reply that the synchronous send has not taken is logged (E18.3)") func laterReplies() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k", options: HandlerOptions(reply: .handledAndContinue)) {
      (_: AnyObject?, isOther: Bool) async -> EventReply in
      await Task.yield()
      journal.note("ends")
      return isOther ? .ignored : .handledAndContinue
    }
    let lines = LogLines()
    await EventLog.withLogger(lines.logger()) {
      for (index, isOther) in [false, true].enumerated() {
        leaf.send("k", isOther)
        while journal.entries.count == index { await pause() }
      }
      while lines.all.isEmpty { await pause() }
    }
    #expect(lines.all.count == 1)
    #expect(
      lines.all[0].hasSuffix("started by a synchronous send: replied ignored, but the send had returned and taken handledAndContinue"))
  }

  @Test("A handler may refuse synchronous sends (E18.3)") func refused() async throws {
    defer { root.removeHandlers() }
    try root.proxy.register("k", options: HandlerOptions(synchronousSend: .isRefused)) { (_: AnyObject?) async in journal.note("called") }
    let outcome = leaf.send("k")
    let error = try #require(outcome.firstError as? EventError)
    #expect(error.reason.code == .asynchronousHandler && outcome.isUnhandled && journal.entries == [])
    #expect("\(error)".contains("event 'k' at 'root'") && "\(error)".contains("use sendAwaiting"))
    #expect(leaf.report("k").visits.last?.answer == .failed)
    #expect(await leaf.sendAwaiting("k").handledCount == 1)
  }

  @Test("A started handler keeps its target, its source and its arguments (E18.3)") func lifetime() async throws {
    defer { root.removeHandlers() }
    final class Target { var text = "" }
    var target: Target? = Target()
    weak let observed = target
    var source: Account? = Account()
    try target.map {
      _ = try root.proxy.register("k", target: $0) { (target: Target) in
        { (source: Account?, text: String) async in
          await Task.yield()
          target.text = text
          journal.note("\(source != nil) \(target.text)")
        }
      }
    }
    leaf.send("k", source: source, arguments: [.string(String(repeating: "x", count: 40))])
    (target, source) = (nil, nil)
    #expect(observed != nil)
    while journal.entries.isEmpty { await pause() }
    #expect(journal.entries == ["true " + String(repeating: "x", count: 40)])
    for _ in 0..<10 { await Task.yield() }
    #expect(observed == nil)
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
    defer { root.removeHandlers() }
    var owner: TreeOwner? = TreeOwner()
    weak let observed = owner
    let taken = Taken()
    try await owner?.register()
    #expect(await owner?.send().map(\.handledCount) == [1, 1, 1, 1])
    await owner?.give(to: taken)
    owner = nil
    // The handlers that were started end first.
    while observed != nil { await pause() }
    for key in ["closure", "interceptor"] {
      let outcome = taken.root?.send(EventKey(key), arguments: key == "closure" ? [1] : [])
      #expect((outcome?.firstError as? EventError)?.reason.code == .asynchronousHandler)
      #expect(outcome.map { "\($0)" }?.contains("the actor on which it was registered was deallocated") == true)
    }
    #expect(taken.root?.send("target").isUnhandled == true)
  }

  @Test("Cancellation reaches the handlers, and does not end the pass (E18.4)") func cancellation() async throws {
    defer { root.removeHandlers() }
    let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append)
    for name in ["first", "second"] {
      try root.proxy.register("k", options: options) { (_: AnyObject?) async throws in
        journal.note("\(name) \(Task.isCancelled)")
        try Task.checkCancellation()
      }
    }
    let task = Task { await leaf.sendAwaiting("k") }
    task.cancel()
    let outcome = await task.value
    #expect(journal.entries == ["first true", "second true"])
    #expect(outcome.errorCount == 2 && outcome.firstError is CancellationError)
  }

  @Test("A handler sees its event also after a suspension, and its sends are nested (E18.7)") func context() async throws {
    defer { root.removeHandlers() }
    let rules = RoutingRules(depthLimit: 2)
    try root.proxy.register("k") { (_: AnyObject?) async in
      await Task.yield()
      journal.note("\(EventContext.current.map { "\($0)" } ?? "-") \(EventContext.route(through: root)?.path.map(\.responderName) ?? [])")
      let outcome = await leaf.sendAwaiting("k", rules: rules)
      if let error = outcome.routingError { journal.note("\(error)") }
      journal.note("\(leaf.send("none", rules: RoutingRules(unknownKey: .isSilent, depthLimit: 2)).routingError == nil)")
      await Task { journal.note("\(EventContext.current == nil)") }.value
    }
    await leaf.sendAwaiting("k", rules: rules)
    #expect(EventContext.current == nil)
    let context = ["leaf", "middle", "root"]
    #expect(
      journal.entries == [
        "EventContext(k, up, nesting 1) \(context)", "EventContext(k, up, nesting 2) \(context)",
        "handlers sent events within handlers' events, more than 2 deep: k at root → k at root → k at leaf", "false", "true", "false",
        "true",
      ])
  }

  @Test("Each of many tasks that wait at once sees its own event (E18.7)") func manyTasks() async throws {
    defer { root.removeHandlers() }
    let keys = (0..<10).map { TypedEventKey<Int>("k\($0)") }
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
    let tasks = (0..<total).map { number in Task { await leaf.sendAwaiting(keys[number % 10], number) } }
    for task in tasks { #expect(await task.value.handledCount == 1) }
    #expect(Set(journal.entries).count == total)
    #expect(EventContext.current == nil)
  }
}
