import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// Events for loops that wait for them.
@MainActor
@Suite(.measured) struct EventSequenceTests {
  private let node = ResponderNode("node")

  /// Sends events with numbers.
  private func send(_ numbers: some Sequence<Int>) {
    for number in numbers { node.send("k", arguments: [.int(number)], rules: .strategy) }
  }

  /// Takes the numbers of events that wait for an iterator: so many, or until the sequence ends.
  private func take(_ iterator: inout EventSequence.Iterator, _ count: Int = .max) async throws -> [Int] {
    var received: [Int] = []
    while received.count < count, let event = await iterator.next() { received.append(try event.arguments.value(at: 0, as: Int.self)) }
    return received
  }

  @Test("A loop gets the events in order (E14.1)") func aLoopGetsTheEventsInOrder() async throws {
    let leaf = node.child("leaf")
    let events = try node.proxy.events(for: "k")
    let sender = Task { @MainActor in
      var counts: [Int] = []
      for index in 0..<5 {
        counts.append(leaf.send("k", arguments: [.int(index)]).handledCount)
        await Task.yield()
      }
      events.finish()
      return counts
    }
    var received: [String] = []
    for await event in events { received.append("\(event.source === leaf) \(event.key) \(event.arguments)") }
    expectEqual(await sender.value, [1, 1, 1, 1, 1])
    expectEqual(received, (0..<5).map { "true k \([BoxedValue.int($0)])" })
    expect(leaf.send("k").isUnhandled)
  }

  @Test("The sequence gives the reply (E14.2)") func sequenceReply() throws {
    let (leaf, journal) = (node.child("leaf"), Journal())
    try node.on("k", journal)
    let events = try leaf.proxy.events(for: "k", reply: .handled)
    leaf.send("k")
    expectEqual(journal.entries, [])
    withExtendedLifetime(events) {}
  }

  @Test func aDroppedSequenceListensNoMore() throws {
    do {
      let events = try node.proxy.events(for: "k")
      expectEqual(node.send("k").handledCount, 1)
      withExtendedLifetime(events) {}
    }
    expect(node.send("k", rules: .strategy).isUnhandled && !node.proxy.handles("k"))
  }

  /// Counts the events of a loop.
  private func count(_ events: EventSequence) -> Task<Int, Never> {
    Task { @MainActor in
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
  }

  @Test func aLoopEndsWithItsProxyAndWithItsTask() async throws {
    var root: ResponderNode? = ResponderNode("root")
    let waiting = count(try #require(try root?.proxy.events(for: "k")))
    await Task.yield()
    root?.send("k")
    await Task.yield()
    root = nil
    expectEqual(await waiting.value, 1)
    let cancelled = count(try node.proxy.events(for: "k"))
    await Task.yield()
    cancelled.cancel()
    expectEqual(await cancelled.value, 0)
  }

  @Test("Each loop gets every event (E14.4)") func everyLoopGetsEveryEvent() async throws {
    let events = try node.proxy.events(for: "k")
    let loops = (0..<3).map { _ in
      Task { @MainActor in
        var iterator = events.makeAsyncIterator()
        return try await take(&iterator)
      }
    }
    // Other tests use the main actor, too.
    while events.loopsWaiting < 3 { await pause() }
    loops[0].cancel()
    for index in 0..<10 {
      send([index])
      await Task.yield()
    }
    events.finish()
    // A cancelled loop takes what waits, and ends.
    let received = try await loops[0].value
    expectEqual(received, Array(0..<received.count))
    expectEqual([try await loops[1].value, try await loops[2].value], [Array(0..<10), Array(0..<10)])
    expectEqual(events.droppedCount, 0)
  }

  @Test("The first loop begins with the sequence, others when they start (E14.4)") func starts() async throws {
    let events = try node.proxy.events(for: "k")
    send([0])
    var first = events.makeAsyncIterator()
    var second = events.makeAsyncIterator()
    send([1])
    var copy = second
    var received = [try await take(&first, 2), try await take(&second, 1)]
    send([2])
    received.append(try await take(&copy, 1))
    events.finish()
    received += [try await take(&second, 1), try await take(&first, 5)]
    expectEqual(received, [[0, 1], [1], [2], [], [2]])
  }

  @Test(
    "What waits for a slow loop is limited by the policy, for each loop alone (E14.3, E14.5)",
    arguments: [
      (EventSequence.Buffering.newest(3), [7, 8, 9], 7), (.oldest(3), [0, 1, 2], 7), (.unbounded, Array(0..<10), 0), (.newest(0), [9], 9),
    ])
  func buffering(buffering: EventSequence.Buffering, slow: [Int], dropped: Int) async throws {
    let events = try node.proxy.events(for: "k", buffering: buffering)
    var late = events.makeAsyncIterator()
    var fast = events.makeAsyncIterator()
    var received: [Int] = []
    for index in 0..<10 {
      send([index])
      received += try await take(&fast, 1)
    }
    expectEqual(received, Array(0..<10))
    expectEqual(events.droppedCount, dropped)
    expectEqual(try await take(&late, slow.count), slow)
    // A loop that has caught up receives new events.
    send([10])
    expectEqual([try await take(&late, 1), try await take(&fast, 1)], [[10], [10]])
    expectEqual(events.droppedCount, dropped)
    // What waits when the sequence is finished is received, and no more than the limit.
    send(0..<5)
    events.finish()
    let rest = try await take(&late)
    expectEqual(
      rest, buffering == .unbounded ? Array(0..<5) : buffering == .oldest(3) ? [0, 1, 2] : Array((buffering == .newest(3) ? 2 : 4)..<5))
  }

  @Test("An event counts once for each loop that loses it (E14.5)", arguments: [EventSequence.Buffering.newest(2), .oldest(2)])
  func droppedForEachLoop(buffering: EventSequence.Buffering) async throws {
    let events = try node.proxy.events(for: "k", buffering: buffering)
    var loops = [events.makeAsyncIterator(), events.makeAsyncIterator()]
    var fast = events.makeAsyncIterator()
    var received: [[Int]] = []
    for index in 0..<5 {
      send([index])
      received.append(try await take(&fast, 1))
    }
    for index in loops.indices { received.append(try await take(&loops[index], 2)) }
    let kept = buffering == .newest(2) ? [3, 4] : [0, 1]
    expectEqual(received, [[0], [1], [2], [3], [4], kept, kept])
    expectEqual(events.droppedCount, 6)
  }

  @Test("What a loop has lost it does not receive later, though it waits for another loop (E14.3)")
  func lost() async throws {
    let events = try node.proxy.events(for: "k", buffering: .oldest(2))
    var slow = events.makeAsyncIterator()
    var other = events.makeAsyncIterator()
    send(0..<2)
    var received = [try await take(&other, 2)]
    send([2])
    expectEqual(events.droppedCount, 1)
    received.append(try await take(&slow, 2))
    send([3])
    received += [try await take(&slow, 1), try await take(&other, 2)]
    expectEqual(received, [[0, 1], [0, 1], [3], [2, 3]])
    expectEqual(events.droppedCount, 1)
  }

  @Test(
    "An event is released when every loop has taken it or lost it (E14.5)",
    arguments: [EventSequence.Buffering.newest(2), .oldest(2), .unbounded])
  func released(buffering: EventSequence.Buffering) async throws {
    let events = try node.proxy.events(for: "k", buffering: buffering)
    var first = events.makeAsyncIterator()
    var second: EventSequence.Iterator? = events.makeAsyncIterator()
    weak var source: Journal?
    do {
      let journal = Journal()
      source = journal
      node.send("k", source: journal)
    }
    _ = await first.next()
    expect(source != nil)
    second = nil
    expect(source == nil && second == nil)
    for _ in 0..<300 {
      node.send("k")
      _ = await first.next()
    }
    expectEqual(events.droppedCount, 0)
  }

  @Test("A loop that is cancelled leaves nothing to a sequence without events (E14.1)") func cancelledLoops() async throws {
    let events = try node.proxy.events(for: "k")
    for _ in 0..<3 {
      let loops = (0..<4).map { _ in
        Task { @MainActor in
          var loop = events.makeAsyncIterator()
          return await loop.next() == nil
        }
      }
      while events.loopsWaiting < 4 { await pause() }
      for loop in loops { loop.cancel() }
      for loop in loops { expect(await loop.value) }
      expectEqual(events.loopsWaiting, 0)
    }
  }

  @Test("A loop whose task is cancelled ends, also while events wait (E14.1)") func cancelledBusyLoops() async throws {
    let events = try node.proxy.events(for: "k")
    let task = Task {
      send([0])
      var count = 0
      for await _ in events {
        count += 1
        if count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        if count > 10 { break }
        send([0])
      }
      return count
    }
    expectEqual(await task.value, 2)
  }

  @Test("A time that no clock can count is any time, and a negative one is over (E14.6)", arguments: [Int64.max, 9_300_000_000, .min])
  func endlessTimes(seconds: Int64) async throws {
    let waiting = Task { @MainActor in try await node.proxy.next("k", within: .seconds(seconds))?.key }
    while node.proxy.keys.isEmpty, seconds > 0 { await pause() }
    send([0])
    expectEqual(try await waiting.value, seconds > 0 ? "k" : nil)
    expect(node.proxy.keys.isEmpty)
  }

  @Test("The next event is waited for until a deadline, or for any time (E14.6)") func next() async throws {
    let leaf = node.child("leaf")
    for time in [Duration.milliseconds(1), .zero] { expect(try await node.proxy.next("k", within: time) == nil && node.proxy.keys.isEmpty) }
    let sender = Task { @MainActor in
      while node.proxy.keys.isEmpty { await pause() }
      for number in [3, 4] { leaf.send("k", arguments: [.int(number)], rules: .busUp) }
    }
    let event = try #require(try await node.proxy.next("k", within: .seconds(3_600)))
    expect(try event.arguments.value(at: 0, as: Int.self) == 3 && event.source === leaf)
    await sender.value
    for end in [{ (task: Task<Bool, any Error>) in task.cancel() }, { _ in node.proxy.removeAllHandlers() }] {
      let endless = Task { @MainActor in try await node.proxy.next("k") == nil }
      while node.proxy.keys.isEmpty { await pause() }
      end(endless)
      expect(try await endless.value)
    }
  }
}
