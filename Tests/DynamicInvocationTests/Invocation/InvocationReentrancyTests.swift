import DynamicInvocation
import TestSupport
import Testing

/// Calls from within a call, through the same invocation and through others.
@Suite(.measured) struct InvocationReentrancyTests {
  private func invocation(_ receiver: Receiver) throws -> Invocation { try .message(Receiver.types, to: receiver, "run(_:)") }

  private func payload(_ invocation: Invocation) throws -> Int? { (try invocation.objectReturnValue() as? LifetimeTracked)?.payload }

  @Test(arguments: [false, true]) func throughTheSameInvocation(returnsRetained: Bool) throws {
    try LifetimeTracker.check { tracker in
      let receiver = Receiver()
      receiver.returnsRetained = returnsRetained
      let invocation = try invocation(receiver)
      var depth = 0
      var seen: [Int] = []
      receiver.body = { argument in
        depth += 1
        let own = depth
        if depth < 5 {
          try? invocation.invoke()
          // The inner call's result is there until this one returns.
          seen.append((try? payload(invocation)) ?? -1)
        }
        return tracker.object(own)
      }
      try invocation.setArgument(nil, at: 2)
      try invocation.invoke()
      receiver.kept = nil
      try expect(receiver.calls == 5 && seen == [5, 4, 3, 2] && payload(invocation) == 1 && tracker.liveCount == 1)
      receiver.body = { $0 }
    }
  }

  /// The callee changes the arguments of the invocation that calls it: its own stay as they were passed.
  @Test func argumentsChangedDuringTheCall() throws {
    let change: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Double, Geometry.Rect) -> Double = {
      receiver, _, number, real, rect in
      _ = Unmanaged<Receiver>.fromOpaque(receiver).takeUnretainedValue().body(nil)
      return Double(number) + real + rect.origin.x + rect.size.height
    }
    let receiver = Receiver()
    let invocation = try Invocation.message(
      "d@:qd{Rect={Point=dd}{Size=dd}}", to: receiver, "change", 1, 0.5, Geometry.Rect(x: 10, y: 0, width: 0, height: 100))
    receiver.body = { _ in
      try? invocation.setArguments(boxed: [2, 0.25, .rect(.zero)])
      return nil
    }
    for result in [111.5, 2.25] {
      try invocation.invoke(using: Implementation(function: change))
      try expectEqual(invocation.returnValue(), result)
    }
    receiver.body = { $0 }
  }

  private final class Refusing: EncodedObject {
    var invocation: Invocation?
    /// Refuses a message whose number is not 0, after it has sent itself one with 0.
    func check(_ number: Int) throws {
      if number == 0 { return }
      try invocation?.setArgument(0, at: 2)
      try invocation?.invoke()
      throw Refusal()
    }
  }
  private final class RefusingForwarder: Forwarding {
    let receiver = Refusing()
    func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "q@:q") }
    func forwardInvocation(_ invocation: Invocation) throws { try invocation.invoke(with: receiver) }
  }

  @Test("A call that throws has no result, also if a call within it had one") func thrown() throws {
    let table = MethodTable.of(Refusing.self)
    try table.add("refuse:") { (target: Refusing, number: Int) throws -> Int in
      try target.check(number)
      return 1234
    }
    try table.add("refuseObject:") { (target: Refusing, number: Int) throws -> Refusing in
      try target.check(number)
      return Refusing()
    }
    let description = try DispatchProtocol("Refusing", methods: [.required("refuse:", types: "q@:q")])
    let (target, forwarder) = (Refusing(), RefusingForwarder())
    let dispatcher = try ProtocolDispatcher(description, implementers: [target])
    let receivers: [(AnyObject, Refusing, MethodSelector, String)] = [
      (target, target, "refuse:", "q@:q"), (target, target, "refuseObject:", "@@:q"), (forwarder, forwarder.receiver, "refuse:", "q@:q"),
      (InvocationProxy(target: target), target, "refuse:", "q@:q"), (dispatcher, target, "refuse:", "q@:q"),
    ]
    for (receiver, refusing, selector, types) in receivers {
      let invocation = try Invocation.message(types, to: receiver, selector)
      refusing.invocation = invocation
      var ways: [() throws -> Void] = [{ try invocation.invoke() }, { try invocation.invoke() }, { try invocation.invoke(with: receiver) }]
      if receiver === target {
        let method = try require(table.implementation(for: selector))
        ways.append { try invocation.invoke(using: method) }
      }
      for way in ways {
        try invocation.setArgument(1, at: 2)
        expectThrows(Refusal.self) { try way() }
        expect(!invocation.hasReturnValue, "\(type(of: receiver)) \(selector.name)")
        expectError(.noReturnValue) { _ = try invocation.boxedReturnValue() }
        try invocation.setArgument(0, at: 2)
        try invocation.invoke()
        expect(invocation.hasReturnValue)
      }
      refusing.invocation = nil
    }
  }

  private final class Nesting {
    var duringCall: () -> Void = {}
  }

  /// The callee changes the table and sends another message by the invocation that calls it: the method it was called by stays.
  @Test func theMethodOfARunningCallStaysAlive() throws {
    let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int = { target, _, value in
      let target = Unmanaged<Nesting>.fromOpaque(target).takeUnretainedValue()
      if value > 0 { target.duringCall() }
      return value
    }
    try LifetimeTracker.check { tracker in
      let table = MethodTable.of(Nesting.self)
      let signature = try MethodSignature(types: "q@:q")
      func implementation(_ number: Int) -> Implementation {
        Implementation(unsafeBitCast(code, to: UnsafeRawPointer.self), methodSignature: signature, keeping: tracker.object(number))
      }
      try table.add("nest:", implementation(0))
      let target = Nesting()
      let invocation = Invocation(signature)
      invocation.target = target
      invocation.selector = "nest:"
      // In the first round the method is looked up, in the others it is the one of the last time.
      for round in 1...4 {
        var live = 0
        target.duringCall = {
          do {
            try table.replace("nest:", implementation(round))
            try invocation.setArgument(0, at: 2)
            try invocation.invoke()
          } catch {
            Issue.record(error)
          }
          live = tracker.liveCount
        }
        if round > 1 {
          try invocation.setArgument(0, at: 2)
          try invocation.invoke()
          expectEqual(tracker.liveCount, 1)
        }
        try invocation.setArgument(round, at: 2)
        try invocation.invoke()
        expectEqual(try invocation.returnValue(as: Int.self), round)
        expectEqual(live, 2, "round \(round)")
      }
      target.duringCall = {}
      table.remove("nest:")
    }
  }

  @Test func throughOtherInvocations() throws {
    try LifetimeTracker.check { tracker in
      let receivers = (0..<4).map { _ in Receiver() }
      let invocations = try receivers.map { try invocation($0) }
      for (receiver, next) in zip(receivers, invocations.dropFirst()) {
        receiver.body = { argument in
          try? next.setArgument(argument, at: 2)
          try? next.invoke()
          return try? next.objectReturnValue()
        }
      }
      try invocations[0].setArgument(tracker.object(3), at: 2)
      try invocations[0].invoke()
      try expect(payload(invocations[0]) == 3 && receivers.map(\.calls) == [1, 1, 1, 1] && tracker.liveCount == 1)
      for receiver in receivers {
        receiver.body = { $0 }
        receiver.kept = nil
      }
    }
  }
}
