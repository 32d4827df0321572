import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// Handlers that are removed while an asynchronous handler of the same proxy is suspended.
@MainActor
@Suite(.measured) struct RemovedWhileSuspendedTests {
  private let node = ResponderNode("node")
  private let journal = Journal()
  private let append = HandlerOptions(reply: .handledAndContinue, duplicates: .append)

  private func note(_ name: String, _ options: HandlerOptions? = nil) throws -> EventRegistration {
    try node.proxy.register("k", options: options ?? append) { [journal] (_: AnyObject?) async in
      journal.note(name)
      await Task.yield()
    }
  }

  @Test("A handler may wait for a loop and for `next`, whose handlers it removes (E14.6)") func waitedFor() async throws {
    defer { node.removeHandlers() }
    let waiter = Task { try await node.proxy.next("x")?.key }
    let events = try node.proxy.events(for: "y")
    let loop = Task {
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
    while node.proxy.registrations(for: "x").isEmpty || events.loopsWaiting == 0 { await pause() }
    node.send("y", rules: .strategy)
    var isNil: Bool?
    var count: Int?
    try node.proxy.register("close") { [node] (_: AnyObject?) async throws in
      node.proxy.removeHandlers(for: "x")
      node.proxy.removeHandlers(for: "y")
      isNil = try await waiter.value == nil
      count = await loop.value
    }
    await node.sendAwaiting("close")
    expect(isNil == true && count == 1)
  }

  @Test("What they have captured is released at once, under the same key and another (E11.5)", arguments: ["k", "other"])
  func released(key: EventKey) async throws {
    defer { node.removeHandlers() }
    var wasAlive: [Bool] = []
    try node.proxy.register("k", options: append) { [node, append] (_: AnyObject?) async throws in
      for _ in 0..<3 {
        weak var seen: Journal?
        var registration: EventRegistration?
        do {
          let captured = Journal()
          seen = captured
          registration = try node.proxy.register(TypedEventKey(key), options: append) { (_: AnyObject?) in captured.note("") }
        }
        await Task.yield()
        registration?.cancel()
        registration = nil
        wasAlive.append(seen != nil)
      }
    }
    await node.sendAwaiting("k")
    expectEqual(wasAlive, [false, false, false])
  }

  @Test("One that has stopped the event is released when it is removed afterwards (E11.5)") func releasedAfterStop() async throws {
    defer { node.removeHandlers() }
    weak var seen: Journal?
    var registration: EventRegistration?
    do {
      let captured = Journal()
      seen = captured
      registration = try node.proxy.register("k", options: append) { (_: AnyObject?) async -> EventReply in
        await Task.yield()
        captured.note("stopped")
        return .handledAndStop(.node)
      }
    }
    _ = try note("not called")
    await node.sendAwaiting("k")
    expect(seen?.entries == ["stopped"] && journal.entries.isEmpty)
    registration?.cancel()
    registration = nil
    expect(seen == nil)
  }

  @Test("Whichever of them are removed, the others are called once, in order (E7.5)", arguments: 0..<64)
  func others(removed: Int) async throws {
    defer { node.removeHandlers() }
    let names = ["a", "b", "c", "d", "e", "f"]
    var registrations: [Int: EventRegistration] = [:]
    defer { registrations = [:] }
    // In another order than their priorities.
    for index in [3, 0, 1, 2, 4, 5] {
      let options = HandlerOptions(
        priority: index < 3 ? 1 : 0, isOnce: index == 4, reply: .handledAndContinue, duplicates: .append)
      registrations[index] = try index == 2 ? removing() : note(names[index], options)
    }
    func removing() throws -> EventRegistration {
      try node.proxy.register("k", options: HandlerOptions(priority: 1, reply: .handledAndContinue, duplicates: .append)) {
        [journal] (_: AnyObject?) async in
        journal.note("c")
        await Task.yield()
        for index in names.indices.reversed() where removed & 1 << index != 0 { registrations[index]?.cancel() }
        await Task.yield()
      }
    }
    await node.sendAwaiting("k")
    let rest = names.indices.filter { $0 < 3 || removed & 1 << $0 == 0 }
    expectEqual(journal.entries, rest.map { names[$0] })
    journal.entries = []
    await node.sendAwaiting("k")
    expectEqual(journal.entries, names.indices.filter { $0 != 4 && removed & 1 << $0 == 0 }.map { names[$0] })
  }

  @Test("A handler that is removed lives until each of its calls has returned (E7.5)", arguments: [1, 2, 5])
  func itself(passes: Int) async throws {
    let tracker = LifetimeTracker()
    var registration: EventRegistration?
    func register() throws {
      let captured = tracker.object()
      registration = try node.proxy.register("k", options: append) { [node, journal] (_: AnyObject?) async in
        while journal.entries.count < passes - 1 {
          journal.note("here")
          await node.proxy.sendAwaiting("k", source: nil, arguments: [])
        }
        registration?.cancel()
        registration = nil
        await Task.yield()
        journal.note("\(tracker.liveCount)")
        withExtendedLifetime(captured) {}
      }
    }
    try register()
    _ = try note("after")
    await node.proxy.sendAwaiting("k", source: nil, arguments: [])
    expect(journal.entries.filter { $0 == "1" }.count == passes && journal.entries.last == "after")
    expectEqual(tracker.liveCount, 0)
  }

  @Test("What is released with a handler may remove the next one") func releasing() async throws {
    defer { node.removeHandlers() }
    final class Remover {
      var registration: EventRegistration?
      deinit { registration?.cancel() }
    }
    let first = Remover()
    weak var seen: Remover?
    do {
      let remover = Remover()
      seen = remover
      first.registration = try node.proxy.register("k", options: append) { [remover, journal] (_: AnyObject?) async in
        journal.note("first")
        first.registration?.cancel()
        first.registration = nil
        await Task.yield()
        withExtendedLifetime(remover) {}
      }
      remover.registration = try note("second")
      _ = try note("third")
    }
    await node.sendAwaiting("k")
    expect(seen == nil && journal.entries == ["first", "third"])
  }
}
