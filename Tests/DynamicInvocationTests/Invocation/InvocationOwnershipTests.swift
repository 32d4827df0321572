import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct InvocationOwnershipTests {
  @Test func keepsItsArguments() throws {
    try LifetimeTracker.check { tracker in
      let invocation = try InvocationFixtures.invocation("v@:@")
      try invocation.setArgument(tracker.object(1), at: 2)
      invocation.target = tracker.object(2)
      expect(tracker.liveCount == 2 && invocation.argumentsRetained)
      try expectEqual((invocation.objectArgument(at: 2) as? LifetimeTracked)?.payload, 1)
      // Replaced, set to itself, set twice.
      try invocation.setArgument(tracker.object(3), at: 2)
      expectEqual(tracker.liveCount, 2)
      let same = try invocation.objectArgument(at: 2)
      try invocation.setArgument(same, at: 2)
      try invocation.setArgument(same, at: 2)
      invocation.target = same
      expectEqual(tracker.liveCount, 1)
      try invocation.setArgument(nil, at: 2)
      expectEqual(tracker.liveCount, 1)
      invocation.target = nil
    }
  }

  /// Each way to set an object.
  ///
  /// An unbalanced count shows as an object that lives too long, or ends too early.
  private static let setters: [@Sendable (Invocation, LifetimeTracked) throws -> Void] = [
    { try $0.setArgument($1, at: 2) },
    { try $0.setArgument(Unmanaged.passUnretained($1), at: 2) },
    { try $0.setArgument(Optional(Unmanaged.passUnretained($1)), at: 2) },
    { try $0.setArgument(boxed: .object($1), at: 2) },
    {
      var word = Unmanaged.passUnretained($1)
      try $0.setArgument(from: &word, at: 2)
    },
  ]

  private func payload(_ invocation: Invocation) throws -> Int? { try (invocation.objectArgument(at: 2) as? LifetimeTracked)?.payload }

  @Test(arguments: setters.indices) func everySetterKeeps(index: Int) throws {
    try LifetimeTracker.check { tracker in
      let invocation = try InvocationFixtures.invocation("v@:@")
      try Self.setters[index](invocation, tracker.object(1))
      try expect(tracker.liveCount == 1 && payload(invocation) == 1)
      // Over itself, when the only reference is the argument's own.
      for setter in Self.setters {
        let reference = try invocation.argument(at: 2, as: Unmanaged<LifetimeTracked>.self)
        try setter(invocation, reference.takeUnretainedValue())
        try Self.setters[index](invocation, reference.takeUnretainedValue())
        try expect(tracker.liveCount == 1 && payload(invocation) == 1)
      }
      // Over another, and by nothing.
      for (turn, setter) in Self.setters.enumerated() {
        try setter(invocation, tracker.object(turn))
        try Self.setters[index](invocation, tracker.object(10 + turn))
        try expect(tracker.liveCount == 1 && payload(invocation) == 10 + turn)
      }
      try invocation.setArgument(Unmanaged<LifetimeTracked>?.none, at: 2)
      expectEqual(tracker.liveCount, 0)
      try Self.setters[index](invocation, tracker.object(2))
      try invocation.setArgument(boxed: nil, at: 2)
      expectEqual(tracker.liveCount, 0)
      try Self.setters[index](invocation, tracker.object(3))
    }
  }

  @Test(arguments: setters.indices) func doesNotKeepOnRequestUntilToldTo(index: Int) throws {
    try LifetimeTracker.check { tracker in
      let invocation = try InvocationFixtures.invocation("v@:@", retainsArguments: false)
      expect(!invocation.argumentsRetained)
      func passBy() throws {
        let object = tracker.object(1)
        try Self.setters[index](invocation, object)
        invocation.target = object
        try expectEqual(payload(invocation), 1)
        withExtendedLifetime(object) {}
      }
      try passBy()
      expectEqual(tracker.liveCount, 0)
      func stay() throws {
        let object = tracker.object(2)
        try Self.setters[index](invocation, object)
        invocation.target = object
        invocation.retainArguments()
        // Nothing is retained twice.
        invocation.retainArguments()
      }
      try stay()
      try expect(invocation.argumentsRetained && tracker.liveCount == 1 && payload(invocation) == 2)
      invocation.target = nil
      expectEqual(tracker.liveCount, 1)
      // From now on what is set is kept.
      try Self.setters[index](invocation, tracker.object(3))
      try expect(tracker.liveCount == 1 && payload(invocation) == 3)
    }
  }

  @Test func retainArgumentsWithArgumentsNotSet() throws {
    let invocation = try InvocationFixtures.invocation("v@:@*i", retainsArguments: false)
    try invocation.setArgument(nil, at: 3)
    invocation.retainArguments()
    expect(invocation.argumentsRetained)
    expectError(.argumentNotSet) { _ = try invocation.objectArgument(at: 2) }
    try expectNil(invocation.argument(at: 3, as: String?.self))
  }

  @Test func copiesKeepTheirOwn() throws {
    try LifetimeTracker.check { tracker in
      let invocation = try Invocation.message("@@:@*i", to: nil, nil, tracker.object(1), "text", Int32(7))
      try invocation.setReturnValue(tracker.object(2))
      let copy = invocation.copy()
      expectEqual(tracker.liveCount, 2)
      try invocation.setArguments([tracker.object(3), "other", Int32(8)])
      try invocation.setReturnValue(nil)
      expectEqual(tracker.liveCount, 3)
      try expect(payload(copy) == 1 && copy.argument(at: 3, as: String.self) == "text" && copy.argument(at: 4, as: Int32.self) == 7)
      try expect(result(copy) == 2 && invocation.objectReturnValue() == nil)
    }
  }

  @Test func copiesHaveTheSameSettings() throws {
    let invocation = try InvocationFixtures.invocation(Receiver.types, retainsArguments: false)
    let receiver = Receiver()
    invocation.target = receiver
    invocation.selector = "run(_:)"
    invocation.capturesErrno = true
    let copy = invocation.copy()
    expect(
      !copy.argumentsRetained && copy.capturesErrno && copy.target === receiver && copy.selector == "run(_:)" && !copy.hasReturnValue)
    expectError(.argumentNotSet) { try copy.invoke() }
    try copy.setArgument(nil, at: 2)
    try copy.invoke()
    expect(copy.hasReturnValue && !invocation.hasReturnValue && receiver.calls == 1 && copy.copy().hasReturnValue)
    expectError(.argumentNotSet) { try invocation.invoke() }
  }

  private func result(_ invocation: Invocation) throws -> Int? { (try invocation.objectReturnValue() as? LifetimeTracked)?.payload }

  /// A result of +0 is retained by the invocation, one of +1 taken over: both end with it or with the next result.
  @Test(arguments: [false, true]) func results(returnsRetained: Bool) throws {
    try LifetimeTracker.check { tracker in
      let receiver = Receiver()
      receiver.returnsRetained = returnsRetained
      let invocation = try Invocation.message(Receiver.types, to: receiver, "run(_:)", nil)
      // Nil between them, and in the end a nil target's zero, replace an object.
      for payload in [1, 2, 3, nil, 9] {
        receiver.body = { _ in payload.map { tracker.object($0) } }
        try invocation.invoke()
        receiver.kept = nil
        try expect(tracker.liveCount == (payload == nil ? 0 : 1) && result(invocation) == payload)
      }
      try invocation.invoke(with: nil)
      expectEqual(tracker.liveCount, 0)
    }
  }

  @Test func resultsSetByHand() throws {
    try LifetimeTracker.check { tracker in
      let invocation = try InvocationFixtures.invocation("@")
      try invocation.setReturnValue(tracker.object(1))
      // From itself, when the result is the only reference.
      var word = try invocation.returnValue(as: Unmanaged<LifetimeTracked>.self)
      let setters: [() throws -> Void] = [
        { try invocation.setReturnValue(word) }, { try invocation.setReturnValue(invocation.objectReturnValue()) },
        { try invocation.setReturnValue(boxed: invocation.boxedReturnValue()) }, { invocation.setReturnValue(from: &word) },
      ]
      for setter in setters {
        try setter()
        try expect(tracker.liveCount == 1 && result(invocation) == 1)
      }
      expectError(.typeMismatch) { try invocation.setReturnValue(boxed: 1) }
      expectEqual(tracker.liveCount, 1)
      try invocation.setReturnValue(boxed: .object(tracker.object(2)))
      try expect(tracker.liveCount == 1 && result(invocation) == 2)
      try invocation.setReturnValue(boxed: nil)
      expectEqual(tracker.liveCount, 0)
    }
  }

  /// An argument that fails to convert leaves the object before it in place.
  @Test func failuresReleaseNothing() throws {
    try LifetimeTracker.check { tracker in
      let invocation = try InvocationFixtures.invocation("v@")
      try invocation.setArgument(tracker.object(1), at: 0)
      expectErrors(.typeMismatch, { try invocation.setArgument(boxed: 1, at: 0) }, { try invocation.setArgument(Int32(1), at: 0) })
      try expect(tracker.liveCount == 1 && (invocation.objectArgument(at: 0) as? LifetimeTracked)?.payload == 1)
    }
  }

  /// The callee drops the last reference to the invocation that calls it.
  @Test func releasedDuringTheCall() throws {
    try LifetimeTracker.check { tracker in
      let receiver = Receiver()
      var invocation: Invocation? = try InvocationFixtures.invocation(Receiver.types)
      weak let weakInvocation = invocation
      invocation?.target = receiver
      invocation?.selector = "run(_:)"
      try invocation?.setArgument(tracker.object(5), at: 2)
      var seen = 0
      receiver.body = { argument in
        invocation = nil
        seen = (argument as? LifetimeTracked)?.payload ?? 0
        return argument
      }
      try invocation?.invoke()
      receiver.kept = nil
      expect(seen == 5 && weakInvocation == nil && receiver.calls == 1)
    }
  }

  @Test func manyTurnsLeakNothing() throws {
    try LifetimeTracker.check { tracker in
      let receiver = Receiver()
      receiver.body = { _ in tracker.object() }
      let invocation = try Invocation.message(Receiver.types, to: receiver, "run(_:)")
      for turn in 0..<10_000 {
        try invocation.setArgument(tracker.object(turn), at: 2)
        try invocation.invoke()
      }
      receiver.kept = nil
      expect(tracker.liveCount == 2 && tracker.madeCount == 20_000)
    }
  }
}
