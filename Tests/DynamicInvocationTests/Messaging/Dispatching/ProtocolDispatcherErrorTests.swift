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
      expectThrows(Refusal(number: 1)) { try invocation.invoke() }
      expectEqual(log.entries, ["count 1", "count 2", "count 3", "count 4"])
      // The result is what the last one returned.
      try expectEqual(invocation.returnValue(), 35)
      let outcome = try dispatcher.dispatch(invocation)
      expect(outcome.responders == [0, 2] && outcome.responderCount == 2 && outcome.failures.map(\.number) == [1, 3])
      expectEqual(outcome.failures.map { $0.error as? Refusal }, [Refusal(number: 1), Refusal(number: 3)])

      for listener in listeners { listener.body = { throw Refusal(number: 9) } }
      expectThrows(Refusal(number: 9)) { try invocation.invoke() }
      expect(!invocation.hasReturnValue)
      let failed = try dispatcher.dispatch(invocation)
      expect(failed.responderCount == 0 && failed.failures.count == 4 && !invocation.hasReturnValue)
      expectThrows(Refusal(number: 9)) { try dispatcher.send("count(_:)", [1]) }
      withExtendedLifetime(listeners) {}
    }

    @Test func argumentsAndTypesAreChecked() throws {
      let listeners = Listener.make([1])
      let dispatcher = try Fixtures.dispatcher(listeners)
      let invocation = Invocation(try MethodSignature(types: "q@:qq"))
      invocation.target = dispatcher
      expectError(.argumentNotSet) { try invocation.invoke() }
      expectError(.unrecognizedSelector) { try dispatcher.dispatch(invocation) }
      invocation.selector = "sum(_:_:)"
      try invocation.setArgument(1, at: 2)
      expectErrors(.argumentNotSet, { try invocation.invoke() }, { try dispatcher.dispatch(invocation) })
      try invocation.setArgument(1, at: 3)
      try invocation.invoke()
      invocation.selector = "count(_:)"
      expectErrors(.typeMismatch, { try invocation.invoke() }, { try dispatcher.send("count(_:)", [.string("x")]) })
      expectMessage("Sample has 'count(_:)' with the types 'q@:q', the invocation has 'q@:qq'") { try dispatcher.dispatch(invocation) }
      let function = Invocation(try MethodSignature(types: "qq"))
      expectError(.unrecognizedSelector) { try dispatcher.dispatch(function) }
      expectError(.countMismatch) { try dispatcher.send("count(_:)") }
      expectError(.indexOutOfRange) { try dispatcher.insert(listeners[0], at: -1) }
      expectEqual(listeners[0].log.entries, ["sum 1"])
    }

    /// A class that gets other types later is an error for its objects, and not for the others.
    @Test func typesThatBecomeWrong() throws {
      final class Changing {}
      let table = MethodTable.of(Changing.self)
      try table.add("count(_:)") { (_: Changing, value: Int) -> Int in value }
      let (changing, listener) = (Changing(), FullListener(1))
      let dispatcher = try Fixtures.dispatcher([changing, listener])
      try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 1), 11)
      try table.replace("count(_:)", Implementation { (_: Changing, value: Int32) -> Int in Int(value) })
      let invocation = try Fixtures.invocation("count(_:)", dispatcher, [1])
      expectError(.typeMismatch) { try invocation.invoke() }
      try expectEqual(invocation.returnValue(), 11)
      let outcome = try dispatcher.dispatch(invocation)
      expect(outcome.responders == [1] && outcome.failures.map(\.number) == [0])
      try table.replace("count(_:)", Implementation { (_: Changing, value: Int) -> Int in value })
      try invocation.invoke()
      table.remove("count(_:)")
      try expectEqual(dispatcher.dispatch(invocation).responders, [1])
      withExtendedLifetime((changing, listener)) {}
    }

    @Test("A dispatcher among its own implementers is refused (D4.11)")
    func aDispatcherAmongItsOwnImplementersIsRefused() throws {
      let dispatchers = try (0..<3).map { _ in try Fixtures.dispatcher([]) }
      try dispatchers[0].append(dispatchers[1])
      try dispatchers[1].append(dispatchers[2])
      expectErrors(
        .dispatchCycle, { try dispatchers[0].append(dispatchers[0]) }, { try dispatchers[2].append(dispatchers[0]) },
        { try dispatchers[1].insert(dispatchers[0], at: 0) })
      expectMessage("its calls would come back to the dispatcher of Sample") { try dispatchers[2].append(dispatchers[1]) }
      // Once the way is broken it may be.
      dispatchers[1].removeAll()
      try dispatchers[2].append(dispatchers[0])
      withExtendedLifetime(dispatchers) {}
    }

    /// A change of the list itself is a change of the dispatcher: it is checked, and the plan is rebuilt.
    @Test func theListOfADispatcher() throws {
      let log = CallLog()
      let listeners = Listener.make([1, 2], log)
      var dispatcher: ProtocolDispatcher? = try Fixtures.dispatcher([listeners[0]])
      let list = try #require(dispatcher?.implementerList)
      try dispatcher?.send("count(_:)", [1])
      try list.append(listeners[1])
      try dispatcher?.send("count(_:)", [1])
      list.remove(listeners[0])
      try dispatcher?.send("count(_:)", [1])
      expectEqual(log.entries, ["count 1", "count 1", "count 2", "count 2"])
      let other = try Fixtures.dispatcher([dispatcher])
      expectErrors(
        .dispatchCycle, { try list.append(try #require(dispatcher)) }, { try list.insert(other, at: 0) })
      withExtendedLifetime(other) {}
      // The list may outlive the dispatcher.
      dispatcher = nil
      try list.append(listeners[0])
      expectEqual(list.numbers, [1, 2])
      withExtendedLifetime(listeners) {}
    }

    /// A dispatcher among the implementers answers with one result, or does not respond.
    @Test func dispatchersWithinDispatchers() throws {
      try LifetimeTracker.check { tracker in
        let log = CallLog()
        let listeners = Listener.make([1, 2, 3], log)
        for listener in listeners { listener.object = tracker.object(listener.number) }
        let inner = try Fixtures.dispatcher([listeners[1], listeners[2]], .first)
        let outer = try Fixtures.dispatcher([listeners[0], inner])
        try expect(Fixtures.send("count(_:)", to: outer, 1) == 21 && log.entries == ["count 1", "count 2"])
        try expectEqual(Fixtures.send("sum(_:_:)", to: outer, 1, 1), 202)
        let object = try Fixtures.invocation("object()", outer)
        try object.invoke()
        try expectEqual((object.objectReturnValue() as? LifetimeTracked)?.payload, 2)
        expect(outer.responds(to: "count(_:)") && !outer.responds(to: "unheard()"))

        listeners[1].body = { throw Refusal(number: 2) }
        let count = try Fixtures.invocation("count(_:)", outer, [1])
        let steps: [(change: () -> Void, responders: [Int], failures: [Int], result: Int)] = [
          ({}, [0], [1], 11), ({ inner.setReturnPolicy(.last) }, [0, 1], [1], 31), ({ inner.removeAll() }, [0], [], 11),
        ]
        for step in steps {
          step.change()
          let outcome = try outer.dispatch(count)
          try expect(
            outcome.responders == step.responders && outcome.failures.map(\.number) == step.failures && count.returnValue() == step.result)
        }
        let wrong = try ProtocolDispatcher(DispatchProtocol("Wrong", methods: [.optional("count(_:)", types: "q@:i")]))
        expectError(.typeMismatch) { try outer.append(wrong) }
        for listener in listeners { listener.object = nil }
      }
    }

    /// An implementer that answers by itself is asked at each call.
    @Test func invocableImplementers() throws {
      final class Answering: Invocable {
        var types: String? = "q@:q"
        func implementation(for selector: MethodSelector) -> Implementation? {
          guard selector == "count(_:)", let types, let signature = try? MethodSignature(types: types) else { return nil }
          let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int = { _, _, value in value * 2 }
          return Implementation(function: code, methodSignature: signature)
        }
      }
      let (listener, answering) = (FullListener(1), Answering())
      let dispatcher = try Fixtures.dispatcher([listener, answering])
      try expect(Fixtures.send("count(_:)", to: dispatcher, 8) == 16 && dispatcher.responds(to: "count(_:)"))
      answering.types = nil
      try expectEqual(Fixtures.send("count(_:)", to: dispatcher, 8), 18)
      answering.types = "q@:i"
      expectErrors(
        .typeMismatch, { _ = try Fixtures.send("count(_:)", to: dispatcher, 8) }, { _ = try Fixtures.dispatcher([answering]) })
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
      let invocation = try Invocation.message("v@:", to: dispatcher, "fail()")
      invocation.capturesErrno = true
      try invocation.invoke()
      expectEqual(invocation.capturedErrno, 4)
      withExtendedLifetime(failing) {}
    }
  }
#endif
