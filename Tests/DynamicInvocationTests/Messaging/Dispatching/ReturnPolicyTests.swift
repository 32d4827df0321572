#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What becomes of several results.
  @Suite(.measured) struct ReturnPolicyTests {
    private typealias Fixtures = DispatchFixtures

    private final class Setting {
      let log = CallLog()
      let listeners: [FullListener]
      let dispatcher: ProtocolDispatcher

      init(_ numbers: [Int], _ policy: ReturnPolicy<BoxedValue> = .last) throws {
        listeners = Listener.make(numbers, log)
        dispatcher = try Fixtures.dispatcher(listeners, policy)
      }

      /// Dispatches `count(1)`.
      func count() throws -> (result: Int, outcome: DispatchOutcome) {
        let invocation = try Fixtures.invocation("count(_:)", dispatcher, [1])
        let outcome = try dispatcher.dispatch(invocation)
        return (try invocation.returnValue(), outcome)
      }

      /// Sends `flag()` and returns the result.
      func flag() throws -> Bool {
        let invocation = try Fixtures.invocation("flag()", dispatcher)
        try invocation.invoke()
        return try invocation.returnValue()
      }

      /// Sends `object()` and returns the result.
      func object() throws -> AnyObject? {
        let invocation = try Fixtures.invocation("object()", dispatcher)
        try invocation.invoke()
        return try invocation.objectReturnValue()
      }
    }

    @Test("The last result counts by default (D2.2)") func last() throws {
      let setting = try Setting([1, 2, 3])
      let (result, outcome) = try setting.count()
      #expect(result == 31 && outcome.responderCount == 3 && outcome.responders == [0, 1, 2])
    }

    @Test("Only the first implementer that responds is called (D2.3)") func first() throws {
      let setting = try Setting([1, 2, 3], .first)
      let (result, outcome) = try setting.count()
      #expect(result == 11 && outcome.responders == [0] && setting.log.entries == ["count 1"])
      // Who throws has responded: nobody else is asked.
      setting.listeners[0].body = { throw Refusal(number: 1) }
      #expect(throws: Refusal(number: 1)) { try setting.dispatcher.send("count(_:)", [1]) }
      #expect(setting.log.entries == ["count 1", "count 1"])
    }

    @Test("Implementers are called until one returns something else than nil (D2.4)") func firstNonNil() throws {
      try LifetimeTracker.check { tracker in
        let setting = try Setting([1, 2, 3, 4], .firstNonNil)
        #expect(try setting.object() == nil && setting.log.entries.count == 4)
        setting.listeners[1].object = tracker.object(1)
        setting.listeners[2].object = tracker.object(2)
        setting.log.entries = []
        #expect(try (setting.object() as? LifetimeTracked)?.payload == 1)
        #expect(setting.log.entries == ["object 1", "object 2"])
        for listener in setting.listeners { listener.object = nil }
        #expect(tracker.liveCount == 0)
        // It fits no integer, so there it is as if it had not been set.
        #expect(try setting.count().result == 41)
      }
    }

    @Test("Implementers are called until one returns true, or false (D2.6)") func anyAndAll() throws {
      let setting = try Setting([1, 2, 3], .anyTrue)
      #expect(try setting.flag() == false && setting.log.entries.count == 3)
      setting.listeners[1].flag = true
      setting.log.entries = []
      #expect(try setting.flag() == true && setting.log.entries == ["flag 1", "flag 2"])
      setting.dispatcher.setReturnPolicy(.allTrue)
      setting.log.entries = []
      #expect(try setting.flag() == false && setting.log.entries == ["flag 1"])
      for listener in setting.listeners { listener.flag = true }
      #expect(try setting.flag() == true)
    }

    @Test("A reduction makes one result of all, and may end early (D2.7)") func reduce() throws {
      let setting = try Setting([1, 2, 3, 4])
      try setting.dispatcher.setReturnPolicy(
        .reduce { soFar, next in
          guard case .int(let value) = next else { throw Refusal(number: -1) }
          guard case .int(let sum)? = soFar else { return .next(.int(value)) }
          return sum + value >= 60 ? .end(.int(sum + value)) : .next(.int(sum + value))
        }, for: "count(_:)")
      let (result, outcome) = try setting.count()
      #expect(result == 11 + 21 + 31 && outcome.responders == [0, 1, 2])
      #expect(setting.log.entries == ["count 1", "count 2", "count 3"])
      // Another method keeps its own policy.
      #expect(try Fixtures.send("sum(_:_:)", to: setting.dispatcher, 1, 1) == 402)
      try setting.dispatcher.setReturnPolicy(nil, for: "count(_:)")
      #expect(try setting.count().result == 41)
    }

    @Test func reductionsOfObjectsAreCounted() throws {
      try LifetimeTracker.check { tracker in
        let setting = try Setting([1, 2, 3])
        for listener in setting.listeners { listener.object = tracker.object(listener.number) }
        try setting.dispatcher.setReturnPolicy(
          .reduce { soFar, next in
            if case .object(let object) = next, (object as? LifetimeTracked)?.payload == 3 { return .next(soFar ?? .null) }
            return .next(next)
          }, for: "object()")
        #expect(try (setting.object() as? LifetimeTracked)?.payload == 2)
        try setting.dispatcher.setReturnPolicy(.reduce { _, _ in .end(.null) }, for: "object()")
        #expect(try setting.object() == nil)
        for listener in setting.listeners { listener.object = nil }
        #expect(tracker.liveCount == 0)
      }
    }

    @Test func aReductionThatFailsEndsTheCall() throws {
      try LifetimeTracker.check { tracker in
        let setting = try Setting([1, 2, 3])
        for listener in setting.listeners { listener.object = tracker.object(listener.number) }
        try setting.dispatcher.setReturnPolicy(.reduce { _, _ in throw Refusal(number: 5) }, for: "object()")
        #expect(throws: Refusal(number: 5)) { try setting.object() }
        #expect(setting.log.entries == ["object 1"])
        try setting.dispatcher.setReturnPolicy(.reduce { _, _ in .next(.double(0.5)) }, for: "count(_:)")
        #expect(InvocationFixtures.code { _ = try setting.count() } == .inexact)
        try setting.dispatcher.setReturnPolicy(.reduce { _, _ in .next(.int(3)) }, for: "object()")
        #expect(InvocationFixtures.code { _ = try setting.object() } == .typeMismatch)
        for listener in setting.listeners { listener.object = nil }
      }
    }

    @Test("A policy that does not fit the result is refused for a method, and passed over for all (D2.10)")
    func policiesThatFitNoResultAreRefused() throws {
      let setting = try Setting([1])
      let dispatcher = setting.dispatcher
      #expect(InvocationFixtures.code { try dispatcher.setReturnPolicy(.firstNonNil, for: "count(_:)") } == .typeMismatch)
      #expect(InvocationFixtures.code { try dispatcher.setReturnPolicy(.anyTrue, for: "count(_:)") } == .typeMismatch)
      #expect(InvocationFixtures.code { try dispatcher.setReturnPolicy(.allTrue, for: "object()") } == .typeMismatch)
      #expect(InvocationFixtures.code { try dispatcher.setReturnPolicy(.reduce { .next($1) }, for: "note(_:)") } == .typeMismatch)
      #expect(InvocationFixtures.code { try dispatcher.setReturnPolicy(.first, for: "nothing()") } == .unrecognizedSelector)
      #expect(
        InvocationFixtures.message { try dispatcher.setReturnPolicy(.anyTrue, for: "count(_:)") }
          == "return value (q, Int64): the policy for 'count(_:)' fits no such result")
      dispatcher.setReturnPolicy(.anyTrue)
      guard case .last = dispatcher.returnPolicy(for: "count(_:)"), case .anyTrue = dispatcher.returnPolicy(for: "flag()") else {
        Issue.record("a policy that fits no result does not count")
        return
      }
    }

    /// A struct in memory and one in two registers.
    @Test(arguments: [ReturnPolicy<BoxedValue>.last, .first]) func structs(policy: ReturnPolicy<BoxedValue>) throws {
      final class Shape {
        let side: Double
        init(_ side: Double) { self.side = side }
      }
      let table = MethodTable.of(Shape.self)
      try table.replace(
        "frame()", Implementation { (shape: Shape) -> Geometry.Rect in Geometry.Rect(x: 1, y: 2, width: shape.side, height: 4) })
      try table.replace("size()", Implementation { (shape: Shape) throws -> Geometry.Size in Geometry.Size(width: shape.side, height: 5) })
      let description = try DispatchProtocol(
        "Shape",
        methods: [.required("frame()", types: "{Rect={Point=dd}{Size=dd}}@:"), .required("size()", types: "{Size=dd}@:")])
      let shapes = [Shape(1), Shape(2)]
      let dispatcher = try ProtocolDispatcher(description, implementers: shapes, returnPolicy: policy)
      let side: Double = if case .last = policy { 2 } else { 1 }
      for method in description.methods {
        let invocation = Invocation(method.methodSignature)
        invocation.target = dispatcher
        invocation.selector = method.selector
        for _ in 0..<2 {
          try invocation.invoke()
          if method.selector == "frame()" {
            #expect(try invocation.returnValue(as: Geometry.Rect.self) == Geometry.Rect(x: 1, y: 2, width: side, height: 4))
          } else {
            #expect(try invocation.returnValue(as: Geometry.Size.self) == Geometry.Size(width: side, height: 5))
          }
        }
      }
      withExtendedLifetime(shapes) {}
    }
  }
#endif
