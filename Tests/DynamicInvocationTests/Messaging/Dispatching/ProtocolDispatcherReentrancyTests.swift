#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What happens to a dispatcher while it calls.
  @Suite(.measured) struct ProtocolDispatcherReentrancyTests {
    private typealias Fixtures = DispatchFixtures

    /// `sum` takes the quick way, `count` the other.
    enum Verb: String, CaseIterable {
      case sum, count

      func invocation(_ dispatcher: ProtocolDispatcher) throws -> Invocation {
        try Fixtures.invocation(self == .sum ? "sum(_:_:)" : "count(_:)", dispatcher, self == .sum ? [1, 1] : [1])
      }

      func calls(_ numbers: Int...) -> [String] { numbers.map { "\(self) \($0)" } }
    }

    @Test("An implementer added within a call waits, and one removed is not called (D4.10)", arguments: Verb.allCases)
    func whoIsAddedWaitsAndWhoIsRemovedIsNotCalled(verb: Verb) throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2, 3, 4], log)
      let dispatcher = try Fixtures.dispatcher([listeners[0], listeners[1], listeners[2]])
      var changes = 0
      listeners[0].body = {
        changes += 1
        guard changes == 1 else { return }
        try dispatcher.append(listeners[3])
        dispatcher.remove(listeners[1])
        // One that removes itself leaves the next where it is.
        dispatcher.remove(listeners[0])
      }
      let invocation = try verb.invocation(dispatcher)
      for calls in [verb.calls(1, 3), verb.calls(3, 4)] {
        log.entries = []
        try invocation.invoke()
        expectEqual(log.entries, calls)
      }
      for listener in listeners { listener.body = {} }
    }

    @Test(arguments: Verb.allCases) func callsMayBeNested(verb: Verb) throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2], log)
      let dispatcher = try Fixtures.dispatcher(listeners)
      let invocation = try verb.invocation(dispatcher)
      var depth = 0
      listeners[0].body = {
        guard depth < 3 else { return }
        depth += 1
        // The same invocation, whose target stays the dispatcher.
        expect(invocation.target === dispatcher)
        try invocation.invoke()
      }
      try expectEqual(invocation.result(), verb == .count ? 21 : 202)
      expectEqual(log.entries, verb.calls(1, 1, 1, 1, 2, 2, 2, 2))
      expect(invocation.target === dispatcher)
      for listener in listeners { listener.body = {} }
    }

    /// The last reference to an implementer goes within its own call, and that to a later one before its turn.
    @Test(arguments: Verb.allCases) func implementersThatEndMeanwhile(verb: Verb) throws {
      try LifetimeTracker.check { tracker in
        let log = CallLog()
        var listeners = Listener.make([1, 2, 3], log)
        for listener in listeners { listener.object = tracker.object() }
        let dispatcher = try Fixtures.dispatcher(listeners)
        listeners[0].body = { listeners.removeFirst(2) }
        try verb.invocation(dispatcher).invoke()
        expect(log.entries == verb.calls(1, 3) && listeners.count == 1 && tracker.liveCount == 1 && dispatcher.numbers == [2])
        listeners = []
      }
    }

    /// An implementer whose end removes it, adds another and dispatches.
    @Test func theEndOfAnImplementerMayUseTheDispatcher() throws {
      final class Ending {
        let dispatcher: ProtocolDispatcher
        let other: FullListener
        init(_ dispatcher: ProtocolDispatcher, _ other: FullListener) {
          self.dispatcher = dispatcher
          self.other = other
        }
        deinit {
          dispatcher.remove(self)
          _ = try? dispatcher.append(other)
          _ = try? dispatcher.send("sum(_:_:)", [1, 1])
        }
      }
      try MethodTable.of(Ending.self).add("note(_:)") { (_: Ending, _: Int) in }
      let listener = FullListener(1)
      let dispatcher = try Fixtures.dispatcher([])
      var ending: Ending? = Ending(dispatcher, listener)
      try dispatcher.append(require(ending))
      expect(dispatcher.responds(to: "note(_:)"))
      ending = nil
      expect(listener.log.entries == ["sum 1"] && dispatcher.numbers == [1])
    }

    /// Arguments that are replaced during a call reach the next one, not the implementers of this one.
    @Test func argumentsChangedDuringTheCall() throws {
      try LifetimeTracker.check { tracker in
        final class Keeper {
          var body: () -> Void = {}
          var seen: [String] = []
        }
        try MethodTable.of(Keeper.self).replace(
          "keep(_:_:)",
          Implementation { (keeper: Keeper, object: Unmanaged<AnyObject>, text: String) in
            let payload = (object.takeUnretainedValue() as? LifetimeTracked)?.payload
            keeper.body()
            keeper.seen.append("\(payload ?? -1) \(text)")
          })
        let description = try DispatchProtocol("Keeping", methods: [.required("keep(_:_:)", types: "v@:@*")])
        let keepers = [Keeper(), Keeper()]
        let dispatcher = try ProtocolDispatcher(description, implementers: keepers)
        let invocation = try Invocation.message(
          description.methods[0].methodSignature, to: dispatcher, "keep(_:_:)", tracker.object(1),
          "first, long enough to be no small string")
        keepers[0].body = {
          try? invocation.setArgument(tracker.object(2), at: 2)
          try? invocation.setArgument("second", at: 3)
        }
        let seen = ["1 first, long enough to be no small string", "2 second"]
        try invocation.invoke()
        expectEqual(keepers.map(\.seen), [[seen[0]], [seen[0]]])
        expectEqual(tracker.liveCount, 1)
        keepers[0].body = {}
        try invocation.invoke()
        expectEqual(keepers.map(\.seen), [seen, seen])
      }
    }

    // One after the other: they share the table of a class.
    @Test(.serialized, arguments: Verb.allCases) func methodTablesChangedDuringTheCall(verb: Verb) throws {
      final class Changing {}
      let table = MethodTable.of(Changing.self)
      try table.replace("count(_:)", Implementation { (_: Changing, value: Int) -> Int in value })
      try table.replace("sum(_:_:)", Implementation { (_: Changing, a: Int, b: Int) -> Int in a + b })
      let (listener, changing) = (FullListener(1), Changing())
      let dispatcher = try Fixtures.dispatcher([listener, changing])
      listener.body = {
        table.remove("count(_:)")
        table.remove("sum(_:_:)")
      }
      let invocation = try verb.invocation(dispatcher)
      // What was found at the beginning is called to the end.
      try expectEqual([invocation.result(), invocation.result()], verb == .count ? [1, 11] : [2, 102])
      withExtendedLifetime((listener, changing)) {}
    }
  }
#endif
