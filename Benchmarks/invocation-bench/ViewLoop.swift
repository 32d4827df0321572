public import DynamicInvocation
public import Workloads

/// Runs a workload through the C function pointer of a `ForeignFunction`, whose type is compared with the signature
/// once.
struct ViewLoop {
  let suite: Suite

  private typealias Nothing = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Void
  private typealias Sum = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, Int, Int) -> Int
  private typealias Mixed =
    @convention(c) (
      UnsafeRawPointer?, UnsafeRawPointer?, Int32, Double, Float, Int8, UnsafeRawPointer?, Int16, workload_pair, Double
    ) -> Double
  private typealias Move =
    @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, Geometry.Rect, Geometry.Point, Geometry.IndexRange) -> Geometry.Rect

  /// Calls `count` times and returns the last result, to be checked.
  func run(count: Int) throws -> Double {
    // The target and the selector are plain pointers: a C function type has no parameters for them.
    let types = suite.types.replacing("@:", with: "^v^v", maxReplacements: 1)
    let function = try ForeignFunction(suite.implementation, MethodSignature(types: types))
    return try withExtendedLifetime(function) {
      switch suite {
      case .W0: calls(try function.pointer(as: Nothing.self), count: count)
      case .W2, .dispatcher: calls(try function.pointer(as: Sum.self), count: count)
      case .W4: calls(try function.pointer(as: Mixed.self), count: count)
      case .WR: calls(try function.pointer(as: Move.self), count: count)
      case .WE, .batch, .swift: preconditionFailure("events, batches and Swift functions have loops of their own")
      }
    }
  }

  private func calls(_ function: Nothing, count: Int) -> Double {
    for _ in 0..<count { function(nil, nil) }
    return 0
  }

  private func calls(_ function: Sum, count: Int) -> Double {
    var last = 0
    for index in 0..<count { last = function(nil, nil, index, 2) }
    return Double(last)
  }

  private func calls(_ function: Mixed, count: Int) -> Double {
    var last = 0.0
    for index in 0..<count {
      last = function(nil, nil, Int32(truncatingIfNeeded: index), 2, 3, 4, nil, 5, workload_pair(a: 3, b: 4), 6)
    }
    return last
  }

  private func calls(_ function: Move, count: Int) -> Double {
    var last = Geometry.Rect()
    for index in 0..<count {
      last = function(
        nil, nil, Geometry.Rect(x: Double(index), y: 2, width: 3, height: 4), Geometry.Point(x: 1, y: 2),
        Geometry.IndexRange(location: 1, length: 2))
    }
    return last.origin.x
  }
}

extension workload_pair: EncodedValue {
  /// The encoding `{II=ii}`.
  public static var typeEncoding: TypeEncoding { "{II=ii}" }
}
