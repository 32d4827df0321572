import DynamicInvocation
import EventRouting
import Logging
import Testing

/// Objects whose deinitializers send events, where the library releases the last reference.
@Suite struct DeinitializerTests {
  /// Sends an event when it is deallocated.
  private final class Parcel: EncodedObject {
    private unowned let node: ResponderNode

    init(_ node: ResponderNode) { self.node = node }

    deinit { node.send("k", argument: .int(7), rules: .strategy) }
  }

  @MainActor
  @Test(
    "An event that a sequence drops may send another to it (E14.3)",
    arguments: [EventBuffering.newest(1), .newest(3), .oldest(2), .unbounded])
  func sequences(buffering: EventBuffering) async throws {
    let node = ResponderNode("node")
    let events = try node.proxy.events(for: "k", buffering: buffering)
    for index in 0..<4 {
      node.send("k", argument: .object(Parcel(node)), rules: .strategy)
      node.send("k", argument: .int(index), rules: .strategy)
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
    #expect(count == limit)
    if case .newest = buffering { #expect(last == "\(BoxedValue.int(3))") }
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
    #expect(wasNil == true)
  }

  @Test("What an observer keeps may send events") func observers() {
    final class Sending: Sendable {
      deinit { ResponderNode("node").send("deinitializer.k", rules: .strategy) }
    }
    func observer() -> SendObserver {
      let sending = Sending()
      return SendObserver(after: { _ in withExtendedLifetime(sending) {} })
    }
    let cancelled = observer()
    cancelled.cancel()
    #expect(!cancelled.isWatching)
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
    #expect(EventLog.logger == nil)
  }
}
