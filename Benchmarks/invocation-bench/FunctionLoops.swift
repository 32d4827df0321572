import Dispatch
public import DynamicInvocation
import InvocationBatches
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
    case .W2, .dispatcher, .batch: try run(phase, W2.self, count: count)
    case .W4: try run(phase, W4.self, count: count)
    case .WR: try run(phase, WR.self, count: count)
    case .WE, .swift: preconditionFailure("events and Swift functions have loops of their own")
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

/// Calls a function for rows of arguments, which are in the columns of the workloads.
struct BatchLoop {
  let phase: Phase

  /// The columns of all batches.
  nonisolated(unsafe) private static let columns = workload_prepare_rows()
  nonisolated(unsafe) private static let null = UnsafePointer(zeroedWord())

  private static func zeroedWord() -> UnsafeMutablePointer<UInt64> {
    let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    word.initialize(to: 0)
    return word
  }

  /// Runs `count` rows, of which at most ``rows`` are in a batch, and returns the result of the last row.
  func run(_ engine: Engine, count: Int) throws -> Double {
    let function = try function()
    let vectorized = engine == .vectorized ? function.vectorized : nil
    // Prepared before the loop of C, which reads them too.
    let arguments = arguments()
    var last = 0.0
    var done = 0
    while done < count {
      let rows = min(count - done, Int(WORKLOAD_ROWS))
      switch engine {
      case .rowLoop: last = workload_run_rows(rowsKind, rows)
      case .callEach: try callEach(function, arguments, rows)
      case .vectorized:
        try vectorized?.callEach(rows: rows, arguments, results: UnsafeMutableBufferPointer(start: Self.columns.results, count: rows))
      case .map: last = try map(function, rows)
      case .concurrent: last = try concurrent(function, arguments, rows)
      default: preconditionFailure("\(engine) calls no rows")
      }
      if engine == .callEach || engine == .vectorized { last = result(rows) }
      done += rows
    }
    return last
  }

  private func function() throws -> ForeignFunction {
    if let symbol { return try DynamicLibrary("libm.so.6").function(symbol, types: "dd") }
    return try ForeignFunction(Implementation(workload_row_callee(rowsKind)), MethodSignature(types: types))
  }

  /// The name of the phase's function in the mathematical library, or nil.
  private var symbol: String? {
    switch phase {
    case .rowsExp, .rowsSin, .rowsCos: phase.rawValue
    default: nil
    }
  }

  private var types: String {
    switch phase {
    case .rowsW0: Suite.W0.types
    case .rowsW2: Suite.W2.types
    case .rowsW4: Suite.W4.types
    case .rowsWR: Suite.WR.types
    default: "dd"
    }
  }

  private var rowsKind: workload_rows {
    switch phase {
    case .rowsW0: .w0
    case .rowsW2: .w2
    case .rowsW4: .w4
    case .rowsWR: .wr
    case .rowsExp: .exp
    case .rowsSin: .sin
    case .rowsCos: .cos
    default: .dd
    }
  }

  private func arguments() -> [ArgumentColumn] {
    let columns = Self.columns
    let rows = Int(WORKLOAD_ROWS)
    func column<Value>(_ values: UnsafePointer<Value>, _ type: TypeEncoding) -> ArgumentColumn {
      ArgumentColumn(values, stride: MemoryLayout<Value>.stride, count: rows, as: type)
    }
    func null(_ type: TypeEncoding) -> ArgumentColumn { ArgumentColumn(Self.null, stride: 0, count: rows, as: type) }
    let target = [null("@"), null(":")]
    return switch phase {
    case .rowsW0: target
    case .rowsW2: target + [column(columns.integers, "q"), column(columns.integers, "q")]
    case .rowsW4:
      target + [
        column(columns.narrow, "i"), column(columns.numbers, "d"), column(columns.singles, "f"), column(columns.bytes, "c"), null("^v"),
        column(columns.shorts, "s"), column(columns.pairs, "{II=ii}"), column(columns.powers, "d"),
      ]
    case .rowsWR:
      target + [
        column(columns.rects, "{Rect={Point=dd}{Size=dd}}"), column(columns.points, "{Point=dd}"), column(columns.ranges, "{_NSRange=QQ}"),
      ]
    default: [column(columns.numbers, "d")]
    }
  }

  private func callEach(_ function: ForeignFunction, _ arguments: [ArgumentColumn], _ rows: Int) throws {
    let columns = Self.columns
    switch phase {
    case .rowsW0: try function.callEach(rows: rows, arguments)
    case .rowsW2: try function.callEach(rows: rows, arguments, results: UnsafeMutableBufferPointer(start: columns.sums, count: rows))
    case .rowsWR:
      try columns.moved.withMemoryRebound(to: Geometry.Rect.self, capacity: rows) { moved in
        try function.callEach(rows: rows, arguments, results: UnsafeMutableBufferPointer(start: moved, count: rows))
      }
    default: try function.callEach(rows: rows, arguments, results: UnsafeMutableBufferPointer(start: columns.results, count: rows))
    }
  }

  /// The last result that the batch has stored.
  private func result(_ rows: Int) -> Double {
    switch phase {
    case .rowsW0: 0
    case .rowsW2: Double(Self.columns.sums[rows - 1])
    case .rowsWR: Self.columns.moved[rows - 1].x
    default: Self.columns.results[rows - 1]
    }
  }

  private func map(_ function: ForeignFunction, _ rows: Int) throws -> Double {
    let numbers = Array(UnsafeBufferPointer(start: Self.columns.numbers, count: rows))
    let results: [Double] = try function.map(numbers)
    return results[rows - 1]
  }

  /// Runs the batch in a task, and waits for it.
  private func concurrent(_ function: ForeignFunction, _ arguments: [ArgumentColumn], _ rows: Int) throws -> Double {
    // Unchecked Sendable: this thread waits while the task uses it.
    final class Batch: @unchecked Sendable {
      let arguments: [ArgumentColumn]
      let results: UnsafeMutableBufferPointer<Double>
      var failure: (any Error)?

      init(_ arguments: [ArgumentColumn], _ results: UnsafeMutableBufferPointer<Double>) {
        self.arguments = arguments
        self.results = results
      }
    }
    let batch = Batch(arguments, UnsafeMutableBufferPointer(start: Self.columns.results, count: rows))
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        let concurrency = RowConcurrency.threadSafe(threads: 2, rowsPerChunk: 1_024)
        try await function.callEach(rows: rows, batch.arguments, results: batch.results, concurrently: concurrency)
      } catch {
        batch.failure = error
      }
      isDone.signal()
    }
    isDone.wait()
    if let failure = batch.failure { throw failure }
    return batch.results[rows - 1]
  }
}
