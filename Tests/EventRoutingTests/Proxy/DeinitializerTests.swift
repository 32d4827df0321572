import DynamicInvocation
import EventRouting
import Logging
import TestSupport
import Testing

/// Objects whose deinitializers send events, where the library releases the last reference.
@Suite(.measured) struct DeinitializerTests {
  /// Sends an event with a number when it is deallocated; an argument or the source of another one.
  private final class Parcel: EncodedObject {
    private unowned let node: ResponderNode
    private let number: Int

    init(_ node: ResponderNode, _ number: Int = 7) { (self.node, self.number) = (node, number) }

    deinit { node.send("k", arguments: [.int(number)], rules: .strategy) }
  }

  @MainActor
  @Test(
    "An event that a sequence drops may send another to it (E14.3)",
    arguments: [EventSequence.Buffering.newest(1), .newest(3), .oldest(2), .unbounded])
  func sequences(buffering: EventSequence.Buffering) async throws {
    let node = ResponderNode("node")
    let events = try node.proxy.events(for: "k", buffering: buffering)
    for index in 0..<4 {
      node.send("k", arguments: [.object(Parcel(node))], rules: .strategy)
      node.send("k", arguments: [.int(index)], rules: .strategy)
    }
    events.finish()
    var last: String?
    var count = 0
    for await event in events {
      count += 1
      last = "\(event.arguments[0])"
    }
    let limit =
      switch buffering {
      case .newest(let limit), .oldest(let limit): limit
      case .unbounded: 8
      }
    expectEqual(count, limit)
    // With room for one event, the last parcel is dropped by the last number, and sends after it.
    if case .newest(let limit) = buffering { expectEqual(last, "\(BoxedValue.int(limit == 1 ? 7 : 3))") }
  }

  @MainActor
  @Test("What a dropped event sends comes after the event that dropped it (E14.1, E14.3)") func orderAfterADrop() async throws {
    let node = ResponderNode("node")
    let events = try node.proxy.events(for: "k", buffering: .newest(2))
    node.send("k", source: Parcel(node, 100), arguments: [.int(1)], rules: .strategy)
    for index in 2...3 { node.send("k", arguments: [.int(index)], rules: .strategy) }
    events.finish()
    var received: [Int] = []
    for await event in events { received.append(try event.arguments.value(at: 0, as: Int.self)) }
    expectEqual(received, [3, 100])
    expectEqual(events.droppedCount, 2)
  }

  @MainActor
  @Test(
    "What waited for a loop that ended elsewhere is released by the next event, after it (E14.1, E14.5, E16.4)",
    arguments: [EventSequence.Buffering.oldest(2), .oldest(1), .newest(2), .unbounded])
  func orderAfterAnEnd(buffering: EventSequence.Buffering) async throws {
    let node = ResponderNode("node")
    let events = try node.proxy.events(for: "k", buffering: buffering)
    // Unchecked Sendable: the task is awaited.
    final class Holder: @unchecked Sendable { var first: EventSequence.Iterator? }
    let holder = Holder()
    holder.first = events.makeAsyncIterator()
    var second = events.makeAsyncIterator()
    weak var source: Parcel?
    do {
      let sender = Parcel(node, 100)
      source = sender
      node.send("k", source: sender, arguments: [.int(1)], rules: .strategy)
    }
    try await expectEqual(second.next()?.arguments.value(at: 0, as: Int.self), 1)
    if buffering == .oldest(1) { node.send("k", arguments: [.int(2)], rules: .strategy) }
    await Task.detached { holder.first = nil }.value
    expect(source != nil && holder.first == nil)
    if buffering == .oldest(1) { try await expectEqual(second.next()?.arguments.value(at: 0, as: Int.self), 2) }
    node.send("k", arguments: [.int(3)], rules: .strategy)
    expect(source == nil)
    // With room for one event, the one that is sent in the meantime is lost.
    events.finish()
    var received: [Int] = []
    while let event = await second.next() { received.append(try event.arguments.value(at: 0, as: Int.self)) }
    expectEqual(received, (buffering == .oldest(1) ? [3] : [3, 100]))
  }

  @Test("A proxy that a state releases may be looked for") func states() throws {
    final class Looking {
      private unowned let state: ResponderState
      private let seen: (Bool) -> Void

      init(_ state: ResponderState, _ seen: @escaping (Bool) -> Void) { (self.state, self.seen) = (state, seen) }

      deinit { seen(state.eventProxy == nil) }
    }
    let state = ResponderState()
    var wasNil: Bool?
    func register() throws {
      let looking = Looking(state) { wasNil = $0 }
      try state.proxy.register("k") { (_: AnyObject?) in withExtendedLifetime(looking) {} }
    }
    try register()
    state.eventProxy = nil
    expectEqual(wasNil, true)
  }

  @Test("What an observer keeps may send events") func observers() {
    final class Sending: Sendable {
      deinit { ResponderNode("node").send("deinitializer.k", rules: .strategy) }
    }
    func observer() -> DispatchReport.Observer {
      let sending = Sending()
      return DispatchReport.Observer(after: { _ in withExtendedLifetime(sending) {} })
    }
    let cancelled = observer()
    cancelled.cancel()
    expect("\(cancelled)".contains("cancelled"))
    withExtendedLifetime(observer()) {}
  }
}

extension ProcessWideTests {
  @Test("What a log handler keeps may send events") func formerLoggers() {
    final class Sending: Sendable {
      deinit { ResponderNode("node").send("deinitializer.k") }
    }
    struct Handler: LogHandler {
      let sending = Sending()
      var metadata: Logger.Metadata = [:]
      var logLevel: Logger.Level = .warning
      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }
      func log(event: LogEvent) {}
    }
    let former = EventLog.logger
    defer { EventLog.logger = former }
    EventLog.logger = Logger(label: "deinitializer") { _ in Handler() }
    EventLog.logger = nil
    expect(EventLog.logger == nil)
  }
}
