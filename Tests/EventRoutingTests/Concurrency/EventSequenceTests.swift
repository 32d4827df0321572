import DynamicInvocation
import EventRouting
import Testing

/// Events for loops that wait for them.
@Suite struct EventSequenceTests {
  @MainActor
  @Test("A loop gets the events in order (E14.1)") func aLoopGetsTheEventsInOrder() async throws {
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    let events = try root.proxy.events(for: "k")
    let sender = Task { @MainActor in
      for index in 0..<5 {
        #expect(leaf.send("k", arguments: [.int(index)]).handledCount == 1)
        await Task.yield()
      }
      events.finish()
    }
    var received: [String] = []
    for await event in events {
      #expect(event.source === leaf)
      #expect(event.key == "k")
      received.append("\(event.arguments[0])")
    }
    await sender.value
    #expect(received == (0..<5).map { "\(BoxedValue.int($0))" })
    #expect(leaf.send("k").isUnhandled)
  }

  @MainActor
  @Test("Events wait, and beyond the limit the oldest are dropped (E14.3)")
  func eventsWaitAndTheOldestAreDroppedBeyondTheLimit() async throws {
    let root = ResponderNode("root")
    let events = try root.proxy.events(for: "k", reply: .handled, limit: 3)
    for index in 0..<5 { root.send("k", arguments: [.int(index)]) }
    #expect(events.droppedCount == 2)
    events.finish()
    var received: [String] = []
    for await event in events { received.append("\(event.arguments[0])") }
    #expect(received == (2..<5).map { "\(BoxedValue.int($0))" })
  }

  @MainActor
  @Test("The reply is that of the sequence (E14.2)") func theReplyIsThatOfTheSequence() throws {
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    let journal = Journal()
    try root.on("k", journal)
    let events = try leaf.proxy.events(for: "k", reply: .handled)
    leaf.send("k")
    #expect(journal.entries.isEmpty)
    withExtendedLifetime(events) {}
  }

  @MainActor
  @Test func aDroppedSequenceListensNoMore() throws {
    let root = ResponderNode("root")
    do {
      let events = try root.proxy.events(for: "k")
      #expect(root.send("k").handledCount == 1)
      withExtendedLifetime(events) {}
    }
    #expect(root.send("k", rules: .strategy).isUnhandled)
    #expect(!root.proxy.handles("k"))
  }

  @MainActor
  @Test func aLoopEndsWithItsProxyAndWithItsTask() async throws {
    var root: ResponderNode? = ResponderNode("root")
    guard let events = try root?.proxy.events(for: "k") else { return }
    let waiting = Task { @MainActor in
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
    await Task.yield()
    root?.send("k")
    await Task.yield()
    root = nil
    #expect(await waiting.value == 1)

    let other = ResponderNode("other")
    let endless = try other.proxy.events(for: "k")
    let cancelled = Task { @MainActor in
      var count = 0
      for await _ in endless { count += 1 }
      return count
    }
    await Task.yield()
    cancelled.cancel()
    #expect(await cancelled.value == 0)
  }

  @MainActor
  @Test func loopsThatShareASequenceShareItsEvents() async throws {
    let root = ResponderNode("root")
    let events = try root.proxy.events(for: "k")
    let loops = (0..<3).map { _ in
      Task { @MainActor in
        var count = 0
        for await _ in events { count += 1 }
        return count
      }
    }
    await Task.yield()
    loops[0].cancel()
    for _ in 0..<10 {
      root.send("k")
      await Task.yield()
    }
    events.finish()
    var total = 0
    for loop in loops { total += await loop.value }
    #expect(total == 10)
  }
}
