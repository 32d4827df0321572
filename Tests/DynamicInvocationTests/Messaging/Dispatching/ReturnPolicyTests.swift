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

      init(_ numbers: [Int], _ policy: ReturnPolicy<BoxedValue> = .last, _ tracker: LifetimeTracker? = nil) throws {
        listeners = Listener.make(numbers, log)
        dispatcher = try Fixtures.dispatcher(listeners, policy)
        for listener in listeners { listener.object = tracker?.object(listener.number) }
      }

      func dropObjects() { for listener in listeners { listener.object = nil } }

      /// Dispatches `count(1)`.
      func count() throws -> (result: Int, outcome: DispatchOutcome) {
        let invocation = try Fixtures.invocation("count(_:)", dispatcher, [1])
        let outcome = try dispatcher.dispatch(invocation)
        return (try invocation.returnValue(), outcome)
      }

      /// Sends `flag()` and returns the result with the calls.
      func flag() throws -> String {
        log.entries = []
        return try "\(Fixtures.invocation("flag()", dispatcher).result(as: Bool.self)) \(log.entries)"
      }

      /// Sends `object()` and returns the payload of the result.
      func object() throws -> Int? {
        let invocation = try Fixtures.invocation("object()", dispatcher)
        try invocation.invoke()
        return (try invocation.objectReturnValue() as? LifetimeTracked)?.payload
      }
    }

    @Test("Only the first implementer that responds is called (D2.3)") func first() throws {
      let setting = try Setting([1, 2, 3], .first)
      let (result, outcome) = try setting.count()
      expect(result == 11 && outcome.responders == [0] && setting.log.entries == ["count 1"])
      // Who throws has responded: nobody else is asked.
      setting.listeners[0].body = { throw Refusal(number: 1) }
      expectThrows(Refusal(number: 1)) { try setting.dispatcher.send("count(_:)", [1]) }
      expectEqual(setting.log.entries, ["count 1", "count 1"])
    }

    @Test("Implementers are called until one returns something else than nil (D2.4)") func firstNonNil() throws {
      try LifetimeTracker.check { tracker in
        let setting = try Setting([1, 2, 3, 4], .firstNonNil)
        try expect(setting.object() == nil && setting.log.entries.count == 4)
        for number in 1...2 { setting.listeners[number].object = tracker.object(number) }
        setting.log.entries = []
        try expect(setting.object() == 1 && setting.log.entries == ["object 1", "object 2"])
        setting.dropObjects()
        expectEqual(tracker.liveCount, 0)
        // It fits no integer, so there it is as if it had not been set.
        try expectEqual(setting.count().result, 41)
      }
    }

    @Test("Implementers are called until one returns true, or false (D2.6)") func anyAndAll() throws {
      let setting = try Setting([1, 2, 3], .anyTrue)
      try expectEqual(setting.flag(), #"false ["flag 1", "flag 2", "flag 3"]"#)
      setting.listeners[1].flag = true
      try expectEqual(setting.flag(), #"true ["flag 1", "flag 2"]"#)
      setting.dispatcher.setReturnPolicy(.allTrue)
      try expectEqual(setting.flag(), #"false ["flag 1"]"#)
      for listener in setting.listeners { listener.flag = true }
      try expectEqual(setting.flag(), #"true ["flag 1", "flag 2", "flag 3"]"#)
    }

    @Test("A reduction makes one result of all, may end early, counts objects and may fail (D2.7)") func reduce() throws {
      try LifetimeTracker.check { tracker in
        let setting = try Setting([1, 2, 3, 4], .last, tracker)
        func reduce(
          _ selector: MethodSelector, _ body: @escaping @Sendable (BoxedValue?, BoxedValue) throws -> ReturnPolicy<BoxedValue>.Reduction
        ) throws { try setting.dispatcher.setReturnPolicy(.reduce(body), for: selector) }
        try reduce("count(_:)") { soFar, next in
          guard case .int(let value) = next else { throw Refusal(number: -1) }
          guard case .int(let sum)? = soFar else { return .next(.int(value)) }
          return sum + value >= 60 ? .end(.int(sum + value)) : .next(.int(sum + value))
        }
        let (result, outcome) = try setting.count()
        expect(result == 11 + 21 + 31 && outcome.responders == [0, 1, 2])
        expectEqual(setting.log.entries, ["count 1", "count 2", "count 3"])
        // Another method keeps its own policy.
        try expectEqual(Fixtures.send("sum(_:_:)", to: setting.dispatcher, 1, 1), 402)
        try setting.dispatcher.setReturnPolicy(nil, for: "count(_:)")
        try expectEqual(setting.count().result, 41)
        try reduce("object()") { soFar, next in
          if case .object(let object) = next, (object as? LifetimeTracked)?.payload == 4 { return .next(soFar ?? .null) }
          return .next(next)
        }
        try expectEqual(setting.object(), 3)
        try reduce("object()") { _, _ in .end(.null) }
        try expectNil(setting.object())
        setting.log.entries = []
        try reduce("object()") { _, _ in throw Refusal(number: 5) }
        expectThrows(Refusal(number: 5)) { try setting.object() }
        expectEqual(setting.log.entries, ["object 1"])
        try reduce("count(_:)") { _, _ in .next(.double(0.5)) }
        expectError(.inexact) { _ = try setting.count() }
        try reduce("object()") { _, _ in .next(.int(3)) }
        expectError(.typeMismatch) { _ = try setting.object() }
        setting.dropObjects()
        expectEqual(tracker.liveCount, 0)
      }
    }

    @Test("A policy that does not fit the result is refused for a method, and passed over for all (D2.10)")
    func policiesThatFitNoResultAreRefused() throws {
      let dispatcher = try Setting([1]).dispatcher
      expectErrors(
        .typeMismatch, { try dispatcher.setReturnPolicy(.firstNonNil, for: "count(_:)") },
        { try dispatcher.setReturnPolicy(.anyTrue, for: "count(_:)") }, { try dispatcher.setReturnPolicy(.allTrue, for: "object()") },
        { try dispatcher.setReturnPolicy(.reduce { .next($1) }, for: "note(_:)") })
      expectError(.unrecognizedSelector) { try dispatcher.setReturnPolicy(.first, for: "nothing()") }
      expectMessage("return value (q, Int64): the policy for 'count(_:)' fits no such result") {
        try dispatcher.setReturnPolicy(.anyTrue, for: "count(_:)")
      }
      dispatcher.setReturnPolicy(.anyTrue)
      guard case .last = dispatcher.returnPolicy(for: "count(_:)"), case .anyTrue = dispatcher.returnPolicy(for: "flag()") else {
        Issue.record("a policy that fits no result does not count")
        return
      }
    }

    /// A struct in memory and one in two registers.
    @Test(arguments: [(ReturnPolicy<BoxedValue>.last, 2.0), (.first, 1)])
    func structs(policy: ReturnPolicy<BoxedValue>, side: Double) throws {
      final class Shape {
        let side: Double
        init(_ side: Double) { self.side = side }
      }
      let table = MethodTable.of(Shape.self)
      try table.replace(
        "frame()", Implementation { (shape: Shape) -> Geometry.Rect in Geometry.Rect(x: 1, y: 2, width: shape.side, height: 4) })
      try table.replace("size()", Implementation { (shape: Shape) throws -> Geometry.Size in Geometry.Size(width: shape.side, height: 5) })
      let (frame, size) = ("{Rect={Point=dd}{Size=dd}}@:", "{Size=dd}@:")
      let description = try DispatchProtocol("Shape", methods: [.required("frame()", types: frame), .required("size()", types: size)])
      let shapes = [Shape(1), Shape(2)]
      let dispatcher = try ProtocolDispatcher(description, implementers: shapes, returnPolicy: policy)
      for _ in 0..<2 {
        let rect = try Invocation.message(frame, to: dispatcher, "frame()").result(as: Geometry.Rect.self)
        expectEqual(rect, Geometry.Rect(x: 1, y: 2, width: side, height: 4))
        let result = try Invocation.message(size, to: dispatcher, "size()").result(as: Geometry.Size.self)
        expectEqual(result, Geometry.Size(width: side, height: 5))
      }
      withExtendedLifetime(shapes) {}
    }
  }
#endif
