import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What handlers may do to the proxy while an event is running.
@Suite(.measured) struct ReentrancyTests {
  private let proxy = EventProxy()
  private let row = Row()
  private let append = HandlerOptions(duplicates: .append)

  @Test("A handler that an event within its own removes lives until it returns, with what it has captured (E7.5)", arguments: [1, 3])
  func removedWithin(depth: Int) throws {
    try LifetimeTracker.check { tracker in
      var registration: EventRegistration?
      try proxy.register("remove") { [unowned proxy] (_: Row?, depth: Int) in
        if depth > 1 {
          proxy.send("remove", source: nil, arguments: [.int(depth - 1)])
        } else {
          registration?.cancel()
          registration = nil
        }
      }
      registration = try { () throws in
        let object = tracker.object()
        return try proxy.register("e") { [unowned proxy] (_: Row?) in
          weak let own = registration
          proxy.send("remove", source: nil, arguments: [.int(depth)])
          expect(tracker.liveCount == 1 && own != nil)
          withExtendedLifetime(object) {}
        }
      }()
      expectEqual(proxy.send("e", source: row).calls, 1)
      expectEqual(tracker.liveCount, 0)
    }
  }

  @Test("A handler that replaces itself and all others ends in peace")
  func replacing() throws {
    try LifetimeTracker.check { tracker in
      let proxy = EventProxy()
      var log: [String] = []
      let payload = tracker.object(1)
      try proxy.register("e") { (_: Row?) in
        try proxy.register("e", options: HandlerOptions(duplicates: .replace)) { (_: Row?) in log.append("new") }
        log.append("old \(payload.payload)")
      }
      proxy.send("e", source: row)
      proxy.send("e", source: row)
      expectEqual(log, ["old 1", "new"])
      proxy.removeAllHandlers()
    }
  }

  @Test("Sends within sends have frames and arguments of their own (E2.7)") func nesting() throws {
    final class Target {}
    var log: [String] = []
    nonisolated(unsafe) let proxy = proxy
    nonisolated(unsafe) let note: (String) -> Void = { log.append($0) }
    try MethodTable.of(Target.self).replace(
      "nest",
      Implementation { (_: Target, row: Row?, depth: Int, rect: Geometry.Rect, word: String) in
        if depth > 0 {
          proxy.send(
            "e", source: row,
            arguments: [.int(depth - 1), .rect(Geometry.Rect(x: 0, y: 0, width: Double(depth - 1), height: 0)), .string("w\(depth - 1)")])
        }
        note("\(depth) \(rect.size.width) \(word)")
      })
    let target = Target()
    try proxy.register("e", target: target, selector: "nest")
    proxy.send("e", source: row, 3, Geometry.Rect(x: 0, y: 0, width: 3, height: 0), "w3")
    expectEqual(log, ["0 0.0 w0", "1 1.0 w1", "2 2.0 w2", "3 3.0 w3"])
  }

  @Test("A handler for once is not called again by what it sends, and may register itself again (E8.14)")
  func once() throws {
    var log: [String] = []
    func add() throws {
      try proxy.register("e", options: HandlerOptions(isOnce: true)) { (_: Row?, value: Int) in
        log.append("once \(value)")
        proxy.send("e", source: row, value + 1)
        if value < 10 { try add() }
      }
    }
    try add()
    // An event that it cannot take does not use it up.
    expectEqual(proxy.send("e", source: row, arguments: [.string("x")]).errors.count, 1)
    expect(proxy.handles("e"))
    proxy.send("e", source: row, 1)
    expectEqual(log, ["once 1"])
    proxy.send("e", source: row, 20)
    expectEqual(log, ["once 1", "once 20"])
    expect(!proxy.handles("e") && proxy.keys.isEmpty)
  }

  @Test("A proxy may lose its last other reference in a handler")
  func dyingProxy() throws {
    try LifetimeTracker.check { tracker in
      var holder: EventProxy? = EventProxy()
      var log: [Int] = []
      let payload = tracker.object(7)
      for _ in 0..<2 {
        try holder?.register("e", options: append) { (_: Row?, _: Int) in
          holder = nil
          log.append(payload.payload)
        }
      }
      holder?.send("e", source: row, arguments: [.int(1)])
      expectEqual(log, [7, 7])
      expect(holder == nil)
    }
  }

  @Test("What a removed handler has captured may send and register as it ends")
  func dyingCaptures() throws {
    final class Farewell {
      let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
      deinit { body() }
    }
    var log: [String] = []
    weak let weakProxy = proxy
    func add() throws -> EventRegistration {
      let farewell = Farewell {
        weakProxy?.send("other", source: nil)
        _ = try? weakProxy?.register("late") { (_: Row?) in }
      }
      return try proxy.register("e") { (_: Row?) in withExtendedLifetime(farewell) { log.append("e") } }
    }
    try proxy.register("other") { (_: Row?) in log.append("other") }
    let registration = try add()
    proxy.send("e", source: row)
    expect(registration.isActive)
    registration.cancel()
    expect(proxy.keys.contains("other") && !proxy.keys.contains("e"))
  }
}
