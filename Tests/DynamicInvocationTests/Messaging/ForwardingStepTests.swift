#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What happens to a message that the target's class has no method for, step by step.
  @Suite(.measured) struct ForwardingStepTests {
    private struct Refusal: Error, Equatable {
      var number: Int
    }

    private final class Worker {
      let base: Int
      init(_ base: Int) { self.base = base }
    }

    /// Notes each step, and answers at the one it is told to.
    private final class Stepping: Forwarding, Invocable {
      enum Step: CaseIterable { case resolve, invocable, target, invocation, none }

      nonisolated(unsafe) static var steps: [String] = []
      nonisolated(unsafe) static var answer = Step.none

      static func resolveMethod(for selector: MethodSelector) throws -> Bool {
        steps.append("resolve")
        guard answer == .resolve else { return false }
        try MethodTable.of(self).replace(selector, Implementation { (_: Stepping, value: Int) in value + 1 })
        return true
      }
      func implementation(for selector: MethodSelector) -> Implementation? {
        Self.steps.append("invocable")
        return Self.answer == .invocable ? try? Implementation { (_: Stepping, value: Int) in value + 2 } : nil
      }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? {
        Self.steps.append("target")
        return Self.answer == .target ? Worker(3) : nil
      }
      func methodSignature(for selector: MethodSelector) -> MethodSignature? {
        Self.steps.append("signature")
        return Self.answer == .invocation ? try? MethodSignature(types: "q@:q") : nil
      }
      func forwardInvocation(_ invocation: Invocation) throws {
        Self.steps.append("forward")
        try invocation.invoke(with: Worker(4))
      }
    }

    private static func message(_ selector: MethodSelector, to target: AnyObject, _ value: Int = 10) throws -> Invocation {
      let invocation = Invocation(try MethodSignature(types: "q@:q"))
      invocation.target = target
      invocation.selector = selector
      try invocation.setArgument(value, at: 2)
      return invocation
    }

    private static func add(_ selector: MethodSelector) throws {
      try MethodTable.of(Worker.self).replace(selector, Implementation { (worker: Worker, value: Int) in worker.base + value })
    }

    @Test func theStepsComeInNSObjectsOrder() throws {
      try Self.add("stepping:")
      let all = ["resolve", "invocable", "target", "signature", "forward"]
      for (answer, count, result) in [(Stepping.Step.invocable, 2, 12), (.target, 3, 13), (.invocation, 5, 14), (.resolve, 1, 11)] {
        Stepping.answer = answer
        let message = try Self.message("stepping:", to: Stepping())
        Stepping.steps = []
        try message.invoke()
        #expect(Stepping.steps == Array(all[..<count]), "\(answer)")
        #expect(try message.returnValue(as: Int.self) == result)
      }
      // Resolved: the class has the method now.
      Stepping.steps = []
      let message = try Self.message("stepping:", to: Stepping())
      try message.invoke()
      #expect(Stepping.steps == [])
      #expect(try message.returnValue(as: Int.self) == 11)
    }

    @Test func nobodyAnswers() throws {
      final class Plain {}
      final class Defaults: Forwarding {}
      try MethodTable.of(Defaults.self).add("known") { (_: Defaults) in }
      for target in [Plain(), Defaults(), InvocationProxy()] as [AnyObject] {
        let message = try Self.message("knwon", to: target)
        let error = #expect(throws: InvocationError.self) { try message.invoke() }
        #expect(error?.code == .unrecognizedSelector)
        #expect(error?.candidates == (target is Defaults ? ["known"] : []))
        #expect(!message.hasReturnValue)
      }
      // By default an invocation that is forwarded all the same is not recognized.
      let message = try Self.message("knwon", to: Defaults())
      #expect(throws: InvocationError.self) { try Defaults().forwardInvocation(message) }
    }

    private final class Relay: Forwarding {
      var next: AnyObject?
      var asked = 0
      init(_ next: AnyObject? = nil) { self.next = next }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? {
        asked += 1
        return next
      }
    }

    @Test func theTargetIsAskedForEachMessage() throws {
      try Self.add("relayed:")
      let relay = Relay(Worker(100))
      let message = try Self.message("relayed:", to: relay)
      for round in 1...3 {
        try message.invoke()
        #expect(try message.returnValue(as: Int.self) == 110)
        #expect(relay.asked == round)
      }
      // Another of the same class, then one of another class, by the same invocation.
      relay.next = Worker(200)
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 210)
      relay.next = Relay(Relay(Worker(300)))
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 310)
      try message.invoke(with: Worker(400))
      #expect(try message.returnValue(as: Int.self) == 410)
      try message.invoke(with: relay)
      #expect(try message.returnValue(as: Int.self) == 310)
      #expect(message.target === relay)
      relay.next = nil
      #expect(throws: InvocationError.self) { try message.invoke() }
    }

    @Test func aMethodAddedLaterIsFound() throws {
      final class Late: Forwarding {
        let worker = Worker(1)
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? { worker }
      }
      try Self.add("late:")
      let message = try Self.message("late:", to: Late())
      try message.invoke()
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 11)
      try MethodTable.of(Late.self).add("late:") { (_: Late, value: Int) in -value }
      // What was remembered of one class is not taken for new because another was looked up.
      let late = try #require(message.target)
      try message.invoke(with: Worker(2))
      #expect(try message.returnValue(as: Int.self) == 12)
      try message.invoke(with: late)
      #expect(try message.returnValue(as: Int.self) == -10)
      MethodTable.of(Late.self).remove("late:")
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 11)
      MethodTable.of(Worker.self).remove("late:")
      #expect(throws: InvocationError.self) { try message.invoke() }
    }

    @Test func oneWhoAnswersByItselfIsNotPassedOver() throws {
      // The class forwards, but each object may have its own answer: nothing of it may be remembered for another.
      final class Mixed: Forwarding, Invocable {
        let own: Bool
        let worker = Worker(1)
        init(own: Bool) { self.own = own }
        func implementation(for selector: MethodSelector) -> Implementation? {
          own ? try? Implementation { (_: Mixed, _: Int) in 77 } : nil
        }
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? { worker }
      }
      try Self.add("mixed:")
      let message = try Self.message("mixed:", to: Mixed(own: false))
      for _ in 0..<2 {
        for own in [false, true] {
          try message.invoke(with: Mixed(own: own))
          #expect(try message.returnValue(as: Int.self) == (own ? 77 : 11))
        }
      }
    }

    @Test func circlesAreErrors() throws {
      let (first, second, third) = (Relay(), Relay(), Relay())
      func code(_ target: AnyObject) throws -> InvocationError.Code? {
        let message = try Self.message("circled:", to: target)
        return #expect(throws: InvocationError.self) { try message.invoke() }?.code
      }
      first.next = first
      #expect(try code(first) == .forwardingCycle)
      (first.next, second.next) = (second, first)
      #expect(try code(first) == .forwardingCycle)
      // A way into a circle that it is not part of.
      (first.next, second.next, third.next) = (second, third, second)
      #expect(try code(first) == .forwardingCycle)
      third.next = nil
      #expect(try code(first) == .unrecognizedSelector)
      for relay in [first, second, third] { relay.next = nil }
      // Ever new objects.
      final class Endless: Forwarding {
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? { Endless() }
      }
      #expect(try code(Endless()) == .limitExceeded)
    }

    private final class Sending: Forwarding {
      var send: (Invocation) throws -> Void
      init(_ send: @escaping (Invocation) throws -> Void = { _ in }) { self.send = send }
      func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "q@:q") }
      func forwardInvocation(_ invocation: Invocation) throws { try send(invocation) }
    }

    @Test func invocationsThatComeBackAreErrors() throws {
      func code(_ target: AnyObject) throws -> InvocationError.Code? {
        let message = try Self.message("back:", to: target)
        return #expect(throws: InvocationError.self) { try message.invoke() }?.code
      }
      // To oneself.
      #expect(try code(Sending { try $0.invoke() }) == .forwardingCycle)
      // To another and back.
      let (first, second) = (Sending(), Sending())
      first.send = { [unowned second] in try $0.invoke(with: second) }
      second.send = { [unowned first] in try $0.invoke(with: first) }
      #expect(try code(first) == .forwardingCycle)
      // By ever new invocations.
      first.send = { [unowned first] _ in try Self.message("back:", to: first).invoke() }
      let deep = onLargeStack {
        do {
          try Self.message("back:", to: first).invoke()
          return nil as InvocationError.Code?
        } catch { return (error as? InvocationError)?.code }
      }
      #expect(deep == .limitExceeded)
      // Afterwards the thread forwards as before.
      first.send = { try $0.setReturnValue(5) }
      let message = try Self.message("back:", to: first)
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 5)
    }

    @Test func recursionThroughAProxyIsNoCircle() throws {
      final class Factorial {
        unowned let proxy: InvocationProxy
        init(_ proxy: InvocationProxy) { self.proxy = proxy }
      }
      try MethodTable.of(Factorial.self).add("factorial:") { (target: Factorial, number: Int) throws -> Int in
        guard number > 1 else { return 1 }
        let message = try Self.message("factorial:", to: target.proxy, number - 1)
        try message.invoke()
        return try number * message.returnValue(as: Int.self)
      }
      let proxy = InvocationProxy()
      let target = Factorial(proxy)
      proxy.target = target
      let message = try Self.message("factorial:", to: proxy, 20)
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 2_432_902_008_176_640_000)
    }

    @Test func anInvocationIsChangedRedirectedAndStored() throws {
      try Self.add("changed:")
      try Self.add("renamed:")
      var kept: [Invocation] = []
      let (sender, worker) = (Sending(), Worker(1_000))
      sender.send = { invocation in
        kept.append(invocation)
        let value = try invocation.argument(at: 2, as: Int.self)
        try invocation.setArgument(2 * value, at: 2)
        invocation.selector = "renamed:"
        try invocation.invoke(with: worker)
      }
      let message = try Self.message("changed:", to: sender)
      for round in 1...3 {
        try message.invoke()
        #expect(try message.returnValue(as: Int.self) == 1_020)
        #expect(kept.count == round)
      }
      // The sender's own stays as it was.
      #expect(message.selector == "changed:")
      #expect(message.target === sender)
      #expect(try message.argument(at: 2, as: Int.self) == 10)
      for (number, invocation) in kept.enumerated() {
        try invocation.setArgument(number, at: 2)
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == 1_000 + number)
      }
    }

    @Test func withoutAResultTheSenderGetsZero() throws {
      let sender = Sending()
      let message = try Self.message("nothing:", to: sender)
      try message.setReturnValue(7)
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 0)
    }

    @Test func errorsComeOut() throws {
      let sender = Sending { _ in throw Refusal(number: 3) }
      let message = try Self.message("refused:", to: sender)
      #expect(throws: Refusal(number: 3)) { try message.invoke() }
      #expect(!message.hasReturnValue)
      // From a method that was forwarded to, the quick way, the first time and the second.
      try MethodTable.of(Worker.self).replace(
        "throwing:",
        Implementation { (worker: Worker, value: Int) throws -> Int in
          guard value > 0 else { throw Refusal(number: value) }
          return worker.base
        })
      let quick = try Self.message("throwing:", to: Relay(Worker(8)), -1)
      for _ in 0..<3 {
        #expect(throws: Refusal(number: -1)) { try quick.invoke() }
        #expect(!quick.hasReturnValue)
      }
      try quick.setArgument(1, at: 2)
      try quick.invoke()
      #expect(try quick.returnValue(as: Int.self) == 8)
      // From resolving.
      final class Unresolvable: Forwarding {
        static func resolveMethod(for selector: MethodSelector) throws -> Bool { throw Refusal(number: 4) }
      }
      #expect(throws: Refusal(number: 4)) { try Self.message("unresolved:", to: Unresolvable()).invoke() }
    }

    @Test func otherTypesAreAnError() throws {
      let sender = Sending { _ in Issue.record("the types are others") }
      let message = Invocation(try MethodSignature(types: "d@:q"))
      message.target = sender
      message.selector = "typed:"
      try message.setArgument(1, at: 2)
      #expect(#expect(throws: InvocationError.self) { try message.invoke() }?.code == .typeMismatch)
      try Self.add("typed:")
      message.target = Relay(Worker(1))
      #expect(#expect(throws: InvocationError.self) { try message.invoke() }?.code == .typeMismatch)
      let unset = Invocation(try MethodSignature(types: "q@:q"))
      unset.target = sender
      unset.selector = "typed:"
      #expect(#expect(throws: InvocationError.self) { try unset.invoke() }?.code == .argumentNotSet)
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
        for _ in 0..<2 {
          try message.invoke()
          #expect(try message.returnValue(as: Int.self) == result)
        }
      }
    }

    @Test func theTypesOfAMessageAreFound() throws {
      try Self.add("found:")
      let proxy = InvocationProxy(target: Relay(Worker(5)))
      for target in [Worker(5), Relay(Worker(5)), Relay(proxy), proxy] as [AnyObject] {
        let message = try Invocation(target: target, selector: "found:")
        #expect(message.methodSignature.description == "q@:q")
        try message.setArgument(1, at: 2)
        try message.invoke()
        #expect(try message.returnValue(as: Int.self) == 6)
      }
      let circle = Relay()
      circle.next = circle
      for target in [Worker(0), Relay(), circle, InvocationProxy()] as [AnyObject] {
        #expect(
          #expect(throws: InvocationError.self) { try Invocation(target: target, selector: "unfound:") }?.code == .unrecognizedSelector)
      }
      circle.next = nil
    }
  }
#endif
