#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What happens to a dispatcher while it calls.
  @Suite(.measured) struct ProtocolDispatcherReentrancyTests {
    private typealias Fixtures = DispatchFixtures

    /// `sum` takes the quick way, `count` the other.
    private static let selectors = ["sum(_:_:)", "count(_:)"]

    private func invocation(_ name: String, _ dispatcher: ProtocolDispatcher) throws -> Invocation {
      try Fixtures.invocation(MethodSelector(name), dispatcher, name == "count(_:)" ? [1] : [1, 1])
    }

    private func verb(_ name: String) -> String { name == "count(_:)" ? "count" : "sum" }

    @Test("An implementer added within a call waits, and one removed is not called (D4.10)", arguments: selectors)
    func whoIsAddedWaitsAndWhoIsRemovedIsNotCalled(name: String) throws {
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
      let invocation = try invocation(name, dispatcher)
      let verb = verb(name)
      try invocation.invoke()
      #expect(log.entries == ["\(verb) 1", "\(verb) 3"])
      log.entries = []
      try invocation.invoke()
      #expect(log.entries == ["\(verb) 3", "\(verb) 4"])
      for listener in listeners { listener.body = {} }
    }

    @Test(arguments: selectors) func callsMayBeNested(name: String) throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2], log)
      let dispatcher = try Fixtures.dispatcher(listeners)
      let invocation = try invocation(name, dispatcher)
      var depth = 0
      listeners[0].body = {
        guard depth < 3 else { return }
        depth += 1
        // The same invocation, whose target stays the dispatcher.
        #expect(invocation.target === dispatcher)
        try invocation.invoke()
      }
      try invocation.invoke()
      let verb = verb(name)
      #expect(log.entries == Array(repeating: "\(verb) 1", count: 4) + Array(repeating: "\(verb) 2", count: 4))
      #expect(try invocation.returnValue(as: Int.self) == (name == "count(_:)" ? 21 : 202))
      #expect(invocation.target === dispatcher)
      for listener in listeners { listener.body = {} }
    }

    /// The last reference to an implementer goes within its own call, and that to a later one before its turn.
    @Test(arguments: selectors) func implementersThatEndMeanwhile(name: String) throws {
      try LifetimeTracker.check { tracker in
        let log = CallLog()
        var listeners = Listener.make([1, 2, 3], log)
        for listener in listeners { listener.object = tracker.object() }
        let dispatcher = try Fixtures.dispatcher(listeners)
        listeners[0].body = { listeners.removeFirst(2) }
        let invocation = try invocation(name, dispatcher)
        try invocation.invoke()
        let verb = verb(name)
        #expect(log.entries == ["\(verb) 1", "\(verb) 3"] && listeners.count == 1)
        #expect(tracker.liveCount == 1 && dispatcher.numbers == [2])
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
      try dispatcher.append(ending!)
      #expect(dispatcher.responds(to: "note(_:)"))
      ending = nil
      #expect(listener.log.entries == ["sum 1"] && dispatcher.numbers == [1])
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
            let object = object.takeUnretainedValue() as! LifetimeTracked
            keeper.body()
            keeper.seen.append("\(object.payload) \(text)")
          })
        let description = try DispatchProtocol("Keeping", methods: [.required("keep(_:_:)", types: "v@:@*")])
        let keepers = [Keeper(), Keeper()]
        let dispatcher = try ProtocolDispatcher(description, implementers: keepers)
        let invocation = Invocation(description.methods[0].methodSignature)
        invocation.target = dispatcher
        invocation.selector = "keep(_:_:)"
        try invocation.setArgument(tracker.object(1), at: 2)
        try invocation.setArgument("first, long enough to be no small string", at: 3)
        keepers[0].body = {
          try? invocation.setArgument(tracker.object(2), at: 2)
          try? invocation.setArgument("second", at: 3)
        }
        try invocation.invoke()
        let first = "1 first, long enough to be no small string"
        #expect(keepers[0].seen == [first] && keepers[1].seen == [first] && tracker.liveCount == 1)
        keepers[0].body = {}
        try invocation.invoke()
        #expect(keepers[0].seen == [first, "2 second"] && keepers[1].seen == [first, "2 second"])
      }
    }

    // One after the other: they share the table of a class.
    @Test(.serialized, arguments: selectors) func methodTablesChangedDuringTheCall(name: String) throws {
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
      let invocation = try invocation(name, dispatcher)
      try invocation.invoke()
      // What was found at the beginning is called to the end.
      #expect(try invocation.returnValue(as: Int.self) == (name == "count(_:)" ? 1 : 2))
      try invocation.invoke()
      #expect(try invocation.returnValue(as: Int.self) == (name == "count(_:)" ? 11 : 102))
      withExtendedLifetime((listener, changing)) {}
    }
  }
#endif
