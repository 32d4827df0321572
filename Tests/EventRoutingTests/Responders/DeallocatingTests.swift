import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Events that a deinitializer sends with its own object: nothing may keep it.
@MainActor
@Suite(.measured) struct DeallocatingTests {
  /// An object that does something with itself when it is deallocated.
  private final class Leaver: EncodedObject, @unchecked Sendable {
    let leave: (Leaver) -> Void
    init(_ leave: @escaping (Leaver) -> Void) { self.leave = leave }
    deinit { leave(self) }
  }

  private func leave(_ body: @escaping (Leaver) -> Void) { withExtendedLifetime(Leaver(body)) {} }

  @Test("A sequence and a wait have neither the source nor an argument that is being deallocated (E2.8)") func sequences() async throws {
    let proxy = EventProxy()
    var events = try proxy.events(for: "e").makeAsyncIterator()
    func check(_ event: EventSequence.Event?) throws {
      expect(event?.source == nil && event?.arguments.count == 2 && event?.arguments.first?.isNull == true)
      try expectEqual(event?.arguments.value(at: 1, as: Int.self), 3)
    }
    let waiting = Task { try check(try await proxy.next("e")) }
    while proxy.registrations(for: "e").count < 2 { await Task.yield() }
    leave { proxy.send("e", source: $0, arguments: [.object($0), .int(3)]) }
    try check(await events.next())
    try await waiting.value
  }

  @Test("It is not kept as the last event, posted, or given to a handler that is started (E2.8, E22.3)") func refusals() async throws {
    let root = ResponderNode("root")
    let proxy = root.proxy
    proxy.keepLast("last")
    proxy.send("last", source: nil, 1)
    var started = 0
    try proxy.register("started") { (_: AnyObject?) async in started += 1 }
    try proxy.register("started with") { (_: AnyObject?, _: Leaver?) async in started += 1 }
    let port = root.port(coalescing: ["newest": .newest])
    var codes: [InvocationError.Code?] = []
    let lines = LogLines()
    EventLog.withLogger(lines.logger()) {
      leave { object in
        let last = proxy.send("last", source: object, arguments: [.object(object)])
        let events = [
          proxy.send("started", source: object), proxy.send("started with", source: nil, object),
          proxy.send("started with", source: nil, arguments: [.object(object)]),
        ]
        codes.append((last.errors.first as? InvocationError)?.code)
        codes += events.map { ($0.errors.first as? EventError)?.reason.code }
        for key in ["posted", "newest"] as [TypedEventKey<Leaver>] {
          expect(!port.offer(key, object) && !port.offer(key.key, arguments: [.object(object)]))
        }
        expect(!port.offer("optional" as TypedEventKey<(Int, Leaver?)>, 1, object))
      }
    }
    expectEqual(codes, [.unsupportedType, .asynchronousHandler, .asynchronousHandler, .asynchronousHandler])
    expect(port.droppedCount == 5 && port.waitingCount == 0 && started == 0)
    expectEqual(lines.all(containing: "an object among its arguments is being deallocated").count, 5)
    expectEqual(proxy.last("last")?.arguments.count, 1)
    // Others of the class are taken.
    let object = Leaver { _ in }
    expect(port.offer("posted" as TypedEventKey<Leaver>, object))
    proxy.send("started with", source: object, object)
    while started == 0 { await Task.yield() }
    proxy.removeAllHandlers()
  }
}
