#if arch(x86_64) || arch(arm64)
  import Dispatch
  import DynamicInvocation
  import DynamicInvocationFoundation
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// Invocations on queues.
  @Suite(.measured) struct SchedulingTests {
    private struct Refusal: Error {}

    private final class Counter: Sendable {
      let sum = Atomic<Int>(0)
    }

    private static func message(_ value: Int, to counter: Counter, retainsArguments: Bool = true) throws -> Invocation {
      try MethodTable.of(Counter.self).replace(
        "add:",
        Implementation { (counter: Counter, value: Int) throws -> Int in
          guard value >= 0 else { throw Refusal() }
          return counter.sum.add(value, ordering: .sequentiallyConsistent).newValue
        })
      let message = try Invocation(target: counter, selector: "add:", retainsArguments: retainsArguments)
      try message.setArgument(value, at: 2)
      return message
    }

    @Test func operationsDescribeThemselves() throws {
      let operation = InvocationOperation(try Self.message(1, to: Counter()))
      expectEqual("\(operation)", "invocation of 'q@:q', ready")
      operation.cancel()
      expectEqual(operation.description, "invocation of 'q@:q', cancelled")
    }

    @Test func onAQueueAfterADelay() async throws {
      let counter = Counter()
      let message = try Self.message(5, to: counter)
      let queue = DispatchQueue(label: "scheduled")
      let start = ContinuousClock.now
      let result = await withCheckedContinuation { continuation in
        message.invoke(after: .milliseconds(20), on: queue) { invocation, error in
          continuation.resume(returning: error == nil ? try? invocation.returnValue(as: Int.self) : nil)
        }
        // The copy has the arguments as they were.
        try? message.setArgument(100, at: 2)
      }
      expect(ContinuousClock.now - start >= .milliseconds(20))
      expectEqual(result, 5)
      expect(!message.hasReturnValue)
    }

    @Test func errorsAndCancelling() async throws {
      let counter = Counter()
      let queue = DispatchQueue(label: "failing")
      let message = try Self.message(-1, to: counter)
      let isRefused = await withCheckedContinuation { continuation in
        message.invoke(after: .zero, on: queue) { _, error in continuation.resume(returning: error is Refusal) }
      }
      expect(isRefused)
      try message.setArgument(1, at: 2)
      for delay in [Duration.seconds(3_600), .seconds(Int64.max / 2)] {
        message.invoke(after: delay, on: queue) { _, _ in Issue.record("it was cancelled") }.cancel()
      }
      expectEqual(counter.sum.load(ordering: .sequentiallyConsistent), 0)
    }

    @Test func anErrorThatNobodyTakesTraps() async {
      await #expect(processExitsWith: .failure) {
        try Self.message(-1, to: Counter()).invoke(after: .zero, on: DispatchQueue(label: "trapping"))
        try await Task.sleep(for: .seconds(60))
      }
    }

    @Test func theTargetLivesUntilThen() async throws {
      final class Owner {
        let tracked: LifetimeTracked
        init(_ tracked: LifetimeTracked) { self.tracked = tracked }
      }
      try MethodTable.of(Owner.self).add("payload") { (owner: Owner) in owner.tracked.payload }
      let tracker = LifetimeTracker()
      let queue = DispatchQueue(label: "owning")
      let payload = await withCheckedContinuation { continuation in
        do {
          // An invocation that keeps nothing itself.
          let message = try Invocation(target: Owner(tracker.object(8)), selector: "payload", retainsArguments: true)
          message.invoke(after: .milliseconds(5), on: queue) { invocation, _ in
            continuation.resume(returning: try? invocation.returnValue(as: Int.self))
          }
        } catch {
          continuation.resume(returning: nil)
        }
      }
      expectEqual(payload, 8)
      // The work item goes away with its queue's next one.
      queue.sync {}
      expectEqual(tracker.liveCount, 0)
    }

    @Test func operations() throws {
      let counter = Counter()
      let queue = OperationQueue()
      let operations = try (1...50).map { InvocationOperation(try Self.message($0, to: counter)) }
      let failing = InvocationOperation(try Self.message(-1, to: counter))
      expectEqual(#expect(throws: InvocationError.self) { try failing.boxedReturnValue() }?.code, .noReturnValue)
      queue.addOperations(operations + [failing], waitUntilFinished: true)
      expectEqual(counter.sum.load(ordering: .sequentiallyConsistent), 1_275)
      let results = try operations.map { try $0.returnValue(as: Int.self) }
      expectEqual(results.max(), 1_275)
      expectEqual(Set(results).count, 50)
      expect(operations.allSatisfy { $0.error == nil })
      expect(failing.error is Refusal)
      #expect(throws: Refusal.self) { try failing.returnValue(as: Int.self) }
      #expect(throws: InvocationError.self) { try operations[0].returnValue(as: Double.self) }
      let cancelled = InvocationOperation(try Self.message(1, to: counter))
      cancelled.cancel()
      queue.addOperations([cancelled], waitUntilFinished: true)
      expectEqual(#expect(throws: InvocationError.self) { try cancelled.returnValue(as: Int.self) }?.code, .noReturnValue)
      expectEqual(counter.sum.load(ordering: .sequentiallyConsistent), 1_275)
    }
  }
#endif
