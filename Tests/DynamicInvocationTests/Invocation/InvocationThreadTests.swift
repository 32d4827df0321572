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
            let invocation = try Invocation.message(
              types, to: receiver, MethodSelector("thread \(turn % 8)"), thread, Double(turn),
              Geometry.Rect(x: Double(thread), y: 0, width: 0, height: Double(turn)))
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
    expectEqual(total, 64 * 200)
  }

  @Test func objectsAcrossThreads() async throws {
    try await LifetimeTracker.check { tracker in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<64 {
          group.addTask {
            let receiver = Receiver()
            let invocation = try Invocation.message(Receiver.types, to: receiver, "run(_:)")
            for turn in 0..<200 {
              try invocation.setArgument(tracker.object(turn), at: 2)
              try invocation.invoke()
              try expectEqual((invocation.objectReturnValue() as? LifetimeTracked)?.payload, turn)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
