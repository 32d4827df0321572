import DynamicInvocation

/// The target of every measured message.
///
/// The callees do not access it.
final class Target {}

/// The arguments and the result of one suite.
///
/// Each suite is a type of its own, so that each loop is compiled for one suite.
protocol InvocationWorkload {
  static func set(_ invocation: Invocation, index: Int) throws(InvocationError)
  static func result(_ invocation: Invocation) throws(InvocationError) -> Double
}

/// Runs a workload through an `Invocation`.
struct InvocationLoop {
  let suite: Suite
  private let target = Target()
  private let selector: MethodSelector = "measure"

  init(suite: Suite) { self.suite = suite }

  /// Runs a phase `count` times and returns the last result, to be checked.
  func run(_ phase: Phase, count: Int) throws -> Double {
    switch suite {
    case .W0: try run(phase, W0.self, count: count)
    case .W2, .dispatcher, .objectiveC: try run(phase, W2.self, count: count)
    case .W4: try run(phase, W4.self, count: count)
    case .WR: try run(phase, WR.self, count: count)
    case .WE, .swift: suite.hasOtherLoops
    }
  }

  private func run<Workload: InvocationWorkload>(_ phase: Phase, _ workload: Workload.Type, count: Int) throws -> Double {
    switch phase {
    case .invoke: try invoke(workload, count: count)
    case .set: try set(workload, count: count)
    case .create: try create(workload, count: count)
    default: preconditionFailure("an invocation has no phase \(phase)")
    }
  }

  // A function per phase: what the optimizer makes of one loop does not depend on the others.

  @inline(never)
  private func invoke<Workload: InvocationWorkload>(_: Workload.Type, count: Int) throws -> Double {
    let implementation = suite.implementation
    let invocation = try make()
    try Workload.set(invocation, index: count - 1)
    for _ in 0..<count { try invocation.invoke(using: implementation) }
    return try Workload.result(invocation)
  }

  @inline(never)
  private func set<Workload: InvocationWorkload>(_: Workload.Type, count: Int) throws -> Double {
    let implementation = suite.implementation
    let invocation = try make()
    var last = 0.0
    for index in 0..<count {
      try Workload.set(invocation, index: index)
      try invocation.invoke(using: implementation)
      last = try Workload.result(invocation)
    }
    return last
  }

  @inline(never)
  private func create<Workload: InvocationWorkload>(_: Workload.Type, count: Int) throws -> Double {
    let implementation = suite.implementation
    var last = 0.0
    for index in 0..<count {
      let invocation = try make()
      try Workload.set(invocation, index: index)
      try invocation.invoke(using: implementation)
      last = try Workload.result(invocation)
    }
    return last
  }

  private func make() throws(InvocationError) -> Invocation {
    let invocation = Invocation(try MethodSignature(types: suite.types), retainsArguments: false)
    invocation.target = target
    invocation.selector = selector
    return invocation
  }
}

extension InvocationLoop {
  enum W0: InvocationWorkload {
    static func set(_ invocation: Invocation, index: Int) {}

    static func result(_ invocation: Invocation) -> Double { 0 }
  }

  enum W2: InvocationWorkload {
    static func set(_ invocation: Invocation, index: Int) throws(InvocationError) {
      try invocation.setArgument(index, at: 2)
      try invocation.setArgument(2, at: 3)
    }

    static func result(_ invocation: Invocation) throws(InvocationError) -> Double {
      Double(try invocation.returnValue(as: Int.self))
    }
  }

  enum W4: InvocationWorkload {
    static func set(_ invocation: Invocation, index: Int) throws(InvocationError) {
      try invocation.setArgument(Int32(truncatingIfNeeded: index), at: 2)
      try invocation.setArgument(2.0, at: 3)
      try invocation.setArgument(3 as Float, at: 4)
      try invocation.setArgument(4 as Int8, at: 5)
      try invocation.setArgument(UnsafeRawPointer?.none, at: 6)
      try invocation.setArgument(5 as Int16, at: 7)
      try invocation.setArgument(Pair(a: 3, b: 4), at: 8)
      try invocation.setArgument(6.0, at: 9)
    }

    static func result(_ invocation: Invocation) throws(InvocationError) -> Double {
      try invocation.returnValue(as: Double.self)
    }
  }

  enum WR: InvocationWorkload {
    static func set(_ invocation: Invocation, index: Int) throws(InvocationError) {
      try invocation.setArgument(Geometry.Rect(x: Double(index), y: 2, width: 3, height: 4), at: 2)
      try invocation.setArgument(Geometry.Point(x: 1, y: 2), at: 3)
      try invocation.setArgument(Geometry.IndexRange(location: 1, length: 2), at: 4)
    }

    static func result(_ invocation: Invocation) throws(InvocationError) -> Double {
      try invocation.returnValue(as: Geometry.Rect.self).origin.x
    }
  }
}

/// The arguments and the result of one suite in a frame.
///
/// Each suite is a type of its own, so that each loop is compiled for one suite.
private protocol FrameWorkload {
  static func set(_ frame: borrowing CallFrame, index: Int) throws
  static func result(_ frame: borrowing CallFrame) throws -> Double
}

/// Runs a workload through a `CallFrame`.
///
/// In ``Phase/create`` the signature is looked up by its text each time.
struct FrameLoop {
  let suite: Suite

  /// Runs a phase `count` times and returns the last result, to be checked.
  func run(_ phase: Phase, count: Int) throws -> Double {
    switch suite {
    case .W0: try run(phase, W0.self, count: count)
    case .W2, .dispatcher, .objectiveC: try run(phase, W2.self, count: count)
    case .W4: try run(phase, W4.self, count: count)
    case .WR: try run(phase, WR.self, count: count)
    case .WE, .swift: suite.hasOtherLoops
    }
  }

  private func run<Workload: FrameWorkload>(_ phase: Phase, _: Workload.Type, count: Int) throws -> Double {
    let implementation = suite.implementation
    let target = Target()
    defer { withExtendedLifetime(target) {} }
    let message = (target: Unmanaged.passUnretained(target), selector: "measure" as MethodSelector)
    var last = 0.0
    if phase == .create {
      for index in 0..<count {
        last = try once(Workload.self, MethodSignature(types: suite.types), message, implementation, index: index)
      }
    } else {
      let signature = try MethodSignature(types: suite.types)
      for index in 0..<count { last = try once(Workload.self, signature, message, implementation, index: index) }
    }
    return last
  }

  @inline(__always)
  private func once<Workload: FrameWorkload>(
    _: Workload.Type, _ signature: MethodSignature, _ message: (target: Unmanaged<Target>, selector: MethodSelector),
    _ implementation: Implementation, index: Int
  ) throws -> Double {
    try signature.withFrame(retainsArguments: false) { frame throws in
      try frame.setArgument(message.target, at: 0)
      try frame.setArgument(message.selector, at: 1)
      try Workload.set(frame, index: index)
      try frame.invoke(using: implementation)
      return try Workload.result(frame)
    }
  }
}

private enum W0: FrameWorkload {
  static func set(_ frame: borrowing CallFrame, index: Int) {}

  static func result(_ frame: borrowing CallFrame) -> Double { 0 }
}

private enum W2: FrameWorkload {
  static func set(_ frame: borrowing CallFrame, index: Int) throws {
    try frame.setArgument(index, at: 2)
    try frame.setArgument(2, at: 3)
  }

  static func result(_ frame: borrowing CallFrame) throws -> Double {
    Double(try frame.returnValue(as: Int.self))
  }
}

private enum W4: FrameWorkload {
  static func set(_ frame: borrowing CallFrame, index: Int) throws {
    try frame.setArgument(Int32(truncatingIfNeeded: index), at: 2)
    try frame.setArgument(2.0, at: 3)
    try frame.setArgument(3 as Float, at: 4)
    try frame.setArgument(4 as Int8, at: 5)
    try frame.setArgument(UnsafeRawPointer?.none, at: 6)
    try frame.setArgument(5 as Int16, at: 7)
    try frame.setArgument(Pair(a: 3, b: 4), at: 8)
    try frame.setArgument(6.0, at: 9)
  }

  static func result(_ frame: borrowing CallFrame) throws -> Double {
    try frame.returnValue(as: Double.self)
  }
}

private enum WR: FrameWorkload {
  static func set(_ frame: borrowing CallFrame, index: Int) throws {
    try frame.setArgument(Geometry.Rect(x: Double(index), y: 2, width: 3, height: 4), at: 2)
    try frame.setArgument(Geometry.Point(x: 1, y: 2), at: 3)
    try frame.setArgument(Geometry.IndexRange(location: 1, length: 2), at: 4)
  }

  static func result(_ frame: borrowing CallFrame) throws -> Double {
    try frame.returnValue(as: Geometry.Rect.self).origin.x
  }
}

/// The pair of integers that W4 passes by value.
struct Pair: EncodedValue {
  var a: Int32
  var b: Int32
  static let typeEncoding: TypeEncoding = "{II=ii}"
}

/// Computes the result of W4 in Swift methods and closures.
@inline(__always)
func mixed(_ a: Int32, _ b: Double, _ c: Float, _ d: Int8, _ f: Int16, _ g: Pair, _ h: Double) -> Double {
  // Add the integers first, so that only one number is converted.
  let integers = Int(a) &+ Int(d) &+ Int(f) &+ Int(g.a) &+ Int(g.b)
  return Double(integers) + b + Double(c) + h
}
