/// Batches: the types are checked and the moves of the bytes planned once, for many rows of arguments.
extension ForeignFunction {
  /// Calls the function once for each row, in order, and stores the results.
  ///
  ///     try pow.callEach(rows: n, [ArgumentColumn(bases), ArgumentColumn(repeating: &exponent)], results: powers)
  ///
  /// The arguments of a row are read at any time before its call, up to 128 rows ahead, and its result is stored before
  /// the batch ends.
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  ///   - results: The memory for the results: uninitialized or of a trivial type, for at least `rows` of them.
  /// - Throws: `InvocationError`. Before any call: `countMismatch` for a wrong number of columns or too few rows in a
  ///   column or in `results`, and `typeMismatch`. After a call, with its `InvocationError.row`: `nullNotAllowed` for a
  ///   null result, if the result type is not an optional; the error of a method that throws, and `noReturnValue` if it
  ///   is no `InvocationError`. Then no further row is called.
  /// - Complexity: O(rows × bytes of the arguments). Nothing is allocated, except lists and frames larger than one
  ///   kilobyte.
  public func callEach<Result: EncodedValue & BitwiseCopyable>(
    rows: Int, _ columns: [ArgumentColumn], results: UnsafeMutableBufferPointer<Result>
  ) throws(InvocationError) {
    guard let start = try unsafe checkedResults(rows, columns, results) else { return }
    try unsafe callRows(0..<rows, columns, start)
  }

  /// Calls the function once for each row, in order, and discards any results.
  ///
  /// - Parameters:
  ///   - rows: The number of calls; not negative.
  ///   - columns: The values of each argument.
  /// - Throws: `InvocationError`. Before any call: `countMismatch`, `typeMismatch`. After a call, with its
  ///   `InvocationError.row`: the error of a method that throws.
  /// - Complexity: O(rows × bytes of the arguments). Nothing is allocated, except lists and frames larger than one
  ///   kilobyte.
  public func callEach(rows: Int, _ columns: [ArgumentColumn]) throws(InvocationError) {
    try check(rows, columns)
    try callRows(0..<rows, columns)
  }

  /// The implementation of all overloads of `map` that return an array.
  func map<Result: EncodedValue & BitwiseCopyable>(_ copies: [ColumnCopy]) throws(InvocationError) -> [Result] {
    let rows = try self.rows(of: copies)
    if rows == 0 {
      // Creating an array in place would write to the storage that all empty arrays share, at the same time as other
      // threads do.
      try unsafe callEach(rows: 0, copies.map(\.column), results: UnsafeMutableBufferPointer<Result>(start: nil, count: 0))
      return []
    }
    var failure: InvocationError?
    let results = unsafe [Result](unsafeUninitializedCapacity: rows) { results, count in
      do throws(InvocationError) {
        let memory = unsafe UnsafeMutableBufferPointer(start: results.baseAddress, count: rows)
        try withExtendedLifetime(copies) { () throws(InvocationError) in
          try unsafe callEach(rows: rows, copies.map(\.column), results: memory)
        }
        count = rows
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return results
  }

  /// The implementation of all overloads of `map` that store their results.
  func map<Result: EncodedValue & BitwiseCopyable>(_ copies: [ColumnCopy], into results: inout [Result]) throws(InvocationError) {
    let rows = try self.rows(of: copies)
    guard results.count == rows else {
      throw named(InvocationError(.countMismatch, "memory for \(results.count) results of \(rows) rows", argument: .result))
    }
    // A closure that throws a typed error is not accepted here.
    let failure: InvocationError? = unsafe results.withUnsafeMutableBufferPointer { results in
      do throws(InvocationError) {
        try withExtendedLifetime(copies) { () throws(InvocationError) in
          try unsafe callEach(rows: rows, copies.map(\.column), results: results)
        }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Returns the length of the arrays of a batch, or throws if they differ.
  func rows(of copies: [ColumnCopy]) throws(InvocationError) -> Int {
    guard copies.count == methodSignature.numberOfArguments else { throw countMismatch(copies.count) }
    let rows = copies.first?.count ?? 0
    for (index, copy) in copies.enumerated() where copy.count != rows {
      throw named(InvocationError(.countMismatch, "\(copy.count) values, the first array has \(rows)", argument: .index(index)))
    }
    return rows
  }
}

// MARK: Rows

extension ForeignFunction {
  /// Checks the columns and the number of rows.
  func check(_ rows: Int, _ columns: [ArgumentColumn]) throws(InvocationError) {
    guard rows >= 0 else { throw named(InvocationError(.countMismatch, "\(rows) rows")) }
    let plan = methodSignature.storage.plan
    guard plan.count == columns.count else { throw countMismatch(columns.count) }
    for (index, column) in columns.enumerated() {
      guard column.accepts(methodSignature, index) else { throw named(methodSignature.mismatch(column.type, .index(index))) }
      if let count = column.count, count < rows {
        throw named(InvocationError(.countMismatch, "\(count) values for \(rows) rows", argument: .index(index)))
      }
    }
    guard implementation.hasTargetType, let start = unsafe columns.first?.start else { return }
    for row in 0..<rows {
      do throws(InvocationError) {
        try unsafe implementation.requireTarget(at: (start + row * columns[0].stride).loadUnaligned(as: UInt64.self), nil)
      } catch {
        throw named(error.inRow(row))
      }
    }
  }

  /// Checks the columns and the memory of the results, and returns its address; nil if there are no rows.
  func checkedResults<Result: EncodedValue & BitwiseCopyable>(
    _ rows: Int, _ columns: [ArgumentColumn], _ results: UnsafeMutableBufferPointer<Result>
  ) throws(InvocationError) -> UnsafeMutablePointer<Result>? {
    try requireResult(Result.self)
    guard results.count >= rows else {
      throw named(InvocationError(.countMismatch, "memory for \(results.count) results of \(rows) rows", argument: .result))
    }
    try check(rows, columns)
    return rows > 0 ? results.baseAddress : nil
  }

  /// Calls the function for a range of rows, whose columns were checked, and stores the results.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - columns: The columns.
  ///   - results: The memory for the result of row 0 and of those after it.
  func callRows<Result: EncodedValue & BitwiseCopyable>(
    _ rows: Range<Int>, _ columns: [ArgumentColumn], _ results: UnsafeMutablePointer<Result>
  ) throws(InvocationError) {
    let slot = methodSignature.storage.plan.result
    let stride = MemoryLayout<Result>.stride
    let memory = unsafe RowResults(start: UnsafeMutableRawPointer(results), stride: stride)
    switch RowReading(Result.self, slot) {
    case .bytes, .pointers:
      let stopsAtNull = RowReading(Result.self, slot) == .pointers
      try unsafe perform(rows, columns, memory, RowEnd(stopsAtNull: stopsAtNull)) { frame in
        unsafe slot.unreadable(in: frame, .result, as: Result.self)
      }
    case .values:
      for row in rows {
        var value: Result?
        try unsafe perform(row..<row + 1, columns, nil, RowEnd(staysInFrame: true)) { frame in
          switch unsafe Result.result(of: methodSignature, from: frame) {
          case .success(let result):
            value = result
            return nil
          case .failure(let error): return error
          }
        }
        if let value { unsafe (results + row).initialize(to: value) }
      }
    }
  }

  /// Calls the function for a range of rows, whose columns were checked, and discards the results.
  func callRows(_ rows: Range<Int>, _ columns: [ArgumentColumn]) throws(InvocationError) {
    try unsafe perform(rows, columns, nil, RowEnd()) { _ in nil }
  }

  /// Calls the function for a range of rows.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - columns: The columns.
  ///   - results: Where results are stored.
  ///   - end: What ends the batch, besides an error.
  ///   - failure: Returns the error of a result that ended the batch, or that is in the frame of the last row.
  private func perform(
    _ rows: Range<Int>, _ columns: [ArgumentColumn], _ results: RowResults?, _ end: RowEnd,
    _ failure: (UnsafeRawPointer) -> InvocationError?
  ) throws(InvocationError) {
    guard !rows.isEmpty else { return }
    let plan = methodSignature.storage.plan
    let error: InvocationError? = unsafe withUnsafeTemporaryAllocation(
      byteCount: plan.frameSize, alignment: plan.frameAlignment
    ) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      defer { withExtendedLifetime(self) {} }
      func call(_ end: RowEnd) -> Int {
        unsafe plan.callRows(implementation.pointer, frame: frame, rows, results: results, end) { index in
          unsafe RowColumn(start: columns[index].start, stride: columns[index].stride)
        }
      }
      var thrown: (any Error)?
      let completed =
        implementation.mayThrow
        ? unsafe withUnsafeMutablePointer(to: &thrown) { place in
          call(unsafe RowEnd(stopsAtNull: end.stopsAtNull, error: place, staysInFrame: end.staysInFrame))
        } : call(end)
      if let thrown { return Self.error(of: thrown).inRow(rows.lowerBound + completed) }
      guard completed < rows.count || end.staysInFrame else { return nil }
      return unsafe failure(UnsafeRawPointer(frame))?.inRow(min(rows.lowerBound + completed, rows.upperBound - 1))
    }
    if let error { throw named(error) }
  }

  /// Returns the error that a method has thrown as one of the engine.
  private static func error(of thrown: any Error) -> InvocationError {
    (thrown as? InvocationError) ?? InvocationError(.noReturnValue, "the method threw \(thrown)")
  }
}

/// How the results of a batch become Swift values.
private enum RowReading {
  /// The bytes are the value.
  case bytes
  /// The bytes are the value, and null is an error.
  case pointers
  /// Each value is read from the frame of its call.
  case values

  init<Result: EncodedValue & BitwiseCopyable>(_ type: Result.Type, _ slot: FrameSlot) {
    let isWhole = MemoryLayout<Result>.size == 0 || MemoryLayout<Result>.stride == Int(slot.size)
    if !isWhole || !type.accepts(slot.kind) || type == Bool.self || !TypeEncoding.isPassedAsBytes(type) || slot.kind == .selector {
      self = .values
    } else if !type.mayBeRefused {
      self = .bytes
    } else {
      self = slot.kind.isAddress ? .pointers : .values
    }
  }
}

// MARK: - Map

// A parameter pack is read once for each array, not for each row, so that one form serves any number of arrays.

extension ForeignFunction {
  /// Calls the function with the first elements of the arrays, then with the second, and so on.
  ///
  ///     let powers: [Double] = try pow.map([1, 2, 3], [2, 2, 2])     // [1, 4, 9]
  ///
  /// - Parameters:
  ///   - columns: An array for each argument, all of one length.
  ///   - type: The type of the results; mostly it follows from the context.
  /// - Returns: The results, in order.
  /// - Throws: `InvocationError` as ``callEach(rows:_:results:)`` does, for literals as a call does, and `countMismatch`
  ///   for arrays of different lengths.
  /// - Complexity: O(bytes of the arrays); allocates a copy of each, and the result.
  public func map<each Argument: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable>(
    _ columns: repeat [each Argument], as type: Result.Type = Result.self
  ) throws(InvocationError) -> [Result] {
    try map(copies(repeat each columns))
  }

  /// Calls the function with each row of arrays, and stores the results in an array of that length.
  ///
  ///     var roots = [0.0, 0, 0]
  ///     try sqrt.map([1, 4, 9], into: &roots)                        // [1, 2, 3]
  ///
  /// If an error is thrown, the results of the rows before it are stored.
  ///
  /// - Parameters:
  ///   - columns: An array for each argument, all of one length.
  ///   - results: The array that takes the results.
  /// - Throws: `InvocationError` as the form that returns an array does, and `countMismatch` for results of another length.
  /// - Complexity: O(bytes of the arrays); allocates a copy of each argument's.
  public func map<each Argument: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable>(
    _ columns: repeat [each Argument], into results: inout [Result]
  ) throws(InvocationError) {
    try map(copies(repeat each columns), into: &results)
  }

  /// Calls the function with each row of arrays on several threads, and returns the results in order.
  ///
  ///     let roots: [Double] = try await sqrt.map(numbers, concurrently: .threadSafe())
  ///
  /// - Parameters:
  ///   - columns: An array for each argument, all of one length.
  ///   - type: The type of the results; mostly it follows from the context.
  ///   - concurrency: How rows are split over threads.
  /// - Throws: `InvocationError` with the row of the first call that fails, and `CancellationError`: see
  ///   ``RowConcurrency``.
  /// - Complexity: O(bytes of the arrays); allocates a copy of each, the result, and a task for each chunk of rows.
  public nonisolated(nonsending) func map<
    each Argument: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable & SendableMetatype
  >(
    _ columns: repeat [each Argument], as type: Result.Type = Result.self, concurrently concurrency: RowConcurrency
  ) async throws -> [Result] {
    try await map(copies(repeat each columns), concurrency)
  }

  /// Copies the arrays of a batch, in the order of the arguments.
  func copies<each Argument: EncodedValue & BitwiseCopyable>(_ columns: repeat [each Argument]) throws(InvocationError) -> [ColumnCopy] {
    var copies: [ColumnCopy] = []
    for column in repeat each columns { try copies.append(ColumnCopy(column, copies.count, of: self)) }
    return copies
  }
}
