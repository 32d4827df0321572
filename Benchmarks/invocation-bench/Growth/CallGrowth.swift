import DynamicInvocation
import Workloads

/// Calls of C functions with more arguments, or with larger ones.
enum CallGrowth {
  /// Returns the lanes of a call with a number of integers.
  static func arguments(_ count: Int, rivals: Bool) throws -> [GrowthLane] {
    let invocation = try invocation("q" + String(repeating: "q", count: count))
    let implementation = try callee(workload_sum_callee(count), "arguments/\(count)")
    let sum = Double(count * (count + 1) / 2)
    let own = [
      GrowthLane("invocation", expecting: sum) { operations in
        var sum = 0
        for _ in 0..<operations {
          for index in 0..<count { try invocation.setArgument(index + 1, at: index) }
          try invocation.invoke(using: implementation)
          sum += try invocation.returnValue(as: Int.self)
        }
        return Double(sum)
      }
    ]
    return rivals && workload_has_ffi() ? own + [GrowthLane("ffi_call", expecting: sum) { workload_run_ffi_sum(count, $0) }] : own
  }

  /// Returns the lanes of a call with a struct of a number of bytes.
  static func structure(_ size: Int, rivals: Bool) throws -> [GrowthLane] {
    let words = size / 8
    let invocation = try invocation("q{Block=[\(words)q]}")
    let implementation = try callee(workload_block_callee(size), "struct/\(size)")
    let block = Array(1...words)
    let sum = Double(1 + words)
    let own = [
      GrowthLane("invocation", expecting: sum) { operations in
        try block.withUnsafeBytes { bytes in
          guard let address = bytes.baseAddress else { return 0 }
          var sum = 0
          for _ in 0..<operations {
            try invocation.setArgument(from: address, at: 0)
            try invocation.invoke(using: implementation)
            sum += try invocation.returnValue(as: Int.self)
          }
          return Double(sum)
        }
      }
    ]
    return rivals && workload_has_ffi() ? own + [GrowthLane("ffi_call", expecting: sum) { workload_run_ffi_block(size, $0) }] : own
  }

  private static func invocation(_ types: String) throws -> Invocation {
    Invocation(try MethodSignature(types: types), retainsArguments: false)
  }

  private static func callee(_ code: UnsafeRawPointer?, _ row: String) throws -> Implementation {
    guard let code else { throw WrongResult(row: row) }
    return Implementation(code)
  }
}
