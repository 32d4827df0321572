#if arch(x86_64) || arch(arm64)
  import TestSupport
  import Testing

  @testable import DynamicInvocation

  /// The steps of a look into a table and of a change that comes between them, which threads take in some unlucky order.
  @Suite(.measured) struct MethodTableSnapshotTests {
    private final class Read {}

    @Test func whatALookUpMayHoldStaysAlive() throws {
      try LifetimeTracker.check { tracker in
        let table = MethodTable.of(Read.self)
        try table.add("f", MethodTableTests.adding(1, owner: tracker.object()))
        var live: [Int] = []
        table.current { snapshot in
          // Two changes: the second must not release what the first has replaced.
          table.remove("f")
          live.append(tracker.liveCount)
          do { try table.add("g", MethodTableTests.adding(2)) } catch { Issue.record(error) }
          live.append(tracker.liveCount)
          guard live == [1, 1] else { return }
          #expect(snapshot.methods.map(\.selector) == ["f"] && snapshot.method(for: "f") != nil && snapshot.method(for: "g") == nil)
        }
        #expect(live == [1, 1])
        #expect(table.selectors == ["g"])
        // Released with the last reader, not only by a later change.
        #expect(tracker.liveCount == 0)
        table.remove("g")
      }
    }

    private final class Dated {}

    @Test func whatIsFoundBeforeAChangeIsStale() throws {
      let table = MethodTable.of(Dated.self)
      // Other tests change other tables, so that only the order of the numbers is known.
      let before = MethodTable.epoch
      var after = 0
      let (found, epoch) = try MethodTable.lookUp {
        let found = table.method(for: "f")
        try table.add("f", MethodTableTests.adding(1))
        after = MethodTable.epoch
        return found
      }
      #expect(found == nil && table.method(for: "f") != nil)
      #expect(before <= epoch && epoch < after)
    }
  }
#endif
