import DynamicInvocation
import EventRouting
import Testing

/// Objects of the main actor that another thread releases last: their deinitializers run there.
@MainActor
@Suite struct ForeignReleaseTests {
  /// Stores what ends its handlers.
  @MainActor final class Page {
    private let token = EventToken()
    private var scoped: [ScopedRegistration] = []
    private var sequence: EventSequence?
    private var iterator: EventSequence.Iterator?

    init(_ root: ResponderNode, _ journal: Journal, keys: Int = 1) throws {
      for index in 0..<keys {
        let key = EventKey(number: index)
        try root.proxy.on(key, journal, "token", reply: .handledAndContinue).end(with: token)
        scoped.append(try root.proxy.on(key, journal, "scoped", reply: .handledAndContinue).scoped())
      }
      sequence = try root.proxy.events(for: EventKey(number: 0), buffering: .unbounded)
      iterator = sequence?.makeAsyncIterator()
    }
  }

  private let journal = Journal()
  private let root = ResponderNode("root")

  /// Releases the last reference on another thread, and waits until that has happened.
  private func releaseElsewhere(_ page: sending Page?) async {
    nonisolated(unsafe) var page = page
    await Task.detached {
      withExtendedLifetime(page) {}
      page = nil
    }.value
  }

  @Test("No event calls the handlers any more, and the next one that reaches them removes them (E16.4)") func removed() async throws {
    weak var seen: Page?
    do {
      let page = try Page(root, journal)
      seen = page
      root.send(EventKey(number: 0), rules: .strategy)
      #expect(journal.entries == ["token", "scoped"])
      await releaseElsewhere(page)
    }
    #expect(seen == nil)
    #expect(root.proxy.registrations.allSatisfy { !$0.isActive })
    root.send(EventKey(number: 0), rules: .strategy)
    #expect(journal.entries == ["token", "scoped"])
    #expect(root.proxy.registrations.isEmpty && root.proxy.keys.isEmpty)
  }

  @Test("On the main actor they are removed at once (E16.2)") func atOnce() throws {
    var page: Page? = try Page(root, journal)
    #expect(root.proxy.registrations.count == 3)
    withExtendedLifetime(page) {}
    page = nil
    #expect(root.proxy.registrations.isEmpty)
  }

  @Test("Events that are sent meanwhile meet no handler that is being removed (E16.4)") func meanwhile() async throws {
    for _ in 0..<500 {
      let page = try Page(root, journal, keys: 8)
      // Not awaited: the release and the event are at the same time.
      Task.detached { _ = page }
      root.send(EventKey(number: 3), rules: .strategy)
      root.send(EventKey(number: 0), rules: .strategy)
      await Task.yield()
    }
    while root.proxy.registrations.contains(where: \.isActive) { await Task.yield() }
    for index in 0..<8 { root.send(EventKey(number: index), rules: .strategy) }
    #expect(root.proxy.registrations.isEmpty)
  }
}

extension EventKey {
  fileprivate init(number index: Int) { self.init("foreign.\(index)") }
}
