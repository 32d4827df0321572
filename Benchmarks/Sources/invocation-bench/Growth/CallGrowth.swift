import CDeclarations
import DynamicInvocation
import Foundation
import Synchronization
import Workloads

/// Calls of C functions with more arguments, or with larger ones.
enum CallGrowth {
  /// Returns the lane of a call with a number of integers.
  static func arguments(_ count: Int) throws -> [GrowthLane] {
    let invocation = try invocation("q" + String(repeating: "q", count: count))
    let implementation = try callee(workload_sum_callee(count), "arguments/\(count)")
    return [
      GrowthLane("invocation", expecting: Double(count * (count + 1) / 2)) { operations in
        var sum = 0
        for _ in 0..<operations {
          for index in 0..<count { try invocation.setArgument(index + 1, at: index) }
          try invocation.invoke(using: implementation)
          sum += try invocation.returnValue(as: Int.self)
        }
        return Double(sum)
      }
    ]
  }

  /// Returns the lane of a call with a struct of a number of bytes.
  static func structure(_ size: Int) throws -> [GrowthLane] {
    let words = size / 8
    let invocation = try invocation("q{Block=[\(words)q]}")
    let implementation = try callee(workload_block_callee(size), "struct/\(size)")
    let block = Array(1...words)
    return [
      GrowthLane("invocation", expecting: Double(1 + words)) { operations in
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
  }

  private final class Hooked: Sendable {}

  /// Returns the lane of a message to a method with a number of hooks, which pass it on.
  static func hooks(_ count: Int) throws -> [GrowthLane] {
    let selector = MethodSelector("hooked by \(count)(_:)")
    let table = MethodTable.of(Hooked.self)
    try table.replace(selector, Implementation { (_: Hooked, number: Int) in number })
    for _ in 0..<count { try table.hook(insteadOf: selector) { call, original in try call.forward(to: original) } }
    let message = try Invocation(target: Hooked(), selector: selector)
    try message.setArgument(1, at: 2)
    return [
      GrowthLane("message", expecting: 1) { operations in
        var sum = 0
        for _ in 0..<operations {
          try message.invoke()
          sum += try message.returnValue(as: Int.self)
        }
        return Double(sum)
      }
    ]
  }

  private static func invocation(_ types: String) throws -> Invocation {
    Invocation(try MethodSignature(types: types), retainsArguments: false)
  }

  private static func callee(_ code: UnsafeRawPointer?, _ row: String) throws -> Implementation {
    guard let code else { throw WrongResult(row: row) }
    return Implementation(code)
  }
}

/// Look-ups among more signatures.
enum SignatureGrowth {
  /// The number of letters after the beginning of each text.
  private static let letters = 6

  /// The signatures that are in use, which keeps the engine's table of them from dropping any.
  ///
  /// The benchmark creates them on one thread.
  nonisolated(unsafe) private static var known: [MethodSignature] = []

  /// Returns the lane of a look-up among a number of signatures; the number must not decrease.
  static func signatures(_ count: Int) throws -> [GrowthLane] {
    precondition(count >= known.count, "the sizes of this curve ascend")
    while known.count < count { known.append(try MethodSignature(types: text(known.count))) }
    let texts = GrowthSample.indices(of: count).map(text)
    return [
      GrowthLane("signature", expecting: Double(2 + letters)) { operations in
        var sum = 0
        try ProxyGrowth.inTurn(texts, operations) { sum += try MethodSignature(types: $0).numberOfArguments }
        return Double(sum)
      }
    ]
  }

  /// Returns the lane of reading a number of typedefs, each of a function that takes the one before twice, and their
  /// comparison.
  static func declarations(_ count: Int) -> [GrowthLane] {
    func types(_ letter: String) -> String {
      // Names of equal length, so that the text grows with the number.
      func name(_ number: Int) -> String { "\(letter)\(1_000 + number)" }
      return "typedef int \(name(0));\n"
        + (0..<count).map { "typedef \(name($0)) (*\(name($0 + 1)))(\(name($0)), \(name($0)));\n" }.joined()
    }
    let text = types("T") + types("U") + "extern T\(1_000 + count) x;\nextern U\(1_000 + count) x;\n"
    return [
      GrowthLane("declarations", expecting: 1) { operations in
        var sum = 0
        for _ in 0..<operations { sum += try CDeclarations(text).variables.names.count }
        return Double(sum)
      }
    ]
  }

  /// Returns the text of a method's types, another one for each number below a million.
  private static func text(_ number: Int) -> String {
    let codes = Array("csiqfdCSIQ")
    var text = "v@:"
    var rest = number
    for _ in 0..<letters {
      text.append(codes[rest % codes.count])
      rest /= codes.count
    }
    return text
  }
}

/// The same operations on more threads.
enum ThreadGrowth {
  private static let types = "q@:qq"

  /// Returns the lanes of operations that are divided among a number of threads.
  static func threads(_ count: Int) throws -> [GrowthLane] {
    let code = Implementation(workload_callee(.w2))
    return [
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
  }

  /// Runs a closure on each of a number of threads with its part of the operations, and returns the sum of the results.
  private static func divided(
    _ operations: Int, among count: Int, _ body: @escaping @Sendable (Int) throws -> Int
  ) throws -> Double {
    final class Results: Sendable {
      let all = Mutex([Result<Int, any Error>]())
    }
    let results = Results()
    let group = DispatchGroup()
    for index in 0..<count {
      let part = operations * (index + 1) / count - operations * index / count
      group.enter()
      Thread {
        let result = Result { try body(part) }
        results.all.withLock { $0.append(result) }
        group.leave()
      }.start()
    }
    group.wait()
    return Double(try results.all.withLock { $0 }.reduce(0) { try $0 + $1.get() })
  }
}
