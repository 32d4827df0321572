import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// How long handlers and their targets live.
@Suite(.measured) struct HandlerLifetimeTests {
  private let row = Row()

  @Test("The handler of a dead target is passed over, and removed by the event that meets it (E11.1)")
  func weakTargets() throws {
    final class Target {}
    try MethodTable.of(Target.self).replace("handle", Implementation { (_: Target, _: Row?) in })
    let proxy = EventProxy()
    var target: Target? = Target()
    weak let watched = target
    let held = try #require(target)
    var calls = 0
    let append = HandlerOptions(duplicates: .append)
    try proxy.register("e", target: held, selector: "handle", options: append)
    try proxy.register("e", target: held, options: append) { (_: Target) in { (_: Row?) in calls += 1 } }
    try proxy.register("e", options: append) { (_: Row?) in calls += 10 }
    expectEqual(proxy.send("e", source: row).calls, 3)
    withExtendedLifetime(consume held) {}
    target = nil
    expect(watched == nil)
    expectEqual(proxy.registrations(for: "e").count, 3)
    expectEqual(proxy.registrations(for: "e")[0].handler.isAlive, false)
    expectEqual(proxy.send("e", source: row).calls, 1)
    expectEqual(proxy.registrations(for: "e").count, 1)
    expectEqual(calls, 21)
  }

  @Test("A dead handler is no duplicate, does not handle, and can be swept out")
  func deadHandlers() throws {
    let proxy = EventProxy()
    for _ in 0..<3 { try proxy.register("e", target: Controller(), Controller.plain) }
    expect(!proxy.handles("e"))
    expectEqual(proxy.keys, ["e"])
    // Each registration has removed the dead handler before it.
    expectEqual(proxy.registrations(for: "e").count, 1)
    proxy.removeDeadHandlers()
    expect(proxy.keys.isEmpty)
    try proxy.register("e", target: Controller(), Controller.plain)
    expect(proxy.send("e", source: row).isUnhandled)
    expect(proxy.keys.isEmpty)
  }

  @Test("A strong target lives as long as its registration; an unretained one is the caller's (E11.2)")
  func holding() throws {
    try LifetimeTracker.check { tracker in
      let proxy = EventProxy()
      let registration = try proxy.register("e", target: tracker.object(3), options: HandlerOptions(holding: .strong)) {
        (target: LifetimeTracked) in
        {
          (_: Row?) in expectEqual(target.payload, 3)
        }
      }
      expectEqual(tracker.liveCount, 1)
      expectEqual(proxy.send("e", source: row).calls, 1)
      let other = tracker.object(4)
      try proxy.register("f", target: other, options: HandlerOptions(holding: .unretained)) { (target: LifetimeTracked) in
        { (_: Row?) in
          expectEqual(target.payload, 4)
        }
      }
      expectEqual(withExtendedLifetime(other) { proxy.send("f", source: row, arguments: []).calls }, 1)
      registration.cancel()
    }
  }

  @Test("A closure is released when it is removed, or with the proxy (E11.5)", arguments: [true, false])
  func closures(removing: Bool) throws {
    try LifetimeTracker.check { tracker in
      let proxy = EventProxy()
      var registrations: [EventRegistration] = []
      for index in 0..<4 {
        let payload = tracker.object(index)
        registrations.append(try proxy.register("e", options: HandlerOptions(duplicates: .append)) { (_: Row?) in _ = payload.payload })
        try proxy.intercept(EventKey("k\(index)")) { _, _, _ in
          _ = payload.payload
          return .ignored
        }
      }
      proxy.send("e", source: row)
      if removing { proxy.removeAllHandlers() }
      expectEqual(tracker.liveCount, 4)
    }
  }

  @Test("A registration outlives its proxy, and then does nothing")
  func orphan() throws {
    var proxy: EventProxy? = EventProxy()
    let registration = try #require(try proxy?.register("e") { (_: Row?) in })
    expect(registration.isActive)
    proxy = nil
    expect(!registration.isActive)
    registration.block()
    registration.unblock()
    registration.cancel()
    expectEqual(registration.handler.key, "e")
  }

  @Test("Dropping a registration does nothing, dropping its token removes the handler (E11.4, E16.2)")
  func tokens() throws {
    let proxy = EventProxy()
    _ = try proxy.register("a") { (_: Row?) in }
    var token: EventToken? = EventToken()
    try proxy.register("b") { (_: Row?) in }.end(with: token!)
    expect(proxy.handles("a") && proxy.handles("b"))
    token = nil
    expect(proxy.handles("a") && !proxy.handles("b"))
  }

  @Test("Objects and strings of an event are released after it, whatever became of it (E11.6)")
  func arguments() throws {
    try LifetimeTracker.check { tracker in
      let proxy = EventProxy()
      let append = HandlerOptions(duplicates: .append)
      try proxy.register("e", options: append) { (_: Row?, _: Unmanaged<LifetimeTracked>, _: String, _: Int8) in }
      try proxy.register("e", options: append) { (_: Row?, _: Unmanaged<LifetimeTracked>, _: String, _: Int8) in throw Refusal(index: 0) }
      for last in [1, 1000] {
        proxy.send("e", source: row, arguments: [.object(tracker.object()), .string("text"), .int(last)])
        let object = tracker.object()
        proxy.send("e", source: row, Unmanaged.passUnretained(object), "text", last)
        withExtendedLifetime(object) {}
      }
    }
  }
}
