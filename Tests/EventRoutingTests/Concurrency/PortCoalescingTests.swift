import DynamicInvocation
import EventRouting
import Synchronization
import TestSupport
import Testing

/// Ports that deliver only the newest event of a key.
@MainActor
@Suite(.measured) struct PortCoalescingTests {
  /// An argument that notes when it is released.
  private final class Witness: Sendable {
    let released: Released
    init(_ released: Released) { self.released = released }
    deinit { released.count.add(1, ordering: .relaxed) }
  }

  private final class Released: Sendable { let count: Atomic<Int> = Atomic(0) }

  private let root = ResponderNode("root")
  private let key: TypedEventKey<Int> = "progress"

  private final class Received {
    var values: [String] = []
  }

  private func receive() throws -> Received {
    let received = Received()
    try root.proxy.register(key) { (_: AnyObject?, value: Int) in received.values.append("progress \(value)") }
    try root.proxy.register("other") { (_: AnyObject?, value: Int) in received.values.append("other \(value)") }
    return received
  }

  @Test("One event of a key waits, with the newest arguments, at the place of the first (E17.8)") func newest() async throws {
    let received = try receive()
    defer { root.proxy.removeAllHandlers() }
    let port = root.port(coalescing: ["progress": .newest])
    for value in 1...3 {
      await expect(port.post(key, value))
      await expect(port.post("other", value))
    }
    expect(port.offer("progress", arguments: [4]))
    expectEqual(port.waitingCount, 4)
    _ = await port.send("end")
    expectEqual(received.values, ["progress 4", "other 1", "other 2", "other 3"])
    expectEqual(port.droppedCount, 0)
    // After its delivery the next one has a place of its own.
    port.offer(key, 5)
    _ = await port.send("end")
    expectEqual(received.values.last, "progress 5")
  }

  @Test("A replaced event is posted when the queue is full; the first one of a key is not (E17.3, E17.8)") func full() async throws {
    let received = try receive()
    defer { root.proxy.removeAllHandlers() }
    let port = root.port(overflow: .drops(at: 1), coalescing: ["progress": .newest])
    expect(port.offer(key, 1))
    expect(port.offer(key, 2))
    expect(!port.offer("other", 1))
    _ = await port.send("end")
    expect(port.offer("other", 2))
    expect(!port.offer(key, 3))
    _ = await port.send("end")
    expect(port.offer(key, 4))
    _ = await port.send("end")
    expectEqual(received.values, ["progress 2", "other 2", "progress 4"])
    expectEqual(port.droppedCount, 2)
  }

  @Test("A replaced event is released at once, also without a tree (E17.4, E17.8)") func released() async throws {
    let released = Released()
    var node: ResponderNode? = ResponderNode("node")
    let port = try #require(node).port(coalescing: ["k": .newest])
    for _ in 0..<3 { port.offer("k", arguments: [.object(Witness(released))]) }
    expectEqual(released.count.load(ordering: .relaxed), 2)
    node = nil
    await expect(port.send("end") == nil)
    expect(released.count.load(ordering: .relaxed) == 3 && port.droppedCount == 1)
  }

  @Test("A handler that posts its own event does it again (E17.8)") func again() async throws {
    let received = Received()
    let port = root.port(coalescing: ["progress": .newest])
    defer { root.proxy.removeAllHandlers() }
    try root.proxy.register(key) { [key] (_: AnyObject?, value: Int) in
      received.values.append("\(value)")
      if value < 3 {
        port.offer(key, 10 * value)
        port.offer(key, value + 1)
      }
    }
    port.offer(key, 1)
    while received.values.count < 3 { await pause() }
    expectEqual(received.values, ["1", "2", "3"])
  }

  @Test("At most one event is delivered in an interval, and the last one is (E17.9)") func interval() async throws {
    let received = try receive()
    defer { root.proxy.removeAllHandlers() }
    let clock = ManualClock()
    let port = root.port(coalescing: ["progress": .newest(every: .seconds(10), clock: clock)])
    port.offer(key, 1)
    _ = await port.send("end")
    expectEqual(received.values, ["progress 1"])
    for value in 2...4 { port.offer(key, value) }
    port.offer("other", 1)
    _ = await port.send("end")
    expect(received.values == ["progress 1", "other 1"] && port.waitingCount == 0)
    while clock.sleeperCount == 0 { await pause() }
    clock.advance(by: .seconds(9))
    port.offer(key, 5)
    expectEqual(clock.sleeperCount, 1)
    clock.advance(by: .seconds(1))
    while received.values.count < 3 { await pause() }
    expectEqual(received.values.last, "progress 5")
    // Once the interval has passed, the next one is delivered at once.
    clock.advance(by: .seconds(10))
    port.offer(key, 6)
    _ = await port.send("end")
    expect(received.values.last == "progress 6" && clock.sleeperCount == 0)
  }

  @Test("An event whose interval is over waits for room; without an interval there is no wait (E17.3, E17.9)")
  func delayedIntoAFullQueue() async throws {
    let received = try receive()
    defer { root.proxy.removeAllHandlers() }
    let clock = ManualClock()
    let port = root.port(
      overflow: .suspends(at: 1),
      coalescing: ["progress": .newest(every: .seconds(1), clock: clock), "other": .newest(every: .zero, clock: clock)])
    for value in 1...2 { port.offer(key, value) }
    _ = await port.send("end")
    port.offer(key, 3)
    while clock.sleeperCount == 0 { await pause() }
    port.offer("other", 1)
    clock.advance(by: .seconds(1))
    while received.values.count < 3 { await pause() }
    expectEqual(received.values, ["progress 2", "other 1", "progress 3"])
    for value in 2...3 { port.offer("other", value) }
    _ = await port.send("end")
    expect(received.values.last == "other 3" && clock.sleeperCount == 0)
  }

  @Test("Many senders of one key: the last event of all is delivered, with its own arguments (E17.8)") func manySenders() async throws {
    var last: [Int: Int] = [:]
    var count = 0
    defer { root.proxy.removeAllHandlers() }
    try root.proxy.register("k") { (_: AnyObject?, sender: Int, value: Int) in
      expect(value > last[sender] ?? 0)
      last[sender] = value
      count += 1
    }
    let port = root.port(coalescing: ["k": .newest])
    await withTaskGroup { group in
      for sender in 0..<4 {
        group.addTask {
          for value in 1...1_000 { await port.post("k", arguments: [.init(integerLiteral: sender), .init(integerLiteral: value)]) }
        }
      }
    }
    await port.post("k", arguments: [9, 1])
    _ = await port.send("end")
    expect(last[9] == 1 && (1...4_001).contains(count) && port.droppedCount == 0)
  }

  /// A clock whose time is asked by code of a test.
  private struct AskingClock: Clock {
    typealias Duration = Swift.Duration
    let manual: ManualClock
    let asked: @Sendable () -> Void
    var now: ManualClock.Instant {
      asked()
      return manual.now
    }
    var minimumResolution: Swift.Duration { manual.minimumResolution }
    func sleep(until deadline: ManualClock.Instant, tolerance: Swift.Duration?) async throws {
      try await manual.sleep(until: deadline, tolerance: tolerance)
    }
  }

  private final class Poster: Sendable {
    let port: Mutex<EventPort?> = Mutex(nil)
    let left: Atomic<Int> = Atomic(0)

    func post(_ key: TypedEventKey<Int>) {
      guard left.load(ordering: .relaxed) > 0, let port = port.withLock({ $0 }) else { return }
      port.offer(key, 100 + left.wrappingSubtract(1, ordering: .relaxed).newValue)
    }
  }

  @Test("A clock may post the key whose interval it is asked for; the newest event is delivered (E17.9)") func aClockThatPosts()
    async throws
  {
    let received = try receive()
    defer { root.proxy.removeAllHandlers() }
    let (clock, poster, key) = (ManualClock(), Poster(), key)
    let asking = AskingClock(manual: clock) { poster.post(key) }
    let port = root.port(overflow: .suspends(at: 1), coalescing: ["progress": .newest(every: .seconds(1), clock: asking)])
    poster.port.withLock { $0 = port }
    poster.left.store(2, ordering: .relaxed)
    // Asked when the event is posted, and when it is delivered.
    expect(port.offer(key, 1))
    _ = await port.send("end")
    expectEqual(received.values, ["progress 100"])
    clock.advance(by: .seconds(1))
    // A full queue refuses the event of a sender, but not one that was posted meanwhile.
    expect(port.offer("other", 1) && !port.offer(key, 2))
    _ = await port.send("end")
    poster.left.store(1, ordering: .relaxed)
    expect(port.offer("other", 2) && port.offer(key, 3))
    while received.values.count < 4 { await pause() }
    expectEqual(received.values.suffix(3), ["other 1", "other 2", "progress 100"])
    poster.port.withLock { $0 = nil }
  }
}
