#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// What happens to a message that the target's class has no method for, step by step, and what of the invocation comes along.
  @Suite(.measured) struct ForwardingStepTests {
    private final class Worker {
      let base: Int
      init(_ base: Int = 1) { self.base = base }
    }

    /// Notes each step, and answers at the one it is told to.
    private final class Stepping: Forwarding, Invocable {
      enum Step: CaseIterable { case resolve, invocable, target, invocation, none }

      nonisolated(unsafe) static var steps: [String] = []
      nonisolated(unsafe) static var answering = Step.none

      static func resolveMethod(for selector: MethodSelector) throws -> Bool {
        steps.append("resolve")
        guard answering == .resolve else { return false }
        try MethodTable.of(self).replace(selector, Implementation { (_: Stepping, value: Int) in value + 1 })
        return true
      }
      func implementation(for selector: MethodSelector) -> Implementation? {
        Self.steps.append("invocable")
        return Self.answering == .invocable ? try? Implementation { (_: Stepping, value: Int) in value + 2 } : nil
      }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? {
        Self.steps.append("target")
        return Self.answering == .target ? Worker(3) : nil
      }
      func methodSignature(for selector: MethodSelector) -> MethodSignature? {
        Self.steps.append("signature")
        return Self.answering == .invocation ? try? MethodSignature(types: "q@:q") : nil
      }
      func forwardInvocation(_ invocation: Invocation) throws {
        Self.steps.append("forward")
        try invocation.invoke(with: Worker(4))
      }
    }

    private static func message(_ selector: MethodSelector, to target: AnyObject, _ value: Int = 10) throws -> Invocation {
      try .message("q@:q", to: target, selector, value)
    }

    /// Gives the workers a method that adds their number.
    private static func add(_ selector: MethodSelector) throws {
      try MethodTable.of(Worker.self).replace(selector, Implementation { (worker: Worker, value: Int) in worker.base + value })
    }

    private static func code(_ selector: MethodSelector, to target: AnyObject) -> InvocationError.Code? {
      InvocationFixtures.code { try message(selector, to: target).invoke() }
    }

    @Test func theStepsComeInNSObjectsOrder() throws {
      try Self.add("stepping:")
      let all = ["resolve", "invocable", "target", "signature", "forward"]
      // The last time the class has the method that was resolved.
      for (step, count, result) in [
        (Stepping.Step.invocable, 2, 12), (.target, 3, 13), (.invocation, 5, 14), (.resolve, 1, 11), (.none, 0, 11),
      ] {
        Stepping.answering = step
        Stepping.steps = []
        try expectEqual(Self.message("stepping:", to: Stepping()).result(), result, "\(step)")
        expectEqual(Stepping.steps, Array(all[..<count]), "\(step)")
      }
    }

    @Test func nobodyAnswers() throws {
      final class Plain {}
      final class Defaults: Forwarding {}
      try MethodTable.of(Defaults.self).add("known") { (_: Defaults) in }
      for target in [Plain(), Defaults(), InvocationProxy()] as [AnyObject] {
        let message = try Self.message("knwon", to: target)
        let error = expectThrows(InvocationError.self) { try message.invoke() }
        expectEqual(error?.code, .unrecognizedSelector)
        expectEqual(error?.candidates, target is Defaults ? ["known"] : [])
        expect(!message.hasReturnValue)
      }
      // By default an invocation that is forwarded all the same is not recognized.
      let message = try Self.message("knwon", to: Defaults())
      expectThrows(InvocationError.self) { try Defaults().forwardInvocation(message) }
    }

    @Test func theTargetIsAskedForEachMessage() throws {
      try Self.add("relayed:")
      let relay = Relay(Worker(100))
      let message = try Self.message("relayed:", to: relay)
      for round in 1...3 {
        try expectEqual(message.result(), 110)
        expectEqual(relay.asked, round)
      }
      // Another of the same class, then one of another class, by the same invocation.
      relay.next = Worker(200)
      try expectEqual(message.result(), 210)
      relay.next = Relay(Relay(Worker(300)))
      try expectEqual(message.result(), 310)
      for (target, result) in [(Worker(400), 410), (relay, 310)] as [(AnyObject, Int)] {
        try message.invoke(with: target)
        try expectEqual(message.returnValue(), result)
      }
      expect(message.target === relay)
      relay.next = nil
      expectThrows(InvocationError.self) { try message.invoke() }
    }

    @Test func aMethodAddedLaterIsFound() throws {
      final class Late: Forwarding {
        let worker = Worker()
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? { worker }
      }
      try Self.add("late:")
      let message = try Self.message("late:", to: Late())
      for _ in 0..<2 { try expectEqual(message.result(), 11) }
      try MethodTable.of(Late.self).add("late:") { (_: Late, value: Int) in -value }
      // What was remembered of one class is not taken for new because another was looked up.
      let late = try require(message.target)
      for (target, result) in [(Worker(2), 12), (late, -10)] {
        try message.invoke(with: target)
        try expectEqual(message.returnValue(), result)
      }
      MethodTable.of(Late.self).remove("late:")
      try expectEqual(message.result(), 11)
      MethodTable.of(Worker.self).remove("late:")
      expectThrows(InvocationError.self) { try message.invoke() }
    }

    /// Its class gets the method while a message to it is being forwarded, as by another thread, and does not say so.
    private final class Growing: Forwarding {
      let worker = Worker()
      static func resolveMethod(for selector: MethodSelector) throws -> Bool {
        try MethodTable.of(self).replace(selector, Implementation { (_: Growing, value: Int) in -value })
        return false
      }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? { worker }
    }

    @Test func aMethodAddedDuringTheLookUpIsFoundTheNextTime() throws {
      try Self.add("grow:")
      let message = try Self.message("grow:", to: Growing())
      try expectEqual([message.result(), message.result()], [11, -10])
    }

    @Test func oneWhoAnswersByItselfIsNotPassedOver() throws {
      // The class forwards, but each object may have its own answer: nothing of it may be remembered for another.
      final class Mixed: Forwarding, Invocable {
        let own: Bool
        let worker = Worker()
        init(own: Bool) { self.own = own }
        func implementation(for selector: MethodSelector) -> Implementation? {
          own ? try? Implementation { (_: Mixed, _: Int) in 77 } : nil
        }
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? { worker }
      }
      try Self.add("mixed:")
      let message = try Self.message("mixed:", to: Mixed(own: false))
      for own in [false, true, false, true] {
        try message.invoke(with: Mixed(own: own))
        try expectEqual(message.returnValue(), own ? 77 : 11)
      }
    }

    @Test func circlesAreErrors() throws {
      let (first, second, third) = (Relay(), Relay(), Relay())
      // To oneself, to another and back, and a way into a circle that it is not part of.
      for (ofFirst, ofSecond, ofThird) in [(first, nil, nil), (second, first, nil), (second, third, second)] as [(Relay, Relay?, Relay?)] {
        (first.next, second.next, third.next) = (ofFirst, ofSecond, ofThird)
        expectEqual(Self.code("circled:", to: first), .forwardingCycle)
      }
      third.next = nil
      expectEqual(Self.code("circled:", to: first), .unrecognizedSelector)
      for relay in [first, second] { relay.next = nil }
      // Ever new objects.
      final class Endless: Forwarding {
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? { Endless() }
      }
      expectEqual(Self.code("circled:", to: Endless()), .limitExceeded)
    }

    @Test(arguments: [1, 2, 127, 128, 129, 130]) func asManyTargetsAsTheLimitSays(targets: Int) throws {
      try Self.add("reach:")
      let first = (1..<targets).reduce(Relay(Worker())) { next, _ in Relay(next) }
      let message = try Self.message("reach:", to: first)
      if targets <= 128 {
        try expectEqual(message.result(), 11)
        // Whoever can be sent a message says its types.
        try expectEqual(Invocation(target: first, selector: "reach:").methodSignature, MethodSignature(types: "q@:q"))
      } else {
        expectError(.limitExceeded) { try message.invoke() }
        expectNil(MethodSignature(of: "reach:", to: first))
      }
    }

    private final class Sending: Forwarding {
      var send: (Invocation) throws -> Void
      init(_ send: @escaping (Invocation) throws -> Void = { _ in }) { self.send = send }
      func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "q@:q") }
      func forwardInvocation(_ invocation: Invocation) throws { try send(invocation) }
    }

    @Test func invocationsThatComeBackAreErrors() throws {
      // To oneself, and to another and back.
      expectEqual(Self.code("back:", to: Sending { try $0.invoke() }), .forwardingCycle)
      let (first, second) = (Sending(), Sending())
      first.send = { [unowned second] in try $0.invoke(with: second) }
      second.send = { [unowned first] in try $0.invoke(with: first) }
      expectEqual(Self.code("back:", to: first), .forwardingCycle)
      // By ever new invocations.
      first.send = { [unowned first] _ in try Self.message("back:", to: first).invoke() }
      expectEqual(onLargeStack { Self.code("back:", to: first) }, .limitExceeded)
      // Afterwards the thread forwards as before.
      first.send = { try $0.setReturnValue(5) }
      try expectEqual(Self.message("back:", to: first).result(), 5)
    }

    @Test func recursionThroughAProxyIsNoCircle() throws {
      final class Factorial {
        unowned let proxy: InvocationProxy
        init(_ proxy: InvocationProxy) { self.proxy = proxy }
      }
      try MethodTable.of(Factorial.self).add("factorial:") { (target: Factorial, number: Int) throws -> Int in
        try number > 1 ? number * Self.message("factorial:", to: target.proxy, number - 1).result() : 1
      }
      let proxy = InvocationProxy()
      let target = Factorial(proxy)
      proxy.target = target
      try expectEqual(Self.message("factorial:", to: proxy, 20).result(), 2_432_902_008_176_640_000)
    }

    @Test func anInvocationIsChangedRedirectedAndStored() throws {
      try Self.add("renamed:")
      var kept: [Invocation] = []
      let (sender, worker) = (Sending(), Worker(1_000))
      sender.send = { invocation in
        kept.append(invocation)
        try invocation.setArgument(2 * invocation.argument(at: 2, as: Int.self), at: 2)
        invocation.selector = "renamed:"
        try invocation.invoke(with: worker)
      }
      let message = try Self.message("changed:", to: sender)
      for round in 1...3 {
        try expectEqual(message.result(), 1_020)
        expectEqual(kept.count, round)
      }
      // The sender's own stays as it was.
      try expect(message.selector == "changed:" && message.target === sender && message.argument(at: 2, as: Int.self) == 10)
      for (number, invocation) in kept.enumerated() { try expectEqual(invocation.result(number), 1_000 + number) }
    }

    @Test func withoutAResultTheSenderGetsZero() throws {
      let message = try Self.message("nothing:", to: Sending())
      try message.setReturnValue(7)
      try expectEqual(message.result(), 0)
    }

    @Test func errorsComeOut() throws {
      let message = try Self.message("refused:", to: Sending { _ in throw Refusal(number: 3) })
      expectThrows(Refusal(number: 3)) { try message.invoke() }
      expect(!message.hasReturnValue)
      // From resolving.
      final class Unresolvable: Forwarding {
        static func resolveMethod(for selector: MethodSelector) throws -> Bool { throw Refusal(number: 4) }
      }
      expectThrows(Refusal(number: 4)) { try Self.message("unresolved:", to: Unresolvable()).invoke() }
    }

    @Test(arguments: ForwardingWay.allCases) func errnoAndErrorsOfAForwardedMessage(way: ForwardingWay) throws {
      final class Failing {}
      try MethodTable.of(Failing.self).replace(
        "fail:",
        Implementation { (_: Failing, code: Int) throws -> Int in
          if code % 2 == 1 { throw Refusal(number: code) }
          errno = CInt(code)
          return -code
        })
      let failing = Failing()
      let message = try Self.message("fail:", to: way.target(failing))
      message.capturesErrno = true
      // From the second time on what was looked up is remembered.
      for code in 20..<26 {
        errno = 0
        if code % 2 == 0 {
          try expectEqual(message.result(code), -code)
          expectEqual(message.capturedErrno, CInt(code))
        } else {
          expectThrows(Refusal(number: code)) { try message.result(code, as: Int.self) }
          expectError(.noReturnValue) { _ = try message.returnValue(as: Int.self) }
        }
      }
    }

    @Test func otherTypesAreAnError() throws {
      let sender = Sending { _ in Issue.record("the types are others") }
      let message = try Invocation.message("d@:q", to: sender, "typed:", 1)
      expectError(.typeMismatch) { try message.invoke() }
      try Self.add("typed:")
      message.target = Relay(Worker())
      expectError(.typeMismatch) { try message.invoke() }
      expectError(.argumentNotSet) { try Invocation.message("q@:q", to: sender, "typed:").invoke() }
    }

    @Test func subclassesForwardAsTheirSuperclass() throws {
      class Base: Forwarding {
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? { Worker(1) }
      }
      final class Leaf: Base {
        override func forwardingTarget(for selector: MethodSelector) -> AnyObject? { Worker(2) }
      }
      final class Heir: Base {}
      try Self.add("inherited:")
      for (target, result) in [(Base(), 11), (Leaf(), 12), (Heir(), 11)] {
        let message = try Self.message("inherited:", to: target)
        try expectEqual([message.result(), message.result()], [result, result])
      }
    }

    @Test func theTypesOfAMessageAreFound() throws {
      try Self.add("found:")
      let proxy = InvocationProxy(target: Relay(Worker(5)))
      for target in [Worker(5), Relay(Worker(5)), Relay(proxy), proxy] as [AnyObject] {
        let message = try Invocation(target: target, selector: "found:")
        expectEqual(message.methodSignature.description, "q@:q")
        try expectEqual(message.result(1), 6)
      }
      let circle = Relay()
      circle.next = circle
      for target in [Worker(0), Relay(), circle, InvocationProxy()] as [AnyObject] {
        expectError(.unrecognizedSelector) { _ = try Invocation(target: target, selector: "unfound:") }
      }
      circle.next = nil
    }
  }
#endif
