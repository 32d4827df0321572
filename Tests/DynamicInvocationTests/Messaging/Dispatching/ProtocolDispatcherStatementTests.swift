#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What a protocol dispatcher does, by the statements of the page DispatchBehavior.
  @Suite(.measured) struct ProtocolDispatcherStatementTests {
    private typealias Fixtures = DispatchFixtures

    @Test("Only methods of the protocol are dispatched (D1.1)") func onlyMethodsOfTheProtocol() throws {
      let listeners = Listener.make([1, 2])
      defer { withExtendedLifetime(listeners) {} }
      let dispatcher = try Fixtures.dispatcher(listeners)
      // The implementers have a method of that name, but the protocol does not.
      let invocation = try InvocationFixtures.invocation("q@:q")
      invocation.target = dispatcher
      invocation.selector = "private(_:)"
      try invocation.setArgument(1, at: 2)
      #expect(InvocationFixtures.code { try invocation.invoke() } == .unrecognizedSelector)
      #expect(InvocationFixtures.message { try invocation.invoke() } == "Sample has no method 'private(_:)'")
      #expect(InvocationFixtures.code { try dispatcher.dispatch(invocation) } == .unrecognizedSelector)
      #expect(!invocation.hasReturnValue && listeners[0].log.entries.isEmpty)
      invocation.selector = "cuont(_:)"
      #expect(InvocationFixtures.message { try dispatcher.dispatch(invocation) } == "Sample has no method 'cuont(_:)'; nearest: count(_:)")
      #expect(InvocationFixtures.code { try dispatcher.send("private(_:)", [1]) } == .unrecognizedSelector)
    }

    @Test("Instance methods, required and optional, are dispatched; class methods cannot be described (D1.2)")
    func requiredAndOptionalInstanceMethods() throws {
      let listeners = Listener.make([1, 2])
      defer { withExtendedLifetime(listeners) {} }
      let dispatcher = try Fixtures.dispatcher(listeners)
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 5) == 25)
      #expect(try Fixtures.send("sum(_:_:)", to: dispatcher, 5, 6) == 211)
      #expect(InvocationFixtures.code { _ = try DispatchProtocol.Method.required("make()", types: "@#:") } == .typeMismatch)
      #expect(InvocationFixtures.code { _ = try DispatchProtocol.Method.optional("make()", types: "ddd") } == .typeMismatch)
    }

    @Test("The methods of inherited protocols are dispatched (D1.3)") func inheritedProtocols() throws {
      let sample = try Fixtures.description()
      let heir = try DispatchProtocol("Heir", inheriting: [sample], methods: [.optional("last()", types: "v@:")])
      #expect(heir.methods.map(\.selector).first == "note(_:)" && heir.methods.map(\.selector).last == "last()")
      let listeners = Listener.make([1, 2])
      defer { withExtendedLifetime(listeners) {} }
      let dispatcher = try ProtocolDispatcher(heir, implementers: listeners)
      try dispatcher.send("note(_:)", [3])
      #expect(listeners[0].log.entries == ["note 1 3", "note 2 3"])
      #expect(try dispatcher.conforms(to: Fixtures.ancestor()))
    }

    @Test("Every implementer that responds is called, in order, before the call returns (D2.1)", arguments: ["count(_:)", "sum(_:_:)"])
    func inOrder(name: String) throws {
      let log = CallLog()
      let listeners = Listener.make([3, 1, 2], log)
      defer { withExtendedLifetime(listeners) {} }
      let deaf = NotingListener(9, log)
      defer { withExtendedLifetime(deaf) {} }
      let dispatcher = try Fixtures.dispatcher([listeners[0], deaf, listeners[1], listeners[2]])
      let isSum = name == "sum(_:_:)"
      for _ in 0..<3 {
        log.entries = []
        let invocation = try Fixtures.invocation(MethodSelector(name), dispatcher, isSum ? [1, 1] : [1])
        try invocation.invoke()
        let verb = isSum ? "sum" : "count"
        #expect(log.entries == ["\(verb) 3", "\(verb) 1", "\(verb) 2"])
      }
    }

    @Test("The last implementer that responds gives the result (D2.2)") func theLastWins() throws {
      let listeners = Listener.make([1, 2])
      defer { withExtendedLifetime(listeners) {} }
      let deaf = NotingListener(9)
      defer { withExtendedLifetime(deaf) {} }
      let dispatcher = try Fixtures.dispatcher([listeners[0], listeners[1], deaf])
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 7) == 27)
      #expect(try Fixtures.send("sum(_:_:)", to: dispatcher, 7, 1) == 208)
      let reversed = try Fixtures.dispatcher([deaf, listeners[1], listeners[0]])
      #expect(try Fixtures.send("count(_:)", to: reversed, 7) == 17)
      #expect(try dispatcher.send("count(_:)", [1]).map { "\($0)" } == "21")
    }

    @Test("An optional method that nobody responds to gives zero, and the outcome tells (D3.1)")
    func nobodyRespondsToAnOptionalMethod() throws {
      let listeners = Listener.make([1])
      defer { withExtendedLifetime(listeners) {} }
      let dispatcher = try Fixtures.dispatcher(listeners)
      let invocation = try Fixtures.invocation("unheard()", dispatcher)
      try invocation.setReturnValue(4.5)
      try invocation.invoke()
      #expect(try invocation.returnValue(as: Double.self) == 0)
      let outcome = try dispatcher.dispatch(invocation)
      #expect(outcome.responderCount == 0 && outcome.responders.isEmpty && outcome.failures.isEmpty)
      #expect(try dispatcher.send("unheard()") == nil)
      #expect(try Fixtures.dispatcher([]).send("sum(_:_:)", [1, 2]) == nil)
    }

    @Test("A required method that nobody responds to is an error (D3.2)")
    func nobodyRespondsToARequiredMethod() throws {
      let listeners = [NotingListener()]
      defer { withExtendedLifetime(listeners) {} }
      let dispatcher = try Fixtures.dispatcher(listeners)
      #expect(!dispatcher.responds(to: "count(_:)"))
      let invocation = try Fixtures.invocation("count(_:)", dispatcher, [1])
      #expect(InvocationFixtures.code { try invocation.invoke() } == .unrecognizedSelector)
      #expect(!invocation.hasReturnValue)
      #expect(
        InvocationFixtures.message { try dispatcher.dispatch(invocation) }
          == "no implementer responds to 'count(_:)', which Sample requires")
      #expect(InvocationFixtures.code { try dispatcher.send("count(_:)", [1]) } == .unrecognizedSelector)
    }

    @Test("A dispatcher responds to what an implementer responds to, and to what its own class has (D1.5)")
    func respondsIsTheUnion() throws {
      let (full, noting) = (FullListener(1), NotingListener(2))
      defer { withExtendedLifetime((full, noting)) {} }
      let dispatcher = try Fixtures.dispatcher([noting])
      #expect(dispatcher.responds(to: "note(_:)") && !dispatcher.responds(to: "count(_:)") && !dispatcher.responds(to: "private(_:)"))
      try dispatcher.append(full)
      #expect(dispatcher.responds(to: "count(_:)") && !dispatcher.responds(to: "unheard()") && !dispatcher.responds(to: "private(_:)"))
      #expect(try dispatcher.methodSignature(for: "unheard()") == MethodSignature(types: "d@:"))
      #expect(dispatcher.methodSignature(for: "private(_:)") == nil)

      // A method of the dispatcher's own class.
      let table = MethodTable.of(ProtocolDispatcher.self)
      try table.add("implementerCount()") { (dispatcher: ProtocolDispatcher) -> Int in dispatcher.implementers.count }
      defer { table.remove("implementerCount()") }
      #expect(dispatcher.responds(to: "implementerCount()") && dispatcher.methodSignature(for: "implementerCount()") != nil)
      let invocation = try InvocationFixtures.invocation("q@:")
      invocation.target = dispatcher
      invocation.selector = "implementerCount()"
      for _ in 0..<2 {
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == 2)
      }

      // Also one that a method of the protocol has the selector of.
      let named = try DispatchProtocol("Named", methods: [.required("ownCount(_:)", types: "q@:q")])
      let own = try ProtocolDispatcher(named, implementers: [])
      try table.add("ownCount(_:)") { (_: ProtocolDispatcher, number: Int) -> Int in number + 1 }
      defer { table.remove("ownCount(_:)") }
      let call = try InvocationFixtures.invocation("q@:q")
      call.target = own
      call.selector = "ownCount(_:)"
      try call.setArgument(41, at: 2)
      try call.invoke()
      #expect(try call.returnValue(as: Int.self) == 42)
    }

    @Test("Implementers are not kept alive, and those that have ended are passed over (D4.1)")
    func implementersAreWeak() throws {
      try LifetimeTracker.check { tracker in
        let log = CallLog()
        var listeners = Listener.make([1, 2, 3], log)
        for listener in listeners { listener.object = tracker.object() }
        let dispatcher = try Fixtures.dispatcher(listeners)
        listeners.remove(at: 1)
        #expect(tracker.liveCount == 2)
        #expect(try Fixtures.send("sum(_:_:)", to: dispatcher, 1, 2) == 303)
        #expect(log.entries == ["sum 1", "sum 3"])
        #expect(dispatcher.implementers.count == 2 && dispatcher.numbers == [0, 2])
        listeners = []
        #expect(tracker.liveCount == 0)
        #expect(try dispatcher.send("sum(_:_:)", [1, 2]) == nil)
        #expect(InvocationFixtures.code { try dispatcher.send("count(_:)", [1]) } == .unrecognizedSelector)
        #expect(dispatcher.implementers.isEmpty && !dispatcher.responds(to: "count(_:)"))
      }
    }

    @Test("A dispatcher lives as long as its user keeps it (D4.2)") func lifeIsTheUsers() throws {
      let listener = FullListener(1)
      defer { withExtendedLifetime(listener) {} }
      weak var gone: ProtocolDispatcher?
      do {
        let dispatcher = try Fixtures.dispatcher([listener])
        gone = dispatcher
        let invocation = try Fixtures.invocation("count(_:)", dispatcher, [1])
        try invocation.invoke()
        #expect(gone != nil)
      }
      #expect(gone == nil)
    }

    @Test("An object may belong to any number of dispatchers (D4.3)") func oneObjectInManyDispatchers() throws {
      let listener = FullListener(1)
      defer { withExtendedLifetime(listener) {} }
      var dispatchers = try (0..<20).map { _ in try Fixtures.dispatcher([listener]) }
      for dispatcher in dispatchers { #expect(try Fixtures.send("count(_:)", to: dispatcher, 2) == 12) }
      dispatchers.removeFirst(15)
      for dispatcher in dispatchers { #expect(try Fixtures.send("count(_:)", to: dispatcher, 2) == 12) }
      #expect(listener.log.entries.count == 25)
    }

    @Test("An object given twice is called once, or twice if duplicates are allowed (D4.4)", arguments: [false, true])
    func theSameObjectTwice(allowsDuplicates: Bool) throws {
      let listeners = Listener.make([1, 2])
      defer { withExtendedLifetime(listeners) {} }
      let given = [listeners[0], listeners[1], listeners[0]]
      let dispatcher = try Fixtures.dispatcher(given, allowsDuplicates: allowsDuplicates)
      #expect(try Fixtures.send("sum(_:_:)", to: dispatcher, 0, 0) == (allowsDuplicates ? 100 : 200))
      #expect(listeners[0].log.entries == (allowsDuplicates ? ["sum 1", "sum 2", "sum 1"] : ["sum 1", "sum 2"]))
      #expect(try dispatcher.append(listeners[1]) == 1)
      #expect(try dispatcher.append(listeners[1], allowsDuplicates: true) == (allowsDuplicates ? 3 : 2))
      #expect(dispatcher.remove(listeners[1]) && !dispatcher.remove(listeners[1]))
      #expect(dispatcher.implementers.count == (allowsDuplicates ? 2 : 1))
    }

    @Test("An implementer need not respond to any method, and wrong types are refused (D4.5, D4.6)")
    func whoMayBeAnImplementer() throws {
      final class Late {}
      let late = Late()
      let dispatcher = try Fixtures.dispatcher([late])
      #expect(dispatcher.implementers.count == 1 && !dispatcher.responds(to: "count(_:)"))
      try MethodTable.of(Late.self).add("count(_:)") { (_: Late, value: Int) -> Int in value + 1 }
      #expect(dispatcher.responds(to: "count(_:)"))
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 4) == 5)

      final class Wrong {}
      try MethodTable.of(Wrong.self).add("count(_:)") { (_: Wrong, value: Int32) -> Int in Int(value) }
      let wrong = Wrong()
      #expect(InvocationFixtures.code { try dispatcher.append(wrong) } == .typeMismatch)
      #expect(InvocationFixtures.code { try dispatcher.insert(wrong, at: 0) } == .typeMismatch)
      #expect(InvocationFixtures.code { _ = try Fixtures.dispatcher([late, wrong]) } == .typeMismatch)
      #expect(
        InvocationFixtures.message { try dispatcher.append(wrong) }
          == "Wrong implements 'count(_:)' with the types 'q@:i', Sample has 'q@:q'")
      #expect(dispatcher.implementers.count == 1)
    }

    @Test("An implementer written for an inherited protocol gets all messages that it has methods for (D4.7)")
    func ancestorOnly() throws {
      final class Both: Listener {}
      let both = Both(4)
      defer { withExtendedLifetime(both) {} }
      try MethodTable.of(Both.self).add("note(_:)") { (_: Both, _: Int) in }
      try MethodTable.of(Both.self).add("sum(_:_:)") { (_: Both, a: Int, b: Int) -> Int in a - b }
      let dispatcher = try Fixtures.dispatcher([both])
      #expect(try Fixtures.send("sum(_:_:)", to: dispatcher, 7, 3) == 4)
    }

    @Test("A dispatcher conforms to its protocol and to those that it inherits from (D1.4)") func conforms() throws {
      let dispatcher = try Fixtures.dispatcher([])
      #expect(try dispatcher.conforms(to: Fixtures.description()) && dispatcher.conforms(to: Fixtures.ancestor()))
      let other = try DispatchProtocol("Other", methods: [.optional("note(_:)", types: "v@:q")])
      #expect(!dispatcher.conforms(to: other))
      #expect(try !ProtocolDispatcher(Fixtures.ancestor()).conforms(to: Fixtures.description()))
    }

    @Test("A nil in the list takes a number and leaves the others in it (D4.8)") func nilInTheList() throws {
      let listeners = Listener.make([1, 2])
      defer { withExtendedLifetime(listeners) {} }
      let dispatcher = try Fixtures.dispatcher([nil, listeners[0], nil, listeners[1], nil])
      #expect(dispatcher.implementers.count == 2 && dispatcher.numbers == [1, 3])
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 0) == 20)
      #expect(listeners[0].log.entries == ["count 1", "count 2"])
      let third = FullListener(3)
      #expect(try dispatcher.append(third) == 5)
      #expect(try Fixtures.dispatcher([nil, nil]).implementers.isEmpty)
    }

    @Test("Implementers come and go from the next call on (D4.9)") func implementersComeAndGo() throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2, 3], log)
      defer { withExtendedLifetime(listeners) {} }
      let dispatcher = try Fixtures.dispatcher([])
      #expect(!dispatcher.responds(to: "count(_:)"))
      #expect(try dispatcher.append(listeners[1]) == 0)
      #expect(try dispatcher.insert(listeners[0], at: 0) == 1)
      #expect(try dispatcher.insert(listeners[2], at: 99) == 2)
      #expect(dispatcher.responds(to: "count(_:)") && dispatcher.numbers == [1, 0, 2])
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 0) == 30)
      #expect(dispatcher.remove(listeners[2]) && dispatcher.remove(number: 0) && !dispatcher.remove(number: 7))
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 0) == 10)
      #expect(log.entries == ["count 1", "count 2", "count 3", "count 1"])
      dispatcher.removeAll()
      #expect(!dispatcher.responds(to: "count(_:)") && dispatcher.implementers.isEmpty)
    }

    @Test("What an implementer writes behind a pointer, the next one finds (D2.11)") func inoutArguments() throws {
      let listeners = Listener.make([1, 2, 3])
      defer { withExtendedLifetime(listeners) {} }
      let dispatcher = try Fixtures.dispatcher(listeners)
      var value = 7
      try withUnsafeMutablePointer(to: &value) { pointer in
        let invocation = Invocation(try MethodSignature(types: "v@:^q"))
        invocation.target = dispatcher
        invocation.selector = "change(_:)"
        try invocation.setArgument(pointer, at: 2)
        try invocation.invoke()
        #expect(invocation.target === dispatcher)
        #expect(try invocation.argument(at: 2, as: UnsafeMutablePointer<Int>.self) == pointer)
      }
      #expect(value == 7_123)
    }
  }
#endif
