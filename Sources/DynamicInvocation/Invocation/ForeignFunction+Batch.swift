/// Batches: one plan and one frame for many rows of arguments.
extension ForeignFunction {
  /// Calls the function once for each row, in order, and stores the results.
  ///
  ///     try pow.callEach(rows: n, [ArgumentColumn(bases), ArgumentColumn(repeating: &exponent)], results: powers)
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  ///   - results: Where the results go, uninitialized or trivial memory for at least `rows` of them.
  /// - Throws: ``InvocationError``, before any call, `countMismatch` for a wrong number of columns, or too few rows in one or in `results`, and
  ///   `typeMismatch`; `nullNotAllowed` after the call whose result is null when its type is no optional.
  /// - Complexity: O(rows × bytes of the arguments). Nothing is allocated, save for frames of more than a kilobyte.
  public func callEach<Result: EncodedValue & BitwiseCopyable>(
    rows: Int, _ columns: [ArgumentColumn], results: UnsafeMutableBufferPointer<Result>
  ) throws(InvocationError) {
    let slot = methodSignature.storage.plan.result
    guard Result.accepts(slot.kind) else { throw methodSignature.mismatch(Result.self, .result) }
    guard results.count >= rows else {
      throw InvocationError(.countMismatch, "memory for \(results.count) results of \(rows) rows", argument: .result)
    }
    var failure: InvocationError?
    try unsafe forEach(rows, columns) { row, frame in
      guard let value = unsafe Result.load(from: slot, of: frame) else {
        failure = unsafe slot.unreadable(in: frame, .result)
        return false
      }
      unsafe results.initializeElement(at: row, to: value)
      return true
    }
    if let failure { throw failure }
  }

  /// Calls the function once for each row, in order, and drops the results, if it has any.
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  /// - Throws: ``InvocationError``, before any call: `countMismatch`, `typeMismatch`.
  /// - Complexity: O(rows × bytes of the arguments). Nothing is allocated, save for frames of more than a kilobyte.
  public func callEach(rows: Int, _ columns: [ArgumentColumn]) throws(InvocationError) {
    try unsafe forEach(rows, columns) { _, _ in true }
  }

  /// Calls the function with the first elements of some arrays, then with the second, and so on.
  ///
  ///     let powers: [Double] = try pow.map([1, 2, 3], [2, 2, 2])     // [1, 4, 9]
  ///
  /// - Parameters:
  ///   - columns: An array for each argument, all of one length.
  ///   - type: The type of the results; mostly it follows from the context.
  /// - Returns: The results, in order.
  /// - Throws: ``InvocationError`` as ``callEach(rows:_:results:)`` does.
  /// - Complexity: O(bytes of the arrays); allocates a copy of each, and the result.
  public func map<each Argument: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable>(
    _ columns: repeat [each Argument], as type: Result.Type = Result.self
  ) throws(InvocationError) -> [Result] {
    var copies: [ColumnCopy] = []
    for values in repeat each columns { copies.append(ColumnCopy(values)) }
    let rows = copies.first?.count ?? 0
    for (index, copy) in copies.enumerated() where copy.count != rows {
      throw InvocationError(.countMismatch, "\(copy.count) values, the first array has \(rows)", argument: .index(index))
    }
    let results = UnsafeMutableBufferPointer<Result>.allocate(capacity: rows)
    defer { unsafe results.deallocate() }
    try withExtendedLifetime(copies) { () throws(InvocationError) in
      try unsafe callEach(rows: rows, copies.map(\.column), results: results)
    }
    return unsafe Array(results)
  }

  /// Calls for each row until a closure that is lent the frame after the call returns false.
  private func forEach(
    _ rows: Int, _ columns: [ArgumentColumn], _ read: (Int, UnsafeRawPointer) -> Bool
  ) throws(InvocationError) {
    let plan = methodSignature.storage.plan
    try check(rows, columns)
    unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe plan.prepare(frame)
      withExtendedLifetime(self) {
        for row in 0..<rows {
          for index in 0..<plan.count {
            // A value without bytes may have no address.
            guard let start = unsafe columns[index].start else { continue }
            unsafe plan.slots[index].write(from: start + row * columns[index].stride, to: frame)
          }
          unsafe plan.call(implementation.pointer, frame: frame)
          guard unsafe read(row, UnsafeRawPointer(frame)) else { return }
        }
      }
    }
  }

  private func check(_ rows: Int, _ columns: [ArgumentColumn]) throws(InvocationError) {
    guard rows >= 0 else { throw InvocationError(.countMismatch, "\(rows) rows") }
    let plan = methodSignature.storage.plan
    guard plan.count == columns.count else { throw countMismatch(columns.count) }
    for (index, column) in columns.enumerated() {
      guard column.accepts(unsafe plan.slots[index].kind) else { throw methodSignature.mismatch(column.type, .index(index)) }
      if let count = column.count, count < rows {
        throw InvocationError(.countMismatch, "\(count) values for \(rows) rows", argument: .index(index))
      }
    }
    if implementation.hasTargetType, let start = unsafe columns.first?.start {
      for row in 0..<rows {
        try unsafe implementation.requireTarget(at: (start + row * columns[0].stride).loadUnaligned(as: UInt64.self), nil)
      }
    }
  }
}

/// The values of an array, at an address for as long as the object lives.
@safe
private final class ColumnCopy {
  let column: ArgumentColumn
  let count: Int
  private let memory: UnsafeMutableRawPointer

  init<Value: EncodedValue & BitwiseCopyable>(_ values: [Value]) {
    let start = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
    let copy = unsafe UnsafeMutableBufferPointer(start: start, count: values.count)
    _ = unsafe copy.initialize(fromContentsOf: values)
    column = unsafe ArgumentColumn(UnsafeBufferPointer(copy))
    count = values.count
    unsafe memory = UnsafeMutableRawPointer(start)
  }

  deinit {
    unsafe memory.deallocate()
  }
}
