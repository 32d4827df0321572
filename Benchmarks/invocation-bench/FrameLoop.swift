import DynamicInvocation

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
    case .W2, .dispatcher, .batch: try run(phase, W2.self, count: count)
    case .W4: try run(phase, W4.self, count: count)
    case .WR: try run(phase, WR.self, count: count)
    case .WE, .swift: preconditionFailure("events and Swift functions have loops of their own")
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
