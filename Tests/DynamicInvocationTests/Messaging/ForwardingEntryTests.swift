#if arch(x86_64) || arch(arm64)
  import Dispatch
  import DynamicInvocation
  import Synchronization
  import TestSupport
  import Testing

  /// The code that forwards: called by C, and in a table in place of a method.
  @Suite(.measured) struct ForwardingEntryTests {
    private typealias Message = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer, Int) -> Int

    private final class Account: EncodedObject {
      var balance = 0
      static let deposit: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int = { target, _, amount in
        let account = Unmanaged<Account>.fromOpaque(target).takeUnretainedValue()
        account.balance += amount
        return account.balance
      }
    }

    private static func code(_ implementation: Implementation) -> Message { unsafeBitCast(implementation.pointer, to: Message.self) }

    private static func send(_ code: Message, _ target: AnyObject?, _ selector: MethodSelector, _ value: Int) -> Int {
      withExtendedLifetime(target) { code(target.map { Unmanaged.passUnretained($0).toOpaque() }, selector.pointer, value) }
    }

    @Test func oneForEachSignature() throws {
      let first = try Implementation.forwarding(MethodSignature(types: "q@:q"))
      try expectEqual(first.pointer, (Implementation.forwarding(MethodSignature(types: "q24@0:8q16"))).pointer)
      if CallBackend.libffi.isAvailable {
        try expectEqual(first.pointer, (Implementation.forwarding(MethodSignature(types: "q@:q", backend: .libffi))).pointer)
      }
      expect(first.pointer != (try Implementation.forwarding(MethodSignature(types: "q@:d"))).pointer)
      for types in ["qq", "q#:q", "q@@q"] {
        expectError(.typeMismatch) { try Implementation.forwarding(MethodSignature(types: types)) }
      }
      let variadic = try MethodSignature(types: "v@:*i", fixedArgumentCount: 3)
      expectError(.unsupportedType) { try Implementation.forwarding(variadic) }
    }

    @Test func codeThatForwardsStandsForAMethod() throws {
      let signature = try MethodSignature(types: "q@:q")
      let method = Implementation(function: Account.deposit, methodSignature: signature)
      try MethodTable.of(Account.self).add("deposit:", method)
      expectEqual(MethodTable.of(Account.self).implementation(for: "deposit:")?.pointer, method.pointer)
      expectNil(MethodTable.of(Relay.self).implementation(for: "deposit:"))
      let code = Self.code(try .forwarding(signature))
      let account = Account()
      let relay = Relay(account)
      expectEqual(Self.send(code, relay, "deposit:", 5), 5)
      expectEqual(Self.send(code, relay, "deposit:", 6), 11)
      expectEqual(account.balance, 11)
      expectEqual(Self.send(code, nil, "deposit:", 6), 0)
    }

    @Test func anInvocationComesFromC() throws {
      final class Doubling: InvocationProxy {
        var kept: [Invocation] = []
        override func forwardInvocation(_ invocation: Invocation) throws {
          try invocation.setArgument(2 * invocation.argument(at: 2, as: Int.self), at: 2)
          try super.forwardInvocation(invocation)
          invocation.retainArguments()
          kept.append(invocation)
        }
      }
      let signature = try MethodSignature(types: "q@:q")
      try MethodTable.of(Account.self).add("double:", Implementation(function: Account.deposit, methodSignature: signature))
      let account = Account()
      let proxy = Doubling(target: account)
      let code = Self.code(try .forwarding(signature))
      expectEqual(Self.send(code, proxy, "double:", 5), 10)
      expectEqual(Self.send(code, proxy, "double:", 1), 12)
      for invocation in proxy.kept { try invocation.invoke() }
      expectEqual(account.balance, 24)
    }

    /// As Aspects and others do on Apple's platforms: the method itself becomes the one that forwards.
    @Test func aMethodIsReplacedByForwarding() throws {
      final class Observed: Forwarding {
        var log: [Int] = []
        static let original = Locked<Implementation?>(nil)
        func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "q@:q") }
        func forwardInvocation(_ invocation: Invocation) throws {
          log.append(try invocation.argument(at: 2))
          guard let original = Self.original.withLock({ $0 }) else { return }
          try invocation.invoke(using: original)
          log.append(try invocation.returnValue())
        }
      }
      let table = MethodTable.of(Observed.self)
      try table.add("half:") { (_: Observed, value: Int) throws -> Int in
        guard value % 2 == 0 else { throw Refusal() }
        return value / 2
      }
      let old = try table.replace("half:", .forwarding(MethodSignature(types: "q@:q")))
      Observed.original.withLock { $0 = old }
      let observed = Observed()
      let message = try Invocation(target: observed, selector: "half:")
      try message.setArgument(8, at: 2)
      for _ in 0..<2 { try message.invoke() }
      try expectEqual(message.returnValue(as: Int.self), 4)
      expectEqual(observed.log, [8, 4, 8, 4])
      // The error goes from the method through both calls of C to the sender.
      try message.setArgument(7, at: 2)
      expectThrows(Refusal.self) { try message.invoke() }
      expect(!message.hasReturnValue)
    }

    @Test func errorsGoThroughTheQuickWay() throws {
      try MethodTable.of(Account.self).add("refuse:") { (_: Account, value: Int) throws -> Int in
        guard value > 0 else { throw Refusal() }
        return value
      }
      try MethodTable.of(Relay.self).add("refuse:", .forwarding(MethodSignature(types: "q@:q")))
      let message = try Invocation(target: Relay(Account()), selector: "refuse:")
      for (value, isRefused) in [(1, false), (0, true), (2, false)] {
        try message.setArgument(value, at: 2)
        if isRefused { expectThrows(Refusal.self) { try message.invoke() } } else { try message.invoke() }
        expectEqual(message.hasReturnValue, !isRefused)
      }
      try expectEqual(message.returnValue(as: Int.self), 2)
    }

    @Test func entriesThatCallEachOtherEnd() throws {
      try MethodTable.of(Relay.self).replace("ping:", .forwarding(MethodSignature(types: "q@:q")))
      let (first, second) = (Relay(), Relay())
      (first.next, second.next) = (second, first)
      let message = try Invocation(target: first, selector: "ping:")
      try message.setArgument(1, at: 2)
      expectEqual(onLargeStack { InvocationFixtures.code { try message.invoke() } }, .limitExceeded)
      first.next = nil
      expectError(.unrecognizedSelector) { try message.invoke() }
    }

    @Test func objectResultsAreCounted() throws {
      final class Maker: Forwarding {
        let tracker: LifetimeTracker
        var target: AnyObject?
        init(_ tracker: LifetimeTracker) { self.tracker = tracker }
        func forwardingTarget(for selector: MethodSelector) -> AnyObject? { target }
        func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "@@:@") }
        func forwardInvocation(_ invocation: Invocation) throws { try invocation.setReturnValue(Tracked(tracker.object(2))) }
      }
      final class Source {
        let tracker: LifetimeTracker
        init(_ tracker: LifetimeTracker) { self.tracker = tracker }
      }
      let signature = try MethodSignature(types: "@@:@")
      try MethodTable.of(Source.self).add("box:") { (source: Source, box: Tracked?) -> Tracked? in box ?? Tracked(source.tracker.object(1))
      }
      let code = try Implementation.forwarding(signature)
      typealias Function = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> UnsafeRawPointer?
      let function = unsafeBitCast(code.pointer, to: Function.self)
      let selector: MethodSelector = "box:"
      try LifetimeTracker.check { tracker in
        for isQuick in [true, false] {
          let maker = Maker(tracker)
          if isQuick { maker.target = Source(tracker) }
          for argument in [nil, Tracked(tracker.object(9))] {
            // From C: the caller releases what it gets.
            let result = try require(
              function(
                Unmanaged.passUnretained(maker).toOpaque(), selector.pointer,
                argument.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }))
            let box = Unmanaged<Tracked>.fromOpaque(result).takeRetainedValue()
            expectEqual(box.object.payload, (isQuick ? (argument == nil ? 1 : 9) : 2))
            // From an invocation, straight and by the code.
            for using in [nil, code] {
              let message = try Invocation.message(signature, to: maker, selector, argument)
              for _ in 0..<3 { if let using { try message.invoke(using: using) } else { try message.invoke() } }
              expectEqual((try message.objectReturnValue() as? Tracked)?.object.payload, box.object.payload)
            }
          }
        }
      }
    }

    @Test(.enabled(if: ResidentMemory.isTelling, "the size of the process cannot be read, or a sanitizer keeps what is freed"))
    func aMillionMessagesLeaveTheHeapAsItWas() async throws {
      await #expect(processExitsWith: .success) {
        let signature = try MethodSignature(types: "q@:q*@")
        try MethodTable.of(Account.self).add("million") { (account: Account, value: Int, _: String, _: Account?) in
          account.balance &+= value
          return account.balance
        }
        let account = Account()
        let (relay, proxy) = (Relay(account), InvocationProxy(target: Account()))
        let code = try Implementation.forwarding(signature)
        func round(_ count: Int) throws {
          for number in 0..<count {
            let message = try Invocation.message(
              signature, to: number % 2 == 0 ? relay : proxy, "million", 1, "a text of more than fifteen bytes", Account())
            if number % 4 < 2 { try message.invoke() } else { try message.invoke(using: code) }
          }
        }
        try round(10_000)
        // One allocation lost for each message would be 16 megabytes.
        let before = try ResidentMemory.size
        try round(1_000_000)
        let after = try ResidentMemory.size
        guard after - before < 8 << 20 else { fatalError("the process grew by \(after - before) bytes") }
        guard account.balance == 505_000 else { fatalError("messages were lost: \(account.balance)") }
      }
    }

    @Test func manyThreadsForward() throws {
      final class Counter: Sendable { let count = Atomic<Int>(0) }
      try MethodTable.of(Counter.self).add("count:") { (counter: Counter, value: Int) -> Int in
        counter.count.add(value, ordering: .relaxed)
        return value
      }
      let counter = Counter()
      let failures = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        do {
          let signature = try MethodSignature(types: "q@:q")
          let code = Self.code(try .forwarding(signature))
          let targets = [Relay(counter), InvocationProxy(target: counter), Relay(Relay(counter))] as [AnyObject]
          let messages = try targets.map { try Invocation(target: $0, selector: "count:") }
          for round in 1...200 {
            for (message, target) in zip(messages, targets) {
              try message.setArgument(round, at: 2)
              try message.invoke()
              if try message.returnValue(as: Int.self) != round { failures.add(1, ordering: .relaxed) }
              if Self.send(code, target, "count:", thread) != thread { failures.add(1, ordering: .relaxed) }
            }
          }
        } catch {
          Issue.record(error)
        }
      }
      expectEqual(failures.load(ordering: .relaxed), 0)
      expectEqual(counter.count.load(ordering: .relaxed), 3 * (8 * 20_100 + 200 * 28))
    }
  }
#endif
