#if arch(x86_64) || arch(arm64)
  import AllocationCounter
  import Dispatch
  import DynamicInvocation
  import Synchronization
  import TestSupport
  import Testing

  /// Many threads that call and change the same dispatcher; and what a call allocates.
  @Suite(.measured) struct ProtocolDispatcherThreadTests {
    private static let threads = 8

    private final class Counted: Sendable {
      let calls: Atomic<Int> = Atomic(0)
      let tracked: LifetimeTracked
      init(_ tracker: LifetimeTracker) {
        tracked = tracker.object()
        _ = Self.methods
      }

      private static let methods: Void = {
        do {
          try MethodTable.of(Counted.self).add("sum(_:_:)") { (counted: Counted, a: Int, b: Int) -> Int in
            counted.calls.add(1, ordering: .relaxed)
            return a + b
          }
          try MethodTable.of(Counted.self).add("count(_:)") { (counted: Counted, value: Int) throws -> Int in
            counted.calls.add(1, ordering: .relaxed)
            return value
          }
        } catch {
          Issue.record(error)
        }
      }()
    }

    /// A dispatcher on several threads, which its implementers are ready for.
    private struct Shared: @unchecked Sendable {
      let dispatcher: ProtocolDispatcher
    }

    @Test func callingAndChanging() throws {
      try LifetimeTracker.check { tracker in
        let steady = [Counted(tracker), Counted(tracker)]
        let shared = Shared(dispatcher: try DispatchFixtures.dispatcher(steady))
        let failures = Atomic<Int>(0)
        let rounds = 400
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
          do {
            let dispatcher = shared.dispatcher
            let invocation = try DispatchFixtures.invocation("sum(_:_:)", dispatcher, [1, 2])
            for round in 0..<rounds {
              if thread % 2 == 0 {
                // Half of them end without being removed.
                let passing = Counted(tracker)
                try dispatcher.append(passing)
                if round % 2 == 0 { dispatcher.remove(passing) }
                withExtendedLifetime(passing) {}
              }
              try invocation.invoke()
              if try invocation.returnValue(as: Int.self) != 3 { failures.add(1, ordering: .relaxed) }
              guard case .int(7)? = try dispatcher.send("count(_:)", [7]) else {
                failures.add(1, ordering: .relaxed)
                continue
              }
            }
          } catch {
            Issue.record(error)
          }
        }
        expectEqual(failures.load(ordering: .relaxed), 0)
        for counted in steady { expectEqual(counted.calls.load(ordering: .relaxed), 2 * rounds * Self.threads) }
        expectEqual(shared.dispatcher.numbers, [0, 1])
        withExtendedLifetime(steady) {}
      }
    }

    @Test func changingMethodsWhileCalling() throws {
      final class Changing: Sendable {}
      let table = MethodTable.of(Changing.self)
      let implementation = try Implementation { (_: Changing, value: Int) -> Int in value }
      try table.add("count(_:)", implementation)
      let changing = Changing()
      let shared = Shared(dispatcher: try DispatchFixtures.dispatcher([changing]))
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        do {
          let invocation = try DispatchFixtures.invocation("count(_:)", shared.dispatcher, [5])
          for _ in 0..<300 {
            if thread == 0 { try table.replace("count(_:)", Implementation { (_: Changing, value: Int) -> Int in value }) }
            let result: Int = try invocation.result()
            expectEqual(result, 5)
          }
        } catch {
          Issue.record(error)
        }
      }
      withExtendedLifetime(changing) {}
    }

    /// Two threads that each make one dispatcher an implementer of the other: one of them is refused.
    @Test func noCycleIsMadeByTwoThreads() throws {
      for _ in 0..<200 {
        let shared = [Shared(dispatcher: try DispatchFixtures.dispatcher([])), Shared(dispatcher: try DispatchFixtures.dispatcher([]))]
        let refused = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
          let code = InvocationFixtures.code { try shared[thread].dispatcher.append(shared[1 - thread].dispatcher) }
          if code == .dispatchCycle { refused.add(1, ordering: .relaxed) }
        }
        expectEqual(refused.load(ordering: .relaxed), 1)
      }
    }

    @Test(arguments: ["sum(_:_:)", "count(_:)", "object()", "flag()"]) func dispatchingAllocatesNothing(name: String) throws {
      guard allocation_count() > 0 else { return }
      let listeners = Listener.make(Array(0..<8))
      listeners[0].log.isQuiet = true
      for listener in listeners { listener.object = listener.log }
      let dispatcher = try DispatchFixtures.dispatcher(listeners)
      let arguments: [BoxedValue] = name == "sum(_:_:)" ? [1, 2] : name == "count(_:)" ? [1] : []
      let invocation = try DispatchFixtures.invocation(MethodSelector(name), dispatcher, arguments)
      for policy in [ReturnPolicy<BoxedValue>.last, .first, .firstNonNil, .anyTrue] {
        dispatcher.setReturnPolicy(policy)
        // Other tests may change method tables meanwhile, after which the first call looks all up again.
        var fewest = UInt64.max
        for _ in 0..<1_000 where fewest > 0 {
          try invocation.invoke()
          let before = allocation_count()
          for _ in 0..<20 {
            try invocation.invoke()
            try dispatcher.dispatch(invocation)
          }
          fewest = min(fewest, allocation_count() - before)
        }
        expectEqual(fewest, 0, "\(policy)")
      }
      withExtendedLifetime(listeners) {}
    }
  }
#endif
