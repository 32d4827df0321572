import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// Tokens that end many registrations.
@Suite(.measured) struct EventTokenTests {
  private let journal = Journal()
  private let root = ResponderNode("root")

  private func register(_ key: EventKey, on proxy: EventProxy? = nil) throws -> EventRegistration {
    try (proxy ?? root.proxy).on(key, journal, "\(key)", reply: .handledAndContinue)
  }

  @Test("A token ends its registrations, of several proxies, and no others (E16.1)") func cancel() throws {
    let other = EventProxy()
    let token = EventToken()
    let ended = [try register("a"), try register("b"), try register("a", on: other)]
    for registration in ended { registration.end(with: token) }
    let kept = try register("a")
    expect(token.count == 3 && !token.isCancelled)
    token.cancel()
    token.cancel()
    expect(token.count == 0 && token.isCancelled)
    expect(ended.allSatisfy { !$0.isActive } && kept.isActive)
    root.send("a")
    root.send("b", rules: .strategy)
    other.send("a", source: nil, arguments: [])
    expectEqual(journal.entries, ["a"])
    let late = try register("b").end(with: token)
    expect(!late.isActive)
  }

  @Test("A token that is deallocated ends its registrations (E16.2)") func deallocated() throws {
    final class Page { let token = EventToken() }
    var page: Page? = Page()
    let registration = try register("a")
    if let page { registration.end(with: page.token) }
    expect(registration.isActive)
    page = nil
    expect(!registration.isActive && root.proxy.keys.isEmpty)
  }

  @Test("Registrations leave the token when they end otherwise, or get another (E16.1)") func leaves() throws {
    let (token, other) = (EventToken(), EventToken())
    let all = try (0..<5).map { _ in try register("a").end(with: token) }
    all[2].cancel()
    all[0].cancel()
    all[4].end(with: other)
    all[4].end(with: other)
    expect(token.count == 2 && other.count == 1)
    token.cancel()
    expectEqual(all.map(\.isActive), [false, false, false, false, true])
    var proxy: EventProxy? = EventProxy()
    try proxy.map { try register("k", on: $0) }?.end(with: other)
    expectEqual(other.count, 2)
    proxy = nil
    expectEqual(other.count, 1)
    try register("once").end(with: other)
    root.proxy.removeAllHandlers()
    expectEqual(other.count, 0)
  }

  @MainActor
  @Test("A token bound to a task ends when the task is cancelled, and with the scope (E16.3)") func task() async throws {
    let token = EventToken()
    let registration = try register("a").end(with: token)
    let result = await token.during { [journal, root] in
      root.send("a")
      return journal.entries
    }
    expect(result == ["a"] && token.isCancelled && !registration.isActive)

    let bound = EventToken()
    try register("a").end(with: bound)
    let task = Task { @MainActor [root, journal] in
      try await bound.during {
        try root.proxy.on("a", journal, "late", reply: .handledAndContinue).end(with: bound)
        root.send("a")
        while !Task.isCancelled { await pause() }
        // The handlers are still registered, and no longer called.
        expect(bound.count == 2 && !root.proxy.handles("a"))
        return root.send("a", rules: .strategy).isUnhandled
      }
    }
    while journal.entries.count < 3 { await pause() }
    task.cancel()
    try await expect(task.value)
    expect(journal.entries == ["a", "a", "late"] && bound.isCancelled && root.proxy.keys.isEmpty)
  }

  @MainActor
  @Test("Asynchronous handlers of a token are not called any more when its task is cancelled (E16.3)", arguments: [1, 2])
  func awaited(count: Int) async throws {
    let token = EventToken()
    for _ in 0..<count {
      try root.proxy.register("a", options: HandlerOptions(duplicates: .append)) { [journal] (_: AnyObject?) async in
        journal.note("called")
      }.end(with: token)
    }
    let task = Task { @MainActor [root] in
      await token.during {
        while !Task.isCancelled { await pause() }
        return await root.sendAwaiting("a", rules: .strategy).isUnhandled
      }
    }
    task.cancel()
    await expect(task.value)
    expect(journal.entries.isEmpty)
  }

  @MainActor
  @Test("An error of the closure ends the token and is thrown (E16.3)") func failure() async throws {
    let token = EventToken()
    let registration = try register("a").end(with: token)
    await #expect(throws: Failure.self) { try await token.during { throw Failure() } }
    expect(!registration.isActive)
  }

  /// Of no actor, as a library's class.
  private final class Plain {
    let token = EventToken()

    nonisolated(nonsending) func run() async -> Int {
      await token.during {
        await Task.yield()
        MainActor.assertIsolated()
        return token.count
      }
    }
  }

  @MainActor
  @Test("The closure of a token's task runs in the isolation of its caller (E16.3)") func isolation() async {
    await expectEqual(Plain().run(), 0)
  }
}
