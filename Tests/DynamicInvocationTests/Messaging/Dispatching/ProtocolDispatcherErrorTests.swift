#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// Implementers that throw, and what cannot be dispatched.
  @Suite(.measured) struct ProtocolDispatcherErrorTests {
    private typealias Fixtures = DispatchFixtures

    /// The error that comes first is thrown, after everyone was called.
    @Test("An implementer that throws does not keep the others from being called (D5.1, D5.2)")
    func throwingDoesNotLoseTheOthers() throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2, 3, 4], log)
      let dispatcher = try Fixtures.dispatcher(listeners)
      for index in [1, 3] { listeners[index].body = { throw Refusal(number: index) } }
      let invocation = try Fixtures.invocation("count(_:)", dispatcher, [5])
      #expect(throws: Refusal(number: 1)) { try invocation.invoke() }
      #expect(log.entries == ["count 1", "count 2", "count 3", "count 4"])
      // The result is that of the last who returned.
      #expect(try invocation.returnValue(as: Int.self) == 35)

      let outcome = try dispatcher.dispatch(invocation)
      #expect(outcome.responders == [0, 2] && outcome.responderCount == 2 && outcome.failures.map(\.number) == [1, 3])
      #expect(outcome.failures.map { $0.error as? Refusal } == [Refusal(number: 1), Refusal(number: 3)])

      for listener in listeners { listener.body = { throw Refusal(number: 9) } }
      #expect(throws: Refusal(number: 9)) { try invocation.invoke() }
      #expect(!invocation.hasReturnValue)
      let failed = try dispatcher.dispatch(invocation)
      #expect(failed.responderCount == 0 && failed.failures.count == 4 && !invocation.hasReturnValue)
      #expect(throws: Refusal(number: 9)) { try dispatcher.send("count(_:)", [1]) }
      withExtendedLifetime(listeners) {}
    }

    @Test func argumentsAndTypesAreChecked() throws {
      let listeners = Listener.make([1])
      let dispatcher = try Fixtures.dispatcher(listeners)
      let invocation = Invocation(try MethodSignature(types: "q@:qq"))
      invocation.target = dispatcher
      #expect(InvocationFixtures.code { try invocation.invoke() } == .argumentNotSet)
      #expect(InvocationFixtures.code { try dispatcher.dispatch(invocation) } == .unrecognizedSelector)
      invocation.selector = "sum(_:_:)"
      try invocation.setArgument(1, at: 2)
      #expect(InvocationFixtures.code { try invocation.invoke() } == .argumentNotSet)
      #expect(InvocationFixtures.code { try dispatcher.dispatch(invocation) } == .argumentNotSet)
      try invocation.setArgument(1, at: 3)
      try invocation.invoke()
      invocation.selector = "count(_:)"
      #expect(InvocationFixtures.code { try invocation.invoke() } == .typeMismatch)
      #expect(
        InvocationFixtures.message { try dispatcher.dispatch(invocation) }
          == "Sample has 'count(_:)' with the types 'q@:q', the invocation has 'q@:qq'")
      let function = Invocation(try MethodSignature(types: "qq"))
      #expect(InvocationFixtures.code { try dispatcher.dispatch(function) } == .unrecognizedSelector)
      #expect(InvocationFixtures.code { try dispatcher.send("count(_:)") } == .countMismatch)
      #expect(InvocationFixtures.code { try dispatcher.send("count(_:)", [.string("x")]) } == .typeMismatch)
      #expect(InvocationFixtures.code { try dispatcher.insert(listeners[0], at: -1) } == .indexOutOfRange)
      #expect(listeners[0].log.entries == ["sum 1"])
    }

    /// A class that gets other types later is an error for its objects, and not for the others.
    @Test func typesThatBecomeWrong() throws {
      final class Changing {}
      let table = MethodTable.of(Changing.self)
      try table.add("count(_:)") { (_: Changing, value: Int) -> Int in value }
      let (changing, listener) = (Changing(), FullListener(1))
      let dispatcher = try Fixtures.dispatcher([changing, listener])
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 1) == 11)
      try table.replace("count(_:)", Implementation { (_: Changing, value: Int32) -> Int in Int(value) })
      let invocation = try Fixtures.invocation("count(_:)", dispatcher, [1])
      #expect(InvocationFixtures.code { try invocation.invoke() } == .typeMismatch)
      #expect(try invocation.returnValue(as: Int.self) == 11)
      let outcome = try dispatcher.dispatch(invocation)
      #expect(outcome.responders == [1] && outcome.failures.map(\.number) == [0])
      try table.replace("count(_:)", Implementation { (_: Changing, value: Int) -> Int in value })
      try invocation.invoke()
      table.remove("count(_:)")
      #expect(try dispatcher.dispatch(invocation).responders == [1])
      withExtendedLifetime((changing, listener)) {}
    }

    @Test("A dispatcher among its own implementers is refused (D4.11)")
    func aDispatcherAmongItsOwnImplementersIsRefused() throws {
      let dispatchers = try (0..<3).map { _ in try Fixtures.dispatcher([]) }
      #expect(InvocationFixtures.code { try dispatchers[0].append(dispatchers[0]) } == .dispatchCycle)
      try dispatchers[0].append(dispatchers[1])
      try dispatchers[1].append(dispatchers[2])
      #expect(InvocationFixtures.code { try dispatchers[2].append(dispatchers[0]) } == .dispatchCycle)
      #expect(InvocationFixtures.code { try dispatchers[1].insert(dispatchers[0], at: 0) } == .dispatchCycle)
      #expect(
        InvocationFixtures.message { try dispatchers[2].append(dispatchers[1]) }
          == "its calls would come back to the dispatcher of Sample")
      // Once the way is broken it may be.
      dispatchers[1].removeAll()
      try dispatchers[2].append(dispatchers[0])
      withExtendedLifetime(dispatchers) {}
    }

    /// A dispatcher among the implementers answers with one result, or does not respond.
    @Test func dispatchersWithinDispatchers() throws {
      try LifetimeTracker.check { tracker in
        let log = CallLog()
        let listeners = Listener.make([1, 2, 3], log)
        for listener in listeners { listener.object = tracker.object(listener.number) }
        let inner = try Fixtures.dispatcher([listeners[1], listeners[2]], .first)
        let outer = try Fixtures.dispatcher([listeners[0], inner])
        #expect(try Fixtures.send("count(_:)", to: outer, 1) == 21 && log.entries == ["count 1", "count 2"])
        #expect(try Fixtures.send("sum(_:_:)", to: outer, 1, 1) == 202)
        let object = try Fixtures.invocation("object()", outer)
        try object.invoke()
        #expect(try (object.objectReturnValue() as? LifetimeTracked)?.payload == 2)
        #expect(outer.responds(to: "count(_:)") && !outer.responds(to: "unheard()"))

        listeners[1].body = { throw Refusal(number: 2) }
        let count = try Fixtures.invocation("count(_:)", outer, [1])
        let outcome = try outer.dispatch(count)
        #expect(outcome.responders == [0] && outcome.failures.map(\.number) == [1])
        #expect(try count.returnValue(as: Int.self) == 11)
        inner.setReturnPolicy(.last)
        let both = try outer.dispatch(count)
        #expect(both.responders == [0, 1] && both.failures.map(\.number) == [1])
        #expect(try count.returnValue(as: Int.self) == 31)

        inner.removeAll()
        #expect(try outer.dispatch(count).responders == [0])
        #expect(try count.returnValue(as: Int.self) == 11)
        let wrong = try ProtocolDispatcher(DispatchProtocol("Wrong", methods: [.optional("count(_:)", types: "q@:i")]))
        #expect(InvocationFixtures.code { try outer.append(wrong) } == .typeMismatch)
        for listener in listeners { listener.object = nil }
      }
    }

    /// An implementer that answers by itself is asked at each call.
    @Test func invocableImplementers() throws {
      final class Answering: Invocable {
        var types: String? = "q@:q"
        func implementation(for selector: MethodSelector) -> Implementation? {
          guard selector == "count(_:)", let types else { return nil }
          let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int = { _, _, value in value * 2 }
          return Implementation(function: code, methodSignature: try! MethodSignature(types: types))
        }
      }
      let (listener, answering) = (FullListener(1), Answering())
      let dispatcher = try Fixtures.dispatcher([listener, answering])
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 8) == 16 && dispatcher.responds(to: "count(_:)"))
      answering.types = nil
      #expect(try Fixtures.send("count(_:)", to: dispatcher, 8) == 18)
      answering.types = "q@:i"
      #expect(InvocationFixtures.code { _ = try Fixtures.send("count(_:)", to: dispatcher, 8) } == .typeMismatch)
      #expect(InvocationFixtures.code { _ = try Fixtures.dispatcher([answering]) } == .typeMismatch)
      withExtendedLifetime((listener, answering)) {}
    }

    @Test func errnoIsTheLastOnes() throws {
      final class Failing {
        let code: CInt
        init(_ code: CInt) { self.code = code }
      }
      try MethodTable.of(Failing.self).add("fail()") { (failing: Failing) in errno = failing.code }
      let description = try DispatchProtocol("Failing", methods: [.required("fail()", types: "v@:")])
      let failing = [Failing(3), Failing(4)]
      let dispatcher = try ProtocolDispatcher(description, implementers: failing)
      let invocation = try InvocationFixtures.invocation("v@:")
      invocation.target = dispatcher
      invocation.selector = "fail()"
      invocation.capturesErrno = true
      try invocation.invoke()
      #expect(invocation.capturedErrno == 4)
      withExtendedLifetime(failing) {}
    }
  }
#endif
