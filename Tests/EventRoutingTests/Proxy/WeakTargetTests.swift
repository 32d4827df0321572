import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

#if os(Linux)
  import Dispatch
  import Foundation
#endif

/// Handlers with a weak target, most of them the only ones of their key, which are called the short way.
@Suite(.measured) struct WeakTargetTests {
  private let row = Row()

  @Test(
    "A weak target whose last other reference goes in its handler, the only one or not, lives until that returns (E11.3)",
    arguments: [false, true])
  func targetDiesInside(typed: Bool) throws {
    try LifetimeTracker.check { tracker in
      nonisolated(unsafe) var target: LifetimeTracked?
      nonisolated(unsafe) var payloads: [Int] = []
      nonisolated(unsafe) let handle: (LifetimeTracked) -> Void = { held in
        target = nil
        expectEqual(tracker.liveCount, 1)
        payloads.append(held.payload)
      }
      let proxy = EventProxy()
      func check(_ expected: (EventProxy.Outcome) -> Bool, _ register: (LifetimeTracked) throws -> Void) throws {
        target = tracker.object(5)
        try register(try #require(target))
        let answer = typed ? proxy.send("e", source: row, 3) : proxy.send("e", source: row, arguments: [.int(3)])
        expect(expected(answer))
        expect(target == nil && tracker.liveCount == 0)
        expect(proxy.send("e", source: row, 3).isUnhandled)
        expect(proxy.keys.isEmpty)
      }
      try check({ $0.calls == 1 && $0.errors.isEmpty }) { target in
        try proxy.register("e", Implementation { (held: LifetimeTracked, _: Row?, _: Int) in handle(held) }, target: target)
      }
      try check({ $0.calls == 1 && $0.errors.isEmpty }) { target in
        try proxy.register("e", target: target) { (held: LifetimeTracked) in { (_: Row?, _: Int) in handle(held) } }
      }
      try check({ $0.calls == 1 && $0.errors.first as? Refusal == Refusal(index: 3) }) { target in
        try proxy.register("e", target: target) { (held: LifetimeTracked) in
          { (_: Row?, index: Int) in
            handle(held)
            throw Refusal(index: index)
          }
        }
      }
      try check({ $0.calls == 1 && $0.errors.isEmpty }) { target in
        for _ in 0..<2 {
          try proxy.register("e", target: target, options: HandlerOptions(duplicates: .append)) { (held: LifetimeTracked) in
            { (_: Row?, _: Int) in handle(held) }
          }
        }
      }
      expectEqual(payloads, [5, 5, 5, 5])
    }
  }

  @Test("A target may remove its handler and send events as it ends, in the event that it ended in")
  func targetActsAtItsEnd() throws {
    final class Target {
      let proxy: EventProxy
      var registration: EventRegistration?
      var answers: [EventProxy.Outcome] = []
      let note: (Int, Int) -> Void

      init(_ proxy: EventProxy, _ note: @escaping (Int, Int) -> Void) {
        self.proxy = proxy
        self.note = note
      }

      deinit {
        let before = proxy.send("e", source: nil).calls
        registration?.cancel()
        note(before, proxy.send("other", source: nil).calls)
      }
    }
    let proxy = EventProxy()
    var notes: [[Int]] = []
    try proxy.register("other") { (_: Row?) in }
    for sendsBoxed in [false, true] {
      var target: Target? = Target(proxy) { notes.append([$0, $1]) }
      do {
        let held = try #require(target)
        held.registration = try proxy.register("e", target: held) { (_: Target) in { (_: Row?) in target = nil } }
      }
      expect((sendsBoxed ? proxy.send("e", source: nil, arguments: []) : proxy.send("e", source: nil)).calls == 1)
    }
    expectEqual(notes, [[0, 1], [0, 1]])
    expectEqual(proxy.keys, ["other"])
  }

  @Test("A target that registers itself as it ends is dead already")
  func registeredAtItsEnd() throws {
    final class Target {
      let proxy: EventProxy
      init(_ proxy: EventProxy) { self.proxy = proxy }
      deinit {
        do {
          let registration = try proxy.register("e", target: self) { (_: Target) in { (_: Row?) in Issue.record("it was called") } }
          expect(!registration.isActive)
        } catch {
          Issue.record(error)
        }
      }
    }
    let proxy = EventProxy()
    _ = Target(proxy)
    expectEqual(proxy.registrations.count, 1)
    expect(!proxy.handles("e"))
    expect(proxy.send("e", source: row).isUnhandled)
    expect(proxy.registrations.isEmpty)
  }

  @Test("A registration tells whether its target is alive, also when it was removed before or after the target ended")
  func aliveOrNot() throws {
    var target: Controller? = Controller()
    let proxy = EventProxy()
    let removed = try proxy.register("a", target: try #require(target)) { (_: Controller) in { (_: Row?) in } }
    let left = try proxy.register("b", target: try #require(target)) { (_: Controller) in { (_: Row?) in } }
    removed.cancel()
    expect(removed.handler.isAlive && !removed.isActive)
    expect(left.handler.isAlive && left.isActive)
    expectEqual(left.handler.description, "b: closure of Controller ()")
    target = nil
    expect(!removed.handler.isAlive && !left.handler.isAlive && !left.isActive)
    proxy.removeDeadHandlers()
    expect(proxy.registrations.isEmpty)
    expectEqual(left.handler.description, "b: closure of Controller () [target dead]")
  }

  #if os(Linux)
    @Test("A target may be released on another thread while the proxy sends; each event is handled or not, and nothing leaks")
    func releasedElsewhere() throws {
      try LifetimeTracker.check { tracker in
        let proxy = EventProxy()
        let queue = DispatchQueue.global()
        let group = DispatchGroup()
        for _ in 0..<2_000 {
          var calls = 0
          var target: LifetimeTracked? = tracker.object(7)
          try proxy.register("e", target: try #require(target)) { (held: LifetimeTracked) in { (_: Row?) in calls += held.payload } }
          queue.async(group: group) { [target] in withExtendedLifetime(target) {} }
          target = nil
          var handled = 0
          while true {
            let answer = handled % 2 == 0 ? proxy.send("e", source: row) : proxy.send("e", source: row, arguments: [])
            if answer.isUnhandled { break }
            handled += 1
          }
          expectEqual(calls, 7 * handled)
          expect(proxy.keys.isEmpty)
        }
        group.wait()
        expectEqual(tracker.madeCount, 2_000)
      }
    }

    /// In a process of its own, as other tests take memory too.
    @Test(
      "A dead target's memory is freed by the next event, even if somebody keeps the registration",
      .enabled(if: Sanitizer.givesMemoryBack, "a sanitizer keeps what is freed"))
    func memory() async {
      await #expect(processExitsWith: .success) {
        let bytes = 64 << 20
        func resident() throws -> Int {
          let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
          return try #require(Int(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
        let proxy = EventProxy()
        func register() throws -> EventRegistration {
          let target = ManagedBuffer<Int, UInt8>.create(minimumCapacity: bytes) { _ in 0 }
          target.withUnsafeMutablePointerToElements { $0.initialize(repeating: 1, count: bytes) }
          return try proxy.register("e", target: target) { (_: ManagedBuffer<Int, UInt8>) in { (_: Row?) in } }
        }
        let before = try resident()
        let registration = try register()
        expect(!registration.handler.isAlive)
        expect(proxy.send("e", source: nil).isUnhandled)
        try expect(resident() < before + bytes / 2)
        withExtendedLifetime(registration) {}
      }
    }
  #endif
}
