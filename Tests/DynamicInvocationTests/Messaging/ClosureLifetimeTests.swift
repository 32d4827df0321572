#if arch(x86_64) || arch(arm64)
  import Dispatch
  import DynamicInvocation
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// Closures beyond the first bank, freed while they run, made and freed on many threads.
  @Suite(.measured) struct ClosureLifetimeTests {
    /// Calls code of the type `qq`.
    private static func call(_ pointer: UnsafeRawPointer, _ value: Int) -> Int {
      unsafeBitCast(pointer, to: (@convention(c) (Int) -> Int).self)(value)
    }

    /// A place for a closure that the closure itself can reach.
    private final class Holder: Sendable {
      let closure: Locked<Closure?> = Locked(nil)

      func drop() { closure.withLock { $0 = nil } }
    }

    #if DEBUG
      private static let many = 20_000
    #else
      private static let many = 100_000
    #endif

    @Test(arguments: [3_000, many]) func manyAtOnce(count: Int) throws {
      let closures = try (0..<count).map { number in try Closure(types: "qq") { (value: Int) -> Int in number + value } }
      expectEqual(Set(closures.map(\.pointer)).count, count)
      for (number, closure) in closures.enumerated() where Self.call(closure.pointer, 1) != number + 1 {
        Issue.record("closure \(number) of \(count) gave \(Self.call(closure.pointer, 1))")
      }
      guard Platform.hasProcessFiles else { return }
      let mappings = try ResidentMemory.mappings()
      for closure in closures {
        let address = UInt(bitPattern: closure.pointer)
        let mapping = mappings.first { $0.addresses.contains(address) }
        guard mapping?.permissions == "r-xp" else {
          Issue.record("the code at \(closure.pointer) is mapped as \(mapping?.permissions ?? "nothing")")
          return
        }
      }
    }

    @Test func whatIsCapturedEndsWithTheClosure() throws {
      try LifetimeTracker.check { tracker in
        let object = tracker.object(7)
        var closure: Closure? = try Closure(types: "qq") { (value: Int) -> Int in object.payload * value }
        // The implementation keeps the closure as long as need be.
        let implementation = try require(closure?.implementation)
        closure = nil
        let function = try ForeignFunction(implementation, MethodSignature(types: "qq"))
        try expectEqual(function(6) as Int, 42)
      }
    }

    @Test func aClosureMayReleaseItself() throws {
      try LifetimeTracker.check { tracker in
        let holder = Holder()
        let object = tracker.object(5)
        var pointer: UnsafeRawPointer?
        do {
          let closure = try Closure(types: "qq") { [object] (value: Int) -> Int in
            holder.drop()
            // Other closures come and go meanwhile; the stub and the captures of this one are not theirs.
            for number in 0..<2_000 {
              let other = try? Closure(types: "qq") { (value: Int) -> Int in value + number }
              guard let other, Self.call(other.pointer, 1) == number + 1 else { return -1 }
            }
            return tracker.liveCount * 100 + object.payload * value
          }
          pointer = closure.pointer
          holder.closure.withLock { $0 = closure }
        }
        expectEqual(Self.call(try require(pointer), 3), 115)
      }
    }

    @Test func aClosureReleasedByAnotherThreadWhileItRuns() throws {
      try LifetimeTracker.check { tracker in
        for isFirstThread in [true, false] {
          let holder = Holder()
          let (entered, released, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
          let sum = Atomic(0)
          let closure = try Closure(types: "qq") { [object = tracker.object(9)] (value: Int) -> Int in
            guard value > 0 else { return 0 }
            entered.signal()
            released.wait()
            return object.payload * value
          }
          // The thread that calls first is counted in another way than those after it.
          if !isFirstThread { expectEqual(Self.call(closure.pointer, 0), 0) }
          let address = UInt(bitPattern: closure.pointer)
          holder.closure.withLock { $0 = closure }
          for value in 1...3 {
            Thread.detachNewThread {
              let result = UnsafeRawPointer(bitPattern: address).map { Self.call($0, value) } ?? -1
              sum.add(result, ordering: .relaxed)
              done.signal()
            }
          }
          for _ in 1...3 { entered.wait() }
          consume(closure)
          holder.drop()
          expectEqual(tracker.liveCount, 1)
          for _ in 1...3 { released.signal() }
          for _ in 1...3 { done.wait() }
          expectEqual(sum.load(ordering: .relaxed), 9 + 18 + 27)
        }
      }
    }

    private func consume(_: consuming Closure) {}

    @Test func aClosureCallsItselfThroughC() throws {
      let holder = Holder()
      let closure = try Closure(types: "qq") { (value: Int) -> Int in
        guard value > 1, let pointer = holder.closure.withLock({ $0?.pointer }) else { return value }
        return Self.call(pointer, value - 1) + Self.call(pointer, value - 2)
      }
      holder.closure.withLock { $0 = closure }
      expectEqual(Self.call(closure.pointer, 20), 6_765)
      holder.drop()
    }

    @Test func threadsMakeCallAndFreeAtOnce() throws {
      try LifetimeTracker.check { tracker in
        let shared = try Closure(types: "qq") { (value: Int) -> Int in value + 1 }
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
          var kept: [(Closure, Int)] = []
          for round in 0..<1_500 {
            let number = thread * 1_000_000 + round
            let object = tracker.object(number)
            guard let closure = try? Closure(types: "qq", { (value: Int) -> Int in object.payload + value }) else {
              wrong.add(1, ordering: .relaxed)
              continue
            }
            kept.append((closure, number))
            if round % 3 == 0 { kept.removeFirst(kept.count / 2) }
            for (closure, number) in kept.suffix(4) where Self.call(closure.pointer, 2) != number + 2 { wrong.add(1, ordering: .relaxed) }
            if Self.call(shared.pointer, round) != round + 1 { wrong.add(1, ordering: .relaxed) }
          }
        }
        expectEqual(wrong.load(ordering: .relaxed), 0)
        withExtendedLifetime(shared) {}
      }
    }

    @Test func callingAReleasedClosureTrapsWithAMessage() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let pointer = try Closure(types: "qq") { (value: Int) -> Int in value }.pointer
        _ = unsafeBitCast(pointer, to: (@convention(c) (Int) -> Int).self)(1)
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      expect(message.contains("which was released before"))
    }
  }
#endif
