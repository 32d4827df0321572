import DynamicInvocation
import EventRouting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Events that other isolation domains send to a tree.
@Suite(.measured) struct EventPortTests {
  /// An actor with a tree, which notes what each sender sent.
  private actor Owner {
    let root = ResponderNode("root")
    private(set) var received: [Int: [Int]] = [:]
    private(set) var count = 0
    private(set) var isInOrder = true
    private var lasts: [Int] = Array(repeating: -1, count: 64)

    func port(_ overflow: EventPort.Overflow = .suspends(at: 1_024)) throws -> EventPort {
      try root.proxy.register("k") { [weak self] (_: AnyObject?, sender: Int, index: Int) in
        self?.assumeIsolated { $0.note(sender, index) }
      }
      return root.port(overflow: overflow)
    }

    private func note(_ sender: Int, _ index: Int) {
      count += 1
      isInOrder = isInOrder && lasts[sender] == index - 1
      lasts[sender] = index
    }

    /// Registers a handler that replaces itself by another one, until the tree is stopped.
    func churn() throws {
      let node = root.child("child")
      let token = EventToken()
      try node.proxy.register("k") { (_: AnyObject?, _: Int, _: Int) in }.end(with: token)
      try root.proxy.register("k", options: HandlerOptions(isOnce: true, reply: .handledAndContinue, duplicates: .append)) {
        (_: AnyObject?, _: Int, _: Int) in
      }
      node.removeFromParent()
    }

    /// Tells the index of each event to a closure.
    func note(_ body: @escaping @Sendable (Int) -> Void) throws {
      let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append)
      try root.proxy.register("k", options: options) { (_: AnyObject?, _: Int, index: Int) in body(index) }
    }

    func send(_ sender: Int, _ index: Int) -> SendOutcome { root.send("k", arguments: [.int(sender), .int(index)]) }
  }

  /// How many events all senders send: INVOCATION_PORT_EVENTS, or few.
  private static let eventCount = ProcessInfo.processInfo.environment["INVOCATION_PORT_EVENTS"].flatMap { Int($0) } ?? 16_000

  @Test(
    "Nothing is lost or doubled, and the order of each sender is kept, while handlers come and go (E17.1, E17.2)",
    arguments: [EventPort.Overflow.suspends(at: 1_024), .suspends(at: 1), .unbounded])
  func manySenders(overflow: EventPort.Overflow) async throws {
    let owner = Owner()
    let port = try await owner.port(overflow)
    let each = Self.eventCount / 8
    let key: TypedEventKey<(Int, Int)> = "k"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask {
          for index in 0..<each {
            if index % 997 == 996 {
              await expectEqual(port.send(key, sender, index)?.handledCount, 1)
            } else {
              await expect(port.post(key, sender, index))
            }
          }
        }
      }
      for _ in 0..<20 { try await owner.churn() }
      try await group.waitForAll()
    }
    await expect(port.send("last") != nil)
    await expectEqual(owner.count, each * 8)
    await expect(owner.isInOrder)
    expect(port.droppedCount == 0 && port.waitingCount == 0)
  }

  @MainActor
  @Test("A tree of the main actor receives events of any types from background tasks (E17.1)") func mainActor() async throws {
    let root = ResponderNode("root")
    let journal = Journal()
    defer { root.proxy.removeAllHandlers() }
    try root.proxy.register("text") { (source: ResponderNode?, text: String, number: Double) in
      MainActor.assertIsolated()
      journal.note("\(text) \(number) \(source === root)")
    }
    try root.proxy.register("none") { (_: AnyObject?) in journal.note("none") }
    try root.proxy.intercept("boxed") { _, _, arguments in
      journal.note(arguments.map { "\($0)" }.joined(separator: " "))
      return .handled
    }
    let port = root.port()
    let outcome = await Task.detached {
      await port.post("text", "a long text that is not stored inline", 0.5)
      port.offer("none")
      await port.post("boxed", arguments: [3, "text", 0.5, true, nil])
      await port.post("boxed", giving: [.int(1), .string("given")])
      port.offer("boxed", arguments: [.object(SendableBox(value: 7))])
      return await port.send("text", "last", 1)
    }.value
    expectEqual(outcome?.handledCount, 1)
    expectEqual(journal.entries.count, 6)
    expect(journal.entries.first == "a long text that is not stored inline 0.5 true" && journal.entries.last == "last 1.0 true")
    expectEqual(journal.entries[1], "none")
    await expectEqual(port.send("boxed", arguments: [1])?.isUnhandled, false)
    await expectEqual(port.send("nobody", rules: .strategy)?.isUnhandled, true)
  }

  @MainActor
  @Test("Events of four arguments are posted, offered and sent (E17.1)") func manyArguments() async throws {
    let root = ResponderNode("root")
    let journal = Journal()
    defer { root.proxy.removeAllHandlers() }
    try root.proxy.register("k") { (_: AnyObject?, text: String, c: Double, d: Int?, e: Bool) in
      journal.note("\(text) \(c) \(d ?? 0) \(e)")
    }
    let port = root.port()
    let outcomes = await Task.detached {
      await port.post("k", "posted", 0.5, 4 as Int?, true)
      port.offer("k", "offered", 0.5, Int?.none, true)
      return [await port.send("k", "sent", 0.5, 4, true), await port.sendAwaiting("k", "awaited", 0.5, 4, false)]
    }.value
    expectEqual(outcomes.map { $0?.handledCount }, [1, 1])
    expectEqual(journal.entries, ["posted 0.5 4 true", "offered 0.5 0 true", "sent 0.5 4 true", "awaited 0.5 4 false"])
  }

  private final class SendableBox: EncodedObject, Sendable {
    let value: Int
    init(value: Int) { self.value = value }
  }

  @MainActor
  @Test("Beyond the limit events are dropped and counted, or the sender waits (E17.3)") func overflow() async throws {
    let root = ResponderNode("root")
    var received: [Int] = []
    defer { root.proxy.removeAllHandlers() }
    try root.proxy.register("k") { (_: AnyObject?, index: Int) in received.append(index) }
    let key: TypedEventKey<Int> = "k"
    // The main actor is busy here, so that nothing is delivered.
    let dropping = root.port(overflow: .drops(at: 3))
    expect((0..<5).map { dropping.offer(key, $0) } == [true, true, true, false, false])
    expect(dropping.droppedCount == 2 && dropping.waitingCount == 3)
    _ = await dropping.send("end", rules: .strategy)
    expectEqual(received, [0, 1, 2])
    received = []
    let waiting = root.port(overflow: .suspends(at: 2))
    expect((0..<4).map { waiting.offer(key, $0) } == [true, true, false, false])
    expectEqual(waiting.droppedCount, 0)
    let cancelled = Task.detached { await waiting.post(key, 9) }
    cancelled.cancel()
    let wasQueued = await cancelled.value
    _ = await waiting.send("end", rules: .strategy)
    expectEqual(received, (wasQueued ? [0, 1, 9] : [0, 1]))
    let zero = root.port(overflow: .drops(at: 0))
    expect(zero.offer(key, 1) && !zero.offer(key, 2))
    _ = await zero.send("end", rules: .strategy)
    let unbounded = root.port(overflow: .unbounded)
    received = []
    for index in 0..<5_000 { expect(unbounded.offer(key, index)) }
    _ = await unbounded.send("end", rules: .strategy)
    expectEqual(received, Array(0..<5_000))
  }

  @MainActor
  @Test("A port keeps no tree alive; events to a tree that is gone are released and counted (E17.4)") func deadTree() async throws {
    var root: ResponderNode? = ResponderNode("root")
    guard let port = root?.port() else { return }
    weak var argument: SendableBox?
    do {
      let box = SendableBox(value: 1)
      argument = box
      port.offer("k", arguments: [.object(box)])
      port.offer("k", box)
    }
    expect(argument != nil)
    root = nil
    await expect(port.send("k") == nil)
    expect(argument == nil && port.droppedCount == 2 && root == nil)
  }

  @Test("What was posted is delivered even if the port is released before (E17.4)") func releasedPort() async throws {
    let owner = Owner()
    do {
      let port = try await owner.port()
      for index in 0..<100 { await port.post("k", 0, index) }
    }
    while await owner.count < 100 { await pause() }
    await expect(owner.isInOrder)
  }

  @MainActor
  @Test("A handler may post to its own port; that is delivered later (E17.2)") func reentrancy() async throws {
    let root = ResponderNode("root")
    defer { root.proxy.removeAllHandlers() }
    let port = root.port(overflow: .unbounded)
    var order: [Int] = []
    try root.proxy.register("k") { (_: AnyObject?, depth: Int) in
      order.append(depth)
      if depth < 3 { port.offer("k", depth + 1) }
      order.append(-depth)
    }
    port.offer("k", 1)
    // An answer would come after the first only: the others were posted later.
    while order.count < 6 { await pause() }
    expectEqual(order, [1, -1, 2, -2, 3, -3])
  }

  private struct Undelivered: Error {
    let index: Int
  }

  @Test("What is posted just when the queue is found empty is delivered (E17.1)") func lastMoment() async throws {
    let owner = Owner()
    let port = try await owner.port(.unbounded)
    let delivered: Atomic<Int> = Atomic(-1)
    try await owner.note { delivered.store($0, ordering: .releasing) }
    // A thread of its own posts each event as soon as the one before it was handled; other tests use the threads of tasks.
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        let start = ContinuousClock.now
        var index = 0
        while index < 20_000, start.duration(to: .now) < .seconds(3) {
          port.offer("k", 0, index)
          while delivered.load(ordering: .acquiring) < index {
            if start.duration(to: .now) > .seconds(300) { return continuation.resume(throwing: Undelivered(index: index)) }
            sched_yield()
          }
          index += 1
        }
        continuation.resume()
      }
    }
  }

  @Test("Only what is Sendable becomes a Sendable argument (E17.5)") func sendableValues() throws {
    expect(EventPort.Argument(.object(Journal())) == nil)
    expect(EventPort.Argument(.int(3)) != nil && EventPort.Argument(.string("a")) != nil)
    expectEqual("\(try EventPort.Argument(Int8(3)))", "\(BoxedValue.int(3))")
    expectEqual("\(nil as EventPort.Argument)", "\(BoxedValue.null)")
    final class Shared: EncodedObject, Sendable {}
    let shared = Shared()
    for value in [try EventPort.Argument(shared), try EventPort.Argument(Optional(shared))] {
      expectEqual("\(value)", "\(BoxedValue.object(shared))")
    }
    #expect(throws: InvocationError.self) { try EventPort.Argument(BoxedElsewhere()) }
  }

  /// A Sendable value that boxes an object which is not.
  private struct BoxedElsewhere: Sendable, _BoxConvertible {
    final class Counter: EncodedObject { var count = 0 }

    static var encodedType: any EncodedValue.Type { Counter.self }
    static func accepts(_ kind: ValueKind) -> Bool { false }
    func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool { false }
    static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? { nil }
    static func unboxed(_ box: BoxedValue, options: ConversionOptions) throws(InvocationError) -> Self { BoxedElsewhere() }
    func boxed() throws(InvocationError) -> BoxedValue { .object(Counter()) }
  }
}
