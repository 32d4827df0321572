import DynamicInvocation
import Synchronization
import TestSupport
import Testing

@Suite(.measured) struct InvocationThreadTests {
  /// 64 tasks, each with invocations of its own of one signature, and one function that all share.
  @Test func oneSignatureManyThreads() async throws {
    let code: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, Int, Double, Geometry.Rect) -> Double = { _, _, number, real, rect in
      Double(number) * real + rect.origin.x - rect.size.height
    }
    let types = "d@:qd{Rect={Point=dd}{Size=dd}}"
    let implementation = Implementation(function: code)
    let length = try DynamicLibrary.process.function("strlen", types: "Q*")
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for thread in 0..<64 {
        group.addTask {
          let receiver = Receiver()
          var calls = 0
          for turn in 0..<200 {
            // Made anew each time: the table of signatures is shared too.
            let invocation = Invocation(try MethodSignature(types: types))
            invocation.target = receiver
            invocation.selector = MethodSelector("thread \(turn % 8)")
            try invocation.setArgument(thread, at: 2)
            try invocation.setArgument(Double(turn), at: 3)
            try invocation.setArgument(Geometry.Rect(x: Double(thread), y: 0, width: 0, height: Double(turn)), at: 4)
            try invocation.invoke(using: implementation)
            guard try invocation.returnValue(as: Double.self) == Double(thread * turn + thread - turn) else { continue }
            let count: UInt = try length(String(repeating: "x", count: turn))
            if count == turn { calls += 1 }
          }
          return calls
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == 64 * 200)
  }

  @Test func objectsAcrossThreads() async throws {
    try await LifetimeTracker.check { tracker in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<64 {
          group.addTask {
            let receiver = Receiver()
            let invocation = Invocation(try MethodSignature(types: Receiver.types))
            invocation.target = receiver
            invocation.selector = "run(_:)"
            for turn in 0..<200 {
              try invocation.setArgument(tracker.object(turn), at: 2)
              try invocation.invoke()
              #expect(try (invocation.objectReturnValue() as? LifetimeTracked)?.payload == turn)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
