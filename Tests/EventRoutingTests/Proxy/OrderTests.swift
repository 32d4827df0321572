import DynamicInvocation
import EventRouting
import TestSupport
import Testing

@testable import EventRouting

/// The handlers of one key: in what order they are called, what ends the list, and what one's failure does to the others.
@Suite(.measured) struct OrderTests {
  private let proxy = EventProxy()
  private let row = Row()

  @Test("Each handler is called once, by priority and then in the order of registration (E8.10)") func order() throws {
    var log: [Int] = []
    for (name, priority) in [(1, 0), (2, 5), (3, 0), (4, -1), (5, 5), (6, 0)] {
      try proxy.register("e", options: HandlerOptions(priority: priority, duplicates: .append)) { (_: Row?) in log.append(name) }
    }
    #expect(proxy.send("e", source: row).calls == 6)
    #expect(log == [2, 5, 1, 3, 6, 4])
    proxy.send("e", source: row, arguments: [])
    #expect(log.count == 12)
  }

  @Test("The reply that ends the most is the node's, and a stop or a resend ends its handlers (E10.3, E10.4)")
  func merging() throws {
    let replies: [(EventReply, Int)] = [
      (.ignored, 0), (.handledAndContinue, 1), (.handled, 2), (.handledAndStop(.node), 3), (.handledAndStop(.subtree), 4),
      (.handledAndStop(.pass), 5), (.resend("other", [.int(1)]), 6),
    ]
    for (first, low) in replies {
      for (second, high) in replies {
        let proxy = EventProxy()
        try proxy.register("e") { (_: Row?) in first }
        if let reply = second.standard {
          try proxy.register("e", options: HandlerOptions(reply: reply, duplicates: .append)) { (_: Row?) in }
        } else {
          try proxy.register("e", options: HandlerOptions(duplicates: .append)) { (_: Row?) in second }
        }
        let answer = proxy.send("e", source: row)
        // A stop and a resend end the list.
        #expect(answer.calls == (low >= 3 ? 1 : 2))
        #expect(answer.reply.rank == (low >= 3 ? low : max(low, high)))
        #expect(proxy.send("e", source: row, arguments: []).reply.rank == answer.reply.rank)
      }
    }
  }

  @Test("A handler that returns nothing has handled, unless its options say otherwise (E10.1)")
  func standardReply() throws {
    try proxy.register("e") { (_: Row?, _: Int) in }
    #expect(proxy.send("e", source: row, 1).reply.rank == EventReply.handled.rank)
    #expect(proxy.send("e", source: row, arguments: [.int(1)]).reply.rank == EventReply.handled.rank)
    #expect(proxy.send("none", source: row).reply.rank == EventReply.ignored.rank)
    let handlers = try CHandlers(.gcc)
    for reply in [EventReply.ignored, .handledAndContinue, .handledAndStop(.pass)] {
      try proxy.register("c", handlers.handler("h_q", "v@q"), options: HandlerOptions(reply: reply, duplicates: .replace))
      #expect(proxy.send("c", source: row, arguments: [.int(1)]).reply.rank == reply.rank)
    }
  }

  @Test("An optional reply is a reply, and nil that of the options, however the handler is registered (E10.1)")
  func optionalReplies() throws {
    final class Page {
      var reply: EventReply?
      func optional(_: AnyObject?, _: Int) -> EventReply? { reply }
      func standard(_: AnyObject?, _: Int) -> EventReply { .handledAndStop(.pass) }
    }
    let page = Page()
    let stops = HandlerOptions(reply: .handledAndStop(.subtree))
    let registrations: [(HandlerOptions) throws -> EventRegistration?] = [
      { [proxy] in try proxy.register("r", options: $0) { (_: AnyObject?, _: Int) -> EventReply? in page.reply } },
      { [proxy] in try proxy.register("r", options: $0) { (_: Page, _: Int) -> EventReply? in page.reply } },
      { [proxy] in
        try proxy.register("r", target: page, options: $0) { (page: Page) in { (_: AnyObject?, _: Int) -> EventReply? in page.reply } }
      },
      { [proxy] in try proxy.register("r", target: page, options: $0, Page.optional) },
      { [proxy] in
        try proxy.register("r", options: $0) { (_: AnyObject?, _: Int) -> EventReply? in
          switch page.reply {
          case nil: nil
          case .ignored: .ignored
          default: .handledAndContinue
          }
        }
      },
    ]
    for register in registrations {
      for options in [HandlerOptions(), stops] {
        let registration = try register(options)
        for (reply, expected) in [(.ignored, "ignored"), (.handledAndContinue, "handledAndContinue"), (nil, "\(options.reply)")]
          as [(EventReply?, String)]
        {
          page.reply = reply
          #expect("\(proxy.send("r", source: page, arguments: [.int(1)]).reply)" == expected)
          #expect("\(proxy.send("r", source: page, 1).reply)" == expected)
        }
        registration?.cancel()
      }
    }
    try proxy.register("r", target: page, Page.standard)
    #expect("\(proxy.send("r", source: page, 1).reply)" == "handledAndStop(pass)")
    // The objects of a reply are neither lost nor kept.
    let tracker = LifetimeTracker()
    try proxy.register("resent") { (_: AnyObject?) -> EventReply? in .resend("other", [.object(tracker.object())]) }
    for _ in 0..<3 { #expect("\(proxy.send("resent", source: nil).reply)".hasPrefix("resend(other")) }
    #expect(tracker.madeCount == 3 && tracker.liveCount == 0)
  }

  @Test("A result that is no reply is dropped (E10.2)") func otherResults() throws {
    try proxy.register("e") { (_: Row?) -> Int in 7 }
    try proxy.register("f") { (_: Row?) -> String? in nil }
    #expect(proxy.send("e", source: row).reply.rank == EventReply.handled.rank)
    #expect(proxy.send("f", source: row, arguments: []).reply.rank == EventReply.handled.rank)
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
      #expect(answer.calls == 3)
      #expect(answer.errors.count == 3)
      #expect(answer.errors[0] as? Refusal == Refusal(index: 1))
      #expect((answer.errors[1] as? EventError)?.reason.code == .typeMismatch)
      #expect((answer.errors[2] as? EventError)?.reason.code == .countMismatch)
      #expect(answer.reply.rank == EventReply.handled.rank)
    }
    #expect(log == ["double", "int8", "double", "int8"])
  }

  @Test("A handler that is blocked is passed over until it is unblocked as often (E8.15)") func blocking() throws {
    var calls = 0
    let registration = try proxy.register("e") { (_: Row?) in calls += 1 }
    registration.block()
    registration.block()
    #expect(!proxy.handles("e") && proxy.keys == ["e"] && registration.isBlocked)
    #expect(proxy.send("e", source: row).isUnhandled)
    registration.unblock()
    #expect(proxy.send("e", source: row).calls == 0)
    registration.unblock()
    registration.unblock()
    #expect(proxy.handles("e") && proxy.send("e", source: row).calls == 1)
    #expect(calls == 1)
  }

  @Test("An interceptor gets source, key and boxes, and may send on others (E6.2, E8.11)") func intercepting() throws {
    let sent: [BoxedValue] = [.int(3), .string("x")]
    var seen: (AnyObject?, EventKey, [BoxedValue])?
    try proxy.intercept("b") { source, key, arguments in
      seen = (source, key, arguments)
      return .resend("c", arguments + [.bool(true)])
    }
    let answer = proxy.send("b", source: row, arguments: sent)
    guard case .resend(let key, let arguments) = answer.reply else {
      Issue.record("not sent on")
      return
    }
    #expect(key == "c" && arguments.count == 3 && sent.count == 2)
    #expect(seen?.0 === row && seen?.1 == "b" && "\(seen?.2 ?? [])" == "\(sent)")
    #expect(proxy.send("b", source: nil, 3, "x").calls == 1)
    #expect(seen?.0 == nil && "\(seen?.2 ?? [])" == "\(sent)")
  }

  @Test("Keys come with their first handler and go with their last, and are asked for without a reference")
  func keyChanges() throws {
    let filter = proxy.keyFilter
    #expect(filter.isEmpty && !filter.contains("a"))
    let first = try proxy.register("a") { (_: Row?) in }
    let second = try proxy.register("a", options: HandlerOptions(duplicates: .append)) { (_: Row?) in }
    try proxy.register("a", options: HandlerOptions(duplicates: .replace)) { (_: Row?) in }
    try proxy.register("b", options: HandlerOptions(isOnce: true)) { (_: Row?) in }
    #expect(proxy.keys == ["a", "b"] && filter.contains("a") && filter.contains("b"))
    first.cancel()
    second.cancel()
    proxy.send("b", source: row)
    #expect(proxy.keys == ["a"] && filter.contains("a") && !filter.contains("b"))
    proxy.removeAllHandlers()
    #expect(proxy.keys.isEmpty && filter.isEmpty)
  }
}
