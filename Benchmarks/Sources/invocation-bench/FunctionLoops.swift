public import DynamicInvocation
import SwiftFunctions
import SwiftWorkloads
public import Workloads

/// The arguments and the result of one suite.
///
/// Each suite is a type of its own, so that each loop is compiled for one suite.
private protocol FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double
}

/// Runs a workload through a typed call of a `ForeignFunction`, which has no object to fill.
struct FunctionLoop {
  let suite: Suite

  /// Calls `count` times, in ``Phase/create`` with a new function each time, and returns the last result, to be
  /// checked.
  func run(_ phase: Phase, count: Int) throws -> Double {
    switch suite {
    case .W0: try run(phase, W0.self, count: count)
    case .W2, .dispatcher, .objectiveC: try run(phase, W2.self, count: count)
    case .W4: try run(phase, W4.self, count: count)
    case .WR: try run(phase, WR.self, count: count)
    case .WE, .swift: suite.hasOtherLoops
    }
  }

  private func run<Workload: FunctionWorkload>(_ phase: Phase, _: Workload.Type, count: Int) throws -> Double {
    let selector: MethodSelector = "measure"
    let target = Unmanaged<Target>?.none
    var last = 0.0
    if phase == .create {
      for index in 0..<count { last = try Workload.call(make(), target, selector, index: index) }
    } else {
      let function = try make()
      for index in 0..<count { last = try Workload.call(function, target, selector, index: index) }
    }
    return last
  }

  private func make() throws -> ForeignFunction {
    try ForeignFunction(suite.implementation, MethodSignature(types: suite.types))
  }
}

private enum W0: FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double {
    try function(target, selector)
    return 0
  }
}

private enum W2: FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double {
    let sum: Int = try function(target, selector, index, 2)
    return Double(sum)
  }
}

private enum W4: FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double {
    try function(
      target, selector, Int32(truncatingIfNeeded: index), 2.0, 3 as Float, 4 as Int8, UnsafeRawPointer?.none, 5 as Int16,
      Pair(a: 3, b: 4), 6.0)
  }
}

private enum WR: FunctionWorkload {
  static func call(_ function: ForeignFunction, _ target: Unmanaged<Target>?, _ selector: MethodSelector, index: Int) throws -> Double {
    let moved: Geometry.Rect = try function(
      target, selector, Geometry.Rect(x: Double(index), y: 2, width: 3, height: 4), Geometry.Point(x: 1, y: 2),
      Geometry.IndexRange(location: 1, length: 2))
    return moved.origin.x
  }
}

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
      case .W2, .dispatcher, .objectiveC: calls(try function.pointer(as: Sum.self), count: count)
      case .W4: calls(try function.pointer(as: Mixed.self), count: count)
      case .WR: calls(try function.pointer(as: Move.self), count: count)
      case .WE, .swift: suite.hasOtherLoops
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

extension workload_pair: @retroactive EncodedValue {
  /// The encoding `{II=ii}`.
  public static var typeEncoding: TypeEncoding { "{II=ii}" }
}

/// Runs the callees of ``Suite/swift``: directly, and found by their names in this program.
///
/// The program is linked so that it exports them.
struct SwiftLoop {
  let phase: Phase

  /// Calls `count` times and returns the last result, or the sum of the events, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    engine == .direct ? try runDirect(count: count) : try runFunction(count: count)
  }

  private static let frame = Frame(x: 1, y: 2, width: 3, height: 4)
  private static let text = "a text that is too long for its inline form"

  private func runDirect(count: Int) throws -> Double {
    switch phase {
    case .integers:
      var last = 0
      for index in 0..<count { last = add(index, 2) }
      return Double(last)
    case .structure:
      var last = 0.0
      for index in 0..<count { last = moved(Self.frame, x: Double(index), y: 1).x }
      return last
    case .string:
      var last = 0
      for _ in 0..<count { last = length(of: Self.text) }
      return Double(last)
    case .throwing:
      var last = 0
      for index in 0..<count { last = try checked(index) }
      return Double(last)
    case .row:
      let page = makePage()
      var last = 0
      for index in 0..<count { last = page.row(at: index) }
      return Double(last)
    default:
      let (page, source, control) = (makePage(), Control(tag: 1), Control(tag: 2))
      for index in 0..<count { page.pressed(source, control: control, index: index, frame: Self.frame, other: nil) }
      return page.sum
    }
  }

  private func runFunction(count: Int) throws -> Double {
    let function = try function()
    switch phase {
    case .integers:
      var last = 0
      for index in 0..<count { last = try function(index, 2) }
      return Double(last)
    case .structure:
      var last = 0.0
      for index in 0..<count { last = try function(Self.frame, Double(index), 1.0, as: Frame.self).x }
      return last
    case .string:
      var last = 0
      for _ in 0..<count { last = try function(Self.text) }
      return Double(last)
    case .throwing:
      var last = 0
      for index in 0..<count { last = try function(index) }
      return Double(last)
    case .row:
      let page = makePage()
      var last = 0
      for index in 0..<count { last = try function(page, index) }
      return Double(last)
    default:
      let (page, source, control) = (makePage(), Control(tag: 1), Control(tag: 2))
      for index in 0..<count { try function(page, source, control, index, Self.frame, Control?.none) }
      return page.sum
    }
  }

  private func function() throws -> SwiftFunction {
    let name =
      switch phase {
      case .integers: "SwiftWorkloads.add(_:_:)"
      case .structure: "SwiftWorkloads.moved(_:x:y:)"
      case .string: "SwiftWorkloads.length(of:)"
      case .throwing: "SwiftWorkloads.checked(_:)"
      case .row: "SwiftWorkloads.Page.row(at:)"
      default: "SwiftWorkloads.Page.pressed(_:control:index:frame:other:)"
      }
    return try unsafe SwiftLibrary.process.trusting(.declarations).function(name)
  }
}
