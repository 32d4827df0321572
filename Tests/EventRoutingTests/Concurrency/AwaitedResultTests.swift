import DynamicInvocation
@testable import EventRouting
import TestSupport
import Testing

/// What asynchronous closures return: all of them are stored as closures of one type.
@MainActor
@Suite(.measured) struct AwaitedResultTests {
  private final class Button: EncodedObject {}

  private final class Page {
    var calls = 0
  }

  /// Larger than a reply.
  private struct Large {
    let object: LifetimeTracked
    let words = (1, 2, 3, 4, 5, 6, 7, 8)
  }

  private let top = ResponderNode("top")
  private let node: ResponderNode
  private let page = Page()
  private let button = Button()
  private let tracker = LifetimeTracker()

  init() { node = top.child("node") }

  /// Registers each kind of closure that returns a result.
  private func register<Result>(_ name: String, _ result: @escaping (Int) -> Result) throws {
    let key = TypedEventKey<Int>(EventKey(name))
    let page = page
    func call(_ source: AnyObject?, _ value: Int) -> Result {
      expect(source === button)
      page.calls += 1
      return result(value)
    }
    let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append)
    try node.proxy.register(key, options: options) { (source: AnyObject?, value: Int) async in call(source, value) }
    try node.proxy.register(key, options: options) { (source: Button?, value: Int) async in call(source, value) }
    try node.proxy.register(key, options: options) { (source: Button, value: Int) async in call(source, value) }
    try node.proxy.register(key, target: page, options: options) { (target: Page) in
      { (source: Button?, value: Int) async in
        expect(target === page)
        return call(source, value)
      }
    }
    try node.proxy.register(key, target: page, options: options) { (target: Page) in
      { (source: Button, value: Int) async in
        expect(target === page)
        return call(source, value)
      }
    }
  }

  private func removeHandlers() {
    for node in [top, node] { node.removeHandlers() }
  }

  /// Sends an event typed, boxed, and to handlers that are started.
  private func send(_ name: String) async {
    let key = TypedEventKey<Int>(EventKey(name))
    page.calls = 0
    await expect(node.proxy.sendAwaiting(key, source: button, 7).errors.isEmpty)
    expectEqual(page.calls, 5)
    await expect(node.proxy.sendAwaiting(key.key, source: button, arguments: [.int(7)]).errors.isEmpty)
    expectEqual(page.calls, 10)
    expect(node.proxy.send(key, source: button, 7).errors.isEmpty)
    while page.calls < 15 { await pause() }
  }

  @Test("A result that is no reply is dropped and released, of each kind of closure, sent in each way (E18.1)")
  func dropped() async throws {
    defer { removeHandlers() }
    let tracker = tracker
    try register("nothing") { _ in }
    try register("number") { $0 }
    try register("object") { tracker.object($0) }
    try register("large") { Large(object: tracker.object($0)) }
    try register("pair") { (tracker.object($0), "a text that is not stored inline") }
    for name in ["nothing", "number", "object", "large", "pair"] { await send(name) }
    expectEqual(tracker.madeCount, 3 * 15)
    expectEqual(tracker.liveCount, 0)
  }

  @Test("A reply is taken, and its arguments are released, of each kind of closure (E18.1)") func replies() async throws {
    defer { removeHandlers() }
    let tracker = tracker
    var received: [Int] = []
    try top.proxy.intercept("other") { _, _, arguments in
      if case .object(let object as LifetimeTracked)? = arguments.first { received.append(object.payload) }
      return .handled
    }
    try register("continue") { _ in EventReply.handledAndContinue }
    await send("continue")
    try register("stop") { _ in EventReply.handledAndStop(.node) }
    page.calls = 0
    await expectEqual(node.sendAwaiting("stop", source: button, 7).handledCount, 1)
    expectEqual(page.calls, 1)
    try register("again") { EventReply.resend("other", [.object(tracker.object($0))]) }
    let registrations = node.proxy.registrations.filter { $0.key == "again" }
    expectEqual(registrations.count, 5)
    for registration in registrations {
      // One alone, so that each kind is the first once.
      await node.sendAwaiting("again", source: button, 7)
      node.proxy.remove(registration)
    }
    expectEqual(received, Array(repeating: 7, count: 5))
    expectEqual(tracker.madeCount, 5)
    expectEqual(tracker.liveCount, 0)
  }

  @Test("A reply, and an optional one, has the size of what stands for it, and both are equal in memory") func size() {
    expectEqual(MemoryLayout<AwaitedResult>.size, MemoryLayout<EventReply>.size)
    expectEqual(MemoryLayout<AwaitedResult>.size, MemoryLayout<EventReply?>.size)
    let replies: [EventReply] = [
      .ignored, .handled, .handledAndContinue, .handledAndStop(.node), .handledAndStop(.subtree), .handledAndStop(.pass), .resend("k", []),
      .resend("k", [.int(1)]),
    ]
    for reply in replies {
      let (words, optional) = unsafe (
        unsafeBitCast(reply, to: (UInt, UInt).self), unsafeBitCast(reply as EventReply?, to: (UInt, UInt).self)
      )
      expect(words == optional)
    }
  }

  @Test("An optional reply of an asynchronous handler is a reply, and nil is the options' reply (E10.1)")
  func optionalReplies() async throws {
    defer { removeHandlers() }
    let tracker = LifetimeTracker()
    func check(_ registration: EventRegistration, _ expected: String) async {
      for _ in 0..<2 {
        let typed = await node.proxy.sendAwaiting(TypedEventKey<Int>("o"), source: button, 1)
        expectEqual("\(typed.reply)", expected)
        let boxed = await node.proxy.sendAwaiting("o", source: button, arguments: [.int(1)])
        expectEqual("\(boxed.reply)", expected)
      }
      registration.cancel()
    }
    let stops = HandlerOptions(reply: .handledAndStop(.pass))
    await check(try node.proxy.register("o", options: stops) { (_: Button?, _: Int) async -> EventReply? in .ignored }, "ignored")
    await check(try node.proxy.register("o", options: stops) { (_: Button, _: Int) async -> EventReply? in nil }, "handledAndStop(pass)")
    await check(
      try node.proxy.register("o", target: page, options: stops) { (_: Page) in
        { (_: Button?, _: Int) async -> EventReply? in .handledAndContinue
        }
      },
      "handledAndContinue")
    await check(try node.proxy.register("o", options: stops) { (_: Button?, _: Int) async -> EventReply in .ignored }, "ignored")
    await check(
      try node.proxy.register("o", options: stops) { (_: Button?, _: Int) async -> EventReply? in nil }, "handledAndStop(pass)")
    await check(try node.proxy.register("o", options: stops) { (_: Button?, _: Int) async -> Int? in 3 }, "handledAndStop(pass)")
    try node.proxy.register("o") { (_: Button?, _: Int) async -> EventReply? in .resend("p", [.object(tracker.object())]) }
    for _ in 0..<3 { _ = await node.proxy.sendAwaiting(TypedEventKey<Int>("o"), source: button, 1) }
    expect(tracker.madeCount == 3 && tracker.liveCount == 0)
  }

  @Test("An error of each kind of closure travels, and the others are called (E18.1)") func errors() async throws {
    defer { removeHandlers() }
    let options = HandlerOptions(duplicates: .append)
    try node.proxy.register("k", options: options) { (_: Button?, value: Int) async throws -> Void in throw Failure() }
    try node.proxy.register("k", options: options) { (_: Button?, value: Int) async throws -> EventReply in throw Failure() }
    try node.proxy.register("k", options: options) { (_: Button?, value: Int) async throws -> Large in throw Failure() }
    try node.proxy.register("k", target: page, options: options) { (_: Page) in
      { (_: Button?, _: Int) async throws -> EventReply in
        throw Failure()
      }
    }
    let answer = await node.proxy.sendAwaiting(TypedEventKey<Int>("k"), source: button, 1)
    expect(answer.errors.count == 4 && answer.errors.allSatisfy { $0 is Failure })
  }
}
