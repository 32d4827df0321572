import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// Methods that change while they are being looked up: what was found is used once, and the next event finds the change.
@Suite(.measured) struct StaleMethodTests {
  private final class Log: @unchecked Sendable {
    // Sendable by hand: one thread uses it.
    var entries: [String] = []
  }

  /// Its class gets the method while the object is asked for its own, as it may by another thread.
  private final class Growing: Invocable {
    let log: Log
    let selector: MethodSelector
    init(_ log: Log, _ selector: MethodSelector) {
      self.log = log
      self.selector = selector
    }

    func implementation(for selector: MethodSelector) -> Implementation? {
      guard selector == self.selector else { return nil }
      let log = log
      do {
        try MethodTable.of(Growing.self).replace(selector, Implementation { (_: Growing, _: Row?) in log.entries.append("table") })
        return try Implementation { (_: Growing, _: Row?) in log.entries.append("own") }
      } catch {
        Issue.record(error)
        return nil
      }
    }
  }

  private let proxy = EventProxy()
  private let log = Log()

  private final class Changing {
    let proxy = EventProxy()
  }

  @Test("A method that an event within its own replaces keeps what it has captured until it returns")
  func replacedWithin() throws {
    try LifetimeTracker.check { tracker in
      let table = MethodTable.of(Changing.self)
      let target = Changing()
      try { () throws in
        let object = tracker.object()
        try table.replace(
          "change",
          Implementation { (target: Changing, _: Row?) in
            weak let plan = target.proxy.registrations(for: "e").first?.plan
            try MethodTable.of(Changing.self).replace("change", Implementation { (_: Changing, _: Row?) in })
            expectEqual(target.proxy.send("e", source: Row()).calls, 1)
            expect(tracker.liveCount == 1 && plan != nil)
            withExtendedLifetime(object) {}
          })
      }()
      try target.proxy.register("e", target: target, selector: "change")
      expect(target.proxy.send("e", source: Row()).errors.isEmpty)
      expectEqual(tracker.liveCount, 0)
      table.remove("change")
    }
  }

  @Test("The same code under other types is another method") func otherTypes() throws {
    let code: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, Int) -> Void = { _, _, _, _ in }
    let address = unsafeBitCast(code, to: UnsafeRawPointer.self)
    let table = MethodTable.of(Changing.self)
    let target = Changing()
    try table.replace("types", Implementation(address, methodSignature: MethodSignature(types: "v@:@q")))
    try proxy.register("e", target: target, selector: "types")
    expectEqual(proxy.send("e", source: Row(), arguments: [.int(1)]).calls, 1)
    try table.replace("types", Implementation(address, methodSignature: MethodSignature(types: "v@:@")))
    expectEqual(proxy.send("e", source: Row(), arguments: [.int(1)]).errors.count, 1)
    expectEqual(proxy.send("e", source: Row()).calls, 1)
  }

  @Test("A method that is added while a handler is registered is found by the first event")
  func addedWhileRegistering() throws {
    let target = Growing(log, "grown while registering")
    try proxy.register("e", target: target, selector: target.selector)
    for _ in 0..<2 { expectEqual(proxy.send("e", source: Row()).calls, 1) }
    expectEqual(log.entries, ["table", "table"])
  }

  @Test("A method that is added while an event looks its handler up again is found by the next event")
  func addedWhileSending() throws {
    let target = Growing(log, "grown while sending")
    let log = log
    let table = MethodTable.of(Growing.self)
    try table.add(target.selector, Implementation { (_: Growing, _: Row?) in log.entries.append("first") })
    try proxy.register("e", target: target, selector: target.selector)
    expectEqual(proxy.send("e", source: Row()).calls, 1)
    table.remove(target.selector)
    for _ in 0..<3 { expectEqual(proxy.send("e", source: Row()).calls, 1) }
    expectEqual(log.entries, ["first", "own", "table", "table"])
  }
}
