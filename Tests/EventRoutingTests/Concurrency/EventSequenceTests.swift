import DynamicInvocation
@testable import EventRouting
import TestSupport
import Testing

/// Events for loops that wait for them.
@Suite(.measured) struct EventSequenceTests {
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
    let events = try root.proxy.events(for: "k", reply: .handled, buffering: .newest(3))
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
  @Test("Each loop gets every event (E14.4)") func everyLoopGetsEveryEvent() async throws {
    let root = ResponderNode("root")
    let events = try root.proxy.events(for: "k")
    let loops = (0..<3).map { _ in
      Task { @MainActor in
        var received: [Int] = []
        for await event in events { received.append(try event.arguments.value(at: 0, as: Int.self)) }
        return received
      }
    }
    // Other tests use the main actor, too.
    while events.loopsWaiting < 3 { await pause() }
    loops[0].cancel()
    for index in 0..<10 {
      root.send("k", arguments: [.int(index)])
      await Task.yield()
    }
    events.finish()
    // A cancelled loop takes what waits, and ends.
    let received = try await loops[0].value
    #expect(received == Array(0..<received.count))
    #expect(try await loops[1].value == Array(0..<10))
    #expect(try await loops[2].value == Array(0..<10))
    #expect(events.droppedCount == 0)
  }

  /// Takes the first argument of each event that waits for an iterator.
  @MainActor
  private func take(_ iterator: inout EventSequence.Iterator, _ count: Int) async throws -> [Int] {
    var received: [Int] = []
    while received.count < count, let event = await iterator.next() { received.append(try event.arguments.value(at: 0, as: Int.self)) }
    return received
  }

  @MainActor
  @Test("The first loop begins with the sequence, others when they start (E14.4)") func starts() async throws {
    let root = ResponderNode("root")
    let events = try root.proxy.events(for: "k")
    root.send("k", arguments: [.int(0)])
    var first = events.makeAsyncIterator()
    var second = events.makeAsyncIterator()
    root.send("k", arguments: [.int(1)])
    var copy = second
    #expect(try await take(&first, 2) == [0, 1])
    #expect(try await take(&second, 1) == [1])
    root.send("k", arguments: [.int(2)])
    #expect(try await take(&copy, 1) == [2])
    events.finish()
    #expect(try await take(&second, 1) == [])
    #expect(try await take(&first, 5) == [2])
  }

  @MainActor
  @Test("What waits for a slow loop is limited by the policy, for each loop alone (E14.3, E14.5)")
  func buffering() async throws {
    for (buffering, slow, dropped) in [
      (EventSequence.Buffering.newest(3), [7, 8, 9], 7), (.oldest(3), [0, 1, 2], 7), (.unbounded, Array(0..<10), 0), (.newest(0), [9], 9),
    ] {
      let root = ResponderNode("root")
      let events = try root.proxy.events(for: "k", buffering: buffering)
      var late = events.makeAsyncIterator()
      var fast = events.makeAsyncIterator()
      for index in 0..<10 {
        root.send("k", arguments: [.int(index)])
        #expect(try await take(&fast, 1) == [index])
      }
      #expect(events.droppedCount == dropped, "\(buffering)")
      #expect(try await take(&late, slow.count) == slow, "\(buffering)")
      // A loop that has caught up receives new events.
      root.send("k", arguments: [.int(10)])
      #expect(try await take(&late, 1) == [10], "\(buffering)")
      #expect(try await take(&fast, 1) == [10])
      #expect(events.droppedCount == dropped)
    }
  }

  @MainActor
  @Test("An event counts once for each loop that loses it (E14.5)", arguments: [EventSequence.Buffering.newest(2), .oldest(2)])
  func droppedForEachLoop(buffering: EventSequence.Buffering) async throws {
    let root = ResponderNode("root")
    let events = try root.proxy.events(for: "k", buffering: buffering)
    var loops = [events.makeAsyncIterator(), events.makeAsyncIterator()]
    var fast = events.makeAsyncIterator()
    for index in 0..<5 {
      root.send("k", arguments: [.int(index)])
      #expect(try await take(&fast, 1) == [index])
    }
    #expect(events.droppedCount == 6)
    for index in loops.indices {
      let kept = try await take(&loops[index], 2)
      #expect(kept == (buffering == .newest(2) ? [3, 4] : [0, 1]))
    }
  }

  @MainActor
  @Test("What a loop has lost it does not receive later, though it waits for another loop (E14.3)")
  func lost() async throws {
    let root = ResponderNode("root")
    let events = try root.proxy.events(for: "k", buffering: .oldest(2))
    var slow = events.makeAsyncIterator()
    var other = events.makeAsyncIterator()
    for index in 0..<2 { root.send("k", arguments: [.int(index)]) }
    #expect(try await take(&other, 2) == [0, 1])
    root.send("k", arguments: [.int(2)])
    #expect(events.droppedCount == 1)
    #expect(try await take(&slow, 2) == [0, 1])
    root.send("k", arguments: [.int(3)])
    #expect(try await take(&slow, 1) == [3])
    #expect(try await take(&other, 2) == [2, 3])
    #expect(events.droppedCount == 1)
  }

  @MainActor
  @Test(
    "An event is released when every loop has taken it or lost it (E14.5)",
    arguments: [EventSequence.Buffering.newest(2), .oldest(2), .unbounded])
  func released(buffering: EventSequence.Buffering) async throws {
    let root = ResponderNode("root")
    let events = try root.proxy.events(for: "k", buffering: buffering)
    var first = events.makeAsyncIterator()
    var second: EventSequence.Iterator? = events.makeAsyncIterator()
    weak var source: Journal?
    do {
      let journal = Journal()
      source = journal
      root.send("k", source: journal)
    }
    _ = await first.next()
    #expect(source != nil)
    second = nil
    #expect(source == nil && second == nil)
    for _ in 0..<300 {
      root.send("k")
      _ = await first.next()
    }
    #expect(events.droppedCount == 0)
  }

  @MainActor
  @Test("A time that no clock can count is any time, and a negative one is over (E14.6)", arguments: [Int64.max, 9_300_000_000, .min])
  func endlessTimes(seconds: Int64) async throws {
    let root = ResponderNode("root")
    let waiting = Task { @MainActor in try await root.next("k", within: .seconds(seconds))?.key }
    while root.proxy.keys.isEmpty, seconds > 0 { await pause() }
    root.send("k", rules: .strategy)
    #expect(try await waiting.value == (seconds > 0 ? "k" : nil))
    #expect(root.proxy.keys.isEmpty)
  }

  @MainActor
  @Test("A loop that is cancelled leaves nothing to a sequence without events (E14.1)") func cancelledLoops() async throws {
    let root = ResponderNode("root")
    let events = try root.proxy.events(for: "k")
    for _ in 0..<3 {
      let loops = (0..<4).map { _ in
        Task { @MainActor in
          var loop = events.makeAsyncIterator()
          return await loop.next() == nil
        }
      }
      while events.loopsWaiting < 4 { await pause() }
      for loop in loops { loop.cancel() }
      for loop in loops { #expect(await loop.value) }
      #expect(events.loopsWaiting == 0)
    }
  }

  @MainActor
  @Test("The next event is waited for until a deadline, or for any time (E14.6)") func next() async throws {
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    #expect(try await root.next("k", within: .milliseconds(1)) == nil)
    #expect(try await root.next("k", within: .zero) == nil)
    #expect(root.proxy.keys.isEmpty)
    let sender = Task { @MainActor in
      while root.proxy.keys.isEmpty { await pause() }
      leaf.send("k", arguments: [.int(3)], rules: .busUp)
      leaf.send("k", arguments: [.int(4)], rules: .busUp)
    }
    let event = try #require(try await root.next("k", within: .seconds(3_600)))
    #expect(try event.arguments.value(at: 0, as: Int.self) == 3 && event.source === leaf)
    await sender.value
    let endless = Task { @MainActor in try await root.next("k") == nil }
    while root.proxy.keys.isEmpty { await pause() }
    endless.cancel()
    #expect(try await endless.value)
    let removed = Task { @MainActor in try await root.next("k") == nil }
    while root.proxy.keys.isEmpty { await pause() }
    root.proxy.removeAllHandlers()
    #expect(try await removed.value)
  }

  @MainActor
  @Test("A loop whose task is cancelled ends, also while events wait (E14.1)") func cancelledBusyLoops() async throws {
    let node = ResponderNode("node")
    let events = try node.proxy.events(for: "k")
    let task = Task {
      node.send("k", rules: .strategy)
      var count = 0
      for await _ in events {
        count += 1
        if count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        if count > 10 { break }
        node.send("k", rules: .strategy)
      }
      return count
    }
    #expect(await task.value == 2)
  }
}
