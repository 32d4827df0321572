import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Objects of the main actor that another thread releases last: their deinitializers run there.
@MainActor
@Suite(.measured) struct ForeignReleaseTests {
  /// Stores what ends its handlers.
  @MainActor final class Page {
    private let token = EventToken()
    private var tokens: [EventToken] = []
    private var sequence: EventSequence?
    private var iterator: EventSequence.Iterator?

    init(_ root: ResponderNode, _ journal: Journal, keys: Int = 1) throws {
      for index in 0..<keys {
        let key = EventKey(number: index)
        try root.proxy.on(key, journal, "token", reply: .handledAndContinue).end(with: token)
        tokens.append(try root.proxy.on(key, journal, "own", reply: .handledAndContinue).endingWithToken())
      }
      sequence = try root.proxy.events(for: EventKey(number: 0), buffering: .unbounded)
      iterator = sequence?.makeAsyncIterator()
    }
  }

  private let journal = Journal()
  private let root = ResponderNode("root")

  @Test("No event calls the handlers any more, and the next one that reaches them removes them (E16.4)") func removed() async throws {
    nonisolated(unsafe) var page: Page? = try Page(root, journal)
    weak let seen = page
    root.send(EventKey(number: 0), rules: .strategy)
    expectEqual(journal.entries, ["token", "own"])
    // The last reference: its objects are deallocated on the other thread.
    let isReleasedThere = await Task.detached {
      page = nil
      return seen == nil
    }.value
    expect(isReleasedThere)
    let registrations = root.proxy.registrations
    expectEqual(registrations.map(\.isActive), [false, false, false])
    root.send(EventKey(number: 0), rules: .strategy)
    expectEqual(journal.entries, ["token", "own"])
    expect(root.proxy.registrations.isEmpty && root.proxy.keys.isEmpty)
  }

  @Test("Without an actor they are removed at once by the thread that made them, and by no other (E16.2, E16.4)")
  nonisolated func threads() throws {
    let node = ResponderNode("node")
    func token() throws -> EventToken { try node.proxy.register("k") { (_: AnyObject?) in }.endingWithToken() }
    var first: EventToken? = try token()
    withExtendedLifetime(first) {}
    first = nil
    expect(node.proxy.registrations.isEmpty)
    var other: EventToken? = try token()
    // Waited for: the thread sanitizer sees no order after a continuation that is resumed before it is awaited.
    onLargeStack { other = nil }
    expectEqual(node.proxy.registrations.map(\.isActive), [false])
    expect(other == nil && node.send("k", rules: .strategy).isUnhandled && node.proxy.registrations.isEmpty)
    // Two threads without a task.
    let states = onLargeStack {
      var own = try? token()
      withExtendedLifetime(own) {}
      onLargeStack { own = nil }
      return node.proxy.registrations.map(\.isActive)
    }
    expectEqual(states, [false])
  }

  /// An actor whose token is made before it is on the actor.
  private actor Worker {
    private let root = ResponderNode("root")
    private var token: EventToken? = EventToken()
    private var own: EventToken?

    init() throws { own = try root.proxy.register("own") { (_: AnyObject?) in }.endingWithToken() }

    func end() throws -> Int {
      if let token { try root.proxy.register("token") { (_: AnyObject?) in }.end(with: token) }
      root.send("own", rules: .strategy)
      token = nil
      return root.proxy.registrations.count
    }

    func count() -> Int {
      own = nil
      return root.proxy.registrations.count
    }
  }

  @Test("A registration's domain is where it was made or last delivered (E16.4)") func domains() async throws {
    let worker = try await Task.detached { try Worker() }.value
    try await expectEqual(worker.end(), 1)
    await expectEqual(worker.count(), 0)
  }

  @Test("A token that was made elsewhere is not taken to be where it was made (E16.4)") func madeElsewhere() async throws {
    // Unchecked Sendable: the tasks are awaited.
    final class Holder: @unchecked Sendable { var token: EventToken? }
    let holder = Holder()
    await Task.detached { holder.token = EventToken() }.value
    try root.proxy.on("k", journal, "token").end(with: holder.token!)
    await Task.detached { holder.token = nil }.value
    expectEqual(root.proxy.registrations.map(\.isActive), [false])
    expect(root.send("k", rules: .strategy).isUnhandled && root.proxy.registrations.isEmpty)
  }

  @Test("On the main actor they are removed at once (E16.2)") func atOnce() throws {
    var page: Page? = try Page(root, journal)
    expectEqual(root.proxy.registrations.count, 3)
    withExtendedLifetime(page) {}
    page = nil
    expect(root.proxy.registrations.isEmpty)
  }

  @Test("Events that are sent meanwhile meet no handler that is being removed (E16.4)") func meanwhile() async throws {
    for _ in 0..<500 {
      let pages = Locked<Page?>(try Page(root, journal, keys: 8))
      // Not awaited: the release and the events are at the same time.
      let release = Task.detached { pages.withLock { $0 = nil } }
      root.send(EventKey(number: 3), rules: .strategy)
      root.send(EventKey(number: 0), rules: .strategy)
      await release.value
    }
    let registrations = root.proxy.registrations
    expect(!registrations.map(\.isActive).contains(true))
    for index in 0..<8 { root.send(EventKey(number: index), rules: .strategy) }
    expect(root.proxy.registrations.isEmpty)
  }
}

extension EventRegistration {
  /// A token of its own that ends the registration.
  fileprivate func endingWithToken() -> EventToken {
    let token = EventToken()
    end(with: token)
    return token
  }
}

extension EventKey {
  fileprivate init(number index: Int) { self.init("foreign.\(index)") }
}
