#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What a protocol dispatcher does, by the statements of the page DispatchBehavior.
  @Suite(.measured) struct ProtocolDispatcherStatementTests {
    private typealias Fixtures = DispatchFixtures

    private let log = CallLog()
    private let listeners: [FullListener]
    private let noting: NotingListener

    init() {
      listeners = Listener.make([1, 2, 3], log)
      noting = NotingListener(9, log)
    }

    /// A dispatcher to the first two listeners.
    private func pair(_ policy: ReturnPolicy<BoxedValue> = .last) throws -> ProtocolDispatcher {
      try Fixtures.dispatcher(Array(listeners[..<2]), policy)
    }

    /// The calls since the last time.
    private func calls() -> [String] {
      defer { log.entries = [] }
      return log.entries
    }

    @Test("Only methods of the protocol are dispatched (D1.1)") func onlyMethodsOfTheProtocol() throws {
      let dispatcher = try pair()
      // The implementers have a method of that name, but the protocol does not.
      let invocation = try Invocation.message("q@:q", to: dispatcher, "private(_:)", 1)
      expectMessage("Sample has no method 'private(_:)'") { try invocation.invoke() }
      expectErrors(
        .unrecognizedSelector, { try invocation.invoke() }, { try dispatcher.dispatch(invocation) },
        { try dispatcher.send("private(_:)", [1]) })
      expect(!invocation.hasReturnValue && log.entries.isEmpty)
      invocation.selector = "cuont(_:)"
      expectMessage("Sample has no method 'cuont(_:)'; nearest: count(_:)") { try dispatcher.dispatch(invocation) }
    }

    @Test("Instance methods, required and optional, are dispatched; class methods cannot be described (D1.2)")
    func requiredAndOptionalInstanceMethods() throws {
      let dispatcher = try pair()
      try expectEqual(Fixtures.send("sum(_:_:)", to: dispatcher, 5, 6), 211)
      expectErrors(
        .typeMismatch, { _ = try DispatchProtocol.Method.required("make()", types: "@#:") },
        { _ = try DispatchProtocol.Method.optional("make()", types: "ddd") })
    }

    @Test("The methods of inherited protocols are dispatched (D1.3)") func inheritedProtocols() throws {
      let heir = try DispatchProtocol("Heir", inheriting: [Fixtures.description()], methods: [.optional("last()", types: "v@:")])
      expect(heir.methods.map(\.selector).first == "note(_:)" && heir.methods.map(\.selector).last == "last()")
      let dispatcher = try ProtocolDispatcher(heir, implementers: Array(listeners[..<2]))
      try dispatcher.send("note(_:)", [3])
      expectEqual(calls(), ["note 1 3", "note 2 3"])
      try expect(dispatcher.dispatchProtocol.conforms(to: Fixtures.ancestor()))
    }

    @Test("A dispatcher conforms to its protocol and to those that it inherits from (D1.4)") func conforms() throws {
      let dispatcher = try Fixtures.dispatcher([])
      try expect(
        dispatcher.dispatchProtocol.conforms(to: Fixtures.description()) && dispatcher.dispatchProtocol.conforms(to: Fixtures.ancestor()))
      let other = try DispatchProtocol("Other", methods: [.optional("note(_:)", types: "v@:q")])
      try expect(!dispatcher.dispatchProtocol.conforms(to: other) && !Fixtures.ancestor().conforms(to: Fixtures.description()))
    }

    @Test("A dispatcher responds to what an implementer responds to, and to what its own class has (D1.5)")
    func respondsIsTheUnion() throws {
      let dispatcher = try Fixtures.dispatcher([noting])
      func responds() -> [Bool] { ["note(_:)", "count(_:)", "unheard()", "private(_:)"].map { dispatcher.responds(to: $0) } }
      expectEqual(responds(), [true, false, false, false])
      try dispatcher.append(listeners[0])
      expectEqual(responds(), [true, true, false, false])
      try expectEqual(dispatcher.methodSignature(for: "unheard()"), MethodSignature(types: "d@:"))
      expectNil(dispatcher.methodSignature(for: "private(_:)"))

      // A method of the dispatcher's own class, also one that a method of the protocol has the selector of.
      let table = MethodTable.of(ProtocolDispatcher.self)
      try table.add("implementerCount()") { (dispatcher: ProtocolDispatcher) -> Int in dispatcher.implementers.count }
      try table.add("ownCount(_:)") { (_: ProtocolDispatcher, number: Int) -> Int in number + 1 }
      defer { for selector in ["implementerCount()", "ownCount(_:)"] as [MethodSelector] { table.remove(selector) } }
      expect(dispatcher.responds(to: "implementerCount()") && dispatcher.methodSignature(for: "implementerCount()") != nil)
      let invocation = try Invocation.message("q@:", to: dispatcher, "implementerCount()")
      for _ in 0..<2 { try expectEqual(invocation.result(), 2) }
      let own = try ProtocolDispatcher(DispatchProtocol("Named", methods: [.required("ownCount(_:)", types: "q@:q")]), implementers: [])
      try expectEqual(Invocation.message("q@:q", to: own, "ownCount(_:)", 41).result(), 42)
    }

    @Test("Every implementer that responds is called, in order, before the call returns (D2.1)", arguments: ["count(_:)", "sum(_:_:)"])
    func inOrder(name: String) throws {
      let dispatcher = try Fixtures.dispatcher([listeners[2], noting, listeners[0], listeners[1]])
      let verb = name.prefix { $0 != "(" }
      for _ in 0..<3 {
        try Fixtures.invocation(MethodSelector(name), dispatcher, verb == "sum" ? [1, 1] : [1]).invoke()
        expectEqual(calls(), ["\(verb) 3", "\(verb) 1", "\(verb) 2"])
      }
    }

    @Test("The last implementer that responds gives the result (D2.2)") func theLastWins() throws {
      let dispatcher = try Fixtures.dispatcher([listeners[0], listeners[1], noting])
      try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 7), 27)
      try expectEqual(Fixtures.send("sum(_:_:)", to: dispatcher, 7, 1), 208)
      try expectEqual(Fixtures.send("count(_:)", to: Fixtures.dispatcher([noting, listeners[1], listeners[0]]), 7), 17)
      try expectEqual(dispatcher.send("count(_:)", [1]).map { "\($0)" }, "21")
      let outcome = try dispatcher.dispatch(Fixtures.invocation("count(_:)", dispatcher, [1]))
      expect(outcome.responderCount == 2 && outcome.responders == [0, 1])
    }

    @Test("What an implementer writes behind a pointer, the next one finds (D2.11)") func inoutArguments() throws {
      let dispatcher = try Fixtures.dispatcher(listeners)
      var value = 7
      try withUnsafeMutablePointer(to: &value) { pointer in
        let invocation = try Invocation.message("v@:^q", to: dispatcher, "change(_:)", pointer)
        try invocation.invoke()
        expect(invocation.target === dispatcher)
        try expectEqual(invocation.argument(at: 2, as: UnsafeMutablePointer<Int>.self), pointer)
      }
      expectEqual(value, 7_123)
    }

    @Test("An optional method that nobody responds to gives zero, and the outcome tells (D3.1)")
    func nobodyRespondsToAnOptionalMethod() throws {
      let dispatcher = try pair()
      let invocation = try Fixtures.invocation("unheard()", dispatcher)
      try invocation.setReturnValue(4.5)
      try expectEqual(invocation.result(), 0.0)
      let outcome = try dispatcher.dispatch(invocation)
      expect(outcome.responderCount == 0 && outcome.responders.isEmpty && outcome.failures.isEmpty)
      try expect(dispatcher.send("unheard()") == nil && Fixtures.dispatcher([]).send("sum(_:_:)", [1, 2]) == nil)
    }

    @Test("A required method that nobody responds to is an error (D3.2)")
    func nobodyRespondsToARequiredMethod() throws {
      let dispatcher = try Fixtures.dispatcher([noting])
      expect(!dispatcher.responds(to: "count(_:)"))
      let invocation = try Fixtures.invocation("count(_:)", dispatcher, [1])
      expectErrors(.unrecognizedSelector, { try invocation.invoke() }, { try dispatcher.send("count(_:)", [1]) })
      expect(!invocation.hasReturnValue)
      expectMessage("no implementer responds to 'count(_:)', which Sample requires") { try dispatcher.dispatch(invocation) }
    }

    @Test("Implementers are not kept alive, and those that have ended are passed over (D4.1)")
    func implementersAreWeak() throws {
      try LifetimeTracker.check { tracker in
        var listeners = Listener.make([1, 2, 3], log)
        for listener in listeners { listener.object = tracker.object() }
        let dispatcher = try Fixtures.dispatcher(listeners)
        listeners.remove(at: 1)
        expectEqual(tracker.liveCount, 2)
        try expectEqual(Fixtures.send("sum(_:_:)", to: dispatcher, 1, 2), 303)
        expectEqual(calls(), ["sum 1", "sum 3"])
        expect(dispatcher.implementers.count == 2 && dispatcher.numbers == [0, 2])
        listeners = []
        expectEqual(tracker.liveCount, 0)
        try expectNil(dispatcher.send("sum(_:_:)", [1, 2]))
        expectError(.unrecognizedSelector) { try dispatcher.send("count(_:)", [1]) }
        expect(dispatcher.implementers.isEmpty && !dispatcher.responds(to: "count(_:)"))
      }
    }

    @Test("A dispatcher lives as long as its user keeps it (D4.2)") func lifeIsTheUsers() throws {
      weak var gone: ProtocolDispatcher?
      do {
        let dispatcher = try pair()
        gone = dispatcher
        try Fixtures.invocation("count(_:)", dispatcher, [1]).invoke()
        expect(gone != nil)
      }
      expectNil(gone)
    }

    @Test("An object may belong to any number of dispatchers (D4.3)") func oneObjectInManyDispatchers() throws {
      var dispatchers = try (0..<20).map { _ in try Fixtures.dispatcher([listeners[0]]) }
      for dispatcher in dispatchers { try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 2), 12) }
      dispatchers.removeFirst(15)
      for dispatcher in dispatchers { try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 2), 12) }
      expectEqual(log.entries.count, 25)
    }

    @Test("An object given twice is called once, or twice if duplicates are allowed (D4.4)", arguments: [false, true])
    func theSameObjectTwice(allowsDuplicates: Bool) throws {
      let dispatcher = try Fixtures.dispatcher([listeners[0], listeners[1], listeners[0]], allowsDuplicates: allowsDuplicates)
      try expectEqual(Fixtures.send("sum(_:_:)", to: dispatcher, 0, 0), allowsDuplicates ? 100 : 200)
      expectEqual(calls(), allowsDuplicates ? ["sum 1", "sum 2", "sum 1"] : ["sum 1", "sum 2"])
      try expectEqual(dispatcher.append(listeners[1]), 1)
      try expectEqual(dispatcher.append(listeners[1], allowsDuplicates: true), allowsDuplicates ? 3 : 2)
      expect(dispatcher.remove(listeners[1]) && !dispatcher.remove(listeners[1]))
      expectEqual(dispatcher.implementers.count, allowsDuplicates ? 2 : 1)
    }

    @Test("An implementer need not respond to any method, and wrong types are refused (D4.5, D4.6)")
    func whoMayBeAnImplementer() throws {
      final class Late {}
      let late = Late()
      let dispatcher = try Fixtures.dispatcher([late])
      expect(dispatcher.implementers.count == 1 && !dispatcher.responds(to: "count(_:)"))
      try MethodTable.of(Late.self).add("count(_:)") { (_: Late, value: Int) -> Int in value + 1 }
      expect(dispatcher.responds(to: "count(_:)"))
      try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 4), 5)

      final class Wrong {}
      try MethodTable.of(Wrong.self).add("count(_:)") { (_: Wrong, value: Int32) -> Int in Int(value) }
      let wrong = Wrong()
      expectErrors(
        .typeMismatch, { try dispatcher.append(wrong) }, { try dispatcher.insert(wrong, at: 0) },
        { _ = try Fixtures.dispatcher([late, wrong]) })
      expectMessage("Wrong implements 'count(_:)' with the types 'q@:i', Sample has 'q@:q'") { try dispatcher.append(wrong) }
      expectEqual(dispatcher.implementers.count, 1)
    }

    @Test("An implementer written for an inherited protocol gets all messages that it has methods for (D4.7)")
    func ancestorOnly() throws {
      final class Both: Listener {}
      let both = Both(4)
      try MethodTable.of(Both.self).add("note(_:)") { (_: Both, _: Int) in }
      try MethodTable.of(Both.self).add("sum(_:_:)") { (_: Both, a: Int, b: Int) -> Int in a - b }
      try expectEqual(Fixtures.send("sum(_:_:)", to: Fixtures.dispatcher([both]), 7, 3), 4)
    }

    @Test("A nil in the list takes a number and leaves the others in it (D4.8)") func nilInTheList() throws {
      let dispatcher = try Fixtures.dispatcher([nil, listeners[0], nil, listeners[1], nil])
      expect(dispatcher.implementers.count == 2 && dispatcher.numbers == [1, 3])
      try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 0), 20)
      expectEqual(calls(), ["count 1", "count 2"])
      try expectEqual(dispatcher.append(listeners[2]), 5)
      try expect(Fixtures.dispatcher([nil, nil]).implementers.isEmpty)
    }

    @Test("Implementers come and go from the next call on (D4.9)") func implementersComeAndGo() throws {
      let dispatcher = try Fixtures.dispatcher([])
      expect(!dispatcher.responds(to: "count(_:)"))
      try expectEqual(dispatcher.append(listeners[1]), 0)
      try expectEqual(dispatcher.insert(listeners[0], at: 0), 1)
      try expectEqual(dispatcher.insert(listeners[2], at: 99), 2)
      expect(dispatcher.responds(to: "count(_:)") && dispatcher.numbers == [1, 0, 2])
      try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 0), 30)
      expect(dispatcher.remove(listeners[2]) && dispatcher.remove(number: 0) && !dispatcher.remove(number: 7))
      try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 0), 10)
      expectEqual(calls(), ["count 1", "count 2", "count 3", "count 1"])
      dispatcher.removeAll()
      expect(!dispatcher.responds(to: "count(_:)") && dispatcher.implementers.isEmpty)
    }
  }
#endif
