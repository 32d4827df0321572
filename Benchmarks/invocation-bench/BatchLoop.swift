import InvocationBatches
import DynamicInvocation
import Dispatch
import Workloads

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
