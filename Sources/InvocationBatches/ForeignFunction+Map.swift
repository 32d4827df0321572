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
