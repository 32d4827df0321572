import DynamicInvocation
import Foundation
import Synchronization
import Workloads

/// The same operations on more threads.
enum ThreadGrowth {
  /// A value behind a mutex, which threads share.
  private final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { mutex.withLock { body(&$0) } }
  }

  private static let types = "q@:qq"

  /// Returns the lanes of operations that are divided among a number of threads.
  static func threads(_ count: Int, rivals: Bool) throws -> [GrowthLane] {
    let code = Implementation(workload_callee(.w2))
    let own = [
      GrowthLane("invocation", expecting: 3) { operations in
        try divided(operations, among: count) { operations in
          let invocation = Invocation(try MethodSignature(types: types), retainsArguments: false)
          // A message to nil would call nothing.
          let target = Target()
          defer { withExtendedLifetime(target) {} }
          invocation.target = target
          invocation.selector = "measure"
          var sum = 0
          for _ in 0..<operations {
            try invocation.setArgument(1, at: 2)
            try invocation.setArgument(2, at: 3)
            try invocation.invoke(using: code)
            sum += try invocation.returnValue(as: Int.self)
          }
          return sum
        }
      },
      GrowthLane("signature", expecting: 4) { operations in
        try divided(operations, among: count) { operations in
          var sum = 0
          for _ in 0..<operations { sum += try MethodSignature(types: types).numberOfArguments }
          return sum
        }
      },
    ]
    guard rivals else { return own }
    let dictionary = Shared([types: try MethodSignature(types: types)])
    return own + [
      GrowthLane("dictionary-locked", expecting: 4) { operations in
        try divided(operations, among: count) { operations in
          var sum = 0
          for _ in 0..<operations { sum += dictionary.withLock { $0[types]?.numberOfArguments ?? 0 } }
          return sum
        }
      }
    ]
  }

  /// Runs a closure on each of a number of threads with its part of the operations, and returns the sum of the results.
  private static func divided(
    _ operations: Int, among count: Int, _ body: @escaping @Sendable (Int) throws -> Int
  ) throws -> Double {
    let total = Shared(Result<Int, any Error>.success(0))
    let group = DispatchGroup()
    for index in 0..<count {
      let part = operations * (index + 1) / count - operations * index / count
      group.enter()
      Thread {
        let result = Result { try body(part) }
        total.withLock { total in total = total.flatMap { sum in result.map { sum + $0 } } }
        group.leave()
      }.start()
    }
    group.wait()
    return Double(try total.withLock { $0 }.get())
  }
}
