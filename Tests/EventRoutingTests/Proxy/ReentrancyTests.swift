import DynamicInvocation
import EventRouting
import TestSupport
import Testing

@testable import EventRouting

/// What handlers may do to the proxy while an event is running.
@Suite(.measured) struct ReentrancyTests {
  private let proxy = EventProxy()
  private let row = Row()
  private let append = HandlerOptions(duplicates: .append)

  @Test("A handler that removes itself keeps no other from being called (E7.5)", arguments: [0, 1, 2])
  func removingItself(index: Int) throws {
    var log: [Int] = []
    var registrations: [EventRegistration] = []
    defer { registrations = [] }  // the handlers keep them
    for name in 0..<3 {
      registrations.append(
        try proxy.register("e", options: append) { (_: Row?) in
          log.append(name)
          if name == index { registrations[name].cancel() }
        })
    }
    proxy.send("e", source: row)
    #expect(log == [0, 1, 2])
    proxy.send("e", source: row, arguments: [])
    #expect(log == [0, 1, 2] + [0, 1, 2].filter { $0 != index })
  }

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
          #expect(tracker.liveCount == 1 && own != nil)
          withExtendedLifetime(object) {}
        }
      }()
      #expect(proxy.send("e", source: row).calls == 1)
      #expect(tracker.liveCount == 0)
    }
  }

  @Test("The only handler of a key may remove itself, and its reply still counts")
  func removingTheOnlyOne() throws {
    let row = row
    for reply in [EventReply.handled, .handledAndStop(.pass), .ignored] {
      var registration: EventRegistration?
      let options = HandlerOptions(reply: reply)
      registration = try proxy.register("e", options: options) { (_: Row?, _: Int) in
        registration?.cancel()
        registration = nil
      }
      #expect(proxy.send("e", source: row, 1).reply.rank == reply.rank)
      registration = try proxy.register("e", options: options) { (_: Row?, _: Int) in
        registration?.cancel()
        registration = nil
      }
      #expect(proxy.send("e", source: row, arguments: [.int(1)]).reply.rank == reply.rank)
      #expect(proxy.keys.isEmpty)
    }
  }

  @Test("A handler removed while the event is running is not called any more; the handlers behind it are (E7.5)")
  func removingOthers() throws {
    var log: [Int] = []
    var registrations: [EventRegistration] = []
    defer { registrations = [] }  // the handlers keep them
    for name in 0..<5 {
      registrations.append(
        try proxy.register("e", options: append) { (_: Row?) in
          log.append(name)
          if name == 1 { for other in [0, 1, 2, 3] { registrations[other].cancel() } }
        })
    }
    proxy.send("e", source: row)
    #expect(log == [0, 1, 4])
    #expect(proxy.registrations(for: "e").count == 1)
  }

  @Test("A handler registered while the event is running is called from the next one on (E7.4)") func adding() throws {
    var log: [String] = []
    defer { proxy.removeAllHandlers() }  // they keep it
    for priority in [1, 0] {
      try proxy.register("e", options: HandlerOptions(priority: priority, duplicates: .append)) { (_: Row?) in
        log.append("old")
        for place in [2, 0, -1] {
          try proxy.register("e", options: HandlerOptions(priority: place, duplicates: .append)) { (_: Row?) in log.append("new") }
        }
      }
    }
    #expect(proxy.send("e", source: row).calls == 2)
    #expect(log == ["old", "old"])
    #expect(proxy.send("e", source: row).calls == 8)
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
      #expect(log == ["old 1", "new"])
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
    #expect(log == ["0 0.0 w0", "1 1.0 w1", "2 2.0 w2", "3 3.0 w3"])
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
    #expect(proxy.send("e", source: row, arguments: [.string("x")]).errors.count == 1)
    #expect(proxy.handles("e"))
    proxy.send("e", source: row, 1)
    #expect(log == ["once 1"])
    proxy.send("e", source: row, 20)
    #expect(log == ["once 1", "once 20"])
    #expect(!proxy.handles("e") && proxy.keys.isEmpty)
  }

  @Test("A handler that throws is used up, if it was for once")
  func onceThrowing() throws {
    try proxy.register("e", options: HandlerOptions(isOnce: true)) { (_: Row?) in throw Refusal(index: 0) }
    #expect(proxy.send("e", source: row).errors.count == 1)
    #expect(proxy.send("e", source: row).isUnhandled)
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
      #expect(log == [7, 7])
      #expect(holder == nil)
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
    #expect(registration.isActive)
    registration.cancel()
    #expect(proxy.keys.contains("other") && !proxy.keys.contains("e"))
  }

  @Test("Random changes from inside of handlers lose no event and crash nothing", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try LifetimeTracker.check { tracker in
      let proxy = EventProxy()
      var registrations: [EventRegistration] = []
      var depth = 0
      var calls = 0
      func add() throws {
        let payload = tracker.object()
        registrations.append(
          try proxy.register(
            EventKey("k\(Int.random(in: 0..<5, using: &generator))").typed(),
            options: HandlerOptions(
              priority: Int.random(in: 0..<3, using: &generator), isOnce: Bool.random(using: &generator), duplicates: .append)
          ) { (_: Row?, _: Int) in
            calls += 1
            withExtendedLifetime(payload) {}
            try change()
          })
      }
      func change() throws {
        depth += 1
        defer { depth -= 1 }
        for _ in 0..<2 {
          switch Int.random(in: 0..<6, using: &generator) {
          case 0, 1: if registrations.count < 60 { try add() }
          case 2: registrations.randomElement(using: &generator)?.cancel()
          case 3: registrations.randomElement(using: &generator)?.block()
          case 4: registrations.randomElement(using: &generator)?.unblock()
          default:
            guard depth < 5 else { continue }
            let key = EventKey("k\(Int.random(in: 0..<5, using: &generator))")
            let callable = proxy.registrations(for: key).contains { !$0.isBlocked }
            let before = calls
            let answer =
              Bool.random(using: &generator) ? proxy.send(key, source: nil, arguments: [.int(1)]) : proxy.send(key.typed(), source: nil, 1)
            #expect(answer.errors.isEmpty)
            // At the top nothing runs for its only time, so what is there is called.
            if depth == 1, callable { #expect(calls > before) }
          }
        }
      }
      for _ in 0..<300 { try change() }
      registrations = []
      proxy.removeAllHandlers()
    }
  }
}

extension EventKey {
  /// The key with the types that the place asks for.
  fileprivate func typed<Arguments>() -> TypedEventKey<Arguments> { TypedEventKey(self) }
}
