import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// The handlers of one key: in what order they are called, what ends the list, and what one's failure does to the others.
@Suite(.measured) struct OrderTests {
  private let proxy = EventProxy()
  private let row = Row()

  @Test("The reply that ends the most is the node's, and a stop or a resend ends its handlers (E10.3, E10.4)")
  func merging() throws {
    let replies: [EventReply] = [
      .ignored, .handledAndContinue, .handled, .handledAndStop(.node), .handledAndStop(.subtree), .handledAndStop(.pass),
      .resend("other", [.int(1)]),
    ]
    for (low, first) in replies.enumerated() {
      for (high, second) in replies.enumerated() {
        let proxy = EventProxy()
        try proxy.register("e") { (_: Row?) in first }
        if case .resend = second {
          try proxy.register("e", options: HandlerOptions(duplicates: .append)) { (_: Row?) in second }
        } else {
          try proxy.register("e", options: HandlerOptions(reply: second, duplicates: .append)) { (_: Row?) in }
        }
        let answers = [proxy.send("e", source: row), proxy.send("e", source: row, arguments: [])]
        // A stop and a resend end the list.
        let rank = low >= 3 ? low : max(low, high)
        expectEqual(answers.map { [$0.calls, $0.reply.rank] }, Array(repeating: [low >= 3 ? 1 : 2, rank], count: 2), "\(first) \(second)")
      }
    }
  }

  @Test("A handler that returns nothing, or no reply, has handled, unless its options say otherwise (E10.1, E10.2)")
  func standardReply() throws {
    try proxy.register("e") { (_: Row?, _: Int) in }
    try proxy.register("f") { (_: Row?) -> Int in 7 }
    try proxy.register("g") { (_: Row?) -> String? in nil }
    let answers = [
      proxy.send("e", source: row, 1), proxy.send("e", source: row, arguments: [.int(1)]), proxy.send("f", source: row),
      proxy.send("g", source: row, arguments: []), proxy.send("none", source: row),
    ]
    expectEqual(answers.map { "\($0.reply)" }, ["handled", "handled", "handled", "handled", "ignored"])
    let handlers = try CHandlers(.gcc)
    for reply in [EventReply.ignored, .handledAndContinue, .handledAndStop(.pass)] {
      try proxy.register("c", handlers.handler("h_q", "v@q"), options: HandlerOptions(reply: reply, duplicates: .replace))
      expectEqual("\(proxy.send("c", source: row, arguments: [.int(1)]).reply)", "\(reply)")
    }
  }

  @Test("An optional reply is a reply, and nil is the options' reply, however the handler is registered (E10.1)")
  func optionalReplies() throws {
    final class Page {
      var reply: EventReply?
      func optional(_: AnyObject?, _: Int) -> EventReply? { reply }
      func standard(_: AnyObject?, _: Int) -> EventReply { .handledAndStop(.pass) }
    }
    let page = Page()
    let registrations: [(HandlerOptions) throws -> EventRegistration?] = [
      { [proxy] in try proxy.register("r", options: $0) { (_: AnyObject?, _: Int) -> EventReply? in page.reply } },
      { [proxy] in try proxy.register("r", options: $0) { (_: Page, _: Int) -> EventReply? in page.reply } },
      { [proxy] in
        try proxy.register("r", target: page, options: $0) { (page: Page) in { (_: AnyObject?, _: Int) -> EventReply? in page.reply } }
      },
      { [proxy] in try proxy.register("r", target: page, options: $0, Page.optional) },
      { [proxy] in
        try proxy.register("r", options: $0) { (_: AnyObject?, _: Int) -> EventReply? in
          if case .ignored? = page.reply { .ignored } else if page.reply == nil { nil } else { .handledAndContinue }
        }
      },
    ]
    for (index, register) in registrations.enumerated() {
      for options in [HandlerOptions(), HandlerOptions(reply: .handledAndStop(.subtree))] {
        let registration = try register(options)
        let found = ([.ignored, .handledAndContinue, nil] as [EventReply?]).flatMap { reply in
          page.reply = reply
          return [proxy.send("r", source: page, arguments: [.int(1)]), proxy.send("r", source: page, 1)].map { "\($0.reply)" }
        }
        expectEqual(found, ["ignored", "handledAndContinue", "\(options.reply)"].flatMap { [$0, $0] }, "\(index)")
        registration?.cancel()
      }
    }
    try proxy.register("r", target: page, Page.standard)
    expectEqual("\(proxy.send("r", source: page, 1).reply)", "handledAndStop(pass)")
    // The objects of a reply are neither lost nor kept.
    let tracker = LifetimeTracker()
    try proxy.register("resent") { (_: AnyObject?) -> EventReply? in .resend("other", [.object(tracker.object())]) }
    for _ in 0..<3 { expect("\(proxy.send("resent", source: nil).reply)".hasPrefix("resend(other")) }
    expectEqual([tracker.madeCount, tracker.liveCount], [3, 0])
  }

  @Test("One handler's error keeps no other from the event, and has no say (E10.5)") func isolation() throws {
    var log: [String] = []
    let append = HandlerOptions(duplicates: .append)
    try proxy.register("e", options: append) { (_: Row?, _: Int) throws -> EventReply in throw Refusal(index: 1) }
    try proxy.register("e", options: append) { (_: Row?, _: String) in log.append("string") }
    try proxy.register("e", options: append) { (_: Row?) in log.append("none") }
    try proxy.register("e", options: append) { (_: Row?, _: Double) in log.append("double") }
    try proxy.register("e", options: HandlerOptions(reply: .ignored, duplicates: .append)) { (_: Row?, _: Int8) in log.append("int8") }
    for answer in [proxy.send("e", source: row, arguments: [.int(3)]), proxy.send("e", source: row, 3)] {
      expectEqual(["\(answer.calls)", "\(answer.errors.count)", "\(answer.reply)"], ["3", "3", "handled"])
      expectEqual(answer.errors[0] as? Refusal, Refusal(index: 1))
      expectEqual(answer.errors.dropFirst().map { ($0 as? EventError)?.reason.code }, [.typeMismatch, .countMismatch])
    }
    expectEqual(log, ["double", "int8", "double", "int8"])
  }

  @Test("A handler that is blocked is passed over until it is unblocked as often (E8.15)") func blocking() throws {
    var calls = 0
    let registration = try proxy.register("e") { (_: Row?) in calls += 1 }
    registration.block()
    registration.block()
    expect(!proxy.handles("e") && proxy.keys == ["e"] && registration.isBlocked && proxy.send("e", source: row).isUnhandled)
    registration.unblock()
    expectEqual(proxy.send("e", source: row).calls, 0)
    registration.unblock()
    registration.unblock()
    expect(proxy.handles("e") && proxy.send("e", source: row).calls == 1 && calls == 1)
  }

  @Test("An interceptor gets source, key and boxes, and may send on others (E6.2, E8.11)") func intercepting() throws {
    let sent: [BoxedValue] = [.int(3), .string("x")]
    var seen: [String] = []
    try proxy.intercept("b") { [row] source, key, arguments in
      seen.append("\(source === row) \(source == nil) \(key) \(arguments)")
      return .resend("c", arguments + [.bool(true)])
    }
    expectEqual("\(proxy.send("b", source: row, arguments: sent).reply)", "resend(c, 3, \"x\", true)")
    expectEqual(proxy.send("b", source: nil, 3, "x").calls, 1)
    expectEqual(seen, ["true false b \(sent)", "false true b \(sent)"])
  }

  @Test("A loop that waits for events is no duplicate of a handler that comes later (E8.12)") func loops() throws {
    let events = try proxy.events(for: "e")
    try proxy.register("e") { (_: AnyObject?) in }
    proxy.send("e", source: nil)
    expectEqual("\(events)", "EventSequence(1 waiting, 0 dropped)")
  }

  @Test("Keys come with their first handler and go with their last")
  func keyChanges() throws {
    let first = try proxy.register("a") { (_: Row?) in }
    let second = try proxy.register("a", options: HandlerOptions(duplicates: .append)) { (_: Row?) in }
    try proxy.register("a", options: HandlerOptions(duplicates: .replace)) { (_: Row?) in }
    try proxy.register("b", options: HandlerOptions(isOnce: true)) { (_: Row?) in }
    expectEqual(proxy.keys, ["a", "b"])
    first.cancel()
    second.cancel()
    proxy.send("b", source: row)
    expectEqual(proxy.keys, ["a"])
    proxy.removeAllHandlers()
    expectEqual(proxy.keys, [])
  }
}
